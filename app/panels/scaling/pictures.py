"""Throughput and efficiency side by side, stacked, or the first alone, depending on room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.views.chart.model import Chart
from app.views.look import Theme
from app.widgets.abilities import HasPicture
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas

BESIDE = 300
BELOW = 180
"""Least width of a chart beside another, least height above or below another."""


class Pictures(QWidget, HasPicture):
    """A group of charts. Signals: ``chosen`` (item, whether to extend the selection), ``pointed`` (item, -1 for none);
    items are indices into ``counts``, the numbers of replicas."""

    chosen = Signal(int, bool)
    pointed = Signal(int)

    def __init__(self, display: Display, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.counts: tuple[int, ...] = ()
        self._painter = ChartPainter(self)
        self.canvases: list[PlaneCanvas[ChartScene]] = [PlaneCanvas(display, self) for _ in range(count)]
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
        return bool(self.counts)

    def show_charts(self, counts: tuple[int, ...], charts: Sequence[Chart | None]) -> None:
        """Shows a chart in each canvas, all for the same numbers of replicas."""
        self.counts = counts
        for canvas, chart in zip(self.canvases, charts, strict=True):
            canvas.set_scene(None if chart is None else ChartScene(chart, self._painter))

    def mark_count(self, replicas: int) -> None:
        """Marks a number of replicas as selected."""
        counts = self.counts
        for canvas in self.canvases:
            canvas.mark((counts.index(replicas),) if replicas in counts else ())

    def about(self, item: int) -> str:
        """The values of an item in one line; "" for none."""
        scene = self.canvases[0].scene
        return " · ".join(scene.chart.about(item).splitlines()) if scene is not None else ""

    def hover(self, item: int) -> None:
        for canvas in self.canvases:
            canvas.hover(item)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all visible charts."""
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
    """Divides ``place`` into ``count`` parts along its longer side."""
    if count < 2:
        return [place]
    if place.width() >= place.height():
        wide = place.width() / count
        return [QRectF(place.left() + n * wide, place.top(), wide, place.height()) for n in range(count)]
    high = place.height() / count
    return [QRectF(place.left(), place.top() + n * high, place.width(), high) for n in range(count)]
