"""The list of panels and of plots."""

from __future__ import annotations

from app.panels import anchors, blobs, tensors, timeline
from app.panels.panel import PanelSpec, PlotSpec

PANELS: tuple[PanelSpec, ...] = (
    timeline.SPEC,
    blobs.SPEC,
    anchors.SPEC,
    tensors.SPEC,
)

PLOTS: tuple[PlotSpec, ...] = (
    timeline.PLOT,
    blobs.PLOT,
)
