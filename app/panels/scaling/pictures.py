"""Throughput and efficiency side by side, or one below the other, or the first alone where there is no room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.panels.scaling.bars_scene import BarsScene
from app.panels.scaling.curves_scene import CurvesScene
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.theme import Theme

BESIDE = 300
BELOW = 180
"""A picture has at least this width beside another, this height below one."""


class Pictures(QWidget):
    """Signals: ``chosen`` (item, whether it adds), ``pointed`` (item, -1 none); items are those of the scenes."""

    chosen = Signal(int, bool)
    pointed = Signal(int)

    def __init__(self, display: Display, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenes: list[CurvesScene | BarsScene | None] = [None] * count
        self.canvases = [PlaneCanvas(display, self) for _ in range(count)]
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        for number, canvas in enumerate(self.canvases):
            self._box.addWidget(canvas, 3 if number == 0 else 2)
            canvas.chosen.connect(lambda items, adding: self.chosen.emit(int(items[0]), adding))
            canvas.pointed.connect(lambda item, _: self.pointed.emit(item))
        self.setFocusProxy(self.canvases[0])

    @property
    def filled(self) -> bool:
        """Whether there is anything to show."""
        return self._scenes[0] is not None

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of replicas that the items stand for."""
        scene = self._scenes[0]
        return () if scene is None else scene.chart.counts

    def show_scenes(self, scenes: Sequence[CurvesScene | BarsScene | None]) -> None:
        """One for each canvas; all over the same numbers of replicas."""
        self._scenes = list(scenes)
        for canvas, scene in zip(self.canvases, scenes, strict=True):
            canvas.set_scene(scene)

    def mark_count(self, replicas: int) -> None:
        """Shows a number of replicas as chosen."""
        counts = self.counts
        for canvas in self.canvases:
            canvas.mark((counts.index(replicas),) if replicas in counts else ())

    def about(self, item: int) -> str:
        """What is known of an item, on one line; "" for none."""
        scene = self._scenes[0]
        if scene is None or not 0 <= item < len(scene.chart.counts):
            return ""
        return " · ".join(scene.chart.about(scene.chart.counts[item]).splitlines())

    def hover(self, item: int) -> None:
        for canvas in self.canvases:
            canvas.hover(item)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """All that are seen."""
        shown = [canvas for canvas in self.canvases if canvas.isVisibleTo(self)]
        for canvas, part in zip(shown, split(place, len(shown)), strict=True):
            canvas.draw_picture(painter, part, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        count = len(self.canvases)
        beside = self.width() >= count * BESIDE
        below = not beside and self.height() >= count * BELOW
        way = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        self._box.setDirection(way)
        for canvas in self.canvases[1:]:
            canvas.setVisible(beside or below)


def split(place: QRectF, count: int) -> list[QRectF]:
    """``place`` in ``count`` parts along its longer side."""
    if count < 2:
        return [place]
    if place.width() >= place.height():
        wide = place.width() / count
        return [QRectF(place.left() + n * wide, place.top(), wide, place.height()) for n in range(count)]
    high = place.height() / count
    return [QRectF(place.left(), place.top() + n * high, place.width(), high) for n in range(count)]
