"""The difference of two tables: after minus before, row by row, with rows that are only in one of them."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import codes
from app.analysis.compare.codes import Codes, interleaved
from app.analysis.compare.column import Cells, ComparedColumn, Total, paired
from app.analysis.compare.own_shares import own_shares
from app.analysis.compare.rules import Matches
from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import F64, I64, U8, Bool, sealed
from app.profile.selection import Kind

BOTH, ONLY_BEFORE, ONLY_AFTER = range(3)
STATUSES: Final = ("both", "only_before", "only_after")
ROUNDING: Final = 1e-12
EPSILON: Final = 8 * float(np.finfo(np.float64).eps)
STATUS_TITLES: Final = (tr("in both"), tr("only in the baseline"), tr("only in the comparison"))


class ComparedTable(Struct, frozen=True, eq=False, dict=True):
    """``before``, ``after``: the tables (None: that profile has none). ``columns``: those of both; results are computed
    when they are asked for."""

    id: str
    title: str
    before: Table | None
    after: Table | None
    matches: Matches
    columns: tuple[ComparedColumn, ...]

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
    def rows(self) -> int:
        return len(self.rows_before)

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
        return sealed(before), sealed(after)

    def column(self, key: str) -> ComparedColumn | None:
        """The column of that key, or None."""
        return next((column for column in self.columns if column.key == key), None)

    def cells(self, column: ComparedColumn, *, after: bool, rows: I64 | None = None) -> Cells:
        """The figures of one side, in the unit of the side after (``rows``: of these rows only)."""
        own = self.rows_after if after else self.rows_before
        return column.cells(own if rows is None else own[rows], after=after)

    def difference(self, column: ComparedColumn, rows: I64 | None = None) -> Cells:
        """After minus before. Of columns that add up, a figure that only one side has counts with its whole value,
        signed; of others there is no difference then, and none of what only identifies."""
        before = self.cells(column, after=False, rows=rows)
        after = self.cells(column, after=True, rows=rows)
        known = before.known | after.known if column.sums else before.known & after.known
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

    def total(self, column: ComparedColumn) -> Total | None:
        """The sums; None for columns that do not add up, or have no figures at all."""
        if not column.sums:
            return None
        sides = [self.cells(column, after=after) for after in (False, True)]
        if not any(side.known.any() for side in sides):
            return None
        before, after = (_sum(side) for side in sides)
        return Total(before, after, after - before)

    @cached_property
    def changed(self) -> Bool:
        """bool[rows]: rows that are only on one side, or differ in a column that is no share of the table's total and
        does not just number the rows (cached)."""
        changed: Bool = np.asarray(self.status != BOTH)
        for column in self.columns:
            if not column.share and not column.counts_rows:
                changed = changed | self.differs(column)
        return sealed(changed)

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
        figures = [column for column in self.columns if column.subtracts and not column.share]
        figures.sort(key=lambda column: not column.sums)
        for column in figures:
            if bool(self.difference(column).values.any()):
                return column
        return figures[0] if figures else None

    def order(self, column: ComparedColumn | None = None) -> I64:
        """int64: rows by falling |difference| of ``column`` (default: the main one); rows without one last."""
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
    pair = [next((own for own in table.columns if own.key == column.key), None) for table in alike]
    before, after = pair
    if before is None or after is None or (before is column.before and after is column.after):
        return column
    return replace(column, alike=(before, after))


def alone(table: Table, *, after: bool) -> Matches:
    """No matches: of a table that only one side has."""
    rows = table.rows
    none = np.full(0 if after else rows, -1, np.int32)
    return Matches(sealed(none), sealed(np.full(len(none), 255, np.uint8)), rows if after else 0)


def _minus(column: ComparedColumn, after: Cells, before: Cells) -> I64 | F64:
    """The difference; 0 where figures that are computed differ by no more than their rounding."""
    difference = after.values - before.values
    if difference.dtype.kind != "f":
        return difference
    reach = max((own.reach for own in (column.before, column.after) if own is not None), default=0.0)
    largest = np.maximum(np.abs(before.values), np.abs(after.values)).astype(np.float64)
    known = before.known & after.known
    return np.where(known & (np.abs(difference) <= np.maximum(ROUNDING * largest, EPSILON * reach)), 0.0, difference)


def _sum(cells: Cells) -> int | float:
    total = cells.values.sum()
    if cells.values.dtype.kind != "f":
        high = float(np.abs(cells.values).astype(np.float64).sum())
        return int(total) if high < 2**62 else sum(cells.values.tolist())
    return float(total)
