"""The description of a chart: axes, series, bars, labels and legend in the units of its axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from app.language import tr
from app.views.look import Theme
from app.views.units import Scale

Pair: TypeAlias = tuple[float, float]
"""x and y: in a description, values in the units of the axes; when drawn, places along the axes."""
FIXED = math.inf
"""``least`` of an axis that does not zoom."""
Paint: TypeAlias = Callable[[Theme], str]
"""A colour that depends on the theme."""


class Tick(Struct, frozen=True):
    """A position on an axis; with the label "" it has a line only. ``quiet``: muted text after the label."""

    place: float
    label: str
    quiet: str = ""


class Axis(Struct, frozen=True):
    """An axis from ``low`` to ``high`` in its unit. A place on it is the distance from ``low``: in decades on a
    logarithmic axis, else in the unit. ``least``: the narrowest interval that can be zoomed to; ``named``: places with
    a text instead of numbers; ``scale``: how amounts are formatted (None: integers); ``grid``: whether grid lines cross
    the plot."""

    title: str
    low: float
    high: float
    log: bool = False
    least: float = 0.05
    named: tuple[Tick, ...] = ()
    scale: Scale | None = None
    grid: bool = True

    @property
    def size(self) -> float:
        """The length of the axis, in places."""
        return self.place(self.high)

    def place(self, value: float) -> float:
        return math.log10(value) - math.log10(self.low) if self.log else value - self.low

    def value(self, place: float) -> float:
        return float(10.0 ** (place + math.log10(self.low))) if self.log else place + self.low


class Style(Struct, frozen=True):
    """The explicit style of a series that is not identified by its name alone. ``mark`` "": its points have no marks;
    ``width`` 0: it has no line; ``dashes`` as in ``symbols.DASHES``; ``radius``: of its marks."""

    colour: Paint
    mark: str = ""
    width: float = 2.0
    dashes: tuple[float, ...] = ()
    radius: float = 3.5


class LineLabel(Struct, frozen=True):
    """A text at the segment after corner ``segment`` (above its right end, or along its middle), or beside point
    ``segment``."""

    text: str
    segment: int
    where: Literal["end", "along", "point"]


class Series(Struct, frozen=True):
    """One item of a chart: a line through corners, points, or both. ``item``: its number for the creator of the chart
    (-1: it cannot be hovered); ``name``: determines its colour if it has no ``style``; ``rings``: corners with a small
    ring; ``title`` and ``detail``: the lines of its legend entry ("": none); ``about``: its tool tip."""

    item: int
    name: str
    line: tuple[Pair, ...] = ()
    points: tuple[Pair, ...] = ()
    rings: tuple[Pair, ...] = ()
    labels: tuple[LineLabel, ...] = ()
    title: str = ""
    detail: str = ""
    about: str = ""
    style: Style | None = None


class Bar(Struct, frozen=True):
    """A filled rectangle between two values on each axis."""

    left: float
    right: float
    low: float
    high: float
    colour: Paint


class Column(Struct, frozen=True):
    """An interval of x (of y in a sideways chart) that is one item; ``about``: its tool tip."""

    start: float
    end: float
    about: str = ""


class Reference(Struct, frozen=True):
    """A line across the whole plot at a value of x, or of y (``across``), with a text; ``quiet``: dotted."""

    at: float
    text: str = ""
    across: bool = False
    quiet: bool = False


class Note(Struct, frozen=True):
    """A muted text above a position, or at its right."""

    at: Pair
    text: str
    where: Literal["above", "right"] = "above"


class Arrow(Struct, frozen=True):
    """An arrow from one position to another, over lines and points."""

    start: Pair
    end: Pair


class Key(Struct, frozen=True):
    """A legend entry for bars of one colour."""

    name: str
    colour: Paint


class Chart(Struct, frozen=True, eq=False, dict=True):
    """The description of a chart. ``title``: its name; ``heading``: the text above it, with the unit of y; ``hidden``:
    items of series that are only in the legend. Items are the ``columns`` if there are any, else the series.
    ``figures``: texts at the right end of rows, by place on y; ``sideways``: columns are rows; ``sweeps``: a drag
    selects columns; ``kind``: the sort of picture."""

    title: str
    heading: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    hidden: frozenset[int] = frozenset()
    bars: tuple[Bar, ...] = ()
    columns: tuple[Column, ...] = ()
    references: tuple[Reference, ...] = ()
    notes: tuple[Note, ...] = ()
    keys: tuple[Key, ...] = ()
    figures: tuple[Tick, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    sideways: bool = False
    sweeps: bool = False
    selectable: bool = True
    kind: str = tr("Plot")

    @cached_property
    def shown(self) -> tuple[Series, ...]:
        """The series that are not hidden."""
        return tuple(one for one in self.series if one.item not in self.hidden)

    @cached_property
    def listed(self) -> tuple[Series, ...]:
        """The series in the legend."""
        return tuple(one for one in self.series if one.title)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all series, including hidden ones, so that hiding one changes no colour."""
        return tuple(one.name for one in self.series)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The index of each item among all series, which determines its colour, mark and dashes."""
        return {one.item: number for number, one in enumerate(self.series) if one.item >= 0}

    @property
    def fixed(self) -> bool:
        """Whether neither axis zooms."""
        return self.x.least == self.y.least == FIXED

    @property
    def items(self) -> list[int]:
        """The items that can be hovered."""
        return list(range(len(self.columns))) or [one.item for one in self.shown if one.item >= 0]

    def series_of(self, item: int) -> Series | None:
        """The series of an item, hidden or not."""
        number = self.numbers.get(item)
        return None if number is None else self.series[number]

    def about(self, item: int) -> str:
        """The tool tip of an item; "" if it has none."""
        if self.columns:
            return self.columns[item].about if 0 <= item < len(self.columns) else ""
        series = self.series_of(item)
        return "" if series is None else series.about

    def places(self, corners: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Converts values to places along the axes."""
        return tuple((self.x.place(x), self.y.place(y)) for x, y in corners)

    def stretch(self, column: Column) -> Pair:
        """The ends of a column as places along its axis."""
        axis = self.y if self.sideways else self.x
        return axis.place(column.start), axis.place(column.end)
