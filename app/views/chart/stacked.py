"""Horizontal bars of several parts, such as how a step spends its time, as a chart."""

from __future__ import annotations

import math
from functools import partial

from msgspec import Struct

from app.analysis.table import Unit
from app.language import labelled, tr
from app.views.chart.bars import MOST_BARS, thick
from app.views.chart.model import FIXED, Axis, Bar, Chart, Column, Key, Note, Paint, Tick
from app.views.colours import fitted
from app.views.look import Look, Theme
from app.views.units import format_value, percent, scale_for


class Part(Struct, frozen=True):
    """A part that every row may have. ``colour``: hexadecimal; "" for what is no work, drawn pale."""

    name: str
    colour: str

    @property
    def paint(self) -> Paint:
        return partial(_fill, self.colour)


class StackedRow(Struct, frozen=True):
    """``amounts``: of each part, NaN for no data; ``tip``: further lines of its tool tip."""

    name: str
    amounts: tuple[float, ...]
    tip: str = ""

    @property
    def total(self) -> float:
        """The sum of the known parts, NaN without any."""
        known = [amount for amount in self.amounts if not math.isnan(amount)]
        return sum(known) if known else math.nan


class StackedPicture(Struct, frozen=True):
    """Rows of stacked ``parts``. ``count``: of all rows, of which the first MOST_BARS are ``rows``."""

    title: str
    unit: Unit
    parts: tuple[Part, ...]
    rows: tuple[StackedRow, ...]
    count: int

    def chart(self, look: Look) -> Chart:
        """A chart with one row for each, the first at the top."""
        title = self.title
        if self.count > len(self.rows):
            shown = len(self.rows)
            title = tr("{title} (the first {most_bars:,} of {count:,})", title=title, most_bars=shown, count=self.count)
        totals = [row.total for row in self.rows]
        full = max((total for total in totals if math.isfinite(total)), default=0.0) or 1.0
        scale = scale_for(full, self.unit, look)
        middles = [len(self.rows) - number - 0.5 for number in range(len(self.rows))]
        rows = list(zip(self.rows, middles, totals, strict=True))
        used = [number for number in range(len(self.parts)) if any(row.amounts[number] > 0 for row in self.rows)]
        return Chart(
            self.title,
            title,
            Axis("", 0.0, full, least=FIXED, scale=scale),
            Axis(
                "",
                0.0,
                float(max(len(rows), 1)),
                least=FIXED,
                named=tuple(Tick(middle, row.name) for row, middle, _ in reversed(rows)),
                grid=False,
            ),
            kind=tr("Chart"),
            sideways=True,
            bars=tuple(bar for row, middle, _ in rows for bar in self._bars(row, middle)),
            columns=tuple(Column(middle - 0.5, middle + 0.5, self._about(row, look)) for row, middle, _ in rows),
            notes=tuple(Note((0.0, middle), tr("no data"), "right") for _, middle, total in rows if math.isnan(total)),
            keys=tuple(Key(self.parts[number].name, self.parts[number].paint) for number in used),
        )

    def _bars(self, row: StackedRow, middle: float) -> list[Bar]:
        low, high = thick(middle)
        bars, start = [], 0.0
        for part, amount in zip(self.parts, row.amounts, strict=True):
            if amount > 0:
                bars.append(Bar(start, start + amount, low, high, part.paint))
                start += amount
        return bars

    def _about(self, row: StackedRow, look: Look) -> str:
        """The tool tip: every part with its share of the total."""
        lines, total = [row.name], row.total
        for part, amount in zip(self.parts, row.amounts, strict=True):
            share = f" ({percent(100 * amount / total)})" if total > 0 and not math.isnan(amount) else ""
            lines.append(labelled(part.name, format_value(amount, self.unit, look) + share))
        return "\n".join([*lines, row.tip] if row.tip else lines)


def stacked_picture(
    title: str, unit: Unit, parts: tuple[Part, ...], rows: list[StackedRow], count: int
) -> StackedPicture:
    """A picture of the first MOST_BARS of ``count`` rows."""
    return StackedPicture(title, unit, parts, tuple(rows[:MOST_BARS]), count)


def _fill(colour: str, theme: Theme) -> str:
    return fitted(colour, theme) if colour else theme.line
