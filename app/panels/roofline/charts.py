"""A row of roofline charts, and the plot of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.views.roofline import RoofChart, charts_of, described
from app.widgets.chart.scene import ChartPainter

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.views.chart.model import Chart
from app.widgets.abilities import HasPicture
from app.widgets.chart.scene import ChartScene
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas


class ChartsRow(QWidget, HasPicture):
    """A row of chart canvases. Signals carry rows of the roofline: ``chosen`` (row, whether to extend the selection),
    ``pointed`` (row, -1 for none), ``toggled`` (row whose legend entry was clicked)."""

    chosen = Signal(int, bool)
    pointed = Signal(int)
    toggled = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.canvases: list[PlaneCanvas[ChartScene]] = []
        self.scenes: list[ChartScene] = []
        self._painter = ChartPainter(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._grow(1)

    def show_charts(self, charts: Sequence[Chart]) -> None:
        """Shows each chart in a canvas of its own."""
        scenes = [ChartScene(chart, self._painter) for chart in charts]
        self._grow(len(scenes))
        self.scenes = scenes
        for place, canvas in enumerate(self.canvases):
            there = place < len(scenes)
            canvas.set_scene(scenes[place] if there else None)
            canvas.setVisible(there or place == 0)

    def mark(self, rows: Iterable[int], *, reveal: bool = False) -> None:
        """Marks these rows as selected."""
        chosen = tuple(rows)
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.mark((row for row in chosen if scene.chart.series_of(row)), reveal=reveal)

    def hover(self, row: int) -> None:
        """Outlines the point of a row; -1 for none."""
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.hover(row if scene.chart.series_of(row) else -1)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all charts into ``place``."""
        parts = split(place, max(len(self.scenes), 1))
        for canvas, part in zip(self.canvases[: len(self.scenes)], parts, strict=False):
            canvas.draw_picture(painter, part, theme)

    def chart(self, place: int) -> Chart:
        return self.scenes[place].chart

    def _grow(self, count: int) -> None:
        while len(self.canvases) < count:
            canvas: PlaneCanvas[ChartScene] = PlaneCanvas(self._display, self)
            place = len(self.canvases)
            canvas.chosen.connect(lambda rows, adding: self.chosen.emit(int(rows[0]), adding))
            canvas.pointed.connect(lambda row, _: self.pointed.emit(row))
            canvas.legend_clicked.connect(lambda entry, place=place: self._clicked(place, entry))
            self.canvases.append(canvas)
            self._row.addWidget(canvas, 1)
            if place == 0:
                self.setFocusProxy(canvas)

    def _clicked(self, place: int, entry: int) -> None:
        self.toggled.emit(self.scenes[place].chart.series[entry].item)


def split(place: QRectF, count: int) -> list[QRectF]:
    """Divides ``place`` into a grid of ``count`` parts with an aspect ratio near 1.6."""
    columns = max(1, min(count, round(math.sqrt(count * place.width() / max(place.height(), 1.0) / 1.6))))
    rows = -(-count // columns)
    width, height = place.width() / columns, place.height() / rows
    return [
        QRectF(place.left() + number % columns * width, place.top() + number // columns * height, width, height)
        for number in range(count)
    ]


def _offered(profile: Profile) -> bool:
    return profile.roofline is not None and any(chart.roofs for chart in charts_of(profile.roofline))


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.roofline is not None
    _draw_all(painter, place, [chart for chart in charts_of(profile.roofline) if chart.roofs], theme)


def _draw_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws the points and roofs of both."""
    assert comparison.after.roofline is not None
    _draw_all(
        painter, place, [chart for chart in charts_of(comparison.after.roofline, comparison) if chart.pairs], theme
    )


def _draw_all(painter: QPainter, place: QRectF, charts: Sequence[RoofChart], theme: Theme) -> None:
    items = ChartPainter()
    for chart, part in zip(charts, split(place, len(charts)), strict=True):
        items.draw_whole(painter, described(chart), part, Look(theme=theme))


PLOTS = (PlotSpec("roofline", tr("Roofline"), _offered, _draw, _draw_compared),)
