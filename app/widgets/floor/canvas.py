"""The grid of tiles as a widget: what lies under the pointer, and which tiles are chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from app.profile.arrays import I64
from app.widgets.abilities import ITEM
from app.widgets.display import Display
from app.widgets.floor.draw import FloorPicture, draw_floor, lay_out_floor
from app.widgets.floor.layout import FloorLayout
from app.widgets.heat.marks import outline
from app.widgets.texts import shown_line
from app.widgets.theme import Theme

DRAG_LEAST = 4.0
FAINT = 110
FRAMED = 4.0
MOST_FRAMES = 1500
VEIL = 190
NONE: I64 = np.empty(0, np.int64)


class FloorCanvas(QWidget):
    """Signals: ``pointed`` (tile, what it says; -1, "" beside the cells), ``chosen`` (int64 tiles, and whether they add
    to what is chosen)."""

    pointed = Signal(int, str)
    chosen = Signal(object, bool)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: FloorPicture | None = None
        self.selected: I64 = NONE
        self.within: I64 | None = None
        self._hovered = -1
        self._pressed: QPointF | None = None
        self._dragged: QRectF | None = None
        self._layout: FloorLayout | None = None
        self._image = QImage()
        self._stale = True
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    # -- contents -----------------------------------------------------------------------------------------

    def set_picture(self, picture: FloorPicture | None) -> None:
        """Another picture."""
        self.picture, self._hovered = picture, -1
        self.setAccessibleName(shown_line("" if picture is None else f"Grid of tiles: {picture.heat.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self._redraw()

    def mark(self, tiles: I64) -> None:
        """Shows these tiles as selected."""
        self.selected = tiles
        self.update()

    def set_range(self, tiles: I64 | None) -> None:
        """Veils what is outside of these tiles; None for no range."""
        self.within = tiles
        self.update()

    def hover(self, tile: int) -> None:
        """Outlines a tile that is pointed at elsewhere; -1 none."""
        self._hovered = tile
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The whole picture, for export."""
        if self.picture is not None:
            draw_floor(painter, place, self.picture, replace(self._display.look, theme=theme))

    # -- Qt's side ----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            if self.picture is None or self._layout is None:
                painter.fillRect(self.rect(), QColor(theme.surface))
                return
            if self._stale:
                self._image, self._stale = self._drawn(self.picture), False
            painter.drawImage(0, 0, self._image)
            layout, tiles = self._layout, self.picture.tiles
            if self.within is not None:
                _wash(painter, layout, np.setdiff1d(np.arange(tiles), self.within), QColor(theme.surface), VEIL)
            _select(painter, layout, self.selected[self.selected < tiles], theme)
            if 0 <= self._hovered < tiles:
                outline(painter, layout.cell_rect(self._hovered), theme)
            if self._dragged is not None:
                outline(painter, self._dragged, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._layout is None or self.picture is None:
            return
        point = event.position()
        if self._pressed is not None and (point - self._pressed).manhattanLength() >= DRAG_LEAST:
            self._dragged = QRectF(self._pressed, point).normalized()
        tile = self._layout.tile_at(point)
        if tile != self._hovered:
            self._hovered = tile
            self.pointed.emit(tile, self.picture.describe(tile, self._display.look) if tile >= 0 else "")
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, dragged = self._pressed, self._dragged
        self._pressed = self._dragged = None
        self.update()
        if pressed is None or self._layout is None or event.button() != Qt.MouseButton.LeftButton:
            return
        adding = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        if dragged is not None:
            tiles = self._layout.tiles_in(dragged)
        else:
            tile = self._layout.tile_at(pressed)
            tiles = np.array([tile], np.int64) if tile >= 0 else NONE
        if len(tiles):
            self.chosen.emit(tiles, adding)

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A tile, as a click chooses it."""
        if self._layout is None or point is None:
            return (ITEM,) if len(self.selected) else ()
        tile = self._layout.tile_at(QPointF(point))
        if tile >= 0 and tile not in self.selected:
            self.chosen.emit(np.array([tile], np.int64), False)
        return (ITEM,) if tile >= 0 else ()

    def take_back(self) -> bool:
        """A drag: what it drew is forgotten."""
        dragging = self._dragged is not None
        if dragging:
            self._pressed = self._dragged = None
            self.update()
        return dragging

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go to the neighbouring tile."""
        if self._layout is None or self.picture is None or not self.picture.tiles:
            super().keyPressEvent(event)
            return
        down = self._layout.columns
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -down, Qt.Key.Key_Down: down}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        now = int(self.selected[0]) + step if len(self.selected) else 0
        tile = min(max(now, 0), self.picture.tiles - 1)
        self.chosen.emit(np.array([tile], np.int64), False)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.pointed.emit(-1, "")
        self.update()

    # -- inside -------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._stale, self._layout = True, None
        if self.picture is not None:
            metrics = QFontMetricsF(self.font(), self)
            self._layout = lay_out_floor(QRectF(self.rect()), self.picture, metrics)[1]
        self.update()

    def _drawn(self, picture: FloorPicture) -> QImage:
        ratio = self.devicePixelRatioF()
        image = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(self._display.theme.surface))
        with QPainter(image) as painter:
            painter.setFont(self.font())
            draw_floor(painter, QRectF(self.rect()), picture, self._display.look)
        return image


def _select(painter: QPainter, layout: FloorLayout, tiles: I64, theme: Theme) -> None:
    """Frames around selected tiles that stand side by side; where there are very many, a colour over them."""
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
    """Lays a colour over the cells of ``tiles``, as one image a block."""
    if not len(tiles):
        return
    packed = alpha << 24 | colour.red() << 16 | colour.green() << 8 | colour.blue()
    for block in np.unique(tiles // layout.per_block).tolist():
        cells = np.zeros(layout.rows * layout.columns, np.uint32)
        cells[tiles[tiles // layout.per_block == block] % layout.per_block] = packed
        image = QImage(cells.data, layout.columns, layout.rows, layout.columns * 4, QImage.Format.Format_ARGB32)
        painter.drawImage(layout.block_rect(block), image)
