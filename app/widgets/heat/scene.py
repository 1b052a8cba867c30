"""A heat map as a scene: rows by columns, zooming both ways."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.profile.arrays import I64
from app.views.look import Look
from app.widgets.heat.draw import draw_heat, draw_marks
from app.widgets.heat.layout import HeatLayout, lay_out, names_width
from app.widgets.heat.picture import HeatPicture
from app.widgets.plane.scene import NONE, Hit, LeftOf, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView

LEAST = (4.0, 4.0)


class Block(NamedTuple):
    """What a pixel of the picture covers: some cells, whole rows, or whole columns."""

    rows: range
    columns: range
    what: Literal["cells", "rows", "columns"] = "cells"


class HeatScene(PlainScene, Struct, frozen=True, eq=False):
    """Items are rows, followed by columns (see ``items`` and ``split``). A click on a cell selects its row, a drag
    selects columns. A pixel that covers several cells represents the largest. ``heading``: what is shown on screen in
    place of the title, where a control beside it says that already. ``left``: the least width left of the cells, where
    they line up with the picture below."""

    picture: HeatPicture
    heading: str = ""
    left: LeftOf | None = None
    drag = "across"
    kind = tr("Heat map")

    @property
    def title(self) -> str:
        return self.picture.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.picture.pyramid.shape

    def items(self, rows: I64, columns: I64) -> I64:
        """int64: the items of rows and columns."""
        return np.concatenate((rows, columns + self.picture.rows)).astype(np.int64)

    def split(self, items: I64) -> tuple[I64, I64]:
        """The rows and columns of items."""
        rows = items < self.picture.rows
        return items[rows], items[~rows] - self.picture.rows

    def whole(self) -> PlaneView:
        return PlaneView.whole(self.picture.columns, self.picture.rows, LEAST)

    def lay_out(self, place: QRectF, view: PlaneView, look: Look, metrics: QFontMetricsF) -> HeatLayout:
        left = 0.0 if self.left is None else self.left(place.width(), look, metrics)
        return lay_out(place, self.picture, view, look, metrics, left)

    def left_of(self, width: float, look: Look, metrics: QFontMetricsF) -> float:
        """The pixels left of the cells in a picture of ``width``."""
        least = 0.0 if self.left is None else self.left(width, look, metrics)
        return max(names_width(width, self.picture, metrics), least)

    def draw(self, painter: QPainter, layout: HeatLayout, look: Look) -> None:
        draw_heat(painter, layout, self.picture, look, self.heading)

    def for_file(self) -> HeatScene:
        return HeatScene(self.picture, left=self.left)

    def draw_marks(self, painter: QPainter, layout: HeatLayout, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, marks, self.split(marks.selected), look.theme)

    def hit(self, layout: HeatLayout, point: QPointF) -> Hit | None:
        """The cell, row (by its name or value) or column (by its axis or value) under a point."""
        if not self.picture.rows or not self.picture.columns:
            return None
        if layout.beside_rows(point):
            rows = layout.rows_at(point.y())
            return Hit(rows.start, Block(rows, range(self.picture.columns), "rows"))
        if layout.beside_columns(point):
            columns = layout.columns_at(point.x())
            return Hit(self.picture.rows + columns.start, Block(range(self.picture.rows), columns, "columns"))
        block = layout.block_at(point)
        return None if block is None else Hit(self.picture.largest(*block)[0], Block(*block))

    def hit_of(self, item: int) -> Hit:
        rows, columns, column = range(self.picture.rows), range(self.picture.columns), item - self.picture.rows
        if column < 0:
            return Hit(item, Block(range(item, item + 1), columns, "rows"))
        return Hit(item, Block(rows, range(column, column + 1), "columns"))

    def describe(self, layout: HeatLayout, point: QPointF, _look: Look) -> str:
        """The help text of the margins, over their values; else ""."""
        inside = layout.beside_rows(point) or layout.beside_columns(point)
        return self.picture.margins.help if inside and self.picture.margins is not None else ""

    def words(self, hit: Hit, look: Look) -> str:
        block = hit.place
        assert isinstance(block, Block)
        if block.what == "rows":
            return self.picture.describe_row(block.rows, look)
        if block.what == "columns":
            return self.picture.describe_column(block.columns, look)
        return self.picture.describe(block.rows, block.columns, look)

    def extent(self, _layout: HeatLayout, items: I64) -> Extent | None:
        rows, columns = self.split(items)
        return Extent(*(_ends(places) for places in (columns, rows))) if len(items) else None

    def extent_of(self, _layout: HeatLayout, hit: Hit) -> Extent | None:
        block = hit.place
        assert isinstance(block, Block)
        rows, columns = block.rows, block.columns
        return Extent((float(columns.start), float(columns.stop)), (float(rows.start), float(rows.stop)))

    def walk(self, _layout: HeatLayout, hit: Hit, across: int, down: int) -> Hit:
        """The cell beside; left of the first column is the row as a whole, below the last row the column."""
        block = hit.place
        assert isinstance(block, Block)
        column = -1 if block.what == "rows" else block.columns.start
        row = self.picture.rows if block.what == "columns" else block.rows.start
        return self._hit_at(row + down, column + across, column_first=bool(across))

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        if not self.picture.rows or not self.picture.columns:
            return None
        row, block = 0, None if hit is None else hit.place
        if isinstance(block, Block):
            row = self.picture.rows if block.what == "columns" else block.rows.start
        return self._hit_at(row, 0 if direction < 0 else self.picture.columns - 1, column_first=True)

    def _hit_at(self, row: int, column: int, *, column_first: bool) -> Hit:
        """The cell in a row and a column; column -1 is the row, row ``rows`` the column. In the corner, where neither
        is, ``column_first`` decides which of the two stays."""
        row, column = min(max(row, 0), self.picture.rows), min(max(column, -1), self.picture.columns - 1)
        if row == self.picture.rows and column < 0:
            row, column = (row, 0) if column_first else (row - 1, column)
        if column < 0:
            return self.hit_of(row)
        if row == self.picture.rows:
            return self.hit_of(self.picture.rows + column)
        return Hit(row, Block(range(row, row + 1), range(column, column + 1)))

    def lead(self, items: I64) -> I64:
        """The first row and the first column."""
        rows, columns = self.split(items)
        return self.items(rows[:1], columns[:1])

    def step(self, item: int, direction: int) -> int:
        """The next row."""
        return neighbour(item if item < self.picture.rows else -1, direction, self.picture.rows)

    def swept(self, layout: HeatLayout, box: QRectF) -> I64:
        end = self.picture.columns - 1
        if end < 0:
            return NONE
        first, last = (min(max(math.floor(layout.column_at(x)), 0), end) for x in (box.left(), box.right()))
        return self.items(NONE, np.arange(first, last + 1))

    def range_of(self, items: I64) -> tuple[int, int] | None:
        columns = self.split(items)[1]
        return (int(columns.min()), int(columns.max())) if len(columns) else None


def _ends(places: I64) -> tuple[float, float] | None:
    return (float(places.min()), float(places.max()) + 1.0) if len(places) else None
