"""The texts of a table's cells and headers, as the look wants them: tables and trees share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.widgets.scales import column_scales, titled
from app.widgets.texts import CAPTION, shown_line
from app.widgets.units import Scale, exact, plain

if TYPE_CHECKING:
    from app.widgets.display import Look

NO_DATA_TEXT = tr("no data")
PERCENT = Scale(1.0, "%", 1)
CellText: TypeAlias = Callable[[int], str | None]


class Cells:
    """Texts by column and by row of the table. One scale for a whole column, and for columns that are compared, so that
    figures compare by eye; the unit stands in the header, the exact figure in the tooltip."""

    def __init__(self, table: Table, look: Look | None = None, clock_hz: float | None = None) -> None:
        self.table = table
        self.scales = column_scales(table, look, clock_hz)
        self._texts = tuple(_cell_text(column, scale) for column, scale in zip(table.columns, self.scales, strict=True))

    def text(self, column: int, row: int) -> str | None:
        """What the cell shows; None where there is no data."""
        return self._texts[column](row)

    def header(self, column: int) -> str:
        """Title and unit."""
        named = self.table.columns[column]
        return titled(named, self.scales[column], shown_line(named.title, CAPTION))

    def help(self, column: int) -> str:
        """What the column means and what its percentages are a share of."""
        named = self.table.columns[column]
        share = tr("Share of {share_of}.", share_of=named.share_of) if named.share_of else ""
        return "\n".join(part for part in (named.title, named.help, share) if part)

    def tip(self, column: int, row: int) -> str:
        """The exact figure with its unit, or the whole text."""
        named = self.table.columns[column]
        value = named.value(row)
        if value is None:
            return tr("{named}: no data. This is not zero: the file does not say.", named=named.title)
        if isinstance(value, str):
            return value
        if named.hexadecimal:
            return f"{int(value):#x} ({int(value):,})"
        share = tr(" of {share_of}", share_of=named.share_of) if named.share_of and named.unit == "%" else ""
        said = exact(value, named.unit_of(row), finest=named.finest, reach=named.reach, stored=named.stored)
        return f"{named.title}: {said}{share}"


def _in_unit(value: float, unit: str) -> str:
    """A figure among others in other units: shares with the decimals they have elsewhere, counts whole."""
    return PERCENT.number(value) if unit == "%" else plain(value)


def right_aligned(column: Column) -> bool:
    """Numbers stand to the right, in one width per digit."""
    return column.numeric


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
        words = (tr("no"), tr("yes"))
        return lambda row: words[bool(values[row])]
    if column.hexadecimal:
        return lambda row: f"{int(values[row]):#x}"
    if column.units is not None:
        units = column.unit_of
        return lambda row: None if (value := values[row].item()) != value else _in_unit(value, units(row))
    if scale is not None:
        number = scale.number
        return lambda row: None if (value := values[row].item()) != value else number(value)
    if values.dtype.kind in "iu":
        return lambda row: plain(int(values[row]))
    return lambda row: None if (value := values[row].item()) != value else plain(value)
