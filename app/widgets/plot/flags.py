"""Named markers over a plot, such as the peak."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPolygonF

from app.widgets.plot.layout import PlotLayout
from app.widgets.texts import advance, shown_line
from app.widgets.theme import Theme

HALF = 5.0
HIGH = 8.0
PAD = 4.0


class Flag(Struct, frozen=True):
    """A marker on top of the bar at ``place``, which is ``amount`` high."""

    place: int
    amount: float
    name: str


def draw_flags(painter: QPainter, layout: PlotLayout, flags: Iterable[Flag], theme: Theme) -> None:
    """Draws a triangle that points down at each bar, with its name beside it; markers out of view are skipped."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    bars = layout.plot
    for flag in flags:
        x, y = layout.x_of(flag.place + 0.5), max(layout.y_of(flag.amount) - 1, bars.top() + HIGH)
        if not bars.left() <= x <= bars.right():
            continue
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.error))
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - HALF, y - HIGH), QPointF(x + HALF, y - HIGH)]))
        width = advance(flag.name, metrics) + 2 * PAD
        left = x + HALF + PAD if x + HALF + PAD + width <= bars.right() else x - HALF - PAD - width
        box = QRectF(left, max(y - HIGH / 2 - metrics.height() / 2, bars.top()), width, metrics.height())
        painter.fillRect(box, QColor(theme.surface))
        painter.setPen(QColor(theme.error))
        painter.drawText(
            box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, shown_line(flag.name)
        )
