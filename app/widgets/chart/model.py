"""What a chart shows: axes, series, labels and legend in the units of its axes. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

Pair: TypeAlias = tuple[float, float]
"""x and y: values in the units of the axes in a description, places along the axes in what is drawn."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis; "" has a line and no figure."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """``low`` to ``high`` in its unit. A place on it is the distance from ``low``: in decades on a logarithmic axis,
    else in the unit. ``least``: the narrowest stretch that can be zoomed to. ``named``: places that have a text
    instead of figures; ``grid``: whether lines cross the plot."""

    title: str
    low: float
    high: float
    log: bool = False
    least: float = 0.05
    named: tuple[Tick, ...] = ()
    grid: bool = True

    @property
    def size(self) -> float:
        """The length of the axis, in places."""
        return self.place(self.high)

    def place(self, value: float) -> float:
        return math.log10(value) - math.log10(self.low) if self.log else value - self.low

    def value(self, place: float) -> float:
        return float(10.0 ** (place + math.log10(self.low))) if self.log else place + self.low


@dataclass(frozen=True, slots=True)
class LineLabel:
    """A text at the stretch of the line behind corner ``segment``: over its right end, or along its middle."""

    text: str
    segment: int
    where: Literal["end", "along"]


@dataclass(frozen=True, slots=True)
class Series:
    """One thing of a chart: a line through corners, a point, or both. ``item`` is its number for whoever asked for the
    chart; ``name`` decides its colour and is the label of its point. ``rings``: corners with a small ring. ``title``
    and ``detail``: the lines of its entry in the legend; ``about``: its tool tip."""

    item: int
    name: str
    line: tuple[Pair, ...] = ()
    point: Pair | None = None
    rings: tuple[Pair, ...] = ()
    labels: tuple[LineLabel, ...] = ()
    title: str = ""
    detail: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """A line up at ``x`` (in the unit of the axis) with a text beside it."""

    x: float
    text: str


@dataclass(frozen=True, eq=False)
class Chart:
    """``title`` names the picture, ``heading`` stands over it (the unit of y belongs there). Series whose item is among
    ``hidden`` are in the legend only. ``bars``: amounts in the unit of y; bar n stands from n to n + 1 on x."""

    title: str
    heading: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    hidden: frozenset[int] = frozenset()
    bars: tuple[float, ...] = ()
    limit: Limit | None = None

    @cached_property
    def shown(self) -> tuple[Series, ...]:
        """The series that are not hidden."""
        return tuple(one for one in self.series if one.item not in self.hidden)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all series, so that hiding one changes no colour."""
        return tuple(one.name for one in self.series)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The place of each item among all series: its colour, mark and dashes follow from it."""
        return {one.item: number for number, one in enumerate(self.series)}

    def series_of(self, item: int) -> Series | None:
        """The series of an item, hidden or not."""
        number = self.numbers.get(item)
        return None if number is None else self.series[number]

    def places(self, corners: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Values as places along the axes."""
        return tuple((self.x.place(x), self.y.place(y)) for x, y in corners)
