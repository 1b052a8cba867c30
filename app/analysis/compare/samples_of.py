"""The single measurements behind the rows of statistics."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.samples import Samples
from app.analysis.table import Coded, Table
from app.analysis.timeline.rows import lengthless
from app.profile.arrays import F64, I64
from app.profile.profile import Profile


def steps_of_compute_sets(profile: Profile, table: Table) -> Samples | None:
    """The cycles of the steps that ran each compute set."""
    steps = profile.steps
    if steps is None or table.keys is None:
        return None
    return _by_number("cycles", steps.compute_set.astype(np.int64), _known(steps.cycles), table.keys)


def steps_of_programs(profile: Profile, table: Table) -> Samples | None:
    """The cycles of the steps of each program."""
    steps = profile.steps
    if steps is None:
        return None
    return _by_number("cycles", steps.program.astype(np.int64), _known(steps.cycles), np.arange(table.rows))


def slices_of_names(profile: Profile, table: Table) -> Samples | None:
    """The durations of the slices of each name."""
    line = profile.timeline
    names = table.columns[0].values if table.columns else ()
    if line is None or not isinstance(names, Coded):
        return None
    without = lengthless(line)
    length = line.slices.duration if without is None else np.where(without, np.nan, line.slices.duration)
    return _by_number("total", line.slices.name.astype(np.int64), length, names.ids.astype(np.int64))


def _known(cycles: I64) -> F64:
    return np.where(cycles >= 0, cycles, np.nan)


def _by_number(column: str, number: I64, values: F64, of_row: I64) -> Samples:
    """Samples of the rows that stand for these numbers."""
    high = max(int(number.max(initial=-1)), int(of_row.max(initial=-1))) + 1
    row_of = np.full(high + 1, -1, np.int64)
    row_of[of_row[of_row >= 0]] = np.flatnonzero(of_row >= 0)
    row = row_of[np.where(number >= 0, number, high)]
    there = (row >= 0) & np.isfinite(values)
    return Samples(column, row[there], values[there])
