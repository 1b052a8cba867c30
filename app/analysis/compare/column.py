"""A column of two tables."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare import codes, units
from app.analysis.table import Column, Unit
from app.language import tr
from app.profile.arrays import F64, I64, Array, Bool

EXACT = 1 << 62


class Cells(Struct, frozen=True, eq=False):
    """``values``: int64 or float64 (0 where not ``known``); ``known``: bool."""

    values: I64 | F64
    known: Bool


class Total(Struct, frozen=True):
    """Sums over all rows; a row that is only on one side counts with its whole value."""

    before: int | float
    after: int | float
    difference: int | float


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
    factor = units.factor(before.unit, after.unit)
    if factor is None:
        why = tr(
            "{before} before, {after} after: the units cannot be compared",
            before=before.unit or tr("plain numbers"),
            after=after.unit or tr("plain numbers"),
        )
        return ComparedColumn(key, before, after, why)
    return ComparedColumn(key, before, after, "", factor, share)
