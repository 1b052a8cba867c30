"""Plots of the workload panel for export."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import PlotSpec
from app.panels.workload.picture import draw, offered

PLOTS = (PlotSpec("pipe-utilisation", tr("Pipe utilisation"), offered, draw),)
