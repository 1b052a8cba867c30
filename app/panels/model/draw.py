"""Drawing of the program flow, for the screen and for export."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.analysis.popef.flow import Row
from app.language import tr
from app.views.colours import palette, text_on
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.texts import advance, elided

SIDE = 8.0
PAD = 8.0
ARROW = 18.0
BETWEEN = 8.0
WIDEST = 220.0
ROUND = 3.0


class Box(Struct, frozen=True):
    """The box of step ``step`` in row ``row``."""

    row: int
    step: int
    place: QRectF
    text: str


class FlowLayout(Struct, frozen=True):
    """``boxes``: those that fit; ``more``: (place, text) at the end of rows that do not fit completely; ``words``:
    (place, row) of the rows' titles."""

    boxes: tuple[Box, ...]
    more: tuple[tuple[QRectF, str], ...]
    words: tuple[tuple[QRectF, int], ...]


def line_height(metrics: QFontMetricsF) -> float:
    return math.ceil(metrics.height()) + 8.0


def height_of(metrics: QFontMetricsF, rows: int = 3) -> int:
    """The preferred height of a flow with this many rows."""
    return math.ceil(2 * SIDE + rows * line_height(metrics) + (rows - 1) * BETWEEN)


def lay_out(space: QRectF, rows: Sequence[Row], metrics: QFontMetricsF) -> FlowLayout:
    """Lays each row out on a line, from left to right; steps that do not fit are counted at its end."""
    high = line_height(metrics)
    left = SIDE + max((advance(row.word, metrics) for row in rows), default=0.0) + 2 * PAD
    boxes: list[Box] = []
    more: list[tuple[QRectF, str]] = []
    words: list[tuple[QRectF, int]] = []
    for number, row in enumerate(rows):
        top = space.top() + SIDE + number * (high + BETWEEN)
        words.append((QRectF(space.left() + SIDE, top, left - SIDE, high), number))
        x = space.left() + left
        for step, one in enumerate(row.steps):
            text = elided(one.title, metrics, WIDEST - 2 * PAD)
            wide = advance(text, metrics) + 2 * PAD
            after = len(row.steps) - step + row.left
            room = space.right() - SIDE - (advance(_more(after), metrics) + PAD if after > 1 else 0)
            if step and x + wide > room:
                more.append((QRectF(x, top, space.right() - x, high), _more(after)))
                break
            boxes.append(Box(number, step, QRectF(x, top, wide, high), text))
            x += wide + ARROW
        else:
            if row.left:
                more.append((QRectF(x, top, space.right() - x, high), _more(row.left)))
    return FlowLayout(tuple(boxes), tuple(more), tuple(words))


def _more(count: int) -> str:
    return tr("and {count:,} more", count=count)


def draw_flow(
    painter: QPainter, space: QRectF, rows: Sequence[Row], theme: Theme, marked: Container[int] = ()
) -> FlowLayout:
    """Draws the flow, with programs in ``marked`` shown as selected; returns its geometry."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    layout = lay_out(space, rows, metrics)
    fills = palette([row.word for row in rows], theme)
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    for place, number in layout.words:
        painter.setPen(QColor(theme.text))
        painter.drawText(place, flags, shown_line(rows[number].word))
        if not rows[number].steps:
            painter.setPen(QColor(theme.muted))
            painter.drawText(
                QRectF(place.right(), place.top(), space.width(), place.height()), flags, tr("runs nothing")
            )
    for box in layout.boxes:
        fill, step = fills[rows[box.row].word], rows[box.row].steps[box.step]
        if box.step:
            _draw_arrow(painter, box.place, theme)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(fill))
        if step.change == "removed":  # no longer there: only its outline
            painter.setPen(QPen(QColor(theme.baseline), 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.place, ROUND, ROUND)
        painter.setPen(QColor(theme.baseline if step.change == "removed" else text_on(fill)))
        painter.drawText(box.place.adjusted(PAD, 0, 0, 0), flags, shown_line(box.text))
        if step.change == "added":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.more), 2, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(box.place.adjusted(-1, -1, 1, 1), ROUND, ROUND)
        if step.program in marked and step.change != "removed":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.selection), 2))
            painter.drawRoundedRect(box.place.adjusted(-2, -2, 2, 2), ROUND, ROUND)
    painter.setPen(QColor(theme.muted))
    for place, text in layout.more:
        painter.drawText(place, flags, shown_line(text))
    return layout


def _draw_arrow(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draws an arrow from the previous box to ``box``."""
    y, start, end = box.center().y(), box.left() - ARROW + 3, box.left() - 3
    painter.setPen(QPen(QColor(theme.muted), 1))
    painter.drawLine(QLineF(start, y, end - 4, y))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.muted))
    painter.drawPolygon(QPolygonF([QPointF(end, y), QPointF(end - 5, y - 3.5), QPointF(end - 5, y + 3.5)]))
