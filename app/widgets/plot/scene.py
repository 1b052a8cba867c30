"""A plot of amounts per tile as a scene: bars, groups or lines over an axis of places, which zooms along that axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.profile.arrays import I64
from app.widgets.display import Look
from app.widgets.plane.scene import NONE, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView
from app.widgets.plot.draw import draw_plot
from app.widgets.plot.flags import Flag, draw_flags
from app.widgets.plot.layout import PlotLayout, lay_out
from app.widgets.plot.marks import draw_marks
from app.widgets.plot.parts import part_tip
from app.widgets.plot.picture import PlotPicture

LEAST_PLACES = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class PlotScene(PlainScene):
    """Items are places of the axis. A pixel column that covers several places represents the one with the largest
    total. ``flags`` are drawn over the marks."""

    picture: PlotPicture
    flags: tuple[Flag, ...] = ()
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
        return lay_out(place, self.picture, view.x, look, metrics)

    def draw(self, painter: QPainter, layout: PlotLayout, look: Look) -> None:
        draw_plot(painter, layout, self.picture, look)
        draw_flags(painter, layout, self.flags, look.theme)

    def draw_marks(self, painter: QPainter, layout: PlotLayout, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, marks, look.theme)
        draw_flags(painter, layout, self.flags, look.theme)

    def hit(self, layout: PlotLayout, point: QPointF) -> Hit | None:
        """The pixel column, or the place of the axis, under a point."""
        if not self.size:
            return None
        if layout.axis.contains(point):
            return self.hit_of(self._place(layout.place_at(point.x())))
        block = layout.block_at(point)
        return None if block is None else Hit(self.picture.largest(block), block)

    def hit_of(self, item: int) -> Hit:
        return Hit(item, range(item, item + 1))

    def describe(self, layout: PlotLayout, point: QPointF, look: Look) -> str:
        """The part under the pointer, and its meaning."""
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


def plot_scene(picture: PlotPicture | None) -> PlotScene | None:
    """The scene of a picture; None for none."""
    return None if picture is None else PlotScene(picture)
