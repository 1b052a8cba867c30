"""What of a chart is seen, in pixels: the list that is drawn, pointed at and tested."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF

from app.widgets.chart.cut import Box, runs_seen, segments_seen
from app.widgets.chart.model import Bar, Chart, Column, Paint, Pair, Series
from app.widgets.plane.view import PlaneLayout

Stretch = tuple[QPointF, QPointF]
LEAST_GAPPED = 4
"""Pixels: narrower bars touch."""


@dataclass(frozen=True, eq=False)
class SeenSeries:
    """``runs``: the parts of the line inside the plot, in places; ``stretches``: the same for each of its segments, in
    pixels; ``points`` and ``rings``: places; ``spots``: pixels of the points."""

    series: Series
    runs: list[list[Pair]]
    stretches: list[Stretch | None]
    points: list[Pair]
    spots: list[QPointF]
    rings: list[Pair]


@dataclass(frozen=True, eq=False)
class Seen:
    """What is seen of a chart in ``layout``."""

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
        """Where the points inside the plot lie, with their items."""
        return [(one.series.item, spot) for one in self.series for spot in one.spots]

    @cached_property
    def bars(self) -> list[tuple[Paint, list[Box]]]:
        """The parts of bars inside the plot, in places, by colour: those of the first bar's colour are below."""
        groups: dict[Paint, list[Box]] = {}
        for bar in self.chart.bars:
            box = self._box_of(bar)
            if box is not None:
                groups.setdefault(bar.colour, []).append(box)
        return list(groups.items())

    def column_at(self, point: QPointF) -> int:
        """The column that is nearest to a point inside the plot; -1 elsewhere."""
        chart, layout = self.chart, self.layout
        if not chart.columns or not self.room.contains(point):
            return -1
        place = layout.at(point)[1 if chart.sideways else 0]
        return min(range(len(chart.columns)), key=lambda number: _away(chart.stretch(chart.columns[number]), place))

    def column_box(self, column: Column) -> QRectF:
        """The plot over a column, in pixels; of a row also its name and its figure."""
        start, end = self.chart.stretch(column)
        if self.chart.sideways:
            top, bottom = self.layout.y_of(end), self.layout.y_of(start)
            return QRectF(self.room.left(), top, self.room.width(), bottom - top)
        left, right = self.layout.x_of(start), self.layout.x_of(end)
        return QRectF(left, self.room.top(), right - left, self.room.height())

    @cached_property
    def room(self) -> QRectF:
        """Where columns are pointed at."""
        plot = self.layout.plot
        if not self.chart.sideways:
            return plot
        return QRectF(QPointF(self.layout.place.left(), plot.top()), QPointF(self.layout.place.right(), plot.bottom()))

    def spots_in(self, column: Column) -> list[QPointF]:
        """The points over a column."""
        start, end = self.chart.stretch(column)
        return [
            spot
            for one in self.series
            for place, spot in zip(one.points, one.spots, strict=True)
            if start <= place[0] <= end
        ]

    def of(self, series: Series) -> SeenSeries:
        """What is seen of one series."""
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
        """The pixel of a point of a series; None where it is not seen."""
        inside = self._inside(series.points[number : number + 1])
        return self.at(inside[0]) if inside else None

    def at(self, place: Pair) -> QPointF:
        """The pixel of a place."""
        return QPointF(self.layout.x_of(place[0]), self.layout.y_of(place[1]))

    @cached_property
    def _pixel(self) -> Pair:
        """How much of each axis a pixel is."""
        view, plot = self.layout.view, self.layout.plot
        return view.x.width / plot.width(), view.y.width / plot.height()

    def _box_of(self, bar: Bar) -> Box | None:
        """At least a pixel each way, and a pixel from the next one at its right where there is room."""
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
    """How far a place is from a stretch; of those it is in, the middle decides."""
    start, end = stretch
    outside = max(start - place, place - end, 0.0)
    return outside or abs(place - (start + end) / 2) * 1e-9
