"""The difference of two tables, column by column: after minus before, with rows that are only in one of them; which
units can be compared, and which columns are shares of the table's own total."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import codes
from app.analysis.compare.codes import Codes, interleaved
from app.analysis.compare.matched import NO_RULE, Matches
from app.analysis.table import Column, Table, Unit
from app.language import tr
from app.profile.arrays import F64, I64, U8, Array, Bool, sealed
from app.profile.selection import Kind

BOTH, ONLY_BEFORE, ONLY_AFTER = range(3)
STATUSES: Final = ("both", "only_before", "only_after")
ROUNDING: Final = 1e-12
EPSILON: Final = 8 * float(np.finfo(np.float64).eps)
STATUS_TITLES: Final = (tr("in both"), tr("only in the baseline"), tr("only in the comparison"))
EXACT: Final = 1 << 62


class Cells(Struct, frozen=True, eq=False):
    """``values``: int64 or float64 (0 where not ``known``); ``known``: bool."""

    values: I64 | F64
    known: Bool


class Total(Struct, frozen=True):
    """Sums over all rows; a row that is only on one side counts with its whole value. None for a column that this side
    does not have, and for the difference then."""

    before: int | float | None
    after: int | float | None
    difference: int | float | None


class Stored(Struct, frozen=True, eq=False):
    """What a baseline document has of the table before, besides rows. ``left``: how many rows it left out; rows that
    are only after are then not known to be new. By key of a column, in its unit before: ``sums`` of all rows, and for
    several runs the smallest and largest sum (``sum_spreads``) and figure of each row that it has (``spreads``:
    float64[rows] each, NaN without one)."""

    left: int
    sums: dict[str, float]
    sum_spreads: dict[str, tuple[float, float]] = {}
    spreads: dict[str, tuple[F64, F64]] = {}


class ComparedColumn(Struct, frozen=True, eq=False):
    """``before``, ``after``: the column of each table (None: it has none). ``why``: why its figures cannot be compared,
    "" if they can. ``factor``: by what figures before are multiplied for the unit after. ``share``: percentages of the
    table's own total, which change with every other row. ``alike``: of columns that say which part of a profile it is,
    the cells that count as equal; None where a difference is one."""

    key: str
    before: Column | None
    after: Column | None
    why: str = ""
    factor: float = 1.0
    share: bool = False
    alike: tuple[Column, Column] | None = None

    @property
    def shown(self) -> Column:
        """The column that says what it is: that of the table after, if it has it."""
        column = self.after if self.after is not None else self.before
        assert column is not None
        return column

    @property
    def title(self) -> str:
        return self.shown.title

    @property
    def unit(self) -> Unit:
        return self.shown.unit

    @property
    def numeric(self) -> bool:
        """Whether differences of it are numbers."""
        return not self.why and all(column.numeric for column in (self.before, self.after) if column is not None)

    @property
    def sums(self) -> bool:
        """Whether the sum over rows means something on each side that has it."""
        return self.numeric and all(column.sums for column in (self.before, self.after) if column is not None)

    @property
    def identifies(self) -> bool:
        """Whether its numbers only identify things or say where they are."""
        return self.shown.is_key or self.shown.is_place

    @property
    def subtracts(self) -> bool:
        """Whether its differences mean something: those of figures, not of identifying numbers and places."""
        return self.numeric and not self.identifies

    @property
    def counts_rows(self) -> bool:
        """Whether it numbers the rows of each side one by one: what is inserted changes all numbers after it."""
        return all(_counts(column) for column in (self.before, self.after) if column is not None)

    def of_side(self, *, after: bool) -> Column | None:
        return self.after if after else self.before

    def cells(self, rows: I64, *, after: bool) -> Cells:
        """The figures of these rows of one side (-1: no row), in the unit of the side after."""
        column = self.of_side(after=after)
        if column is None or not column.numeric:
            return Cells(np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_))
        values = np.asarray(column.values)
        known = rows >= 0
        if not len(values):
            return Cells(np.zeros(len(rows), np.int64), known & False)
        taken = values[np.maximum(rows, 0)]
        if column.missing is not None:
            known = known & ~column.missing[np.maximum(rows, 0)]
        if taken.dtype.kind == "f":
            known = known & np.isfinite(taken)
        taken = _wide(taken) if after or self.factor == 1.0 else taken.astype(np.float64) * self.factor
        return Cells(np.where(known, taken, taken.dtype.type(0)), known)


def _counts(column: Column) -> bool:
    values = column.values
    if not column.is_key or not isinstance(values, np.ndarray) or values.dtype.kind not in "iu":
        return False
    return column.missing is None and bool((np.diff(values.astype(np.int64)) == 1).all())


def _wide(values: Array) -> I64 | F64:
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    if values.dtype.kind == "u" and values.dtype.itemsize == 8 and int(values.max(initial=0)) >= EXACT:
        return values.astype(np.float64)
    return values.astype(np.int64)


def paired(before: Column | None, after: Column | None, key: str, *, share: bool = False) -> ComparedColumn:
    """The column of both tables, with the reason if its figures cannot be compared."""
    if before is None or after is None:
        return ComparedColumn(key, before, after, share=share)
    if codes.is_text(before) != codes.is_text(after):
        return ComparedColumn(key, before, after, tr("texts on one side, numbers on the other"))
    factor = unit_scale(before.unit, after.unit)
    if factor is None:
        why = tr(
            "{before} before, {after} after: the units cannot be compared",
            before=before.unit or tr("plain numbers"),
            after=after.unit or tr("plain numbers"),
        )
        return ComparedColumn(key, before, after, why)
    return ComparedColumn(key, before, after, "", factor, share)


class ComparedTable(Struct, frozen=True, eq=False, dict=True):
    """``before``, ``after``: the tables (None: that profile has none). ``columns``: those of both; results are computed
    when they are asked for. ``stored``: the baseline is a document, which has this of its table."""

    id: str
    title: str
    before: Table | None
    after: Table | None
    matches: Matches
    columns: tuple[ComparedColumn, ...]
    stored: Stored | None = None

    @cached_property
    def rows_before(self) -> I64:
        """int64[rows]: the row before, -1 none. Rows are in the order of the table after; a row that is only before
        follows the one that it follows there."""
        return self._rows[0]

    @cached_property
    def rows_after(self) -> I64:
        """int64[rows]: the row after, -1 none."""
        return self._rows[1]

    @cached_property
    def status(self) -> U8:
        """uint8[rows]: BOTH, ONLY_BEFORE, ONLY_AFTER."""
        return sealed(
            np.where(self.rows_before < 0, ONLY_AFTER, np.where(self.rows_after < 0, ONLY_BEFORE, BOTH)).astype(
                np.uint8
            )
        )

    @property
    def rule(self) -> U8:
        """uint8[rows]: the index of the rule by which each row was matched, NO_RULE without a partner."""
        return np.append(self.matches.rule, np.uint8(NO_RULE))[self.rows_before]

    @property
    def rows(self) -> int:
        return len(self.rows_before)

    @property
    def figures(self) -> list[ComparedColumn]:
        """The columns whose differences mean something, without shares of the table's own total."""
        return [column for column in self.columns if column.subtracts and not column.share]

    @property
    def kind(self) -> Kind | None:
        """What the rows after stand for."""
        return None if self.after is None else self.after.selects

    def item(self, row: int) -> int:
        """The item after that a row stands for; -1 for none, as of a row that is only before."""
        place = int(self.rows_after[row])
        return -1 if self.kind is None or self.after is None or place < 0 else self.after.key(place)

    @cached_property
    def _rows(self) -> tuple[I64, I64]:
        before, after = interleaved(self.matches.of_before, self.matches.rows_after)
        if self._partial:
            before, after = before[before >= 0], after[before >= 0]
        return sealed(before), sealed(after)

    @property
    def _partial(self) -> bool:
        """Whether the baseline has not all rows of its table."""
        return self.stored is not None and self.stored.left > 0

    def column(self, key: str) -> ComparedColumn | None:
        """The column of that key, or None."""
        return next((column for column in self.columns if column.key == key), None)

    def cells(self, column: ComparedColumn, *, after: bool, rows: I64 | None = None) -> Cells:
        """The figures of one side, in the unit of the side after (``rows``: of these rows only)."""
        own = self.rows_after if after else self.rows_before
        return column.cells(own if rows is None else own[rows], after=after)

    def difference(self, column: ComparedColumn, rows: I64 | None = None) -> Cells:
        """After minus before. Of columns that add up, a figure that only one side has counts with its whole value,
        signed; of others there is no difference then, and none of what only identifies, or of a column that one side
        lacks."""
        before = self.cells(column, after=False, rows=rows)
        after = self.cells(column, after=True, rows=rows)
        known = before.known | after.known if column.sums and not self.lacks(column) else before.known & after.known
        if not column.subtracts:
            known = known & False
        return Cells(np.where(known, _minus(column, after, before), 0), known)

    def percent(self, column: ComparedColumn, rows: I64 | None = None) -> F64:
        """float64: the difference in percent of the figure before, NaN without one or where it is 0, and for shares,
        which differ in percentage points."""
        before = self.cells(column, after=False, rows=rows)
        after = self.cells(column, after=True, rows=rows)
        known = before.known & after.known & (before.values != 0) & column.subtracts & (column.unit != "%")
        base = np.where(known, before.values, 1).astype(np.float64)
        return np.where(known, 100.0 * (after.values - before.values) / np.abs(base), np.nan)

    def one_sided(self, column: ComparedColumn) -> Bool:
        """bool[rows]: only one side has a figure."""
        before, after = self.cells(column, after=False), self.cells(column, after=True)
        return np.asarray(before.known != after.known)

    def lacks(self, column: ComparedColumn) -> bool:
        """Whether one of two tables does not have the column, so that nothing is known of its side."""
        tables = self.before is not None and self.after is not None
        return tables and (column.before is None or column.after is None)

    def total(self, column: ComparedColumn) -> Total | None:
        """The sums; None for columns that do not add up, or have no figures at all."""
        if not column.sums:
            return None
        if self._partial:
            return self._stored_total(column)
        sides = [self.cells(column, after=after) for after in (False, True)]
        if not any(side.known.any() for side in sides):
            return None
        before, after = (sum_of(side) for side in sides)
        if self.lacks(column):
            return Total(None, after, None) if column.before is None else Total(before, None, None)
        return Total(before, after, after - before)

    def _stored_total(self, column: ComparedColumn) -> Total | None:
        """The sum that the document has of all rows, and that of all rows after."""
        assert self.stored is not None
        before = self.stored.sums.get(column.key)
        if before is None:
            return None
        before = before if column.factor == 1.0 else before * column.factor
        rows = np.arange(0 if self.after is None else self.after.rows, dtype=np.int64)
        after = sum_of(column.cells(rows, after=True))
        return Total(before, after, after - before)

    def total_spread(self, column: ComparedColumn) -> tuple[float, float] | None:
        """The smallest and largest sum before of several runs, in the unit of the side after; None without them."""
        spread = None if self.stored is None else self.stored.sum_spreads.get(column.key)
        return None if spread is None else (spread[0] * column.factor, spread[1] * column.factor)

    def spread(self, column: ComparedColumn, rows: I64) -> tuple[F64, F64]:
        """float64 each: the smallest and largest figure before of several runs, of these rows; NaN without them."""
        spread = None if self.stored is None else self.stored.spreads.get(column.key)
        known = self.rows_before[rows] >= 0
        none = np.full(len(rows), np.nan)
        if spread is None or not known.any():
            return none, none
        places = np.maximum(self.rows_before[rows], 0)
        low, high = (np.where(known, side[places] * column.factor, np.nan) for side in spread)
        return low, high

    @cached_property
    def changed(self) -> Bool:
        """bool[rows]: rows that are only on one side, or differ in a column that is no share of the table's total and
        does not just number the rows (cached)."""
        columns = (column for column in self.columns if not column.share and not column.counts_rows)
        return sealed((self.status != BOTH) | self.any_differs(columns))

    def any_differs(self, columns: Iterable[ComparedColumn]) -> Bool:
        """bool[rows]: rows that differ in at least one of these columns."""
        differs = np.zeros(self.rows, np.bool_)
        for column in columns:
            differs |= self.differs(column)
        return differs

    def differs(self, column: ComparedColumn) -> Bool:
        """bool[rows]: rows of both sides whose cells are not the same. A column that one side lacks differs
        nowhere."""
        both = self.status == BOTH
        one, other = column.before, column.after
        if one is None or other is None:
            return np.zeros(self.rows, np.bool_)
        if column.numeric and column.alike is None:
            before, after = self.cells(column, after=False), self.cells(column, after=True)
            return np.asarray(both & ((before.known != after.known) | (_minus(column, after, before) != 0)))
        return self._other_cells(codes.of_column(*(column.alike or (one, other))))

    def apart(self, column: ComparedColumn) -> Bool:
        """bool[rows]: rows of both sides that show other cells: those that differ, and those of two parts of a profile
        that only say which part it is."""
        if column.alike is None or column.before is None or column.after is None:
            return self.differs(column)
        return self._other_cells(codes.of_column(column.before, column.after))

    def _other_cells(self, cells: Codes) -> Bool:
        rows = np.flatnonzero(self.status == BOTH)
        differs = np.zeros(self.rows, np.bool_)
        differs[rows] = cells.before[self.rows_before[rows]] != cells.after[self.rows_after[rows]]
        return differs

    @cached_property
    def main(self) -> ComparedColumn | None:
        """The column that rows are sorted by: of those that add up the first that differs anywhere, else the first with
        any difference (cached)."""
        figures = sorted(self.figures, key=lambda column: not column.sums)
        for column in figures:
            if bool(self.difference(column).values.any()):
                return column
        return figures[0] if figures else None

    def order(self, column: ComparedColumn | None = None) -> I64:
        """int64: rows by descending |difference| of ``column`` (default: the main one); rows without one last."""
        column = self.main if column is None else column
        if column is None:
            return np.arange(self.rows, dtype=np.int64)
        difference = self.difference(column)
        size = np.where(difference.known, np.abs(difference.values), -1)
        return np.argsort(-size, kind="stable").astype(np.int64)

    def above(self, column: ComparedColumn, threshold: float) -> Bool:
        """bool[rows]: rows whose |difference| of ``column`` is at least ``threshold``."""
        difference = self.difference(column)
        return np.asarray(difference.known & (np.abs(difference.values) >= threshold))

    def amounts(self) -> dict[str, ComparedColumn]:
        """The column whose sum stands for the table, for each unit of amounts: the first that adds up."""
        first: dict[str, ComparedColumn] = {}
        for column in self.columns:
            if column.sums:
                first.setdefault(column.unit, column)
        return first


