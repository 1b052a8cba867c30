"""The list of panels and of plots."""

from __future__ import annotations

from app.panels import anchors, blobs, tensors
from app.panels.panel import PanelSpec, PlotSpec

PANELS: tuple[PanelSpec, ...] = (
    blobs.SPEC,
    anchors.SPEC,
    tensors.SPEC,
)

PLOTS: tuple[PlotSpec, ...] = (blobs.PLOT,)
