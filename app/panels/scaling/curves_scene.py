"""Curves against replicas as a scene of a plane."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.panels.scaling import axis
from app.panels.scaling.charts import Curves, Line
from app.panels.scaling.legend import Entry, draw_legend, legend_width
from app.panels.scaling.looks import draw_dot, ink, pen_of
from app.widgets.display import Look
from app.widgets.plane.axes import Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance, shown_line
from app.widgets.theme import Theme
from app.widgets.units import Scale, format_value

LEAST = 0.25
DOT = 3.5
VEIL = 205
SINGLE = Qt.TextFlag.TextSingleLine.value


@dataclass(frozen=True, slots=True, eq=False)
class CurvesScene(PlainScene):
    """Items are the places in ``chart.counts``; ``with_legend`` where there is room for one."""

    chart: Curves
    with_legend: bool = True

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.chart.counts, self.chart.ends, self.chart.log

    def whole(self) -> PlaneView:
        low, high = self.chart.ends
        height = math.log2(high / low) if self.chart.log else high - low
        return PlaneView.whole(axis.width(self.chart.counts), height, (LEAST, LEAST if self.chart.log else 1.0))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = max(advance(text, metrics) for text in (self._figure(end) for end in self.chart.ends))
        side = legend_width(self._entries(), place.width(), metrics) if self.with_legend else 0.0
        return lay_out(place, view, metrics, widest + 2 * GAP, side)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        theme = look.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_x(painter, layout, axis.ticks_of(self.chart.counts), "", theme)
        draw_y(painter, layout, self._ticks(layout), theme)
        draw_frame(painter, layout, theme)
        draw_title(painter, layout, self.chart.title, theme)
        painter.setClipRect(layout.plot.adjusted(-DOT, -DOT, DOT, DOT))
        self._draw_now(painter, layout, theme)
        for line in self.chart.lines:
            self._draw_line(painter, layout, line, theme)
        self._draw_limit(painter, layout, theme)
        painter.setClipping(False)
        if self.with_legend:
            draw_legend(painter, layout, self._entries(), theme)
        painter.restore()

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(layout.plot)
        for item in marks.both:
            if item >= len(self.chart.counts):
                continue
            colour = QColor(look.theme.selection if item in marks.chosen else look.theme.hover)
            x = self._x(layout, self.chart.counts[item])
            band = QColor(colour)
            band.setAlpha(40 if item in marks.chosen else 0)
            painter.fillRect(QRectF(x - 8, layout.plot.top(), 16, layout.plot.height()), band)
            painter.setPen(QPen(colour, 0, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(x, layout.plot.top(), x, layout.plot.bottom()))
            for line in self.chart.lines:
                value = line.at(self.chart.counts[item])
                if value is not None:
                    painter.setPen(QPen(colour, 1.5))
                    painter.drawEllipse(QPointF(x, self._y(layout, value)), DOT + 3, DOT + 3)
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
        values = [line.at(self.chart.counts[item]) for line in self.chart.lines]
        places = [self._place(value) for value in values if value is not None]
        return x - 0.25, x + 0.25, min(places), max(places)

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, len(self.chart.counts))

    # -- inside -------------------------------------------------------------------------------------------

    def _entries(self) -> list[Entry]:
        return [Entry(line.name, line.role) for line in self.chart.lines]

    def _figure(self, value: float) -> str:
        return format_value(round(value), self.chart.unit) if value >= 10 else format_value(value, self.chart.unit)

    def _ticks(self, layout: PlaneLayout) -> list[Tick]:
        view = layout.view.y
        if self.chart.log:
            return axis.log_ticks(view.start, view.end, self.chart.ends[0], layout.plot.height())
        return axis.plain_ticks(view.start, view.end, Scale(1.0, "%", 0), layout.plot.height())

    def _place(self, value: float) -> float:
        return math.log2(value / self.chart.ends[0]) if self.chart.log else value

    def _x(self, layout: PlaneLayout, replicas: float) -> float:
        return layout.x_of(axis.place(replicas, self.chart.counts))

    def _y(self, layout: PlaneLayout, value: float) -> float:
        return layout.y_of(self._place(value))

    def _draw_now(self, painter: QPainter, layout: PlaneLayout, theme: Theme) -> None:
        """A line at the replicas of the inputs."""
        if self.chart.now in self.chart.counts:
            x = self._x(layout, self.chart.now)
            painter.setPen(QPen(QColor(theme.muted), 0, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(x, layout.plot.top(), x, layout.plot.bottom()))

    def _draw_line(self, painter: QPainter, layout: PlaneLayout, line: Line, theme: Theme) -> None:
        spots = [QPointF(self._x(layout, count), self._y(layout, value)) for count, value in line.places]
        if line.role != "measured":
            painter.setPen(pen_of(line.role, theme))
            painter.drawPolyline(QPolygonF(spots))
        if line.role != "ideal":
            for spot in spots:
                draw_dot(painter, spot, line.role, theme, DOT)

    def _draw_limit(self, painter: QPainter, layout: PlaneLayout, theme: Theme) -> None:
        if self.chart.limit is None:
            return
        value, name = self.chart.limit
        y, metrics = self._y(layout, value), QFontMetricsF(painter.font(), painter.device())
        painter.setPen(QPen(QColor(ink("limit", theme)), 1.5))
        painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))
        text = f"{name}: {self._figure(value)}"
        box = QRectF(layout.plot.left() + GAP, y + 2, advance(text, metrics) + 2 * 4, metrics.height())
        if box.bottom() > layout.plot.bottom():
            box.moveBottom(y - 2)
        veil = QColor(theme.surface)
        veil.setAlpha(VEIL)
        painter.fillRect(box, veil)
        painter.setPen(QColor(ink("limit", theme)))
        painter.drawText(box, SINGLE | Qt.AlignmentFlag.AlignCenter.value, shown_line(text))
