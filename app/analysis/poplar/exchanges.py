"""Bytes and cycles of exchanges per tile, and the balances of steps, recomputed if the file has those of the very
step.

Formulas: Poplar profiling data format, 7.2.3 (tile balance = sum / (longest x tiles); active tile balance over the
tiles that are active; data balance as tile balance over bytes sent and received). The thread balance cannot be
recomputed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.graph import exchange_numbers
from app.analysis.poplar.numbers import Measured, blocks, counted
from app.analysis.poplar.runs import runs_inside
from app.analysis.poplar.vertices import weighted_sum
from app.profile.arrays import F64, I64, Bool, Integers
from app.profile.poplar import EXCHANGE_KINDS, EXCHANGE_OF_TYPE, ExchangeKind, ExchangeList, MeasuredCycles, Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange

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


Pick = Callable[[ExchangeList], Integers | None]


class Transfers(Struct, frozen=True, eq=False):
    """Sums per tile over the chosen exchanges, int64[tiles]; None if the file has no such figure for any of them.
    ``cycles``: by kind, exact for internal exchanges and estimates for the others; ``estimated`` and ``measured``:
    cycles of only those exchanges that were measured; ``lacking``: by "sent" and "received" the kinds of chosen
    exchanges for which the file lacks that figure."""

    tiles: int
    sent: I64 | None
    received: I64 | None
    code: I64 | None
    cycles: dict[ExchangeKind, I64]
    estimated: I64 | None
    measured: I64 | None
    lacking: dict[str, tuple[ExchangeKind, ...]]


def transfers(profile: Profile, chosen: I64, *, all_runs: bool, stretch: TimeRange | None = None) -> Transfers | None:
    """Sums over the exchanges ``chosen`` (numbered over all kinds), each weighted by its executions (in ``stretch``, if
    given) or once."""
    own = profile.exchanges
    tiles = width(profile)
    if own is None or tiles is None:
        return None
    weights = _weights(profile, chosen, all_runs=all_runs, stretch=stretch)

    def added(pick: Pick, kinds: tuple[ExchangeKind, ...] = EXCHANGE_KINDS) -> I64 | None:
        parts = [_added(profile, kind, weights, pick, tiles) for kind in kinds]
        known = [part for part in parts if part is not None]
        return np.sum(known, axis=0) if known else None

    cycles = {kind: part for kind in EXCHANGE_KINDS if (part := added(lambda e: e.cycles, (kind,))) is not None}
    estimated, measured = _beside(profile, weights, tiles)
    return Transfers(
        tiles,
        added(lambda exchanges: exchanges.sent),
        added(lambda exchanges: exchanges.received),
        added(lambda exchanges: exchanges.code),
        cycles,
        estimated,
        measured,
        {key: _lacking(profile, weights, pick, tiles) for key, pick in _MOVED.items()},
    )


_MOVED: Final[dict[str, Pick]] = {"sent": lambda exchanges: exchanges.sent, "received": lambda own: own.received}


def _lacking(profile: Profile, weights: I64, pick: Pick, tiles: int) -> tuple[ExchangeKind, ...]:
    """The kinds of chosen exchanges that lack this figure."""
    if profile.exchanges is None:
        return ()
    lacking: list[ExchangeKind] = []
    for kind in EXCHANGE_KINDS:
        own = profile.exchanges.of(kind)
        part = weights[profile.exchanges.first(kind) :][: 0 if own is None else len(own)]
        if bool(np.any(part)) and _added(profile, kind, weights, pick, tiles) is None:
            lacking.append(kind)
    return tuple(lacking)


def width(profile: Profile) -> int | None:
    """The number of tiles in the figures of exchanges."""
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        for matrix in (own.sent, own.received, own.cycles, own.code) if own is not None else ():
            if matrix is not None and matrix.size:
                return int(matrix.shape[1])
    return None


def runs_of_exchanges(profile: Profile, stretch: TimeRange | None = None) -> I64 | None:
    """int64[exchanges]: how many steps ran each (those that overlap ``stretch``, if given); None without steps, or if
    those that exchange (or are of unknown type) name no exchange."""
    if profile.steps is None or profile.exchanges is None:
        return None
    numbers = exchange_numbers(profile, profile.steps)
    if not np.any(numbers >= 0) and (np.any(profile.steps.type < 0) or len(profile.steps.of_type(*EXCHANGE_OF_TYPE))):
        return None
    return runs_inside(profile, numbers.astype(np.int32), len(profile.exchanges), stretch)


def measured_of(own: MeasuredCycles | None, kind: ExchangeKind) -> Integers | None:
    """Measured cycles [exchanges, tiles] of one kind."""
    if own is None or kind == "internal":
        return None
    return own.external_exchanges if kind == "external" else own.host_exchanges


def _weights(profile: Profile, chosen: I64, *, all_runs: bool, stretch: TimeRange | None) -> I64:
    """int64[exchanges]: the weight of each, 0 for those not chosen."""
    size = len(profile.exchanges or ())
    inside = chosen[(chosen >= 0) & (chosen < size)]
    out = np.zeros(size, np.int64)
    runs = runs_of_exchanges(profile, stretch) if all_runs else None
    out[inside] = 1 if runs is None else runs[inside]
    return out


def _added(profile: Profile, kind: ExchangeKind, weights: I64, pick: Pick, tiles: int) -> I64 | None:
    own = profile.exchanges.of(kind) if profile.exchanges is not None else None
    matrix = None if own is None else pick(own)
    if own is None or matrix is None or profile.exchanges is None or matrix.shape[1] != tiles:
        return None
    first = profile.exchanges.first(kind)
    part = weights[first : first + len(own)]
    return weighted_sum(part, matrix) if bool(np.any(part)) else None


def _beside(profile: Profile, weights: I64, tiles: int) -> tuple[I64 | None, I64 | None]:
    """(estimated, measured) cycles of the exchanges that were measured."""
    estimated, measured = np.zeros(tiles, np.int64), np.zeros(tiles, np.int64)
    any_measured = any_estimated = False
    for kind in EXCHANGE_KINDS:
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        matrix = measured_of(profile.measured_cycles, kind)
        if own is None or matrix is None or matrix.shape != (len(own), tiles) or profile.exchanges is None:
            continue
        part = weights[profile.exchanges.first(kind) :][: len(own)]
        if bool(np.any(part)):
            any_measured = True
            measured += weighted_sum(part, matrix)
            if own.cycles is not None:
                any_estimated = True
                estimated += weighted_sum(part, own.cycles)
    return (estimated if any_estimated else None), (measured if any_measured else None)
