"""A plot of amounts per tile as a scene: bars, groups or lines over an axis of places, which zooms along that axis;
with the marks (range, selection, hover) and the tool tips over it."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.language import labelled
from app.profile.arrays import I64
from app.views.look import Look, Theme
from app.views.plot import PlotPicture
from app.views.visible_runs import visible_runs
from app.widgets.heat.draw import outline
from app.widgets.plane.scene import NONE, Hit, LeftOf, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView
from app.widgets.plot.draw import draw_limit, draw_plot
from app.widgets.plot.layout import PlotLayout, lay_out
from app.widgets.plot.legend import Entry, entries_at
from app.widgets.plot.outline import Flag, draw_flags, flag_at

LEAST_PLACES = 8.0


class PlotScene(PlainScene, Struct, frozen=True, eq=False):
    """Items are places of the axis. A pixel column that covers several places represents the one with the largest
    total. ``flags`` are drawn over the marks. ``left``: the least width left of the bars, where they line up with the
    picture above."""

    picture: PlotPicture
    flags: tuple[Flag, ...] = ()
    left: LeftOf | None = None
    drag = "across"

    @property
    def title(self) -> str:
        return self.picture.title

    @property
    def size(self) -> int:
        """The number of places."""
        return self.picture.axis.size

    @property
    def shape(self) -> tuple[object, ...]:
        return (self.size,)

    def whole(self) -> PlaneView:
        return PlaneView.whole(self.size, 1.0, (LEAST_PLACES, 1.0))

    def lay_out(self, place: QRectF, view: PlaneView, look: Look, metrics: QFontMetricsF) -> PlotLayout:
        left = 0.0 if self.left is None else self.left(place.width(), look, metrics)
        return lay_out(place, self.picture, view.x, look, metrics, left)

    def draw(self, painter: QPainter, layout: PlotLayout, look: Look) -> None:
        draw_plot(painter, layout, self.picture, look, self.flags)

    def draw_marks(self, painter: QPainter, layout: PlotLayout, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, marks, look.theme)
        if len(marks.selected) or marks.within is not None:
            draw_limit(painter, layout, self.picture, look, self.flags)  # again, over what covers it
        draw_flags(painter, layout, self.flags, look.theme)

    def hit(self, layout: PlotLayout, point: QPointF) -> Hit | None:
        """The flag, the pixel column, or the place of the axis, under a point."""
        if not self.size:
            return None
        flag = flag_at(layout, self.flags, point)
        if flag is not None:
            return self.hit_of(flag.place)
        if layout.axis.contains(point):
            return self.hit_of(self._place(layout.place_at(point.x())))
        block = layout.block_at(point)
        return None if block is None else Hit(self.picture.largest(block), block)

    def hit_of(self, item: int) -> Hit:
        return Hit(item, range(item, item + 1))

    def describe(self, layout: PlotLayout, point: QPointF, look: Look) -> str:
        """What a flag marks, or the part under the pointer, and its meaning."""
        flag = flag_at(layout, self.flags, point)
        if flag is not None:
            return self.words(self.hit_of(flag.place), look)
        return part_tip(layout, self.picture, look, point)

    def words(self, hit: Hit, look: Look) -> str:
        block = hit.place
        assert isinstance(block, range)
        return self.picture.describe(block.start, block.stop, hit.item, look)

    def extent(self, _layout: PlotLayout, items: I64) -> Extent | None:
        return Extent((float(items.min()), float(items.max()) + 1.0), None) if len(items) else None

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.size)

    def swept(self, layout: PlotLayout, box: QRectF) -> I64:
        if not self.size:
            return NONE
        first, last = (self._place(layout.place_at(x)) for x in (box.left(), box.right()))
        return np.arange(first, last + 1)

    def range_of(self, items: I64) -> tuple[int, int] | None:
        return (int(items.min()), int(items.max())) if len(items) else None

    def _place(self, place: float) -> int:
        return min(max(math.floor(place), 0), self.size - 1)


def plot_scene(
    picture: PlotPicture | None, left: LeftOf | None = None, flags: tuple[Flag, ...] = ()
) -> PlotScene | None:
    """The scene of a picture; None for none."""
    return None if picture is None else PlotScene(picture, flags, left)


FAINT = 90
VEIL = 170
EDGE = 5.0
FRAMED = 12.0
"""Pixels from which on a selected stretch has a frame; a narrower one is filled, to be seen."""


def draw_marks(painter: QPainter, layout: PlotLayout, marks: Marks, theme: Theme) -> None:
    """Fades what is outside the range, frames the selection, outlines the hovered place: over the bars, never into
    them."""
    bars = layout.plot
    painter.setClipRect(QRectF(bars.left(), bars.top(), bars.width(), bars.height() + layout.axis.height()))
    if marks.within is not None:
        veil = QColor(theme.surface)
        veil.setAlpha(VEIL)
        at = bars.left()
        for first, after in visible_runs(marks.within, layout.view.start, layout.view.end, bars.width()):
            left, right = (min(max(layout.x_of(x), bars.left()), bars.right()) for x in (first, after))
            painter.fillRect(QRectF(at, bars.top(), left - at, bars.height()), veil)
            painter.fillRect(QRectF(left, layout.axis.top(), right - left, EDGE), QColor(theme.range))
            at = right
        painter.fillRect(QRectF(at, bars.top(), bars.right() - at, bars.height()), veil)
    stretches = visible_runs(marks.selected, layout.view.start, layout.view.end, bars.width())
    if marks.dragged is not None:
        stretches.append((layout.place_at(marks.dragged.left()), layout.place_at(marks.dragged.right())))
    accent, faint = QColor(theme.selection), QColor(theme.selection)
    faint.setAlpha(FAINT)
    for start, end in stretches:
        left, right = layout.x_of(start), layout.x_of(end)
        box = QRectF(left, bars.top(), max(right - left, 2.0), bars.height())
        if box.width() < FRAMED:
            painter.fillRect(box, faint)
        else:  # what is selected keeps its colours
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(accent, 2))
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        painter.fillRect(QRectF(box.left(), layout.axis.top(), box.width(), EDGE), accent)
    block = marks.hovered and marks.hovered.place
    if isinstance(block, range):
        left, right = layout.x_of(block.start), layout.x_of(block.stop)
        outline(painter, QRectF(left, bars.top(), max(right - left, 1.0), bars.height() - 1), theme)


NEAR = 6.0
"""Pixels: a line within this distance is under the pointer."""


def part_tip(layout: PlotLayout, picture: PlotPicture, look: Look, point: QPointF) -> str:
    """The tool tip: over a legend entry its meaning; over the plot the part, its amount and its meaning; else ""."""
    named = entries_at(layout, picture, look.theme, point)
    if named:
        return "\n".join(_entry(picture, entry) for entry in named)
    block = layout.block_at(point)
    if block is None or picture.grouped:
        return ""
    place = picture.largest(block)
    layer = layer_at(layout, picture, place, point.y())
    return "" if layer is None else picture.layer_tip(place, layer, look)


def layer_at(layout: PlotLayout, picture: PlotPicture, place: int, y: float) -> int | None:
    """The layer of a place drawn at height ``y``; None above the stack, or away from the lines. Layers without data
    there are not drawn."""
    known = [(number, float(layer[place])) for number, layer in enumerate(picture.layers)]
    known = [(number, amount) for number, amount in known if not math.isnan(amount)]
    if picture.lines:
        away, nearest = min(((abs(layout.y_of(amount) - y), number) for number, amount in known), default=(math.inf, 0))
        return nearest if away <= NEAR else None
    if picture.signed:
        return _signed_layer_at(layout, known, y)
    top = 0.0
    for number, amount in known:
        top += amount
        if layout.y_of(top) <= y:
            return number
    return None


def _signed_layer_at(layout: PlotLayout, known: list[tuple[int, float]], y: float) -> int | None:
    """The same of differences, which are stacked away from zero."""
    above = y < layout.y_of(0.0)
    reached = 0.0
    for number, amount in known:
        if (amount > 0) == above and amount:
            reached += amount
            if (layout.y_of(reached) <= y) if above else (layout.y_of(reached) >= y):
                return number
    return None


def _entry(picture: PlotPicture, entry: Entry) -> str:
    about = picture.about(entry.layer)
    return labelled(entry.name, about) if about else entry.name
