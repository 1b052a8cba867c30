"""Draws histograms, for the screen and for export alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.analysis.bins import Bins
from app.analysis.table import Unit
from app.widgets.colours import fitted
from app.widgets.display import Look
from app.widgets.plot.picture import QUIET, Limit
from app.widgets.texts import advance, elided
from app.widgets.theme import Theme
from app.widgets.timeline.ticks import multiples, nice_step
from app.widgets.units import format_value, plain
from app.widgets.units import place as place_text

GAP = 8.0
TICK_SPACE = 40.0
LABEL_SPACE = 84.0
HEADROOM = 1.08
NO_WRAP = Qt.TextFlag.TextSingleLine.value


@dataclass(frozen=True, slots=True, eq=False)
class HistogramPicture:
    """``what`` is counted ("tiles"), ``unit`` is that of the edges; ``limit`` a line up at an amount."""

    title: str
    bins: Bins
    unit: Unit
    what: str
    limit: Limit | None = None
    clock_hz: float | None = None

    def describe(self, number: int, look: Look) -> str:
        """What a bar says."""
        low, high = (
            format_value(_whole(self.bins.edges[number + step]), self.unit, look, self.clock_hz) for step in (0, 1)
        )
        return f"{plain(int(self.bins.counts[number]))} {self.what} with {low} to {high}"


@dataclass(frozen=True, slots=True)
class HistogramLayout:
    """``bars``: where counts are drawn, 0 at its bottom and ``top`` at its top."""

    head: QRectF
    bars: QRectF
    top: float
    count: int

    def sides(self, number: int) -> tuple[float, float]:
        """Left and right of a bin."""
        width = self.bars.width() / max(self.count, 1)
        return self.bars.left() + number * width, self.bars.left() + (number + 1) * width

    def bin_at(self, point: QPointF) -> int:
        """The bin under a point, -1 beside the bars."""
        if not self.bars.contains(point) or not self.count:
            return -1
        return min(int((point.x() - self.bars.left()) / self.bars.width() * self.count), self.count - 1)


def lay_out(place: QRectF, picture: HistogramPicture, metrics: QFontMetricsF) -> HistogramLayout:
    top = max(float(picture.bins.counts.max(initial=0)) * HEADROOM, 1.0)
    left = advance(plain(int(top)), metrics) + 2 * GAP
    head = QRectF(place.left(), place.top(), place.width(), math.ceil(metrics.height()) + GAP)
    height = max(place.height() - head.height() - 2 * metrics.height() - GAP, 1.0)
    bars = QRectF(place.left() + left, head.bottom(), max(place.width() - left - 2 * GAP, 1.0), height)
    return HistogramLayout(head, bars, top, len(picture.bins.counts))


def draw_histogram(painter: QPainter, place: QRectF, picture: HistogramPicture, look: Look) -> HistogramLayout:
    """Title, counts at the left, bars, amounts below; returns where everything lies."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    layout, theme = lay_out(place, picture, metrics), look.theme
    _draw_counts(painter, layout, theme, metrics)
    fill = QColor(fitted(QUIET, theme.surface, theme.dark))
    for number, count in enumerate(picture.bins.counts.tolist()):
        if count:
            left, right = layout.sides(number)
            height = max(count / layout.top * layout.bars.height(), 1.0)
            gap = 1.0 if right - left >= 4 else 0.0
            painter.fillRect(QRectF(left, layout.bars.bottom() - height, max(right - left - gap, 1.0), height), fill)
    painter.setPen(QPen(QColor(theme.line), 0))
    painter.drawLine(QLineF(layout.bars.bottomLeft(), layout.bars.bottomRight()))
    _draw_limit(painter, layout, picture, look, metrics)
    _draw_amounts(painter, layout, picture, look, metrics)
    painter.setPen(QColor(theme.text))
    title = elided(picture.title, metrics, layout.head.width() - 2 * GAP)
    painter.drawText(layout.head.adjusted(GAP, 0, -GAP, 0), Qt.AlignmentFlag.AlignVCenter.value | NO_WRAP, title)
    return layout


def _draw_counts(painter: QPainter, layout: HistogramLayout, theme: Theme, metrics: QFontMetricsF) -> None:
    step = max(1.0, nice_step(layout.top, max(1, int(layout.bars.height() / TICK_SPACE))))
    flags = Qt.AlignmentFlag.AlignRight.value | NO_WRAP
    for count in multiples(0.0, layout.top, step):
        y = layout.bars.bottom() - count / layout.top * layout.bars.height()
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(layout.bars.left(), y, layout.bars.right(), y))
        painter.setPen(QColor(theme.muted))
        left = layout.head.left()
        box = QRectF(left, y - metrics.height() / 2, layout.bars.left() - left - GAP / 2, metrics.height())
        painter.drawText(box, flags, plain(round(count)))


def _draw_amounts(
    painter: QPainter, layout: HistogramLayout, picture: HistogramPicture, look: Look, metrics: QFontMetricsF
) -> None:
    """The amount at some edges, and below them what is counted."""
    step = max(1, math.ceil(layout.count / max(1, int(layout.bars.width() / LABEL_SPACE))))
    painter.setPen(QColor(look.theme.muted))
    centre = Qt.AlignmentFlag.AlignHCenter.value | NO_WRAP
    free_from = layout.head.left()
    for number in range(0, layout.count + 1, step):
        x = layout.sides(number)[0]
        text = _edge_text(picture, number, look)
        width = advance(text, metrics) + 2
        left = max(x - width / 2, layout.head.left())
        if left >= free_from and left + width <= layout.bars.right() + 2 * GAP:
            painter.drawText(QRectF(left, layout.bars.bottom() + 3, width, metrics.height()), centre, text)
            free_from = left + width + GAP / 2
    box = QRectF(layout.bars.left(), layout.bars.bottom() + 3 + metrics.height(), layout.bars.width(), metrics.height())
    scale = ", logarithmic" if picture.bins.log else ""
    zeros = f", {picture.bins.zeros:,} {picture.what} with zero left out" if picture.bins.zeros else ""
    painter.drawText(box, centre, f"{picture.what.capitalize()} by amount{scale}{zeros}")


def _edge_text(picture: HistogramPicture, number: int, look: Look) -> str:
    """An edge, told from those beside it: to a tenth of a bar."""
    edges = picture.bins.edges
    width = float(edges[number] - edges[number - 1] if number else edges[1] - edges[0])
    return place_text(_whole(edges[number]), picture.unit, width / 10, look, picture.clock_hz)


def _draw_limit(
    painter: QPainter, layout: HistogramLayout, picture: HistogramPicture, look: Look, metrics: QFontMetricsF
) -> None:
    limit, edges = picture.limit, picture.bins.edges
    if limit is None or not edges[0] <= limit.value <= edges[-1]:
        return
    above = int((edges <= limit.value).sum()) - 1
    if above >= layout.count:
        x = layout.bars.right()
    else:
        left, right = layout.sides(above)
        x = left + (right - left) * (limit.value - edges[above]) / (edges[above + 1] - edges[above])
    painter.setPen(QPen(QColor(look.theme.error), 1))
    painter.drawLine(QLineF(x, layout.bars.top(), x, layout.bars.bottom()))
    text = f"{limit.name}: {format_value(limit.value, picture.unit, look, picture.clock_hz)}"
    width = advance(text, metrics) + GAP
    box = QRectF(x - width - 2, layout.bars.top(), width, metrics.height())
    painter.fillRect(box, QColor(look.theme.surface))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value | NO_WRAP, text)


def _whole(amount: float) -> float | int:
    value = float(amount)
    return int(value) if value.is_integer() else value
