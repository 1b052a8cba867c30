"""Draws tiles as a grid, both on screen and for export."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import U32, Array
from app.views.look import Look
from app.views.tile_axis import TileAxis
from app.widgets.floor.layout import FloorPlan
from app.widgets.heat.draw import draw_legend
from app.widgets.heat.picture import HeatPicture, heat_picture
from app.widgets.texts import elided

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
    colours[0] = _packed(look.theme.no_data)
    ground = _packed(look.theme.surface)
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


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
