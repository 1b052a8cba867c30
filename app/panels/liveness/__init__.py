"""Liveness: the bytes live at each program step, and their peak."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.liveness.panel import LivenessPanel

    return LivenessPanel


SPEC = PanelSpec(
    "liveness",
    tr("Liveness"),
    _load,
    ("liveness",),
    tr("a Poplar graph profile with memory.liveness"),
    tr(
        "Live bytes at each program step, on top of always-live memory, and their variables. "
        "Peak selects the step with the most live bytes."
    ),
    also=("live_variables", "tile_memory", "programs", "target"),
    shows=("liveness",),
    words=("live memory", "peak memory", "allocation over time"),
)
