"""A roofline chart as a scene of a plane whose axes are decades."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.panels.roofline.chart import Chart, Roof
from app.panels.roofline.draw import draw_chart, draw_mark, spots
from app.panels.roofline.labels import slope_seen, x_place, y_place
from app.panels.roofline.legend import entry_at, legend_width
from app.panels.roofline.words import about
from app.widgets.display import Look
from app.widgets.plane.scene import neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

LEAST = 0.05
"""Decades that can be zoomed to."""
POINT_REACH = 10.0
LINE_REACH = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class RoofScene:
    """Roofs whose row is in ``hidden`` are only in the legend."""

    chart: Chart
    hidden: frozenset[int] = frozenset()

    @property
    def title(self) -> str:
        return f"Roofline {self.chart.title}"

    @property
    def shape(self) -> tuple[object, ...]:
        return self.chart.title, self.chart.x, self.chart.y

    @property
    def shown(self) -> list[Roof]:
        """The roofs that are not hidden."""
        return [roof for roof in self.chart.roofs if roof.row not in self.hidden]

    def whole(self) -> PlaneView:
        (left, right), (low, high) = self.chart.x, self.chart.y
        return PlaneView.whole(right - left, high - low, (LEAST, LEAST))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = max(advance(text, metrics) for text in ("0.0001", "10,000"))
        return lay_out(place, view, metrics, widest + 2 * GAP, legend_width(self.chart, place.width(), metrics))

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        draw_chart(painter, layout, self.chart, self.shown, look.theme)

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, selected: Set[int], hovered: int, look: Look) -> None:
        for roof in self.shown:
            if roof.row in selected or roof.row == hovered:
                draw_mark(painter, layout, self.chart, roof, roof.row in selected, look.theme)

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        """The nearest point under the pointer, else the nearest roof, else the entry of the legend."""
        entry = self.legend_at(layout, point)
        if entry >= 0:
            return self.chart.roofs[entry].row
        if not layout.plot.contains(point):
            return -1
        near = [(_far(spot, point), row) for row, spot in spots(layout, self.chart, self.shown).items()]
        distance, row = min(near, default=(math.inf, -1))
        if distance <= POINT_REACH:
            return row
        lines = [(self._from_roof(layout, roof, point), roof.row) for roof in self.shown]
        distance, row = min(lines, default=(math.inf, -1))
        return row if distance <= LINE_REACH else -1

    def legend_at(self, layout: PlaneLayout, point: QPointF) -> int:
        return entry_at(layout, self.chart, point)

    def describe(self, layout: PlaneLayout, point: QPointF, _look: Look) -> str:
        roof = self.chart.roof(self.item_at(layout, point))
        return "" if roof is None else about(roof)

    def bounds(self, item: int) -> tuple[float, float, float, float] | None:
        roof = self.chart.roof(item)
        if roof is None:
            return None
        x, y = x_place(self.chart, math.log10(roof.x)), y_place(self.chart, math.log10(roof.y))
        return x - 0.1, x + 0.1, y - 0.1, y + 0.1

    def step(self, item: int, direction: int) -> int:
        rows = [roof.row for roof in self.shown]
        place = neighbour(rows.index(item) if item in rows else -1, direction, len(rows))
        return rows[place] if place >= 0 else -1

    def _from_roof(self, layout: PlaneLayout, roof: Roof, point: QPointF) -> float:
        """How far ``point`` is from the slanted or the flat part, in pixels."""
        start, ridge = slope_seen(layout, self.chart, roof)
        if point.x() >= ridge.x():
            return abs(point.y() - ridge.y())
        length = math.hypot(ridge.x() - start.x(), ridge.y() - start.y())
        if not length:
            return math.inf
        cross = (ridge.x() - start.x()) * (point.y() - start.y()) - (ridge.y() - start.y()) * (point.x() - start.x())
        return abs(cross) / length


def _far(first: QPointF, second: QPointF) -> float:
    return math.hypot(first.x() - second.x(), first.y() - second.y())
