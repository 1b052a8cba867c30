"""Marks over a plot: range, selection and hover."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.widgets.heat.marks import outline, runs
from app.widgets.plane.scene import Marks
from app.widgets.plot.layout import PlotLayout
from app.widgets.theme import Theme

FAINT = 90
VEIL = 170
EDGE = 5.0


def draw_marks(painter: QPainter, layout: PlotLayout, marks: Marks, theme: Theme) -> None:
    """Fades what is outside the range, fills the selection, outlines the hovered place: over the bars, never into
    them."""
    bars = layout.plot
    painter.setClipRect(QRectF(bars.left(), bars.top(), bars.width(), bars.height() + layout.axis.height()))
    if marks.within is not None:
        veil = QColor(theme.surface)
        veil.setAlpha(VEIL)
        at = bars.left()
        for first, last in runs(marks.within):
            left, right = (min(max(layout.x_of(x), bars.left()), bars.right()) for x in (first, last + 1))
            painter.fillRect(QRectF(at, bars.top(), left - at, bars.height()), veil)
            painter.fillRect(QRectF(left, layout.axis.top(), right - left, EDGE), QColor(theme.range))
            at = right
        painter.fillRect(QRectF(at, bars.top(), bars.right() - at, bars.height()), veil)
    stretches = [(float(first), float(last + 1)) for first, last in runs(marks.selected)]
    if marks.dragged is not None:
        stretches.append((layout.place_at(marks.dragged.left()), layout.place_at(marks.dragged.right())))
    accent, faint = QColor(theme.selection), QColor(theme.selection)
    faint.setAlpha(FAINT)
    for start, end in stretches:
        left, right = layout.x_of(start), layout.x_of(end)
        box = QRectF(left, bars.top(), max(right - left, 2.0), bars.height())
        painter.fillRect(box, faint)
        painter.fillRect(QRectF(box.left(), layout.axis.top(), box.width(), EDGE), accent)
    block = marks.hovered and marks.hovered.place
    if isinstance(block, range):
        left, right = layout.x_of(block.start), layout.x_of(block.stop)
        outline(painter, QRectF(left, bars.top(), max(right - left, 1.0), bars.height() - 1), theme)
