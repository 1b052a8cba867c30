"""Which differences are inside the spread of what was measured several times."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare import codes
from app.analysis.compare.plans import Plan, Samples
from app.analysis.compare.tables import ComparedColumn, ComparedTable
from app.analysis.table import Table
from app.language import Message, tr
from app.profile.arrays import F64, I64, U8
from app.profile.profile import Profile

UNKNOWN, INSIDE, OUTSIDE = range(3)
FEWEST: Final = 3
"""Measurements on each side below which there is no verdict: one or two have no spread."""
HELP: Final = tr(
    "Where both sides have three or more measurements of the same thing (iterations, blocks, runs), the difference of "
    "a measurement, of their medians and of their means is compared with the wider of the two interquartile ranges. A "
    "difference that is not larger is within the noise. With fewer measurements it is unknown. A baseline of several "
    "runs has a spread from the smallest to the largest of them."
)


TITLES: Final = {
    UNKNOWN: tr("unknown"),
    INSIDE: tr("within the noise"),
    OUTSIDE: tr("above the noise"),
}


def words(verdict: int, runs: int = 0) -> Message:
    """A verdict for people. ``runs``: of a baseline document, whose smallest and largest figures are the spread; 0 of a
    profile."""
    if verdict == UNKNOWN or not runs:
        return TITLES[verdict]
    if verdict == INSIDE:
        return tr("within the spread of {count:,} runs", count=runs)
    return tr("outside the spread of {count:,} runs", count=runs)


class Quartiles(Struct, frozen=True, eq=False):
    """Per group: ``count``: int64, measurements; ``first``, ``median``, ``third`` quartile and ``mean``: float64, NaN
    for an empty group."""

    count: I64
    first: F64
    median: F64
    third: F64
    mean: F64

    @property
    def spread(self) -> F64:
        """float64: from the first to the third quartile."""
        return self.third - self.first

    def taken(self, groups: I64) -> Quartiles:
        """Those of some groups."""
        first, median, third, mean = (part[groups] for part in (self.first, self.median, self.third, self.mean))
        return Quartiles(self.count[groups], first, median, third, mean)


def quartiles(group: I64, values: F64, groups: int) -> Quartiles:
    """Quartiles of the values of each group (0 .. groups - 1), with linear interpolation."""
    order = np.lexsort((values, group))
    ordered = values[order]
    count = np.bincount(group, minlength=groups).astype(np.int64)
    start = np.cumsum(count) - count
    first, median, third = (_quantile(ordered, start, count, part) for part in (0.25, 0.5, 0.75))
    mean = np.divide(np.bincount(group, values, groups), count, out=np.full(groups, np.nan), where=count > 0)
    return Quartiles(count, first, median, third, mean)


def _quantile(ordered: F64, start: I64, count: I64, part: float) -> F64:
    made = np.full(len(count), np.nan)
    filled = np.flatnonzero(count)
    place = (count[filled] - 1) * part
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, count[filled] - 1)
    first, second = ordered[start[filled] + low], ordered[start[filled] + high]
    made[filled] = first + (second - first) * (place - low)
    return made


def verdicts(difference: F64, before: Quartiles, after: Quartiles) -> U8:
    """uint8: UNKNOWN, INSIDE or OUTSIDE for each difference, with the measurements of both sides."""
    known = (before.count >= FEWEST) & (after.count >= FEWEST) & np.isfinite(difference)
    with np.errstate(invalid="ignore"):
        inside = np.abs(difference) <= np.maximum(before.spread, after.spread) * (1 + ROUNDING)
    return np.where(known, np.where(inside, INSIDE, OUTSIDE), UNKNOWN).astype(np.uint8)


ROUNDING: Final = 1e-9


def of_rows(table: ComparedTable, column: ComparedColumn, plan: Plan, profiles: tuple[Profile, Profile]) -> U8:
    """uint8[rows]: the verdict on the difference of each row in ``column``."""
    none = np.zeros(table.rows, np.uint8)
    if table.stored is not None:
        return _of_runs(table, column)
    if table.before is None or table.after is None or not column.numeric:
        return none
    if plan.samples is not None:
        one, other = plan.samples(profiles[0], table.before), plan.samples(profiles[1], table.after)
        if one is None or other is None or one.column != column.key:
            return none
        return _of_samples(table, one, other, column.factor)
    if plan.sequence or plan.repeats:
        return _of_repeats(table, column, plan, table.before, table.after)
    return none


def _of_runs(table: ComparedTable, column: ComparedColumn) -> U8:
    """By the smallest and largest figure of the runs of the baseline."""
    rows = np.arange(table.rows)
    cells = table.cells(column, after=True)
    low, high = table.spread(column, rows)
    with np.errstate(invalid="ignore"):
        inside = (cells.values >= low) & (cells.values <= high)
    return np.where(cells.known & np.isfinite(low), np.where(inside, INSIDE, OUTSIDE), UNKNOWN).astype(np.uint8)


def _of_samples(table: ComparedTable, before: Samples, after: Samples, factor: float) -> U8:
    """Rows that are statistics: by the measurements that they sum up. More or fewer measurements are no noise."""
    made = np.zeros(table.rows, np.uint8)
    both = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
    one = quartiles(before.row, before.values * factor, table.matches.rows_before).taken(table.rows_before[both])
    other = quartiles(after.row, after.values, table.matches.rows_after).taken(table.rows_after[both])
    difference = np.fmax(np.abs(other.median - one.median), np.abs(other.mean - one.mean))
    made[both] = verdicts(np.where(one.count == other.count, difference, np.inf), one, other)
    made[both[(one.count != other.count) & (np.minimum(one.count, other.count) >= FEWEST)]] = OUTSIDE
    return made


def _of_repeats(table: ComparedTable, column: ComparedColumn, plan: Plan, before: Table, after: Table) -> U8:
    """Rows that are single measurements: by the rows of the same name, or of other blocks."""
    keys = [*plan.within, *plan.names] if plan.sequence else [key for key in plan.key if key not in plan.repeats]
    made = codes.Codes(np.zeros(before.rows, np.int64), np.zeros(after.rows, np.int64))
    columns = [{one.key: one for one in side.columns} for side in (before, after)]
    for key in keys:
        if key in columns[0] and key in columns[1]:
            made = made.beside(codes.of_column(columns[0][key], columns[1][key]))
    groups = max(int(made.before.max(initial=0)), int(made.after.max(initial=0))) + 1
    sides = []
    for own, is_after in ((made.before, False), (made.after, True)):
        cells = column.cells(np.arange(len(own)), after=is_after)
        sides.append(quartiles(own[cells.known], cells.values[cells.known].astype(np.float64), groups))
    rows = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
    group, difference = made.after[table.rows_after[rows]], table.difference(column, rows)
    verdict = np.zeros(table.rows, np.uint8)
    own_difference = np.where(difference.known, difference.values, np.nan).astype(np.float64)
    verdict[rows] = verdicts(own_difference, sides[0].taken(group), sides[1].taken(group))
    return verdict
