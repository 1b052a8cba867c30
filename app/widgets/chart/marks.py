"""Draws the selection and the hovered item over a chart."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.views.chart.model import Column
from app.views.theme import Theme
from app.widgets.chart.seen import Seen, SeenSeries
from app.widgets.chart.symbols import RADIUS, ink
from app.widgets.heat.marks import outline

FAINT = 80
BAND = 7.0
AROUND = 4.0
"""Pixels between a mark and the ring around it."""


def draw_selected(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """Draws a selected series: its line on a wide band, its points in thick rings."""
    marking = QColor(theme.selection)
    marking.setAlpha(FAINT)
    _draw_lines(painter, seen, one, QPen(marking, BAND, j=Qt.PenJoinStyle.RoundJoin))
    _draw_lines(painter, seen, one, ink(seen.chart, one.series, theme).pen())
    for spot in one.spots:
        _draw_ring(painter, spot, theme.selection, 3.0, theme)


def draw_hovered(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """Draws a hovered series: thin rings around its points, else a thin line over its line."""
    for spot in one.spots:
        _draw_ring(painter, spot, theme.hover, 1.5, theme)
    if not one.spots:
        _draw_lines(painter, seen, one, QPen(QColor(theme.hover), 1))


def draw_selected_column(painter: QPainter, seen: Seen, column: Column, theme: Theme) -> None:
    """Draws a selected column: a faint band, and rings around its points."""
    marking = QColor(theme.selection)
    marking.setAlpha(FAINT)
    painter.fillRect(seen.column_box(column), marking)
    for spot in seen.spots_in(column):
        _draw_ring(painter, spot, theme.selection, 2.0, theme)


def draw_hovered_column(painter: QPainter, seen: Seen, column: Column, theme: Theme) -> None:
    """Draws a hovered column: its outline, and rings around its points."""
    box = seen.column_box(column)
    if not box.isEmpty():
        outline(painter, _inside(box), theme)
    for spot in seen.spots_in(column):
        _draw_ring(painter, spot, theme.hover, 1.5, theme)


def _inside(box: QRectF) -> QRectF:
    """A rectangle on whole pixels whose outline is inside ``box``."""
    return QRectF(box.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5)


def _draw_lines(painter: QPainter, seen: Seen, one: SeenSeries, pen: QPen) -> None:
    painter.setPen(pen)
    for run in one.runs:
        painter.drawPolyline([seen.at(place) for place in run])


def _draw_ring(painter: QPainter, spot: QPointF, colour: str, width: float, theme: Theme) -> None:
    around = RADIUS + AROUND
    painter.setPen(QPen(QColor(theme.surface), 4))
    painter.drawEllipse(spot, around, around)
    painter.setPen(QPen(QColor(colour), width))
    painter.drawEllipse(spot, around, around)
