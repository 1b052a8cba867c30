"""Plots of the operator panel for export."""

from __future__ import annotations

from app.language import tr
from app.panels.operator.picture import draw, offered
from app.panels.spec import PlotSpec

PLOTS = (PlotSpec("block-durations", tr("Duration of each block"), offered, draw),)
