"""Balances of steps, recomputed from cycles and bytes per tile if the file has those of the very step.

Formulas: Poplar profiling data format, 7.2.3 (tile balance = sum / (longest x tiles); active tile balance over the
tiles that are active; data balance as tile balance over bytes sent and received). The thread balance cannot be
recomputed.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.counting import Measured, counted
from app.analysis.poplar.numbers import blocks
from app.profile.arrays import F64, I64, Bool, Integers
from app.profile.poplar import EXCHANGE_OF_TYPE, ExchangeKind, Steps
from app.profile.profile import Profile

TOLERANCE: Final = 1e-6
_MEASURED: Final[dict[ExchangeKind, Measured]] = {"external": "external_exchanges", "host": "host_exchanges"}


class Recomputed(Struct, frozen=True, eq=False):
    """Balances per step, float64[steps], NaN if they cannot be recomputed."""

    tile: F64
    active_tile: F64
    data: F64


def recomputed(profile: Profile) -> Recomputed | None:
    """The balances, from measured cycles of sets and exchanges that ran once (or of their last step, if the file holds
    the last execution); from the estimates for the IPU model, whose runs are all alike; from the bytes of exchanges,
    which are the same in every run. None without steps."""
    steps = profile.steps
    if steps is None:
        return None
    out = Recomputed(*(np.full(len(steps), np.nan) for _ in range(3)))
    _compute(profile, steps, out)
    for name, kind in EXCHANGE_OF_TYPE.items():
        _exchange(profile, steps, steps.of_type(name), kind, out)
    return out


def differing(stated: F64, again: F64) -> Bool:
    """bool: where both are known and differ by more than TOLERANCE."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(stated - again) > TOLERANCE)


def row_balances(matrix: Integers, other: Integers | None = None) -> tuple[F64, F64]:
    """(balance over all columns, over those above zero), float64[rows] each; NaN for rows of zeros. ``other`` is added
    to the matrix cell by cell."""
    tile, active = np.full(len(matrix), np.nan), np.full(len(matrix), np.nan)
    for part in blocks(*matrix.shape):
        values = matrix[part].astype(np.int64)
        if other is not None:
            values += other[part]
        longest, total = values.max(axis=1, initial=0), values.sum(axis=1)
        at_work = np.count_nonzero(values > 0, axis=1)
        known = longest > 0
        rows = np.arange(part.start, part.start + len(values))[known]
        tile[rows] = total[known] / (longest[known] * matrix.shape[1])
        active[rows] = total[known] / (longest[known] * at_work[known])
    return tile, active


def _compute(profile: Profile, steps: Steps, out: Recomputed) -> None:
    sets, measured = profile.compute_sets, profile.measured_cycles
    rows = steps.of_type("OnTileExecute")
    if measured is not None and measured.compute_sets is not None:
        _cycles(profile, "compute_sets", measured.compute_sets, rows, steps.compute_set[rows].astype(np.int64), out)
    elif sets is not None and sets.cycles is not None and _simulated(profile):
        _put(sets.cycles, rows, steps.compute_set[rows].astype(np.int64), out)


def _exchange(profile: Profile, steps: Steps, rows: I64, kind: ExchangeKind, out: Recomputed) -> None:
    own = profile.exchanges.of(kind) if profile.exchanges is not None else None
    index = steps.exchange[rows].astype(np.int64)
    measured = profile.measured_cycles
    key = _MEASURED.get(kind)
    matrix = getattr(measured, key) if measured is not None and key is not None else None
    if matrix is not None and key is not None:
        _cycles(profile, key, matrix, rows, index, out)
    elif own is not None and own.cycles is not None and (kind == "internal" or _simulated(profile)):
        _put(own.cycles, rows, index, out)
    if own is not None and own.sent is not None and own.received is not None and own.sent.shape == own.received.shape:
        data, _ = row_balances(own.sent, own.received)
        known = (index >= 0) & (index < len(data))
        out.data[rows[known]] = data[index[known]]


def _cycles(profile: Profile, key: Measured, matrix: Integers, rows: I64, index: I64, out: Recomputed) -> None:
    """Cycles of what ran once; of the last step of the others if the file holds the last execution."""
    counting = counted(profile, key)
    inside = (index >= 0) & (index < len(matrix))
    rows, index = rows[inside], index[inside]
    runs = np.bincount(index, minlength=len(matrix))
    last = np.full(len(matrix), -1, np.int64)
    last[index] = rows  # written last: the latest of several steps
    usable = runs[index] == 1
    if counting is not None and counting.counting == "last":
        usable |= last[index] == rows
    _put(matrix, rows[usable], index[usable], out)


def _put(matrix: Integers, rows: I64, index: I64, out: Recomputed) -> None:
    inside = (index >= 0) & (index < len(matrix))
    rows, index = rows[inside], index[inside]
    tile, active = row_balances(matrix)
    out.tile[rows], out.active_tile[rows] = tile[index], active[index]


def _simulated(profile: Profile) -> bool:
    return profile.execution is not None and profile.execution.mode == "IPU_MODEL"
