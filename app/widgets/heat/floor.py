"""The floor plan of a chip as a scene: a cell for each place of its grid, and lines between cores."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.language import tr
from app.profile.arrays import I64
from app.views.look import Look
from app.widgets.heat.draw import outline
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.scene import Block, HeatScene
from app.widgets.plane.scene import NONE, Hit, Marks, in_grid, row_end
from app.widgets.plane.view import Extent

THINNEST, THICKEST = 1.0, 3.0
FAINT: Final = 170


class Line(Struct, frozen=True):
    """From the middle of one cell to that of another; ``share``: of the largest amount, which decides the width."""

    source: int
    target: int
    share: float


class FloorScene(HeatScene, Struct, frozen=True, eq=False):
    """Items are cells, row by row. A click selects one, a drag those in a box. ``lines``: the thickest first."""

    lines: tuple[Line, ...] = ()
    drag = "box"  # type: ignore[assignment]
    kind = tr("Floor plan")

    def draw(self, painter: QPainter, layout: HeatLayout, look: Look) -> None:
        super().draw(painter, layout, look)
        painter.save()
        painter.setClipRect(layout.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in reversed(self.lines):
            start, end = (self._box(layout, item).center() for item in (line.source, line.target))
            wide = THINNEST + (THICKEST - THINNEST) * line.share
            for colour, width in ((QColor(look.theme.surface), wide + 2), (QColor(look.theme.text), wide)):
                colour.setAlpha(FAINT)
                painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawLine(start, end)
            painter.setBrush(QColor(look.theme.text))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(end, wide + 1, wide + 1)  # where the bytes go
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.restore()

    def for_file(self) -> FloorScene:
        return FloorScene(self.picture, left=self.left, lines=self.lines)

    def draw_marks(self, painter: QPainter, layout: HeatLayout, marks: Marks, look: Look) -> None:
        painter.setClipRect(layout.plot)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for item in marks.selected.tolist():
            painter.setPen(QPen(QColor(look.theme.selection), 3))
            painter.drawRect(self._box(layout, item).adjusted(2, 2, -2, -2))
        if marks.item >= 0:
            outline(painter, self._box(layout, marks.item), look.theme)
        if marks.dragged is not None:
            outline(painter, marks.dragged, look.theme)

    def hit(self, layout: HeatLayout, point: QPointF) -> Hit | None:
        block = layout.block_at(point) if self.picture.rows and self.picture.columns else None
        return None if block is None else self.hit_of(block[0].start * self.picture.columns + block[1].start)

    def hit_of(self, item: int) -> Hit:
        row, column = divmod(item, max(self.picture.columns, 1))
        return Hit(item, Block(range(row, row + 1), range(column, column + 1)))

    def describe(self, layout: HeatLayout, point: QPointF, look: Look) -> str:
        hit = self.hit(layout, point)
        return "" if hit is None else self.words(hit, look)

    def extent(self, _layout: HeatLayout, items: I64) -> Extent | None:
        if not len(items):
            return None
        rows, columns = np.divmod(items, max(self.picture.columns, 1))
        across, down = ((float(part.min()), float(part.max()) + 1) for part in (columns, rows))
        return Extent(across, down)

    def lead(self, items: I64) -> I64:
        return items[:1]

    def step(self, item: int, direction: int) -> int:
        count = self.picture.rows * self.picture.columns
        return min(max(item + direction, 0), count - 1)

    def walk(self, _layout: HeatLayout, hit: Hit, across: int, down: int) -> Hit:
        count = self.picture.rows * self.picture.columns
        return self.hit_of(in_grid(hit.item, across, down, self.picture.columns, count))

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        count = self.picture.rows * self.picture.columns
        if not count:
            return None
        item = 0 if hit is None else hit.item
        return self.hit_of(row_end(item, direction, self.picture.columns, count))

    def swept(self, layout: HeatLayout, box: QRectF) -> I64:
        if not self.picture.rows or not self.picture.columns:
            return NONE
        across = self._between(layout.column_at(box.left()), layout.column_at(box.right()), self.picture.columns)
        down = self._between(layout.row_at(box.top()), layout.row_at(box.bottom()), self.picture.rows)
        return (down[:, None] * self.picture.columns + across[None, :]).reshape(-1)

    def range_of(self, _items: I64) -> tuple[int, int] | None:
        return None

    @staticmethod
    def _between(first: float, last: float, size: int) -> I64:
        low, high = (min(max(math.floor(place), 0), size - 1) for place in (first, last))
        return np.arange(low, high + 1, dtype=np.int64)

    def _box(self, layout: HeatLayout, item: int) -> QRectF:
        row, column = divmod(item, max(self.picture.columns, 1))
        corner = QPointF(layout.x_of(column), layout.y_of(row))
        return QRectF(corner, QPointF(layout.x_of(column + 1), layout.y_of(row + 1)))
