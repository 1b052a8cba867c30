"""The texts of a table's cells and headers, as the look wants them. No Qt: tables and trees share it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.profile.arrays import F64, Array
from app.widgets.texts import CAPTION, shown_line
from app.widgets.units import Scale, decimals_telling, exact, plain, scale_for

if TYPE_CHECKING:
    from app.widgets.display import Look

NO_DATA_TEXT = "no data"
SAMPLE = 2048
MOST_DIGITS = 1e6
"""A column's scale is chosen for its middle, but so that its largest figure stays below this."""

MOST_DECIMALS = 3

_WORDS = re.compile(r"[\w/%]+")

CellText: TypeAlias = Callable[[int], str | None]


class Cells:
    """Texts by column and by row of the table. One scale for a whole column, so that figures compare by eye;
    the unit stands in the header, the exact figure in the tooltip."""

    def __init__(self, table: Table, look: Look | None = None, clock_hz: float | None = None) -> None:
        self.table = table
        self.scales = tuple(column_scale(column, look, clock_hz) for column in table.columns)
        self._texts = tuple(_cell_text(column, scale) for column, scale in zip(table.columns, self.scales, strict=True))

    def text(self, column: int, row: int) -> str | None:
        """What the cell shows; None where there is no data."""
        return self._texts[column](row)

    def header(self, column: int) -> str:
        """Title and unit."""
        named, scale = self.table.columns[column], self.scales[column]
        suffix = named.unit if scale is None else scale.suffix
        words = _WORDS.findall(named.title.lower())
        title = shown_line(named.title, CAPTION)
        return f"{title} ({suffix})" if suffix and suffix.lower() not in words else title

    def help(self, column: int) -> str:
        """What the column means and what its percentages are a share of."""
        named = self.table.columns[column]
        share = f"Share of {named.share_of}." if named.share_of else ""
        return "\n".join(part for part in (named.title, named.help, share) if part)

    def tip(self, column: int, row: int) -> str:
        """The exact figure with its unit, or the whole text."""
        named = self.table.columns[column]
        value = named.value(row)
        if value is None:
            return f"{named.title}: no data. This is not zero: the file does not say."
        if isinstance(value, str):
            return value
        if named.hexadecimal:
            return f"{int(value):#x} ({int(value):,})"
        share = f" of {named.share_of}" if named.share_of and named.unit == "%" else ""
        return f"{named.title}: {exact(value, named.unit)}{share}"


def column_scale(column: Column, look: Look | None, clock_hz: float | None) -> Scale | None:
    """One unit and number of decimals that suit most cells; None for texts, addresses and plain counts."""
    if not column.numeric or column.hexadecimal:
        return None
    assert isinstance(column.values, np.ndarray)
    if not column.unit and column.values.dtype.kind in "iu":
        return None
    amounts = _amounts(column, column.values)
    if not len(amounts):
        return scale_for(0.0, column.unit, look, clock_hz)
    middle, largest = float(np.median(amounts)), float(amounts.max())
    scale = scale_for(max(middle, largest / MOST_DIGITS), column.unit, look, clock_hz)
    whole = scale.factor == 1.0 and (column.unit == "B" or (column.values.dtype.kind in "iu" and column.unit != "%"))
    decimals = 0 if whole else 1 if column.unit == "%" else _decimals(amounts, scale)
    return Scale(
        scale.factor, scale.suffix, max(decimals, column.decimals, decimals_telling(column.finest / scale.factor))
    )


def _decimals(amounts: F64, scale: Scale) -> int:
    """Enough for two digits of the smaller figures too, three at the most."""
    small = float(np.quantile(amounts, 0.05)) / scale.factor
    return max(scale.decimals, min(MOST_DECIMALS, math.ceil(1 - math.log10(small)))) if small < 10 else scale.decimals


def right_aligned(column: Column) -> bool:
    """Numbers stand to the right, in one width per digit."""
    return column.numeric


def _amounts(column: Column, values: Array) -> F64:
    """Amounts above zero in a sample of the column, its largest among them."""
    step = max(1, len(values) // SAMPLE)
    known = None if column.missing is None else ~column.missing
    sample = np.abs((values if known is None else values[known])[::step].astype(np.float64))
    if len(values) and values.dtype.kind in "iuf":
        with np.errstate(all="ignore"):
            peak = float(np.fmax.reduce(values)) if known is None or known.all() else math.nan
        sample = np.append(sample, abs(peak))
    return sample[np.isfinite(sample) & (sample > 0)]


def _cell_text(column: Column, scale: Scale | None) -> CellText:
    show = _value_text(column, scale)
    missing = column.missing
    if missing is None:
        return show
    return lambda row: None if missing[row] else show(row)


def _value_text(column: Column, scale: Scale | None) -> CellText:
    values = column.values
    if isinstance(values, Coded):
        ids, strings = values.ids, values.strings
        return lambda row: None if ids[row] < 0 else shown_line(strings.get(int(ids[row])))
    if isinstance(values, tuple):
        return lambda row: shown_line(values[row])
    if values.dtype.kind == "b":
        return lambda row: "yes" if values[row] else "no"
    if column.hexadecimal:
        return lambda row: f"{int(values[row]):#x}"
    if scale is not None:
        number = scale.number
        return lambda row: None if (value := values[row].item()) != value else number(value)
    if values.dtype.kind in "iu":
        return lambda row: plain(int(values[row]))
    return lambda row: None if (value := values[row].item()) != value else plain(value)
