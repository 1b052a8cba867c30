"""A grid of cache maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.panels.cache.scene import CacheScene
from app.profile.selection import Kind
from app.views.theme import Theme
from app.widgets.abilities import HasPicture
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas

NARROW, LOW = 280.0, 84.0
"""Least width and height of a map, as long as the number of columns allows it."""


class MapGrid(QWidget, HasPicture):
    """A grid of map canvases. Signals: ``chosen`` (kind, cell, whether to extend the selection), ``pointed`` (kind,
    cell; -1 for none)."""

    chosen = Signal(str, int, bool)
    pointed = Signal(str, int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.canvases: list[PlaneCanvas[CacheScene]] = []
        self.scenes: list[CacheScene] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._columns = 0
        self._grow(1)

    def show_scenes(self, scenes: Sequence[CacheScene]) -> None:
        """Shows each scene in a canvas of its own."""
        self._grow(len(scenes))
        self.scenes = list(scenes)
        for place, canvas in enumerate(self.canvases):
            there = place < len(scenes)
            canvas.set_scene(scenes[place] if there else None)
            canvas.setVisible(there or place == 0)
        self._columns = 0
        self._arrange()

    def mark(self, cells: dict[Kind, Iterable[int]], *, reveal: bool = False) -> None:
        """Marks these cells as selected, by the kind of item that a map shows."""
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.mark(cells.get(scene.shown.kind, ()), reveal=reveal)

    def hover(self, kind: Kind | None, cell: int) -> None:
        """Outlines a cell that is hovered in another view."""
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.hover(cell if scene.shown.kind == kind else -1)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all maps into ``place``."""
        parts = split(place, len(self.scenes))
        for canvas, part in zip(self.canvases[: len(self.scenes)], parts, strict=True):
            canvas.draw_picture(painter, part, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        count = max(len(self.scenes), 1)
        columns = columns_for(count, float(self.width()), float(self.height()))
        if columns == self._columns:
            return
        self._columns = columns
        for place, canvas in enumerate(self.canvases):
            self._grid.removeWidget(canvas)
            self._grid.addWidget(canvas, place // columns, place % columns)
        rows = -(-count // columns)
        for row in range(self._grid.rowCount()):
            self._grid.setRowStretch(row, int(row < rows))
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, int(column < columns))

    def _grow(self, count: int) -> None:
        while len(self.canvases) < count:
            canvas: PlaneCanvas[CacheScene] = PlaneCanvas(self._display, self)
            place = len(self.canvases)
            canvas.chosen.connect(lambda cells, adding, place=place: self._choose(place, int(cells[0]), adding))
            canvas.pointed.connect(lambda cell, _, place=place: self._point(place, cell))
            canvas.setMinimumSize(120, 60)
            self.canvases.append(canvas)
            if place == 0:
                self.setFocusProxy(canvas)

    def _choose(self, place: int, cell: int, adding: bool) -> None:
        if place < len(self.scenes):
            self.chosen.emit(self.scenes[place].shown.kind, cell, adding)

    def _point(self, place: int, cell: int) -> None:
        """Publishes the hovered cell; a map that was just removed may still report that the pointer has left it."""
        if place < len(self.scenes):
            self.pointed.emit(self.scenes[place].shown.kind, cell)


def columns_for(count: int, width: float, height: float) -> int:
    """The least number of columns that leaves each map high enough, limited so that each stays wide enough."""
    most = max(1, min(count, int(width // NARROW)))
    for columns in range(1, most + 1):
        if height / -(-count // columns) >= LOW:
            return columns
    return most


def split(place: QRectF, count: int) -> list[QRectF]:
    """Divides ``place`` into a grid of ``count`` parts."""
    if not count:
        return []
    columns = columns_for(count, place.width(), place.height() / 2)
    rows = -(-count // columns)
    width, height = place.width() / columns, place.height() / rows
    return [
        QRectF(place.left() + number % columns * width, place.top() + number // columns * height, width, height)
        for number in range(count)
    ]
