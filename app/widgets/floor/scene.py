"""The grid of tiles as a scene whose axes zoom together, with its marks: range, selection, hover, and a drag's box."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.language import tr
from app.profile.arrays import I64, distinct, others
from app.views.look import Look
from app.views.theme import Theme
from app.widgets.floor.draw import FloorPicture, draw_floor
from app.widgets.floor.layout import FloorLayout, FloorPlan, lay_out_plan
from app.widgets.heat.marks import outline
from app.widgets.plane.scene import Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView

DEEPEST = 16.0
"""The largest zoom factor."""


class FloorScene(PlainScene, Struct, frozen=True, eq=False):
    """Items are tiles; a drag selects those in a box, arrow keys go to the next one."""

    picture: FloorPicture
    kind = tr("Grid of tiles")
    drag = "box"
    together = True

    @property
    def title(self) -> str:
        return self.picture.heat.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.picture.tiles, self.picture.per_ipu

    def whole(self) -> PlaneView:
        return PlaneView.whole(1.0, 1.0, (1.0 / DEEPEST, 1.0 / DEEPEST))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> FloorPlan:
        return lay_out_plan(place, self.picture.tiles, self.picture.per_ipu, view, metrics)

    def draw(self, painter: QPainter, layout: FloorPlan, look: Look) -> None:
        draw_floor(painter, layout, self.picture, look)

    def draw_marks(self, painter: QPainter, layout: FloorPlan, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, self.picture.tiles, marks, look.theme)

    def item_at(self, layout: FloorPlan, point: QPointF) -> int:
        return layout.cells.tile_at(point) if layout.plot.contains(point) else -1

    def words(self, hit: Hit, look: Look) -> str:
        return self.picture.describe(hit.item, look) if hit.item < self.picture.tiles else ""

    def extent(self, layout: FloorPlan, items: I64) -> Extent | None:
        box = QRectF()
        for tile in items[items < self.picture.tiles].tolist():
            box = box.united(layout.cells.cell_rect(tile))
        if box.isEmpty():
            return None
        (left, top), (right, bottom) = layout.at(box.topLeft()), layout.at(box.bottomRight())
        return Extent((left, right), (top, bottom))

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.picture.tiles)

    def walk(self, layout: FloorPlan, hit: Hit, across: int, down: int) -> Hit:
        """The tile beside; from the last tile of a row to the first of the next one."""
        return self.hit_of(min(max(hit.item + across + down * layout.cells.columns, 0), self.picture.tiles - 1))

    def swept(self, layout: FloorPlan, box: QRectF) -> I64:
        return layout.cells.tiles_in(box.intersected(layout.plot))


FAINT = 110
FRAMED = 4.0
MOST_FRAMES = 1500
VEIL = 190


def draw_marks(painter: QPainter, plan: FloorPlan, tiles: int, marks: Marks, theme: Theme) -> None:
    """Fades cells outside the range and frames selected ones; ``tiles``: how many there are."""
    layout = plan.cells
    painter.save()
    painter.setClipRect(plan.plot.adjusted(-2, -2, 2, 2))
    if marks.within is not None:
        _wash(painter, layout, others(tiles, marks.within), QColor(theme.surface), VEIL)
    _select(painter, layout, marks.selected[marks.selected < tiles], theme)
    if 0 <= marks.item < tiles:
        outline(painter, layout.cell_rect(marks.item), theme)
    if marks.dragged is not None:
        outline(painter, marks.dragged, theme)
    painter.restore()


def _select(painter: QPainter, layout: FloorLayout, tiles: I64, theme: Theme) -> None:
    """Frames runs of adjacent selected tiles; if there are too many, or cells are too small, fills them instead."""
    inside = tiles % layout.per_block
    lines = tiles // layout.per_block * layout.rows + inside // layout.columns
    breaks = np.flatnonzero((np.diff(tiles) != 1) | (np.diff(lines) != 0))
    if layout.cell < FRAMED or len(breaks) >= MOST_FRAMES:
        _wash(painter, layout, tiles, QColor(theme.selection), FAINT)
        return
    starts, ends = np.concatenate(([0], breaks + 1)), np.concatenate((breaks, [len(tiles) - 1]))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if len(tiles):
            box = layout.cell_rect(int(tiles[start])).united(layout.cell_rect(int(tiles[end])))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((theme.surface, 4.0), (theme.selection, 2.0)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRect(box.adjusted(0, 0, -1, -1))


def _wash(painter: QPainter, layout: FloorLayout, tiles: I64, colour: QColor, alpha: int) -> None:
    """Overlays a colour on the cells of ``tiles``, as one image per block."""
    if not len(tiles):
        return
    packed = alpha << 24 | colour.red() << 16 | colour.green() << 8 | colour.blue()
    for block in distinct(tiles // layout.per_block).tolist():
        cells = np.zeros(layout.rows * layout.columns, np.uint32)
        cells[tiles[tiles // layout.per_block == block] % layout.per_block] = packed
        image = QImage(cells.data, layout.columns, layout.rows, layout.columns * 4, QImage.Format.Format_ARGB32)
        painter.drawImage(layout.block_rect(block), image)