def compared(
    before: Table | None, after: Table | None, matches: Matches, alike: tuple[Table, Table] | None = None
) -> ComparedTable:
    """The difference of two tables, one of which may not exist. ``alike``: both without what tells two parts of a
    profile apart, which is no difference."""
    shown = after if after is not None else before
    assert shown is not None
    sides = [{} if table is None else {column.key: column for column in table.columns} for table in (before, after)]
    shares = frozenset().union(*(own_shares(table) for table in (before, after) if table is not None))
    keys = dict.fromkeys((*sides[1], *sides[0]))
    columns = tuple(paired(sides[0].get(key), sides[1].get(key), key, share=key in shares) for key in keys)
    if alike is not None:
        columns = tuple(_identity(column, alike) for column in columns)
    return ComparedTable(shown.id, shown.title, before, after, matches, columns)


def _identity(column: ComparedColumn, alike: tuple[Table, Table]) -> ComparedColumn:
    """The column with its cells in ``alike``, if these are others."""
    before, after = (next((own for own in table.columns if own.key == column.key), None) for table in alike)
    if before is None or after is None or (before is column.before and after is column.after):
        return column
    return replace(column, alike=(before, after))


def alone(table: Table, *, after: bool) -> Matches:
    """No matches: of a table that only one side has."""
    rows = table.rows
    none = np.full(0 if after else rows, -1, np.int32)
    return Matches(sealed(none), sealed(np.full(len(none), NO_RULE, np.uint8)), rows if after else 0)


