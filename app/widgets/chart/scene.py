"""A chart as a scene: gestures, keys, view history, tool tips and the cached image are the canvas's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.profile.arrays import I64
from app.views.chart.model import Chart, Column, Series
from app.views.chart.ticks import widest_figures
from app.views.look import Look, Theme
from app.views.units import plain
from app.widgets.chart.overlay import entry_at, legend_width
from app.widgets.chart.seen import Seen, SeenSeries, Stretch
from app.widgets.chart.symbols import RADIUS, ink
from app.widgets.heat.draw import outline
from app.widgets.plane.scene import NONE, Bounds, Drag, Hit, Marks, PlainScene, draw_whole, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

if TYPE_CHECKING:
    from app.widgets.chart.items import ChartItems

POINT_REACH = 10.0
LINE_REACH = 5.0
AROUND_POINT = 0.02
"""Margin around a point that is scrolled into view, as a share of the axes."""
NAMES_SHARE = 0.45
MOST_ROW = 32.0
"""Most pixels of a row of a sideways chart."""
AIR = 8.0
"""Pixels between the names of two rows."""
AROUND_ROWS = 2 * AIR
REACH = 12.0
"""Pixels that marks may extend beyond the plot."""


class ChartPainter:
    """Draws any number of charts, one after another, with the same pyqtgraph items, which are created for the first one
    and destroyed with ``parent``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._parent = parent
        self._items: ChartItems | None = None

    def draw(self, painter: QPainter, seen: Seen, place: QRectF, look: Look) -> None:
        if self._items is None:
            from app.widgets.chart.items import ChartItems

            self._items = ChartItems(self._parent)
        self._items.draw(painter, seen, place, look.theme)

    def draw_whole(self, painter: QPainter, chart: Chart, place: QRectF, look: Look) -> None:
        """Draws a whole chart into ``place``, for picture files."""
        draw_whole(painter, place, ChartScene(chart, self), look)


class ChartScene(PlainScene, Struct, frozen=True, eq=False):
    """Draws ``chart`` by ``painter``, which several scenes may share."""

    chart: Chart
    painter: ChartPainter

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.chart.title, self.chart.x, self.chart.y, len(self.chart.columns)

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.chart.kind

    @property
    def drag(self) -> Drag:  # type: ignore[override]
        return "across" if self.chart.sweeps else "move"

    def height(self, metrics: QFontMetricsF) -> int:
        """The height at which all rows fit."""
        line = math.ceil(metrics.height())
        return math.ceil(self.chart.y.size * (line + AIR) + 2.5 * line + AROUND_ROWS) if self.chart.sideways else 0

    def whole(self) -> PlaneView:
        x, y = self.chart.x, self.chart.y
        return PlaneView.whole(x.size, y.size, (x.least, y.least))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        below = 2 if self.chart.x.named and self.chart.x.title else 1
        left, side = self._left(place, metrics), legend_width(self.chart, place.width(), metrics)
        if self.chart.figures:
            side = max(advance(tick.label or tick.quiet, metrics) for tick in self.chart.figures)
        layout = lay_out(place, view, metrics, left, side, below)
        spare = layout.plot.height() - MOST_ROW * view.y.width
        if self.chart.sideways and spare > 0:
            shorter = place.adjusted(0, 0, 0, -spare)
            layout = lay_out(shorter, view, metrics, left, side, below)
        return layout

    def _left(self, place: QRectF, metrics: QFontMetricsF) -> float:
        """Pixels for the labels or names at the left."""
        y = self.chart.y
        if y.named:
            widest = max(advance(f"{tick.label} {tick.quiet}".rstrip(), metrics) for tick in y.named) + 2 * GAP
            return min(widest, NAMES_SHARE * place.width())
        figures = (
            widest_figures(y) if y.log else (y.scale.text(y.high),) if y.scale is not None else (plain(int(y.high)),)
        )
        return max(advance(text, metrics) for text in figures) + 2 * GAP

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        self.painter.draw(painter, Seen(self.chart, layout), layout.place, look)

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        seen, chart = Seen(self.chart, layout), self.chart
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(seen.room.adjusted(-REACH, -REACH, REACH, REACH))
        swept = NONE if marks.dragged is None else self.swept(layout, marks.dragged)
        for number in swept.tolist():
            draw_selected_column(painter, seen, chart.columns[number], look.theme)
        for number in marks.selected[marks.selected < len(chart.columns)].tolist():
            draw_selected_column(painter, seen, chart.columns[number], look.theme)
        if 0 <= marks.item < len(chart.columns):
            draw_hovered_column(painter, seen, chart.columns[marks.item], look.theme)
        for series in () if chart.columns else chart.shown:
            if series.item in marks.chosen:
                draw_selected(painter, seen, seen.of(series), look.theme)
            elif series.item == marks.item:
                draw_hovered(painter, seen, seen.of(series), look.theme)
        painter.restore()

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        """The nearest column; else the item of the nearest point in reach, of the nearest line, or of the legend
        entry."""
        seen = Seen(self.chart, layout)
        if self.chart.columns:
            return seen.column_at(point)
        entry = self.legend_at(layout, point)
        if entry >= 0:
            return self.chart.series[entry].item
        if not layout.plot.contains(point):
            return -1
        distance, item = min(((_far(spot, point), item) for item, spot in seen.spots), default=(math.inf, -1))
        if distance <= POINT_REACH:
            return item
        lines = [
            (_from_stretch(stretch, point), one.series.item)
            for one in seen.series
            for stretch in one.stretches
            if stretch is not None
        ]
        distance, item = min(lines, default=(math.inf, -1))
        return item if distance <= LINE_REACH else -1

    def legend_at(self, layout: PlaneLayout, point: QPointF) -> int:
        return -1 if self.chart.columns else entry_at(layout, self.chart, point)

    def hit_of(self, item: int) -> Hit:
        return Hit(item, selectable=self.chart.selectable)

    def swept(self, layout: PlaneLayout, box: QRectF) -> I64:
        """The columns that a drag touches."""
        if not self.chart.sweeps:
            return NONE
        (first, _), (last, _) = layout.at(box.topLeft()), layout.at(box.bottomRight())
        stretches = map(self.chart.stretch, self.chart.columns)
        reached = [number for number, (start, end) in enumerate(stretches) if end > first and start <= last]
        return np.array(reached, np.int64)

    def words(self, hit: Hit, _look: Look) -> str:
        series = None if self.chart.columns else self.chart.series_of(hit.item)
        return self.chart.about(hit.item) or ("" if series is None else series.title or series.name)

    def describe(self, layout: PlaneLayout, point: QPointF, _look: Look) -> str:
        return self.chart.about(self.item_at(layout, point))

    def bounds(self, item: int) -> Bounds | None:
        """The bounds of a series' points (of its line if it has none), or of the contents of a column."""
        if self.chart.columns:
            return _around(self.chart, item)
        series = self.chart.series_of(item)
        corners = () if series is None else _corners(series)
        if not corners:
            return None
        places = self.chart.places(corners)
        wide, high = AROUND_POINT * self.chart.x.size, AROUND_POINT * self.chart.y.size
        across, up = [x for x, _ in places], [y for _, y in places]
        return min(across) - wide, max(across) + wide, min(up) - high, max(up) + high

    def step(self, item: int, direction: int) -> int:
        items = self.chart.items
        place = neighbour(items.index(item) if item in items else -1, direction, len(items))
        return items[place] if place >= 0 else -1


