"""Rooflines: how close an operator comes to the limits of bandwidth and compute of its chip."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.roofline.panel import RooflinePanel

    return RooflinePanel


SPEC = PanelSpec(
    "roofline",
    tr("Roofline"),
    _load,
    ("roofline",),
    tr("an Ascend operator file (visualize_data.bin) with rooflines (block 0x0D)"),
    tr(
        "How close the operator comes to the limits of memory (slanted) and compute units "
        "(flat). A point far below its roof means waiting. Click an entry of the legend to hide "
        "its line."
    ),
    shows=("roof",),
    words=("arithmetic intensity", "bound"),
)