def _minus(column: ComparedColumn, after: Cells, before: Cells) -> I64 | F64:
    """The difference; 0 where figures that are computed differ by no more than their rounding."""
    difference = after.values - before.values
    if difference.dtype.kind != "f":
        return difference
    reach = max((own.reach for own in (column.before, column.after) if own is not None), default=0.0)
    largest = np.maximum(np.abs(before.values), np.abs(after.values)).astype(np.float64)
    known = before.known & after.known
    return np.where(known & (np.abs(difference) <= np.maximum(ROUNDING * largest, EPSILON * reach)), 0.0, difference)


def sum_of(cells: Cells) -> int | float:
    """The sum of the figures that are known, whole numbers exactly."""
    total = cells.values.sum()
    if cells.values.dtype.kind != "f":
        high = float(np.abs(cells.values).astype(np.float64).sum())
        return int(total) if high < 2**62 else sum(cells.values.tolist())
    return float(total)


LEVEL: Final = "level"
NEAR: Final = 1e-9


def own_shares(table: Table) -> frozenset[str]:
    """Keys of the percentages that are 100 x a column / the sum of that column (of its rows on top, in a tree)."""
    shares = [column for column in table.columns if column.unit == "%" and column.share_of and column.numeric]
    amounts = [column for column in table.columns if column.numeric and _is_amount(column)]
    top = _top(table)
    return frozenset(share.key for share in shares if any(_is_share(share, amount, top) for amount in amounts))


