"""The grid of tiles: its layout, drawing, and the scene whose axes zoom together, with its marks."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import I64, U32, Array, distinct, others
from app.views.axis import TileAxis
from app.views.colours import packed
from app.views.look import Look, Theme
from app.widgets.heat.draw import draw_legend, outline
from app.widgets.heat.picture import HeatPicture, heat_picture
from app.widgets.plane.scene import Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView
from app.widgets.texts import elided

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


LINED = 8.0


class FloorPicture(Struct, frozen=True, eq=False):
    """``heat`` has one row of amounts [1, tiles]; ``per_ipu``: tiles per block (0: all in one block)."""

    heat: HeatPicture
    per_ipu: int

    @property
    def tiles(self) -> int:
        return self.heat.columns

    def describe(self, tile: int, look: Look) -> str:
        """The tool tip of a tile: its name, IPU and amount."""
        return labelled(self.heat.axis.name(tile), self.heat.figure(0, tile, look))


def floor_picture(
    title: str, values: Array, unit: Unit, per_ipu: int, *, log: bool = False, clock_hz: float | None = None
) -> FloorPicture:
    """A picture of ``values`` [tiles] with its own colour scale; negative amounts and NaN are no data."""
    axis = TileAxis(len(values), group=per_ipu)
    return FloorPicture(
        heat_picture(title, values[None, :], unit, "", lambda _: title, axis, log=log, clock_hz=clock_hz), per_ipu
    )


def draw_floor(painter: QPainter, plan: FloorPlan, picture: FloorPicture, look: Look) -> None:
    """Draws title and legend, then the visible part of each IPU as a block of cells."""
    metrics, layout = plan.metrics, plan.cells
    draw_legend(painter, plan.head, picture.heat, look, metrics)
    painter.save()
    painter.setClipRect(plan.plot)
    codes = picture.heat.scale.codes(np.asarray(picture.heat.pyramid.values))[0]
    colours = picture.heat.scale.lookup(look.theme)
    colours[0] = packed(look.theme.no_data)
    ground = packed(look.theme.surface)
    painter.setPen(QColor(look.theme.muted))
    for block in range(layout.blocks):
        area = layout.block_rect(block)
        if not area.adjusted(0, -layout.label, 0, 0).intersects(plan.plot):
            continue
        first = block * layout.per_block
        own = codes[first : first + layout.per_block]
        cells = np.full(layout.rows * layout.columns, ground, np.uint32)
        cells[: len(own)] = np.take(colours, own)
        shaped = cells.reshape(layout.rows, layout.columns)
        draw_cells(painter, area, shaped, QColor(look.theme.surface), layout.cell)
        if layout.label and area.width() >= metrics.horizontalAdvance("IPU 0"):
            box = QRectF(area.left(), area.top() - layout.label, area.width(), layout.label)
            text = elided(tr("IPU {block}", block=block), metrics, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value, text)
    painter.restore()


def draw_cells(painter: QPainter, area: QRectF, cells: U32, ground: QColor, size: float) -> None:
    """Draws ``cells`` (uint32[rows, columns], ARGB) as one scaled image of one pixel per cell, with gaps between cells
    that are large enough."""
    rows, columns = cells.shape
    image = QImage(cells.data, columns, rows, columns * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(area, image)
    if size >= LINED:
        for row in range(1, rows):
            painter.fillRect(QRectF(area.left(), area.top() + row * size - 1, area.width(), 1), ground)
        for column in range(1, columns):
            painter.fillRect(QRectF(area.left() + column * size - 1, area.top(), 1, area.height()), ground)
