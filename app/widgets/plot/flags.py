"""Named markers over a plot, such as the peak."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.plot.layout import PlotLayout
from app.widgets.texts import advance

HALF = 5.0
HIGH = 8.0
PAD = 4.0


class Flag(Struct, frozen=True):
    """A marker on top of the bar at ``place``, which is ``amount`` high; ``baseline``: on the outline of the
    baseline."""

    place: int
    amount: float
    name: str
    baseline: bool = False


def draw_flags(painter: QPainter, layout: PlotLayout, flags: Iterable[Flag], theme: Theme) -> None:
    """Draws a triangle that points down at each bar, with its name beside it (of the baseline at the left, where there
    is room); markers out of view are skipped."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    bars = layout.plot
    for flag in flags:
        x, y = layout.x_of(flag.place + 0.5), max(layout.y_of(flag.amount) - 1, bars.top() + HIGH)
        if not bars.left() <= x <= bars.right():
            continue
        ink = QColor(theme.baseline if flag.baseline else theme.error)
        painter.setPen(QPen(ink, 1.5) if flag.baseline else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.surface) if flag.baseline else ink)
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - HALF, y - HIGH), QPointF(x + HALF, y - HIGH)]))
        width = advance(flag.name, metrics) + 2 * PAD
        left, right = x - HALF - PAD - width, x + HALF + PAD
        if not flag.baseline or left < bars.left():
            left = right if right + width <= bars.right() else left
        box = QRectF(left, max(y - HIGH / 2 - metrics.height() / 2, bars.top()), width, metrics.height())
        painter.fillRect(box, QColor(theme.surface))
        painter.setPen(ink)
        painter.drawText(
            box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, shown_line(flag.name)
        )
