"""What is marked on a heat map: range, selection, hover and a drag; drawn over the picture, never into it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.profile.arrays import I64
from app.widgets.heat.layout import HeatLayout
from app.widgets.theme import Theme

NONE: I64 = np.empty(0, np.int64)
EDGE = 6.0
AXIS_EDGE = 5.0
MOST_RUNS = 400
FAINT = 48
VEIL = 170


@dataclass(slots=True)
class HeatMarks:
    """Rows and columns that are selected; columns of the range (None: no range); the block under the pointer;
    the stretch of columns that is being dragged."""

    rows: I64 = field(default_factory=lambda: NONE)
    columns: I64 = field(default_factory=lambda: NONE)
    within: I64 | None = None
    hover: tuple[range, range] | None = None
    dragged: tuple[float, float] | None = None


def draw_marks(painter: QPainter, layout: HeatLayout, marks: HeatMarks, theme: Theme) -> None:
    """Cells keep their colours: what is outside of the range is veiled, what is selected has filled edges."""
    cells = layout.cells
    painter.setClipRect(QRectF(layout.names.left(), cells.top(), cells.right(), layout.axis.bottom() - cells.top()))
    if marks.within is not None:
        _draw_range(painter, layout, marks.within, theme)
    accent = QColor(theme.selection)
    for first, last in runs(marks.rows):
        _draw_rows(painter, layout, first, last, accent)
    for first, last in runs(marks.columns):
        _draw_columns(painter, layout, first, last + 1, accent)
    if marks.dragged is not None:
        _draw_columns(painter, layout, min(marks.dragged), max(marks.dragged), accent)
    if marks.hover is not None:
        rows, columns = marks.hover
        top_left = QPointF(layout.x_of(columns.start), layout.y_of(rows.start))
        box = QRectF(top_left, QPointF(layout.x_of(columns.stop), layout.y_of(rows.stop)))
        outline(painter, box, theme)


def outline(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """A mark that shows on every fill: a line of the hover colour inside one of the surface."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.surface), 3))
    painter.drawRect(box)
    painter.setPen(QPen(QColor(theme.hover), 1))
    painter.drawRect(box)


def runs(places: I64) -> list[tuple[int, int]]:
    """Neighbouring places as (first, last), MOST_RUNS at the most."""
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) != 1)
    starts = np.concatenate(([0], breaks + 1))[:MOST_RUNS]
    ends = np.concatenate((breaks, [len(places) - 1]))[:MOST_RUNS]
    return list(zip(places[starts].tolist(), places[ends].tolist(), strict=True))


def _draw_rows(painter: QPainter, layout: HeatLayout, first: int, last: int, accent: QColor) -> None:
    top, bottom = layout.y_of(first), layout.y_of(last + 1)
    if bottom < layout.cells.top() or top > layout.cells.bottom():
        return
    painter.fillRect(QRectF(layout.cells.left() - EDGE, top, EDGE, max(bottom - top, 3.0)), accent)
    painter.setPen(QPen(accent, 1))
    for y in (top, bottom):
        painter.drawLine(QPointF(layout.cells.left(), y), QPointF(layout.cells.right(), y))


def _draw_columns(painter: QPainter, layout: HeatLayout, first: float, after: float, accent: QColor) -> None:
    left, right = (min(max(layout.x_of(x), layout.cells.left()), layout.cells.right()) for x in (first, after))
    if layout.x_of(after) < layout.cells.left() or layout.x_of(first) > layout.cells.right():
        return
    width = max(right - left, 2.0)
    painter.fillRect(QRectF(left, layout.axis.top(), width, AXIS_EDGE), accent)
    faint = QColor(accent)
    faint.setAlpha(FAINT)
    painter.fillRect(QRectF(left, layout.cells.top(), width, layout.cells.height()), faint)


def _draw_range(painter: QPainter, layout: HeatLayout, columns: I64, theme: Theme) -> None:
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    cells, at = layout.cells, layout.cells.left()
    for first, last in runs(columns):
        left, right = (min(max(layout.x_of(x), cells.left()), cells.right()) for x in (first, last + 1))
        painter.fillRect(QRectF(at, cells.top(), left - at, cells.height()), veil)
        painter.fillRect(QRectF(left, layout.axis.top(), right - left, AXIS_EDGE), QColor(theme.range))
        at = right
    painter.fillRect(QRectF(at, cells.top(), cells.right() - at, cells.height()), veil)
