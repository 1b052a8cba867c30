"""What a chart shows: axes, series, bars, labels and legend in the units of its axes. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from app.language import tr
from app.widgets.theme import Theme
from app.widgets.units import Scale

Pair: TypeAlias = tuple[float, float]
"""x and y: values in the units of the axes in a description, places along the axes in what is drawn."""
FIXED = math.inf
"""``least`` of an axis that does not zoom."""
Paint: TypeAlias = Callable[[Theme], str]
"""A colour, which may differ from theme to theme."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis; "" has a line and no figure. ``quiet`` stands behind the label, fainter."""

    place: float
    label: str
    quiet: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """``low`` to ``high`` in its unit. A place on it is the distance from ``low``: in decades on a logarithmic axis,
    else in the unit. ``least``: the narrowest stretch that can be zoomed to. ``named``: places that have a text
    instead of figures; ``scale``: how amounts are written (None: whole numbers); ``grid``: whether lines cross the
    plot."""

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


@dataclass(frozen=True, slots=True)
class Style:
    """How a series looks that is not told apart by its name alone. ``mark`` "": its points have none; ``width`` 0: it
    has no line; ``dashes`` as in ``symbols.DASHES``; ``radius`` of its marks."""

    colour: Paint
    mark: str = ""
    width: float = 2.0
    dashes: tuple[float, ...] = ()
    radius: float = 3.5


@dataclass(frozen=True, slots=True)
class LineLabel:
    """A text at the stretch of the line behind corner ``segment`` (over its right end, or along its middle), or beside
    point ``segment``."""

    text: str
    segment: int
    where: Literal["end", "along", "point"]


@dataclass(frozen=True, slots=True)
class Series:
    """One thing of a chart: a line through corners, points, or both. ``item`` is its number for whoever asked for the
    chart (-1: it cannot be pointed at); ``name`` decides its colour where it has no ``style``. ``rings``: corners with
    a small ring. ``title`` and ``detail``: the lines of its entry in the legend ("": it has none); ``about``: its tool
    tip."""

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


@dataclass(frozen=True, slots=True)
class Bar:
    """A filled box between two values of each axis."""

    left: float
    right: float
    low: float
    high: float
    colour: Paint


@dataclass(frozen=True, slots=True)
class Column:
    """A stretch of x (of y in a chart that lies sideways) that is one item; ``about``: its tool tip."""

    start: float
    end: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A line over the whole plot at a value of x, or of y (``across``), with a text at it; ``quiet``: a dotted one."""

    at: float
    text: str = ""
    across: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A faint text above a place, or at its right."""

    at: Pair
    text: str
    where: Literal["above", "right"] = "above"


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of the legend for bars of one colour."""

    name: str
    colour: Paint


@dataclass(frozen=True, eq=False)
class Chart:
    """``title`` names the picture, ``heading`` stands over it (the unit of y belongs there). Series whose item is among
    ``hidden`` are in the legend only. Items are series; where there are ``columns``, they are the items. ``figures``:
    texts at the right end of rows, at places along y. ``sideways``: columns are rows; ``sweeps``: a drag selects
    columns; ``kind`` says what sort of picture it is."""

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
        """Of all series, so that hiding one changes no colour."""
        return tuple(one.name for one in self.series)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The place of each item among all series: its colour, mark and dashes follow from it."""
        return {one.item: number for number, one in enumerate(self.series) if one.item >= 0}

    @property
    def fixed(self) -> bool:
        """Whether neither axis zooms."""
        return self.x.least == self.y.least == FIXED

    @property
    def items(self) -> list[int]:
        """What can be pointed at."""
        return list(range(len(self.columns))) or [one.item for one in self.shown if one.item >= 0]

    def series_of(self, item: int) -> Series | None:
        """The series of an item, hidden or not."""
        number = self.numbers.get(item)
        return None if number is None else self.series[number]

    def about(self, item: int) -> str:
        """The tool tip of an item; "" for none."""
        if self.columns:
            return self.columns[item].about if 0 <= item < len(self.columns) else ""
        series = self.series_of(item)
        return "" if series is None else series.about

    def places(self, corners: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Values as places along the axes."""
        return tuple((self.x.place(x), self.y.place(y)) for x, y in corners)

    def stretch(self, column: Column) -> Pair:
        """A column as places along its axis."""
        axis = self.y if self.sideways else self.x
        return axis.place(column.start), axis.place(column.end)