def _corners(series: Series) -> tuple[tuple[float, float], ...]:
    return series.points or series.line


def _around(chart: Chart, item: int) -> Bounds | None:
    """The bounds of the points and bars whose middle is in a column."""
    if not 0 <= item < len(chart.columns):
        return None
    start, end = chart.stretch(chart.columns[item])
    if chart.sideways:
        return 0.0, chart.x.size, start, end
    places = [place for series in chart.shown for place in chart.places(series.points)]
    up = [y for x, y in places if start <= x <= end]
    for bar in chart.bars:
        if start <= (chart.x.place(bar.left) + chart.x.place(bar.right)) / 2 <= end:
            up += (chart.y.place(bar.low), chart.y.place(bar.high))
    return start, end, min(up, default=0.0), max(up, default=chart.y.size)


def _far(first: QPointF, second: QPointF) -> float:
    return math.hypot(first.x() - second.x(), first.y() - second.y())


def _from_stretch(stretch: Stretch, point: QPointF) -> float:
    """The distance of ``point`` from a segment, in pixels."""
    start, run = stretch[0], stretch[1] - stretch[0]
    squared = run.x() ** 2 + run.y() ** 2
    share = QPointF.dotProduct(point - start, run) / squared if squared else 0.0
    return _far(start + run * min(max(share, 0.0), 1.0), point)


FAINT = 80
BAND = 7.0
AROUND = 4.0
"""Pixels between a mark and the ring around it."""


def draw_selected(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """Draws a selected series: its line on a wide band, its points in thick rings."""
    marking = QColor(theme.selection)
    marking.setAlpha(FAINT)
    _draw_lines(painter, seen, one, QPen(marking, BAND, j=Qt.PenJoinStyle.RoundJoin))
    _draw_lines(painter, seen, one, ink(seen.chart, one.series, theme).pen())
    for spot in one.spots:
        _draw_ring(painter, spot, theme.selection, 3.0, theme)


def draw_hovered(painter: QPainter, seen: Seen, one: SeenSeries, theme: Theme) -> None:
    """Draws a hovered series: thin rings around its points, else a thin line over its line."""
    for spot in one.spots:
        _draw_ring(painter, spot, theme.hover, 1.5, theme)
    if not one.spots:
        _draw_lines(painter, seen, one, QPen(QColor(theme.hover), 1))


def draw_selected_column(painter: QPainter, seen: Seen, column: Column, theme: Theme) -> None:
    """Draws a selected column: a faint band, and rings around its points."""
    marking = QColor(theme.selection)
    marking.setAlpha(FAINT)
    painter.fillRect(seen.column_box(column), marking)
    for spot in seen.spots_in(column):
        _draw_ring(painter, spot, theme.selection, 2.0, theme)


def draw_hovered_column(painter: QPainter, seen: Seen, column: Column, theme: Theme) -> None:
    """Draws a hovered column: its outline, and rings around its points."""
    box = seen.column_box(column)
    if not box.isEmpty():
        outline(painter, _inside(box), theme)
    for spot in seen.spots_in(column):
        _draw_ring(painter, spot, theme.hover, 1.5, theme)


def _inside(box: QRectF) -> QRectF:
    """A rectangle on whole pixels whose outline is inside ``box``."""
    return QRectF(box.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5)


def _draw_lines(painter: QPainter, seen: Seen, one: SeenSeries, pen: QPen) -> None:
    painter.setPen(pen)
    for run in one.runs:
        painter.drawPolyline([seen.at(place) for place in run])


def _draw_ring(painter: QPainter, spot: QPointF, colour: str, width: float, theme: Theme) -> None:
    around = RADIUS + AROUND
    painter.setPen(QPen(QColor(theme.surface), 4))
    painter.drawEllipse(spot, around, around)
    painter.setPen(QPen(QColor(colour), width))
    painter.drawEllipse(spot, around, around)
