"""Builds timeline columns from events in any order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.sorting import by_lane_and_time, stable_order, with_next
from app.formats.timeline_rows import Rounding, depths
from app.profile.arrays import F64, I32, I64, Array, Bool, Integers, sealed
from app.profile.strings import Strings
from app.profile.timeline import Counters, Lanes, Slices, Timeline, TimeUnit


class Events(Struct, frozen=True, eq=False):
    """Complete slices in any order. ``lane``: int32, index of the lane in display order; ``start``, ``duration``:
    float64, finite, durations not negative; other columns as in Slices, None where the source has no such data;
    ``group``: int32 ids of slices that share a row, -1 none; ``untimed``: bool, slices of unknown duration."""

    lane: I32
    start: F64
    duration: F64
    name: I32
    category: I32 | None = None
    record: I64 | None = None
    address: I64 | None = None
    group: I32 | None = None
    untimed: Bool | None = None


class Arrangement(Struct, frozen=True, eq=False):
    """``order``: int64[slices], the event that becomes slice i; ``lane``: int32[slices]; ``first_row``:
    int32[lanes + 1] for Lanes; ``first``: int64[rows + 1] for Slices; ``rounding``: the precision of the times."""

    order: I64
    lane: I32
    first_row: I32
    first: I64
    rounding: Rounding


class Built(Struct, frozen=True, eq=False):
    """``slices`` and their arrangement: see Arrangement."""

    slices: Slices
    order: I64
    lane: I32
    first_row: I32


def build(events: Events, lanes: int) -> Built:
    """The slices of ``events``, sorted by lane, row and start. A million events take about 0.2 s where few overlap."""
    made = arrange(events.lane, events.start, events.duration, events.group, lanes)
    slices = Slices(
        start=sealed(events.start[made.order]),
        duration=sealed(events.duration[made.order]),
        name=sealed(events.name[made.order].astype(np.int32, copy=False)),
        category=_ordered(events.category, made.order, np.int32),
        record=_ordered(events.record, made.order, np.int64),
        address=_ordered(events.address, made.order, np.int64),
        first=made.first,
        untimed=sealed(events.untimed[made.order]) if events.untimed is not None and events.untimed.any() else None,
    )
    return Built(slices, made.order, made.lane, made.first_row)


def _ordered(column: Integers | None, order: I64, kind: type[np.integer[Any]]) -> Array:
    """``column`` in ``order``, sealed; all -1 where the source has no such data."""
    return sealed(np.full(len(order), -1, kind) if column is None else column[order].astype(kind, copy=False))


def timeline(
    events: Events,
    process: I32,
    thread: I32,
    strings: Strings,
    *,
    unit: TimeUnit = "s",
    seconds_per_unit: float | None = 1.0,
    counters: Counters | None = None,
) -> Timeline:
    """The timeline of ``events``. ``process``, ``thread``: int32[lanes], ids in ``strings``."""
    built = build(events, len(process))
    made = Timeline(
        unit=unit,
        seconds_per_unit=seconds_per_unit,
        strings=strings,
        lanes=Lanes(sealed(process), sealed(thread), built.first_row),
        slices=built.slices,
    )
    return made if counters is None else replace(made, counters=counters)


def arrange(
    lane: I32, start: F64, duration: F64, group: I32 | None, lanes: int, origin: Decimal | None = None
) -> Arrangement:
    """The arrangement that ``build`` uses, for callers that reorder their columns one by one. ``origin``: the moment
    that times are relative to."""
    rounding = Rounding.of(start, duration, origin)
    order = _by_lane_and_start(lane, start, duration, rounding)
    lane, start = lane[order], start[order]
    end = start + duration[order]
    depth = depths(lane, start, end, rounding, None if group is None else group[order])
    del start, end
    height = np.zeros(lanes, np.int64)
    if len(lane):
        begins = np.concatenate(([0], np.flatnonzero(lane[1:] != lane[:-1]) + 1))
        height[lane[begins]] = np.maximum.reduceat(depth, begins) + 1
    first_row = np.concatenate(([0], np.cumsum(height)))
    row = first_row[lane] + depth
    rows = int(first_row[-1])
    if bool(np.any(depth)):
        by_row = stable_order(row, rows)
        order, lane, row = order[by_row], lane[by_row], row[by_row]
    first = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows)))).astype(np.int64)
    return Arrangement(
        order, sealed(lane.astype(np.int32, copy=False)), sealed(first_row.astype(np.int32)), sealed(first), rounding
    )


def _by_lane_and_start(lane: I32, start: F64, duration: F64, rounding: Rounding) -> I64:
    """int64[n]: the order by lane, then start. Of slices with equal starts, those shorter than the rounding error come
    first, then the longest, so that a caller is placed above its callees."""
    order = by_lane_and_time(lane, start)
    in_order, starts = lane[order], start[order]
    equal = np.flatnonzero((in_order[1:] == in_order[:-1]) & (starts[1:] == starts[:-1]))
    if len(equal):
        tied = with_next(equal, len(order))
        some = order[tied]
        begin, long = start[some], duration[some]
        lasts = long > rounding.slack(begin, begin + long)
        order[tied] = some[np.lexsort((np.where(lasts, -long, long), lasts, begin, lane[some]))]
    return order
