"""The canvas of a chart: its description is rebuilt when the units or the theme change."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.language import tr
from app.profile.arrays import I64, union
from app.views.chart.model import Chart
from app.views.look import Look
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas


class Picture(Protocol):
    """What is charted, independent of the display units."""

    def chart(self, look: Look, /) -> Chart:
        """The description of the chart."""


Shown = TypeVar("Shown", bound=Picture)


class ChartCanvas(PlaneCanvas[ChartScene], Generic[Shown]):
    """Shows a ``picture``. Selected columns are marked."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self._painter = ChartPainter(self)
        self.picture: Shown | None = None
        display.changed.connect(self._describe)
        self.chosen.connect(self._chosen)

    def show_picture(self, picture: Shown | None) -> None:
        """Replaces the picture and clears the selection."""
        self.picture = picture
        self.mark(())
        self._describe()

    @property
    def chart(self) -> Chart | None:
        """The chart that is drawn; None if there is none."""
        return None if self.scene is None else self.scene.chart

    def _describe(self) -> None:
        picture = self.picture
        self.set_scene(None if picture is None else ChartScene(picture.chart(self._display.look), self._painter))

    def _chosen(self, items: I64, adding: bool) -> None:
        if self.chart is not None and self.chart.columns:
            self.mark(union(self.marks.selected, items) if adding else items)


class ScrolledBars(QScrollArea, Generic[Shown]):
    """Bars in a scroll area, for more rows than fit."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas: ChartCanvas[Shown] = ChartCanvas(display, self)
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
        """Scrolls to the row that was selected by a key."""
        layout, chart = self.canvas.layout_now(), self.canvas.chart
        if layout is not None and chart is not None and len(items):
            start, end = chart.stretch(chart.columns[int(items[0])])
            row = QPointF(0.0, layout.y_of((start + end) / 2)).toPoint()
            self.ensureVisible(row.x(), row.y(), 0, round(abs(layout.y_of(start) - layout.y_of(end))))
