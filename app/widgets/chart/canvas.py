"""The canvas of a chart: its description is made anew when the units or the theme change."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.language import tr
from app.profile.arrays import I64
from app.widgets.chart.bars import BarsPicture
from app.widgets.chart.model import Chart
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Display, Look
from app.widgets.plane.canvas import PlaneCanvas


class Picture(Protocol):
    """What is charted, apart from the units it is shown in."""

    def chart(self, look: Look, /) -> Chart:
        """Its description."""


Shown = TypeVar("Shown", bound=Picture)


class ChartCanvas(PlaneCanvas[ChartScene], Generic[Shown]):
    """Shows a ``picture``. Columns that are chosen in it are marked in it."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self._painter = ChartPainter(self)
        self.picture: Shown | None = None
        display.changed.connect(self._describe)
        self.chosen.connect(self._chosen)

    def show_picture(self, picture: Shown | None) -> None:
        """Another picture; nothing is selected in it."""
        self.picture = picture
        self.mark(())
        self._describe()

    @property
    def chart(self) -> Chart | None:
        """What is drawn."""
        return None if self.scene is None else self.scene.chart

    def _describe(self) -> None:
        picture = self.picture
        self.set_scene(None if picture is None else ChartScene(picture.chart(self._display.look), self._painter))

    def _chosen(self, items: I64, adding: bool) -> None:
        if self.chart is not None and self.chart.columns:
            self.mark(np.union1d(self.marks.selected, items) if adding else items)


class ScrolledBars(QScrollArea):
    """Bars that scroll where they are higher than their place."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas: ChartCanvas[BarsPicture] = ChartCanvas(display, self)
        self.canvas.page_scrolls = True
        self.setWidget(self.canvas)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.canvas)
        self.setAccessibleName(tr("Bars"))
        self.setMinimumWidth(160)
        self.canvas.chosen.connect(self._show_chosen)

    def _show_chosen(self, items: I64) -> None:
        """Scrolls to the row that was chosen by a key."""
        layout, chart = self.canvas.layout_now(), self.canvas.chart
        if layout is not None and chart is not None and len(items):
            start, end = chart.stretch(chart.columns[int(items[0])])
            row = QPointF(0.0, layout.y_of((start + end) / 2)).toPoint()
            self.ensureVisible(row.x(), row.y(), 0, round(abs(layout.y_of(start) - layout.y_of(end))))
