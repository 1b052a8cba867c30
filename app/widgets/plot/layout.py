"""The layout of a plot of amounts per tile, and the place under a point."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.views.axis import Span
from app.views.look import Look
from app.views.plot import ALL, PlotPicture
from app.views.units import Scale, scale_for
from app.widgets.texts import advance
from app.widgets.tile_axis import axis_height

GAP = 8.0
HEADROOM = 1.06
SWATCH = 10.0
LEGEND_SHARE = 0.25
NARROW = 560.0
"""In a narrower plot the legend is a row above the bars, if its entries fit there."""
BETWEEN = 12.0
"""Pixels between the entries of that row."""


class PlotLayout(Struct, frozen=True, eq=False):
    """``plot``: the area of the amounts, ``bottom`` (0, but for differences) at its bottom and ``top`` at its top;
    ``legend``: empty for one layer; ``row``: its entries stand side by side; ``metrics``: of the font it was laid out
    for."""

    head: QRectF
    scale: QRectF
    plot: QRectF
    axis: QRectF
    legend: QRectF
    view: Span
    top: float
    metrics: QFontMetricsF
    bottom: float = 0.0
    row: bool = False

    def at(self, point: QPointF) -> tuple[float, float]:
        """The place under a screen point; the second axis does not move."""
        return self.place_at(point.x()), 0.5

    def place_at(self, x: float) -> float:
        return self.view.start + (x - self.plot.left()) * self.view.width / max(self.plot.width(), 1.0)

    def x_of(self, place: float) -> float:
        return self.plot.left() + (place - self.view.start) * self.plot.width() / max(self.view.width, 1e-9)

    def y_of(self, amount: float) -> float:
        return self.plot.bottom() - (amount - self.bottom) / (self.top - self.bottom) * self.plot.height()

    def block_at(self, point: QPointF) -> range | None:
        """The places that the pixel column under ``point`` covers; None outside the plot."""
        if not self.plot.contains(point):
            return None
        x, size = math.floor(point.x()), int(self.view.size)
        first = min(max(math.floor(self.place_at(x)), 0), size - 1)
        return range(first, min(max(math.floor(self.place_at(x + 1)), first + 1), size))


def amount_scale(picture: PlotPicture, look: Look) -> Scale:
    return scale_for(max(picture.top, -picture.bottom), picture.unit, look, picture.clock_hz)


def _ends(picture: PlotPicture) -> tuple[float, float]:
    """The lowest and the highest amount of the scale."""
    high, low = picture.top * HEADROOM, picture.bottom * HEADROOM
    if picture.signed:
        air = (HEADROOM - 1) * max(high, -low) or 1.0
        return min(low, -air), max(high, air)
    return low, high or 1.0


def scale_width(picture: PlotPicture, look: Look, metrics: QFontMetricsF) -> float:
    """The width in pixels of the labels of the scale."""
    scale = amount_scale(picture, look)
    return max(advance(scale.text(end), metrics) for end in _ends(picture)) + 2 * GAP


def lay_out(
    place: QRectF, picture: PlotPicture, view: Span, look: Look, metrics: QFontMetricsF, left: float = 0.0
) -> PlotLayout:
    """Lays out the parts inside ``place``, the bars at least ``left`` pixels from its edge."""
    low, high = _ends(picture)
    left = max(scale_width(picture, look, metrics), left)
    names = picture.legend_names
    in_row = (ALL, *names) if picture.lines and len(names) > 1 else names
    row = bool(names) and place.width() < NARROW and _row_width(in_row, metrics) <= place.width() - 2 * GAP
    legend = 0.0
    if names and not row:
        longest = max(advance(name, metrics) for name in names)
        legend = min(longest + SWATCH + 3 * GAP, place.width() * LEGEND_SHARE)
    line = math.ceil(metrics.height())
    head = QRectF(place.left(), place.top(), place.width(), line + 8)
    top = head.bottom() + (line + GAP if row else 0)
    below = axis_height(metrics, picture.axis)
    height = max(place.bottom() - top - below, 1.0)
    width = max(place.width() - left - legend - GAP, 1.0)
    bars = QRectF(math.floor(place.left() + left), top, math.floor(width), math.floor(height))
    beside = QRectF(bars.right() + GAP, bars.top(), legend, bars.height())
    above = QRectF(place.left() + GAP, head.bottom(), place.width() - 2 * GAP, line)
    return PlotLayout(
        head,
        QRectF(place.left(), bars.top(), left - GAP / 2, bars.height()),
        bars,
        QRectF(bars.left(), bars.bottom(), bars.width(), below),
        above if row else beside,
        view,
        high,
        metrics,
        low,
        row,
    )


def entry_width(name: str, metrics: QFontMetricsF) -> float:
    """The width in pixels of a legend entry with its swatch."""
    return math.ceil(advance(name, metrics)) + SWATCH + 7


def _row_width(names: Sequence[str], metrics: QFontMetricsF) -> float:
    return sum(entry_width(name, metrics) + BETWEEN for name in names) - BETWEEN
