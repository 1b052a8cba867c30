"""The compiler's on-chip memory plan of a Triton kernel: what is allocated where, and for how long."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.onchip.panel import OnchipPanel

    return OnchipPanel


SPEC = PanelSpec(
    "onchip",
    tr("On-chip memory"),
    _load,
    ("onchip",),
    tr("the memory plan of a Triton kernel (memory_info.json)"),
    tr(
        "Each box is a memory block: its width is its lifetime, its height its size. The dashed "
        "line marks the fullest step; hatched blocks are temporary."
    ),
    shows=("onchip_block",),
    words=("unified buffer", "UB", "allocation", "memory plan"),
)
