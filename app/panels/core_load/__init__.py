"""How evenly the cores were loaded: a card per core, a tile per sub-core."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.core_load.panel import CoreLoadPanel

    return CoreLoadPanel


SPEC = PanelSpec(
    "core_load",
    tr("Core load"),
    _load,
    ("core_load",),
    tr("an Ascend operator file (visualize_data.bin) with the load of the cores"),
    tr(
        "Each card is a core of the chip, each tile a sub-core. Colour and level compare it with "
        "others of its kind: 4 to 6 is average. Cards without tiles had no work."
    ),
    also=("target",),
    shows=("core",),
    words=("load balance", "occupancy"),
)
