"""Plots of the steps panel for export."""

from __future__ import annotations

from app.analysis.poplar.tile_time import offered
from app.language import tr
from app.panels.spec import PlotSpec
from app.panels.steps import difference_flame, spent_view, tiles_view
from app.panels.steps.flame import draw, has_flame

PLOTS = (
    PlotSpec("flame", tr("Steps as a flame by name"), has_flame, draw, difference_flame.draw_differences, plain=True),
    PlotSpec("tile-time", tr("When each tile is busy"), offered, tiles_view.draw),
    PlotSpec("tile-cycles", tr("Cycles of all tiles by kind"), spent_view.has_tile_cycles, spent_view.draw),
)
