"""Draws the axes of a plane: grid lines in the plot, labels beside and below it that never overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.plane.view import GAP, TICK, PlaneLayout
from app.widgets.texts import advance, elided

SINGLE = Qt.TextFlag.TextSingleLine.value
RIGHT = Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value | SINGLE
CENTRE = Qt.AlignmentFlag.AlignHCenter.value | SINGLE


class Tick(NamedTuple):
    """A position on an axis; with the label "" it has a line only."""

    place: float
    label: str


def draw_frame(painter: QPainter, layout: PlaneLayout, theme: Theme) -> None:
    """Draws the two axis lines."""
    plot = layout.plot
    painter.setPen(QPen(QColor(theme.muted), 0))
    painter.drawLine(QLineF(plot.left(), plot.top(), plot.left(), plot.bottom()))
    painter.drawLine(QLineF(plot.left(), plot.bottom(), plot.right(), plot.bottom()))


def draw_x(painter: QPainter, layout: PlaneLayout, ticks: Sequence[Tick], title: str, theme: Theme) -> None:
    """Draws vertical grid lines with labels below; the title is at the end of the labels, or on its own line if there
    is one."""
    metrics, plot = QFontMetricsF(painter.font(), painter.device()), layout.plot
    line, top = metrics.height(), layout.axis.top() + TICK + 2
    own_line = layout.axis.height() >= TICK + 2 + 2 * line
    width = advance(title, metrics) if title else 0.0
    end = plot.right() + GAP if own_line or not title else plot.right() - width - GAP
    free_from = plot.left() - 24
    for place, label in ticks:
        x = layout.x_of(place)
        if not plot.left() - 0.5 <= x <= plot.right() + 0.5:
            continue
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom() + (TICK if label else 0)))
        wide = advance(label, metrics)
        left = min(x - wide / 2, plot.right() + GAP - wide)
        if label and left >= free_from and left + wide <= end:
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(left, top, wide + 1, line), SINGLE, shown_line(label))
            free_from = left + wide + GAP
    painter.setPen(QColor(theme.text))
    if own_line:
        painter.drawText(QRectF(plot.left(), top + line, plot.width(), line), CENTRE, shown_line(title))
    else:
        painter.drawText(QRectF(plot.right() - width, top, width + 1, line), SINGLE, shown_line(title))


def draw_y(painter: QPainter, layout: PlaneLayout, ticks: Sequence[Tick], theme: Theme) -> None:
    """Draws horizontal grid lines with labels at the left, from the bottom up."""
    metrics, plot = QFontMetricsF(painter.font(), painter.device()), layout.plot
    line = metrics.height()
    free_to = plot.bottom() + line
    for place, label in sorted(ticks):
        y = layout.y_of(place)
        if not plot.top() - 0.5 <= y <= plot.bottom() + 0.5:
            continue
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(plot.left() - (TICK if label else 0), y, plot.right(), y))
        if label and y + line / 2 <= free_to:
            painter.setPen(QColor(theme.muted))
            box = QRectF(layout.scale.left(), y - line / 2, layout.scale.width() - 4, line)
            painter.drawText(box, RIGHT, shown_line(label))
            free_to = y - line / 2


def draw_title(painter: QPainter, layout: PlaneLayout, text: str, theme: Theme, reserved: float = 0.0) -> None:
    """Draws the title at the left of the head; ``reserved`` pixels at its right stay free."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    box = layout.head.adjusted(GAP, 0, -GAP - reserved, 0)
    painter.setPen(QColor(theme.text))
    shown = elided(text, metrics, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, shown)
