"""Positions of the tiles' cells. No drawing."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.profile.arrays import I64, distinct
from app.widgets.plane.view import PlaneView

GAP = 10.0
PAD = 8.0
MOST_IPUS_TRIED = 256


class FloorLayout(Struct, frozen=True):
    """``tiles`` tiles in blocks of ``per_block``; a block is ``columns`` cells wide, each cell ``cell`` pixels;
    ``across`` blocks per row, each with ``label`` pixels above it for its name."""

    place: QRectF
    tiles: int
    per_block: int
    columns: int
    across: int
    cell: float
    label: float
    gap: float = GAP

    @property
    def blocks(self) -> int:
        return -(-self.tiles // self.per_block) if self.per_block else 0

    @property
    def rows(self) -> int:
        """Rows of cells per block."""
        return -(-self.per_block // self.columns)

    def block_rect(self, block: int) -> QRectF:
        """The rectangle of a block's cells, without its name."""
        wide, high = self.columns * self.cell, self.rows * self.cell
        x = self.place.left() + (block % self.across) * (wide + self.gap)
        y = self.place.top() + (block // self.across) * (high + self.gap + self.label) + self.label
        return QRectF(x, y, wide, high)

    def cell_rect(self, tile: int) -> QRectF:
        block, inside = divmod(tile, self.per_block)
        area = self.block_rect(block)
        row, column = divmod(inside, self.columns)
        return QRectF(area.left() + column * self.cell, area.top() + row * self.cell, self.cell, self.cell)

    def tile_at(self, point: QPointF) -> int:
        """The tile under a point; -1 if there is none."""
        for block in range(self.blocks):
            area = self.block_rect(block)
            if area.contains(point):
                column = min(int((point.x() - area.left()) / self.cell), self.columns - 1)
                row = min(int((point.y() - area.top()) / self.cell), self.rows - 1)
                inside = row * self.columns + column
                tile = block * self.per_block + inside
                return tile if inside < self.per_block and tile < self.tiles else -1
        return -1

    def tiles_in(self, box: QRectF) -> I64:
        """int64, ascending: the tiles whose cells intersect a box."""
        parts = [np.empty(0, np.int64)]
        for block in range(self.blocks):
            area = self.block_rect(block)
            part = area.intersected(box)
            if part.isEmpty():
                continue
            first, last = (int((x - area.left()) / self.cell) for x in (part.left(), part.right() - 1e-6))
            top, bottom = (int((y - area.top()) / self.cell) for y in (part.top(), part.bottom() - 1e-6))
            inside = np.arange(top, bottom + 1)[:, None] * self.columns + np.arange(first, last + 1)
            tiles = block * self.per_block + inside[inside < self.per_block]
            parts.append(tiles[tiles < self.tiles].astype(np.int64))
        return distinct(np.concatenate(parts))


class FloorPlan(Struct, frozen=True, eq=False):
    """``head``: a line for title and legend; ``plot``: the visible area of ``cells``, which may extend beyond it;
    ``metrics``: of the font it was laid out for."""

    head: QRectF
    plot: QRectF
    cells: FloorLayout
    metrics: QFontMetricsF

    def at(self, point: QPointF) -> tuple[float, float]:
        """A screen point as fractions of the cells' area."""
        room = self.cells.place
        return (point.x() - room.left()) / max(room.width(), 1.0), (point.y() - room.top()) / max(room.height(), 1.0)


def lay_out_plan(place: QRectF, tiles: int, per_block: int, view: PlaneView, metrics: QFontMetricsF) -> FloorPlan:
    """Lays out the parts inside ``place``; ``view`` is in fractions of the cells' area, y downwards."""
    line = math.ceil(metrics.height())
    head = QRectF(place.left(), place.top(), place.width(), line + PAD)
    plot = QRectF(place.left() + PAD, head.bottom(), place.width() - 2 * PAD, place.bottom() - head.bottom() - PAD)
    whole, near = lay_out(plot, tiles, per_block, line + 2), 1.0 / view.x.width
    left, top = plot.left() - view.x.start * near * plot.width(), plot.top() - view.y.start * near * plot.height()
    room = QRectF(left, top, near * plot.width(), near * plot.height())
    cells = replace(whole, place=room, cell=near * whole.cell, label=near * whole.label, gap=near * whole.gap)
    return FloorPlan(head, plot, cells, metrics)


def lay_out(place: QRectF, tiles: int, per_block: int, label: float) -> FloorLayout:
    """The arrangement with the largest cells that fits; a single block has no name."""
    per_block = min(per_block, tiles) if per_block > 0 else tiles
    per_block = max(per_block, 1)
    blocks = max(-(-tiles // per_block), 1)
    label = label if blocks > 1 else 0.0
    best = FloorLayout(place, tiles, per_block, per_block, 1, 0.0, label)
    for across in _candidates(blocks):
        down = -(-blocks // across)
        wide = (place.width() - GAP * (across - 1)) / across
        high = (place.height() - (GAP + label) * down + GAP) / down
        if wide <= 0 or high <= 0:
            continue
        for columns in _columns(per_block, wide, high):
            cell = min(wide / columns, high / -(-per_block // columns))
            if cell > best.cell:
                best = FloorLayout(place, tiles, per_block, columns, across, cell, label)
    if best.cell >= 2:  # whole pixels, so that all cells have the same size
        best = FloorLayout(place, tiles, per_block, best.columns, best.across, float(math.floor(best.cell)), label)
    return best


def _candidates(blocks: int) -> range:
    return range(1, min(blocks, MOST_IPUS_TRIED) + 1)


def _columns(per_block: int, wide: float, high: float) -> set[int]:
    ideal = math.sqrt(per_block * wide / high)
    near = {math.floor(ideal) + step for step in range(-2, 4)}
    return {min(max(columns, 1), per_block) for columns in near}
