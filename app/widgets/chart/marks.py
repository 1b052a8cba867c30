"""Draws what is selected or pointed at over a chart."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.widgets.chart.seen import Seen, SeenSeries
from app.widgets.chart.symbols import RADIUS, ink
from app.widgets.theme import Theme

FAINT = 80
BAND = 7.0
AROUND = RADIUS + 4


def draw_selected(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """A line on a band, its point in a thick ring."""
    marking = QColor(theme.selection)
    marking.setAlpha(FAINT)
    _draw_lines(painter, seen, one, QPen(marking, BAND, j=Qt.PenJoinStyle.RoundJoin))
    _draw_lines(painter, seen, one, ink(seen.chart, one.series, theme).pen())
    if one.spot is not None:
        _draw_ring(painter, one.spot, theme.selection, 3.0, theme)


def draw_hovered(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """A thin ring around the point, else a thin line over the line."""
    if one.spot is not None:
        _draw_ring(painter, one.spot, theme.hover, 1.5, theme)
    else:
        _draw_lines(painter, seen, one, QPen(QColor(theme.hover), 1))


def _draw_lines(painter: QPainter, seen: Seen, one: SeenSeries, pen: QPen) -> None:
    painter.setPen(pen)
    for run in one.runs:
        painter.drawPolyline([seen.at(place) for place in run])


def _draw_ring(painter: QPainter, spot: QPointF, colour: str, width: float, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.surface), 4))
    painter.drawEllipse(spot, AROUND, AROUND)
    painter.setPen(QPen(QColor(colour), width))
    painter.drawEllipse(spot, AROUND, AROUND)
