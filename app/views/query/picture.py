"""The result of a query as bars or as a line."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.table import Column, Table
from app.language import labelled, tr
from app.profile.arrays import F64, I64, distinct
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.chart.model import Axis, Chart, Series, Style
from app.views.look import OKABE_ITO, Look
from app.views.units import format_value, scale_for

COLOUR: Final = OKABE_ITO[0]
MOST_CORNERS: Final = 4000
MARKED: Final = 60
"""Up to so many points have marks."""
LARGEST: Final = 8e307
"""Larger amounts are not drawn: the difference of two of them may be infinite."""


class Choice(Struct, frozen=True, eq=False):
    """What is drawn: ``rows`` of a table, the columns (their places) of names or x, and of values."""

    table: Table
    rows: I64
    x: int
    y: int
    clock_hz: float | None

    @property
    def title(self) -> str:
        return tr("{y} by {x}", y=self.table.columns[self.y].title, x=self.table.columns[self.x].title)


def bars_of(choice: Choice) -> BarsPicture:
    """A bar for each row, in the order of the rows."""
    names, amounts = choice.table.columns[choice.x], choice.table.columns[choice.y]
    clock = choice.table.clock(choice.clock_hz)
    bars = []
    for row in choice.rows[:MOST_BARS].tolist():
        value = amounts.value(row)
        amount = float(value) if isinstance(value, int | float) else math.nan
        name = format_value(names.value(row), names.unit, None, clock)
        bars.append(NamedBar(name, "", amount, COLOUR, labelled(name, format_value(value, amounts.unit, None, clock))))
    return bars_picture(choice.title, amounts.unit, tuple(bars), count=len(choice.rows))


class LinePicture(Struct, frozen=True, eq=False):
    """A line through the rows, by rising x."""

    choice: Choice
    x: F64
    y: F64

    def chart(self, look: Look) -> Chart:
        """A chart with both columns on linear axes."""
        choice = self.choice
        across, up = choice.table.columns[choice.x], choice.table.columns[choice.y]
        pairs = tuple(zip(self.x.tolist(), self.y.tolist(), strict=True))
        clock = choice.table.clock(choice.clock_hz)
        style = Style(lambda _: COLOUR, mark="circle" if len(pairs) <= MARKED else "")
        return Chart(
            choice.title,
            choice.title,
            _axis(across, self.x, look, clock),
            _axis(up, self.y, look, clock, zero=True),
            series=(Series(0, up.title, line=pairs, points=pairs if len(pairs) <= MARKED else (), style=style),),
            selectable=False,
        )


def line_of(choice: Choice) -> LinePicture | None:
    """The line; None if no row has both values, up to LARGEST. More corners than pixels are reduced to the extremes of
    stretches."""
    x, y = (_floats(choice.table.columns[place], choice.rows) for place in (choice.x, choice.y))
    known = (np.abs(x) <= LARGEST) & (np.abs(y) <= LARGEST)
    order = np.argsort(x[known], kind="stable")
    x, y = x[known][order], y[known][order]
    if not len(x):
        return None
    if len(x) > MOST_CORNERS:
        corners = _extremes(y)
        x, y = x[corners], y[corners]
    return LinePicture(choice, x, y)


def numeric_places(table: Table) -> list[int]:
    """The columns that can be drawn as amounts."""
    return [place for place, column in enumerate(table.columns) if column.numeric]


def _extremes(values: F64) -> I64:
    """The places of the least and the largest value of each stretch, in order."""
    bounds = np.linspace(0, len(values), MOST_CORNERS // 2 + 1).astype(np.int64)
    places = [
        begin + int(pick(values[begin:end]))
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        for pick in (np.argmin, np.argmax)
    ]
    return distinct(np.array(places, np.int64))


def _floats(column: Column, rows: I64) -> F64:
    values = np.asarray(column.values)[rows].astype(np.float64)
    return values if column.missing is None else np.where(column.missing[rows], np.nan, values)


def _axis(column: Column, values: F64, look: Look, clock: float | None, *, zero: bool = False) -> Axis:
    low, high = float(values.min()), float(values.max())
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high <= low:
        room = max(0.5, abs(low) * 1e-9)  # a half would not change a large number
        low, high = low - room, high + room
    largest = max(abs(low), abs(high))
    scale = scale_for(largest, column.unit, look, clock)
    title = f"{column.title} ({scale.suffix})" if scale.suffix else column.title
    return Axis(title, low, high, least=(high - low) / 1e6, scale=scale)
