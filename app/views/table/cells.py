"""Formatted texts of cells and headers, for tables and trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.analysis.table import Coded, Column, Table, Unit
from app.language import labelled, tr
from app.views.scales import column_scales, titled
from app.views.texts import CAPTION, shown_line
from app.views.units import Scale, exact, format_value, plain, unit_word

if TYPE_CHECKING:
    from app.views.look import Look

NO_DATA_TEXT = tr("no data")
"""Says to readers of the screen, and in filters, what cells show as NO_DATA."""
PERCENT = Scale(1.0, "%", 1)
CellText: TypeAlias = Callable[[int], str | None]


class Cells:
    """Formatted texts by column and row of the table. A whole column, and columns that are compared, share one scale,
    so that values are comparable; the unit is in the header, the exact value in the tool tip."""

    def __init__(self, table: Table, look: Look | None = None, clock_hz: float | None = None) -> None:
        self.table = table
        self.look, self.clock_hz = look, table.clock(clock_hz)
        self.scales = column_scales(table, look, self.clock_hz)
        self._texts = tuple(
            _cell_text(column, scale, look) for column, scale in zip(table.columns, self.scales, strict=True)
        )

    def text(self, column: int, row: int) -> str | None:
        """The text of a cell; None if there is no data."""
        return self._texts[column](row)

    def header(self, column: int) -> str:
        """The header text: title and unit."""
        named = self.table.columns[column]
        return titled(named, self.scales[column], shown_line(named.title, CAPTION))

    def help(self, column: int) -> str:
        """The tool tip of a header: what the column means, and what its percentages are a share of."""
        named = self.table.columns[column]
        share = tr("Share of {share_of}.", share_of=named.share_of) if named.share_of else ""
        return "\n".join(part for part in (named.title, named.help, share) if part)

    def tip(self, column: int, row: int) -> str:
        """The tool tip of a cell: the exact value with its unit, or the whole text."""
        return tip_of(self.table.columns[column], row)


def tip_of(column: Column, row: int) -> str:
    """The tool tip of a cell: the exact value with its unit, or the whole text."""
    value = column.value(row)
    if value is None:
        return tr("{named}: no data in the file (not zero).", named=column.title)
    if isinstance(value, str):
        return value if column.units is None else f"{value} {unit_word(column.unit_of(row))}".rstrip()
    if column.hexadecimal:
        return f"{int(value):#x} ({int(value):,})"
    share = tr(" of {share_of}", share_of=column.share_of) if column.share_of and column.unit == "%" else ""
    figure = exact(value, column.unit_of(row), finest=column.finest, reach=column.reach, stored=column.stored)
    return labelled(column.title, f"{figure}{share}")


def _in_unit(value: float, unit: str) -> str:
    """A value in a column of mixed units: percentages with their usual decimals, counts as integers."""
    return PERCENT.number(value) if unit == "%" else plain(value)


def _text_or_figure(text: str, unit: Unit, look: Look | None) -> str:
    """A figure with its unit if ``text`` is one, else the text."""
    try:
        return format_value(float(text), unit, look)
    except ValueError:
        return shown_line(text)


def right_aligned(column: Column) -> bool:
    """Whether a column is right-aligned, in the monospaced font: numbers are."""
    return column.numeric


def _cell_text(column: Column, scale: Scale | None, look: Look | None) -> CellText:
    show = _value_text(column, scale, look)
    if column.signed:
        show = _with_sign(column, show)
    missing = column.missing
    if missing is None:
        return show
    return lambda row: None if missing[row] else show(row)


def _with_sign(column: Column, show: CellText) -> CellText:
    """The texts of differences: a plus before those of positive figures."""
    values = column.values
    assert isinstance(values, np.ndarray)

    def text(row: int) -> str | None:
        shown = show(row)
        return f"+{shown}" if shown is not None and values[row] > 0 else shown

    return text


def _value_text(column: Column, scale: Scale | None, look: Look | None) -> CellText:
    values = column.values
    if isinstance(values, Coded):
        ids, strings = values.ids, values.strings
        return lambda row: None if ids[row] < 0 else shown_line(strings.get(int(ids[row])))
    if isinstance(values, tuple):
        if column.units is None:
            return lambda row: shown_line(values[row])
        return lambda row: _text_or_figure(values[row], cast("Unit", column.unit_of(row)), look)
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
