"""Pictures that the export makes of it."""

from __future__ import annotations

from app.analysis.poplar.tile_time import offered
from app.panels.spec import PlotSpec
from app.panels.steps import spent_view, tiles_view
from app.panels.steps.flame import draw, has_flame

PLOTS = (
    PlotSpec("flame", "Steps as a flame by name", has_flame, draw),
    PlotSpec("tile-time", "When each tile is at work", offered, tiles_view.draw),
    PlotSpec("tile-cycles", "Cycles of all tiles by kind", spent_view.has_cycles, spent_view.draw),
)
