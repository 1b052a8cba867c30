"""The list of panels and of plots."""

from __future__ import annotations

from app.panels.panel import PanelSpec, PlotSpec

PANELS: tuple[PanelSpec, ...] = ()

PLOTS: tuple[PlotSpec, ...] = ()
