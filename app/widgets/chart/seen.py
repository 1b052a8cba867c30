"""The visible parts of a chart, in pixels: used for drawing, hit testing and tests."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from app.views.chart.model import Bar, Chart, Column, Paint, Pair, Series
from app.views.chart.ticks import Box, runs_seen, segments_seen
from app.widgets.plane.view import PlaneLayout

Stretch = tuple[QPointF, QPointF]
LEAST_GAPPED = 4
"""Pixels: narrower bars have no gap."""


class SeenSeries(Struct, frozen=True, eq=False, dict=True):
    """The visible parts of a series. ``runs``: parts of the line inside the plot, in places; ``stretches``: the same
    for each of its segments, in pixels; ``points`` and ``rings``: places; ``spots``: the points in pixels."""

    series: Series
    runs: list[list[Pair]]
    stretches: list[Stretch | None]
    points: list[Pair]
    spots: list[QPointF]
    rings: list[Pair]


class Seen(Struct, frozen=True, eq=False, dict=True):
    """The visible parts of a chart in ``layout``."""

    chart: Chart
    layout: PlaneLayout

    @cached_property
    def box(self) -> Box:
        view = self.layout.view
        return Box(view.x.start, view.x.end, view.y.start, view.y.end)

    @cached_property
    def series(self) -> list[SeenSeries]:
        return [self.of(one) for one in self.chart.shown]

    @cached_property
    def spots(self) -> list[tuple[int, QPointF]]:
        """The points inside the plot, in pixels, with their items."""
        return [(one.series.item, spot) for one in self.series for spot in one.spots]

    @cached_property
    def bars(self) -> list[tuple[Paint, list[Box]]]:
        """The visible parts of bars, in places, by colour; those of the first bar's colour are drawn first."""
        groups: dict[Paint, list[Box]] = {}
        for bar in self.chart.bars:
            box = self._box_of(bar)
            if box is not None:
                groups.setdefault(bar.colour, []).append(box)
        return list(groups.items())

    @cached_property
    def arrows(self) -> list[Stretch]:
        """The arrows, in pixels."""
        ends = (self.chart.places((arrow.start, arrow.end)) for arrow in self.chart.arrows)
        return [(self.at(start), self.at(end)) for start, end in ends]

    def column_at(self, point: QPointF) -> int:
        """The column nearest to a point inside the plot; -1 outside."""
        chart, layout = self.chart, self.layout
        if not chart.columns or not self.room.contains(point):
            return -1
        place = layout.at(point)[1 if chart.sideways else 0]
        return min(range(len(chart.columns)), key=lambda number: _away(chart.stretch(chart.columns[number]), place))

    def column_box(self, column: Column) -> QRectF:
        """The visible area of a column in pixels; of a row, including its name and its value."""
        start, end = self.chart.stretch(column)
        if self.chart.sideways:
            top, bottom = self.layout.y_of(end), self.layout.y_of(start)
            return QRectF(self.room.left(), top, self.room.width(), bottom - top) & self.room
        left, right = self.layout.x_of(start), self.layout.x_of(end)
        return QRectF(left, self.room.top(), right - left, self.room.height()) & self.room

    @cached_property
    def room(self) -> QRectF:
        """The area in which columns can be hovered."""
        plot = self.layout.plot
        if not self.chart.sideways:
            return plot
        return QRectF(QPointF(self.layout.place.left(), plot.top()), QPointF(self.layout.place.right(), plot.bottom()))

    def spots_in(self, column: Column) -> list[QPointF]:
        """The visible points in a column, in pixels."""
        start, end = self.chart.stretch(column)
        return [
            spot
            for one in self.series
            for place, spot in zip(one.points, one.spots, strict=True)
            if start <= place[0] <= end
        ]

    def of(self, series: Series) -> SeenSeries:
        """The visible parts of one series."""
        line = self.chart.places(series.line)
        points = self._inside(series.points)
        stretches = [
            None if part is None else (self.at(part[0]), self.at(part[1])) for part in segments_seen(line, self.box)
        ]
        return SeenSeries(
            series,
            runs_seen(line, self.box),
            stretches,
            points,
            [self.at(point) for point in points],
            self._inside(series.rings),
        )

    def spot_of(self, series: Series, number: int) -> QPointF | None:
        """A point of a series in pixels; None if it is not visible."""
        inside = self._inside(series.points[number : number + 1])
        return self.at(inside[0]) if inside else None

    def at(self, place: Pair) -> QPointF:
        """A place in pixels."""
        return QPointF(self.layout.x_of(place[0]), self.layout.y_of(place[1]))

    @cached_property
    def _pixel(self) -> Pair:
        """The size of a pixel on each axis."""
        view, plot = self.layout.view, self.layout.plot
        return view.x.width / plot.width(), view.y.width / plot.height()

    def _box_of(self, bar: Bar) -> Box | None:
        """The visible part of a bar: at least a pixel in size, with a gap of a pixel to the next one at its right if it
        is wide enough; None if it is not visible."""
        x, y, box = self.chart.x, self.chart.y, self.box
        across, up = self._pixel
        left, right, low, high = x.place(bar.left), x.place(bar.right), y.place(bar.low), y.place(bar.high)
        if not self.chart.sideways and right - left >= LEAST_GAPPED * across:
            right -= across
        right, high = max(right, left + across), max(high, low + up)
        left, right, low, high = max(left, box.left), min(right, box.right), max(low, box.low), min(high, box.high)
        return Box(left, right, low, high) if left < right and low < high else None

    def _inside(self, corners: tuple[Pair, ...]) -> list[Pair]:
        return [place for place in self.chart.places(corners) if self.box.holds(place)]


def _away(stretch: Pair, place: float) -> float:
    """The distance of a place from an interval; inside several, the nearest middle decides."""
    start, end = stretch
    outside = max(start - place, place - end, 0.0)
    return outside or abs(place - (start + end) / 2) * 1e-9
