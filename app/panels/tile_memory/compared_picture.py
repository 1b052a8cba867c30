"""Pictures of the tile memory panel with a baseline. No widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.memory import Breakdown
from app.analysis.tile_figures import TITLES, Choice, content_of
from app.panels.tile_memory.picture import draw_bars, draw_floor_of, draw_histogram_of
from app.views.look import Look, Theme
from app.widgets.chart.scene import ChartPainter
from app.widgets.floor.scene import FloorScene
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.scene import PlotScene

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.panels.tile_memory.compared import Compared


def draw_bars_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme, by: Breakdown) -> None:
    """Draws the bars of the comparison with the outline of the baseline; alone if that has no such figures."""
    both = _both(comparison, by, difference=False)
    if both is None:
        draw_bars(painter, place, comparison.after, theme, by)
        return
    picture = both.bars(both.places("tile"), limit=True, lines=False)
    draw_whole(painter, place, PlotScene(picture), Look(theme=theme))


def draw_histogram_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws how many tiles of either profile have how much."""
    both = _both(comparison, "none", difference=False)
    picture = None if both is None else both.histogram(-1, limit=True)
    if picture is None:
        draw_histogram_of(painter, place, comparison.after, theme)
        return
    look = Look(theme=theme)
    ChartPainter().draw_whole(painter, picture.chart(look), place, look)


def draw_floor_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws the difference of every tile as a grid."""
    both = _both(comparison, "none", difference=True)
    if both is None:
        draw_floor_of(painter, place, comparison.after, theme)
        return
    draw_whole(painter, place, FloorScene(both.floor(-1)), Look(theme=theme))


def _both(comparison: Comparison, by: Breakdown, *, difference: bool) -> Compared | None:
    """A figure of both profiles; None if one of them lacks it."""
    from app.panels.tile_memory.compared import compared  # only with a baseline

    choice = Choice(by, TITLES[by])
    before, after = content_of(comparison.before, choice), content_of(comparison.after, choice)
    if before is None or after is None:
        return None
    return compared(before, after, difference=difference, per_tile=False)
