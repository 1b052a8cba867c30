"""What of a chart is seen, in pixels: the list that is drawn, pointed at and tested."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from PySide6.QtCore import QPointF

from app.widgets.chart.cut import Box, runs_seen, segments_seen
from app.widgets.chart.model import Chart, Pair, Series
from app.widgets.plane.view import PlaneLayout

Stretch = tuple[QPointF, QPointF]
LEAST_GAPPED = 4
"""Pixels: narrower bars touch."""


@dataclass(frozen=True, eq=False)
class SeenSeries:
    """``runs``: the parts of the line inside the plot, in places; ``stretches``: the same for each of its segments, in
    pixels; ``spot``: where the point lies; ``rings``: places."""

    series: Series
    runs: list[list[Pair]]
    stretches: list[Stretch | None]
    spot: QPointF | None
    point: Pair | None
    rings: list[Pair]


class Bar(NamedTuple):
    """A bar from ``left`` to ``right``, from zero to ``height``."""

    left: float
    right: float
    height: float


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
    def spots(self) -> dict[int, QPointF]:
        """Where the points inside the plot lie, by item."""
        return {one.series.item: one.spot for one in self.series if one.spot is not None}

    @cached_property
    def bars(self) -> list[Bar]:
        """Bars with anything in them, in places: at least a pixel high, and a pixel apart where there is room."""
        plot, view = self.layout.plot, self.layout.view
        across, up = view.x.width / plot.width(), view.y.width / plot.height()
        gap = across if across * LEAST_GAPPED <= 1.0 else 0.0
        return [
            Bar(number, max(number + 1 - gap, number + across), max(self.chart.y.place(amount), up))
            for number, amount in enumerate(self.chart.bars)
            if amount
        ]

    def of(self, series: Series) -> SeenSeries:
        """What is seen of one series."""
        line = self.chart.places(series.line)
        points = [] if series.point is None else self._inside((series.point,))
        stretches = [
            None if part is None else (self.at(part[0]), self.at(part[1])) for part in segments_seen(line, self.box)
        ]
        return SeenSeries(
            series,
            runs_seen(line, self.box),
            stretches,
            self.at(points[0]) if points else None,
            points[0] if points else None,
            self._inside(series.rings),
        )

    def at(self, place: Pair) -> QPointF:
        """The pixel of a place."""
        return QPointF(self.layout.x_of(place[0]), self.layout.y_of(place[1]))

    def _inside(self, corners: tuple[Pair, ...]) -> list[Pair]:
        return [place for place in self.chart.places(corners) if self.box.holds(place)]
