"""Marks on a heat map: range, selection, hover and a drag; drawn over the picture, never into it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.profile.arrays import I64
from app.views.theme import Theme
from app.views.visible_runs import visible_runs
from app.widgets.heat.layout import HeatLayout
from app.widgets.plane.scene import Marks

EDGE = 6.0
AXIS_EDGE = 5.0
FAINT = 48
VEIL = 170


def draw_marks(painter: QPainter, layout: HeatLayout, marks: Marks, selected: tuple[I64, I64], theme: Theme) -> None:
    """Draws the marks without changing cell colours: cells outside the range are faded, ``selected`` (rows, columns)
    have filled edges."""
    cells = layout.plot
    painter.setClipRect(QRectF(layout.names.left(), cells.top(), cells.right(), layout.axis.bottom() - cells.top()))
    if marks.within is not None:
        _draw_range(painter, layout, marks.within, theme)
    accent = QColor(theme.selection)
    rows, columns = layout.view.y, layout.view.x
    for first, after in visible_runs(selected[0], rows.start, rows.end, cells.height()):
        _draw_rows(painter, layout, first, after, accent)
    for first, after in visible_runs(selected[1], columns.start, columns.end, cells.width()):
        _draw_columns(painter, layout, first, after, accent)
    if marks.dragged is not None:
        ends = layout.column_at(marks.dragged.left()), layout.column_at(marks.dragged.right())
        _draw_columns(painter, layout, *ends, accent)
    block = marks.hovered and marks.hovered.place
    if isinstance(block, tuple):
        rows, columns = block[:2]
        top_left = QPointF(layout.x_of(columns.start), layout.y_of(rows.start))
        box = QRectF(top_left, QPointF(layout.x_of(columns.stop), layout.y_of(rows.stop)))
        outline(painter, box, theme)


def outline(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draws an outline that is visible on every fill: a line in the hover colour on a wider one in the surface
    colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.surface), 3))
    painter.drawRect(box)
    painter.setPen(QPen(QColor(theme.hover), 1))
    painter.drawRect(box)


def _draw_rows(painter: QPainter, layout: HeatLayout, first: float, after: float, accent: QColor) -> None:
    top, bottom = layout.y_of(first), layout.y_of(after)
    if bottom < layout.plot.top() or top > layout.plot.bottom():
        return
    painter.fillRect(QRectF(layout.plot.left() - EDGE, top, EDGE, max(bottom - top, 3.0)), accent)
    painter.setPen(QPen(accent, 1))
    for y in (top, bottom):
        painter.drawLine(QPointF(layout.plot.left(), y), QPointF(layout.plot.right(), y))


def _draw_columns(painter: QPainter, layout: HeatLayout, first: float, after: float, accent: QColor) -> None:
    left, right = (min(max(layout.x_of(x), layout.plot.left()), layout.plot.right()) for x in (first, after))
    if layout.x_of(after) < layout.plot.left() or layout.x_of(first) > layout.plot.right():
        return
    width = max(right - left, 2.0)
    painter.fillRect(QRectF(left, layout.axis.top(), width, AXIS_EDGE), accent)
    faint = QColor(accent)
    faint.setAlpha(FAINT)
    painter.fillRect(QRectF(left, layout.plot.top(), width, layout.plot.height()), faint)


def _draw_range(painter: QPainter, layout: HeatLayout, columns: I64, theme: Theme) -> None:
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    cells, at = layout.plot, layout.plot.left()
    for first, after in visible_runs(columns, layout.view.x.start, layout.view.x.end, cells.width()):
        left, right = (min(max(layout.x_of(x), cells.left()), cells.right()) for x in (first, after))
        painter.fillRect(QRectF(at, cells.top(), left - at, cells.height()), veil)
        painter.fillRect(QRectF(left, layout.axis.top(), right - left, AXIS_EDGE), QColor(theme.range))
        at = right
    painter.fillRect(QRectF(at, cells.top(), cells.right() - at, cells.height()), veil)
