"""Marks over the grid of tiles: range, selection, hover, and the box of a drag."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.profile.arrays import I64
from app.widgets.floor.layout import FloorLayout, FloorPlan
from app.widgets.heat.marks import outline
from app.widgets.plane.scene import Marks
from app.widgets.theme import Theme

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
        _wash(painter, layout, np.setdiff1d(np.arange(tiles), marks.within), QColor(theme.surface), VEIL)
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
    for block in np.unique(tiles // layout.per_block).tolist():
        cells = np.zeros(layout.rows * layout.columns, np.uint32)
        cells[tiles[tiles // layout.per_block == block] % layout.per_block] = packed
        image = QImage(cells.data, layout.columns, layout.rows, layout.columns * 4, QImage.Format.Format_ARGB32)
        painter.drawImage(layout.block_rect(block), image)