def _is_amount(column: Column) -> bool:
    """Whether its sum can be a whole: amounts, and counts, which have no unit."""
    counted = not column.unit and not column.is_key and not column.is_place
    return column.sums or column.inclusive or counted


def _top(table: Table) -> Bool:
    for column in table.columns:
        if column.key == LEVEL and column.is_key:
            return np.asarray(np.asarray(column.values) == 0)
    return np.ones(table.rows, np.bool_)


def _is_share(share: Column, amount: Column, top: Bool) -> bool:
    parts, values = _share_figures(share), _share_figures(amount)
    whole = float(np.nansum(values[top])) if amount.inclusive else float(np.nansum(values))
    known = np.isfinite(parts) & np.isfinite(values)
    if not known.any() or whole <= 0:
        return False
    return bool(np.allclose(parts[known], 100.0 * values[known] / whole, rtol=NEAR, atol=NEAR))


def _share_figures(column: Column) -> F64:
    values = np.asarray(column.values).astype(np.float64)
    return values if column.missing is None else np.where(column.missing, np.nan, values)


_SCALES: Final[tuple[dict[str, float], ...]] = (
    {
        "B": 1.0,
        "kB": 1e3,
        "MB": 1e6,
        "GB": 1e9,
        "TB": 1e12,
        "KiB": 1024.0,
        "MiB": 1024.0**2,
        "GiB": 1024.0**3,
        "TiB": 1024.0**4,
    },
    {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "μs": 1e-6, "us": 1e-6, "ns": 1e-9},
    {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    {"%": 1.0, "pp": 1.0},
    {"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
)
"""Units of columns, and those that people write in conditions."""


def unit_scale(unit: str, wanted: str) -> float | None:
    """By what to multiply figures in ``unit`` for figures in ``wanted``; None for units of different things."""
    if unit == wanted:
        return 1.0
    for scale in _SCALES:
        if unit in scale and wanted in scale:
            return scale[unit] / scale[wanted]
    return None
