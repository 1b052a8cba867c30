"""How tables and trees show columns: texts of cells and headers, widths, and what they show of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from msgspec import Struct

from app.analysis.table import Coded, Column, Table, Unit
from app.language import labelled, tr
from app.profile.arrays import I64
from app.views.scales import column_scales, titled
from app.views.texts import CAPTION, shown_line
from app.views.units import Scale, exact, format_value, plain, unit_word

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair
    from app.analysis.compare.tables import ComparedColumn, ComparedTable, Total
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


SAMPLE_ROWS = 200
MOST_SEARCHED, MOST_WATCHED = 1_000_000, 100_000
"""In longer columns the largest value is not searched for: of a new table; of one that changes while it is shown."""
SLACK = 3
"""A text shorter than the longest by up to this many letters may still be wider."""


def sample(table: Table, column: Column) -> list[int]:
    """A sample of row numbers from first to last, including those with the smallest and the largest value, whose texts
    are the longest."""
    if not table.rows:
        return []
    rows = np.linspace(0, table.rows - 1, SAMPLE_ROWS).astype(np.int64).tolist()
    return sorted({*rows, *extremes(column, MOST_SEARCHED)})


def extremes(column: Column, most: int = MOST_WATCHED) -> list[int]:
    """Rows with the smallest and the largest value; none for texts, or for more than ``most`` rows."""
    values = column.values
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf" or not 0 < len(values) <= most:
        return []
    known = values if values.dtype.kind != "f" else np.nan_to_num(values, posinf=0.0, neginf=0.0)
    return [int(np.argmin(known)), int(np.argmax(known))]


def widest(texts: Iterable[str | None], width_of: Callable[[str], int]) -> int:
    """Width in pixels of the widest text; only the longest ones are measured."""
    distinct = {text for text in texts if text}
    longest = max(map(len, distinct), default=0)
    return max((width_of(text) for text in distinct if len(text) >= longest - SLACK), default=0)


class Differences(Struct, frozen=True, eq=False):
    """``table``: what is shown of ``compared``; ``rows``: int64, the row of that for each of its rows; ``total``: the
    column that rows are sorted by and its sums, None if it does not add up."""

    table: Table
    compared: ComparedTable
    rows: I64
    total: tuple[ComparedColumn, Total] | None = None

    def pair(self, chosen: I64) -> tuple[Pair, ...] | None:
        """The pair of two rows of the table, one only before and one only after; None for others."""
        if len(chosen) != 2:
            return None
        sides = [self._sides(int(row)) for row in chosen]
        before = [before for before, after in sides if after < 0]
        after = [after for before, after in sides if before < 0]
        if len(before) != 1 or len(after) != 1 or self.compared.before is None or self.compared.after is None:
            return None
        from app.analysis.compare.matching import pair_of

        sides_of_pair = (self.compared.before, before[0]), (self.compared.after, after[0])
        return (pair_of(self.compared.id, *sides_of_pair),)

    def unpair(self, chosen: I64) -> tuple[Pair, ...] | None:
        """Both sides of a row of the table without a partner; None for others."""
        if len(chosen) != 1 or self.compared.before is None or self.compared.after is None:
            return None
        before, after = self._sides(int(chosen[0]))
        if before < 0 or after < 0:
            return None
        from app.analysis.compare.matching import pair_of

        own = (self.compared.before, before), (self.compared.after, after)
        return pair_of(self.compared.id, own[0], None), pair_of(self.compared.id, None, own[1])

    def _sides(self, row: int) -> tuple[int, int]:
        """The rows before and after; -1 for none."""
        place = self.rows[row]
        return int(self.compared.rows_before[place]), int(self.compared.rows_after[place])
