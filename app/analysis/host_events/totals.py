"""Totals over all events: counts, seconds of compilation, bytes in each direction; by tensor, by device and module."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.spread import Spread, spread
from app.profile.arrays import F64, I32, I64, among, combine_at
from app.profile.tensorflow import (
    COMPILATION_REPORT,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    FROM_DEVICE,
    LOAD_ENGINE,
    TO_DEVICE,
    HostEvents,
    event_type,
)

DIRECTIONS = (TO_DEVICE, FROM_DEVICE)


class TensorTraffic(Struct, frozen=True, eq=False):
    """One row for each tensor and direction, most bytes first. ``direction``: int32 type of the transfers; ``name``:
    int32 text id, -1 none; ``transfers``: int64; ``bytes``: int64; ``unknown``: int64, transfers that do not state its
    bytes; ``each``: statistics of the bytes of one transfer, over those that state them."""

    direction: I32
    name: I32
    transfers: I64
    bytes: I64
    unknown: I64
    each: Spread

    def __len__(self) -> int:
        return len(self.name)


def counts(events: HostEvents) -> dict[str, int]:
    """Number of events by the name of their type, only types that occur."""
    kinds, numbers = np.unique(events.type, return_counts=True)
    return {event_type(kind): count for kind, count in zip(kinds.tolist(), numbers.tolist(), strict=True)}


def compile_seconds(events: HostEvents) -> F64:
    """float64[events]: seconds that a COMPILE_END states, else those since its COMPILE_BEGIN; NaN for other events."""
    since = np.where(events.begin >= 0, events.time - events.starts(), np.nan)
    seconds = np.where(np.isnan(events.duration), since, events.duration)
    return np.where(events.type == COMPILE_END, seconds, np.nan)


def bytes_moved(events: HostEvents, direction: int) -> int | None:
    """Sum of the bytes that transfers of a direction state; None where none does."""
    stated = events.bytes[(events.type == direction) & (events.bytes >= 0)]
    return sum(stated.tolist()) if len(stated) else None


def reports(events: HostEvents) -> I64:
    """Rows of ``attached`` that are compilation or execution reports (or the paths of such)."""
    return np.flatnonzero(among(events.attached.role, (COMPILATION_REPORT, EXECUTION_REPORT))).astype(np.int64)


def traffic(events: HostEvents) -> TensorTraffic:
    """The traffic of all transfers by tensor name and direction."""
    direction = events.type[events.tensors.event]
    keys = np.stack((direction, events.tensors.name), axis=1)
    pairs, of = np.unique(keys, axis=0, return_inverse=True)
    of, size = of.reshape(-1), events.tensors.bytes
    known = size >= 0
    moved = np.bincount(of[known], size[known].astype(np.float64), minlength=len(pairs))
    total = np.minimum(moved, 2.0**62).astype(np.int64)
    order = np.argsort(-total, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return TensorTraffic(
        direction=pairs[order, 0].astype(np.int32),
        name=pairs[order, 1].astype(np.int32),
        transfers=np.bincount(of, minlength=len(pairs))[order].astype(np.int64),
        bytes=total[order],
        unknown=np.bincount(of[~known], minlength=len(pairs))[order].astype(np.int64),
        each=spread(place[of[known]], size[known], len(pairs)),
    )


class Modules(Struct, frozen=True, eq=False):
    """One row per device and module, in the order of their first events. ``device``: int32; ``module``: int32 text id;
    ``compilations``, ``loads``, ``executions``, ``reports``: int64; ``compile_seconds``: float64, NaN unknown;
    ``first``, ``last``: float64 seconds since 1970 of the executions, NaN without any; ``gap``: float64 seconds, mean
    time from one execution to the next, NaN for fewer than two; ``gaps``: statistics of these times."""

    device: I32
    module: I32
    compilations: I64
    compile_seconds: F64
    loads: I64
    executions: I64
    reports: I64
    first: F64
    last: F64
    gap: F64
    gaps: Spread

    def __len__(self) -> int:
        return len(self.module)


def modules(events: HostEvents) -> Modules:
    """The totals of the events that name a module; transfers name none."""
    rows = np.flatnonzero(events.module >= 0)
    keys = np.stack((events.ordinal[rows], events.module[rows]), axis=1)
    pairs, first_seen, of = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first_seen, kind="stable")
    place = np.empty(len(pairs), np.int64)
    place[order] = np.arange(len(pairs))
    of, count = place[of.reshape(-1)], len(pairs)
    kind, seconds = events.type[rows], compile_seconds(events)[rows]

    def counted(number: int) -> I64:
        return np.bincount(of[kind == number], minlength=count).astype(np.int64)

    timed = ~np.isnan(seconds)
    total = np.bincount(of[timed], seconds[timed], minlength=count)
    any_time = np.bincount(of[timed], minlength=count) > 0
    first, last, runs = _executions(events.time[rows], of, kind == EXECUTE, count)
    has_report = np.bincount(events.attached.event[events.attached.role <= 1], minlength=len(events))
    return Modules(
        device=pairs[order, 0].astype(np.int32),
        module=pairs[order, 1].astype(np.int32),
        compilations=counted(COMPILE_END),
        compile_seconds=np.where(any_time, total, np.nan),
        loads=counted(LOAD_ENGINE),
        executions=counted(EXECUTE),
        reports=np.bincount(of, has_report[rows], minlength=count).astype(np.int64),
        first=first,
        last=last,
        gap=np.where(runs > 1, (last - first) / np.maximum(runs - 1, 1), np.nan),
        gaps=_gaps(events.time[rows], of, kind == EXECUTE, count),
    )


def _gaps(time: F64, of: I64, executed: np.ndarray, count: int) -> Spread:
    """Statistics of the times from one execution of a module to its next."""
    known = executed & np.isfinite(time)
    of, time = of[known], time[known]
    order = np.lexsort((time, of))
    of, time = of[order], time[order]
    same = of[1:] == of[:-1]
    return spread(of[1:][same], np.diff(time)[same], count)


def _executions(time: F64, of: I64, executed: np.ndarray, count: int) -> tuple[F64, F64, I64]:
    """(first, last time, how many have a time) of the executions by module."""
    known = executed & np.isfinite(time)
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    combine_at(np.minimum, first, of[known], time[known])
    combine_at(np.maximum, last, of[known], time[known])
    runs = np.bincount(of[known], minlength=count).astype(np.int64)
    return np.where(runs > 0, first, np.nan), np.where(runs > 0, last, np.nan), runs
