"""The parts of a weight update against replicas, as stacked bars on a plane."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.panels.scaling import axis
from app.panels.scaling.charts import Bars
from app.panels.scaling.legend import Entry, draw_legend, legend_width
from app.panels.scaling.looks import part_colour
from app.widgets.display import Look
from app.widgets.plane.axes import draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance
from app.widgets.theme import Theme
from app.widgets.units import Scale, percent, scale_for

LEAST = 0.25
HEADROOM = 1.12
SINGLE = Qt.TextFlag.TextSingleLine.value


@dataclass(frozen=True, slots=True, eq=False)
class BarsScene(PlainScene):
    """Items are the places in ``chart.counts``."""

    chart: Bars

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.chart.counts, self.chart.shares, math.ceil(math.log2(self.chart.top) * 4)

    def whole(self) -> PlaneView:
        high = self.chart.top * HEADROOM
        return PlaneView.whole(axis.width(self.chart.counts), high, (LEAST, high / 64))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = advance(self._scale().text(self.chart.top * HEADROOM), metrics)
        side = legend_width(self._entries(), place.width(), metrics)
        return lay_out(place, view, metrics, widest + 2 * GAP, side)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        theme, view = look.theme, layout.view.y
        painter.save()
        draw_x(painter, layout, axis.ticks_of(self.chart.counts), "", theme)
        draw_y(painter, layout, axis.plain_ticks(view.start, view.end, self._scale(), layout.plot.height()), theme)
        draw_title(painter, layout, self.chart.title, theme)
        painter.setClipRect(layout.plot)
        for number, box, name in self._boxes(layout):
            painter.fillRect(box, QColor(part_colour(name, theme)))
            if self.chart.counts[number] == self.chart.now and name == self.chart.layers[0][0]:
                self._draw_now(painter, layout, number, theme)
        self._draw_before(painter, layout, theme)
        self._draw_startup(painter, layout, theme)
        painter.setClipping(False)
        draw_frame(painter, layout, theme)
        draw_legend(painter, layout, self._entries(), theme)
        painter.restore()

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        painter.save()
        painter.setClipRect(layout.plot)
        for item in marks.both:
            if item < len(self.chart.counts):
                box = self._bar(layout, item, 0.0, self.chart.totals[item]).adjusted(-3, -3, 3, 3)
                painter.setPen(QPen(QColor(look.theme.selection if item in marks.chosen else look.theme.hover), 2))
                painter.drawRect(box)
        painter.restore()

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        if not layout.plot.contains(point):
            return -1
        return axis.nearest(layout.at(point)[0], self.chart.counts)

    def describe(self, layout: PlaneLayout, point: QPointF, _look: Look) -> str:
        item = self.item_at(layout, point)
        return "" if item < 0 else self.chart.about(self.chart.counts[item])

    def bounds(self, item: int) -> Bounds | None:
        if not 0 <= item < len(self.chart.counts):
            return None
        x = axis.place(self.chart.counts[item], self.chart.counts)
        return x - 0.3, x + 0.3, 0.0, self.chart.totals[item]

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, len(self.chart.counts))

    # -- inside -------------------------------------------------------------------------------------------

    def _entries(self) -> list[Entry]:
        """From the top of a bar to its bottom."""
        return [Entry(name) for name, _ in reversed(self.chart.layers)]

    def _scale(self) -> Scale:
        return scale_for(self.chart.top, self.chart.unit)

    def _boxes(self, layout: PlaneLayout) -> Iterator[tuple[int, QRectF, str]]:
        for number in range(len(self.chart.counts)):
            below = 0.0
            for name, values in self.chart.layers:
                yield number, self._bar(layout, number, below, below + values[number]), name
                below += values[number]

    def _bar(self, layout: PlaneLayout, number: int, low: float, high: float) -> QRectF:
        middle = axis.place(self.chart.counts[number], self.chart.counts)
        half = axis.bar_width(self.chart.counts) / 2
        left, right = round(layout.x_of(middle - half)), round(layout.x_of(middle + half))
        top, bottom = round(layout.y_of(high)), round(layout.y_of(low))
        return QRectF(left, top, max(right - left, 1), max(bottom - top, 1 if high > low else 0))

    def _draw_now(self, painter: QPainter, layout: PlaneLayout, number: int, theme: Theme) -> None:
        """A stroke under the bar of the inputs' replicas."""
        box = self._bar(layout, number, 0.0, self.chart.totals[number])
        painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), QColor(theme.text))

    def _draw_before(self, painter: QPainter, layout: PlaneLayout, theme: Theme) -> None:
        """Where the bars ended before the sliders were moved."""
        painter.setPen(QPen(QColor(theme.text), 2))
        for number, value in enumerate(self.chart.before or ()):
            if not math.isnan(value):
                box = self._bar(layout, number, 0.0, value)
                painter.drawLine(QLineF(box.left() - 4, box.top(), box.right() + 4, box.top()))

    def _draw_startup(self, painter: QPainter, layout: PlaneLayout, theme: Theme) -> None:
        """Compile and load above each bar, as a share of the run."""
        metrics = QFontMetricsF(painter.font(), painter.device())
        painter.setPen(QColor(theme.muted))
        for number, share in enumerate(self.chart.startup):
            if share is not None:
                box = self._bar(layout, number, 0.0, self.chart.totals[number])
                text = f"+{percent(100 * share)}"
                wide = advance(text, metrics)
                place = QRectF(box.center().x() - wide / 2, box.top() - layout.line - 2, wide + 1, layout.line)
                if wide <= box.width() / axis.BAR + 2:
                    painter.drawText(place, SINGLE, text)
