"""Builds timeline columns from events in any order, with each slice in a row of its lane so that the slices of a row
do not overlap."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal
from heapq import heappop, heappush
from itertools import chain, pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.numbering import batches, with_next
from app.profile.arrays import F64, I32, I64, Array, Bool, among, combine_at, distinct, expand, sealed
from app.profile.orders import by_groups, stable_order
from app.profile.strings import Strings
from app.profile.timeline import Counters, Lanes, Slices, Timeline, TimeUnit

_SAMPLE = 2048
_STEP = 1 << 16
_EXPONENT = 0x7FF0_0000_0000_0000
"""The bits of a float64 that are its exponent."""
_LEVELS = 1000
"""Rows that are looked through one by one."""


class Rounding(Struct, frozen=True):
    """How far two timestamps of one moment can differ after rounding: ``unit`` times the power of two above them, plus
    ``grain``."""

    unit: float
    grain: float = 0.0

    @classmethod
    def of(cls, start: F64, duration: F64, origin: Decimal | None = None) -> Rounding:
        """The rounding of the times, estimated from a sample: single precision where all are float32 values (simulators
        write such: Ascend operator files, section 4.2), else double; whole numbers are exact. Times relative to
        ``origin`` were parsed exactly; if they are single or double nevertheless, their writer had already rounded
        them."""
        if origin:
            sample = _sample(start).tolist()
            for kind in (np.float32, np.float64):
                if all(_is_rounded(origin, time, kind) for time in sample):
                    return cls(2.0**-51, 2 * float(np.spacing(kind(abs(origin)))))
            return cls(2.0**-51)
        times = np.concatenate((_sample(start), _sample(duration)))
        return cls(0.0 if bool(np.all(times == np.floor(times))) else _units_in_last_place(times))

    def slack(self, start: F64, end: F64) -> F64:
        """float64[n]: how much earlier than the end of another slice a slice may start and still follow it."""
        if not self.unit:
            return np.full(len(start), self.grain)
        highest = np.maximum(np.abs(start), np.abs(end))
        below = (highest.view(np.int64) & _EXPONENT).view(np.float64)  # the power of two that is not above
        return np.where(highest > 0, below * (2 * self.unit), self.unit) + self.grain


def _sample(values: F64) -> F64:
    return values[:: max(1, len(values) // _SAMPLE)]


def _is_rounded(origin: Decimal, time: float, kind: type[np.floating[Any]]) -> bool:
    """Whether the decimal time in the file is that of a number of this precision: its exact value or its shortest
    representation."""
    text = origin + Decimal(repr(time))
    number = kind(text)
    return text in (Decimal(float(number)), Decimal(str(number)))


def _units_in_last_place(values: F64) -> float:
    """The largest error of a time difference, relative to the power of two above it. A float32 written in full is off
    by half a unit in the last place, its shortest representation by a whole one; another quarter covers the duration,
    whose error is smaller."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    others = single != values
    short = np.array([float(str(value)) for value in single[others]])
    if not bool(np.all(short == values[others])):
        return 2.0**-51
    return (2.25 if len(short) else 1.25) * 2.0**-24


def depths(
    lane: I32, start: F64, end: F64, rounding: Rounding, group: I32 | None, look: Callable[[], None] = lambda: None
) -> I32:
    """int32[n]: the row of each slice in its lane, for slices sorted by lane, then start. Each slice takes the lowest
    row that is free at its start. Slices of one ``group`` (-1 none) that do not overlap share a row, reserved from
    their first start to their last end (Ascend operator files, section 4.5).
    """
    depth = np.zeros(len(lane), np.int32)
    follows = (start[1:] >= end[:-1]) & (end[1:] >= end[:-1])
    near = np.flatnonzero(~follows & (lane[1:] == lane[:-1]))
    slack = rounding.slack(start[near + 1], end[near + 1])
    clash = near[(start[near + 1] < end[near] - slack) | (end[near + 1] < end[near])]
    lanes = distinct(lane[clash])
    bounds = np.searchsorted(lane, lanes, "left"), np.searchsorted(lane, lanes, "right")
    alone = np.ones(len(lanes), np.bool_)
    if group is not None:
        for number, (a, b) in enumerate(zip(*(edge.tolist() for edge in bounds), strict=True)):
            part = slice(a, b)
            if bool(np.any(group[part] >= 0)):
                alone[number] = False
                slack = rounding.slack(start[part], end[part])
                depth[part] = _grouped(start[part], end[part], slack, group[part])
    begins, stops = bounds[0][alone], bounds[1][alone]
    for some in batches(stops - begins):
        look()
        adjoin = bool((begins[some][1:] == stops[some][:-1]).all())  # as a single lane does: views need no copies
        which = slice(begins[some][0], stops[some][-1]) if adjoin else expand(begins[some], stops[some])
        starts, ends = start[which], end[which]
        borders = np.concatenate(([0], np.cumsum(stops[some] - begins[some])))
        depth[which] = _stacked(starts, ends, rounding.slack(starts, ends), borders)
    return depth


def _stacked(start: F64, end: F64, slack: F64, lanes: I64) -> I32:
    """int32[n]: the rows of slices within their lanes, which begin at ``lanes`` (int64[lanes + 1], the last is n). Only
    runs of overlapping slices are processed one by one: in front of a run, all earlier slices of the lane have ended,
    and no later one ends before them."""
    reach, least, free_by = np.empty_like(end), np.empty_like(end), np.minimum(start + slack, end)
    for a, b in pairwise(lanes.tolist()):
        np.maximum.accumulate(end[a:b], out=reach[a:b])
        np.minimum.accumulate(end[a:b][::-1], out=least[a:b][::-1])
        np.minimum.accumulate(free_by[a:b][::-1], out=free_by[a:b][::-1])
    alone = np.ones(len(start), np.bool_)
    alone[1:] = (start[1:] >= reach[:-1] - slack[1:]) & (least[1:] >= reach[:-1])
    alone[lanes[:-1]] = True
    del least, slack
    first = np.flatnonzero(alone)
    size = np.diff(first, append=len(start))
    before = reach[first - 1]
    del reach
    depth = np.zeros(len(start), np.int32)
    walked = np.repeat(size > 1, size)
    if bool(np.any(walked)):
        of_lane = among(first, lanes)
        before[of_lane] = start[first[of_lane]]
        np.maximum(free_by, np.repeat(before, size), out=free_by)
        borders = np.concatenate(([0], np.cumsum(walked)))[lanes]
        free_by = free_by[walked]
        depth[walked] = lowest_free(free_by, end[walked], borders)
    return depth


def lowest_free(free_by: F64, end: F64, lanes: I64 | None = None) -> I32:
    """int32[n]: rows so that each item takes the lowest one of its lane whose last item has ended at its ``free_by``.
    These ascend within a lane, and none exceeds the item's own ``end``. ``lanes``: int64[lanes + 1], where lanes begin,
    and n; None for a single one. Calls inside one another cost no step of Python; other items that overlap cost
    n x log(rows): a million take about 0.3 s."""
    borders = np.array([0, len(end)]) if lanes is None else lanes
    order, ended = _endings(free_by, end, borders)
    nested = _nested(order, ended)
    if nested is None:
        return _by_heap(order, ended)
    crossing = nested < 0
    if bool(np.any(crossing)):
        which = np.flatnonzero(crossing)
        inside = np.searchsorted(which, borders)
        nested[which] = _by_heap(*_endings(free_by[which], end[which], inside))
    return nested


def _endings(free_by: F64, end: F64, lanes: I64) -> tuple[I32, I32]:
    """int32[n] each: the items in the order in which they end, and how many of these have ended at each item."""
    order, ended = np.empty(len(end), np.int32), np.empty(len(end), np.int32)
    for a, b in pairwise(lanes.tolist()):
        order[a:b] = np.argsort(end[a:b], kind="stable")
        ended[a:b] = np.searchsorted(end[a:b][order[a:b]], free_by[a:b], "right")
        order[a:b] += a
        ended[a:b] += a  # all items of the lanes before have ended, so that their rows are free
    return order, ended


def _nested(order: I32, ended: I32) -> I32 | None:
    """int32[n]: the rows of items that end in the reverse order in which they began, where they overlap: each lies in
    the row above the last one that is open. -1 for all items between two moments at which none is open, if some of them
    cross; None if there are too many rows for this to be fast."""
    count = len(order)
    items = np.arange(count, dtype=np.int32)
    left = np.maximum.accumulate(np.maximum(_not_above(ended, count), order + 1))
    until = np.empty(count, np.int32)
    until[order] = left  # the first item that finds its row free
    row = items - _not_above(left, count)
    levels = int(row.max(initial=0)) + 1
    if levels > _LEVELS:
        return None
    del items, left
    by_row = np.split(stable_order(row, levels).astype(np.int32), np.cumsum(np.bincount(row, minlength=levels))[:-1])
    crosses = np.zeros(count, np.bool_)
    for below, above in pairwise(by_row):
        crosses[above] = until[below[np.searchsorted(below, above) - 1]] < until[above]
    if bool(np.any(crosses)):
        calm = np.cumsum(row == 0)
        row[among(calm, calm[crosses])] = -1
    return row


def _not_above(values: I32, count: int) -> I32:
    """int32[count]: how many of ``values`` (0 .. count) are not above each of 0 .. count - 1."""
    return np.cumsum(np.bincount(values, minlength=count)[:count], dtype=np.int32)


def _by_heap(order: I32, ended: I32) -> I32:
    """int32[n]: the lowest free row of each item, one after the other."""
    items = _one_by_one(order)
    rows, free = array("i"), list[int]()
    used, passed, ending = 0, 0, next(items, 0)
    for item, count in enumerate(_one_by_one(ended)):
        while passed < count and ending < item:
            heappush(free, rows[ending])
            passed += 1
            ending = next(items, item)
        if free:
            rows.append(heappop(free))
        else:
            rows.append(used)
            used += 1
    return np.array(rows, np.int32)


def _one_by_one(values: Array) -> Iterator[Any]:
    """The values as Python numbers, of which only _STEP exist at a time."""
    return chain.from_iterable(values[at : at + _STEP].tolist() for at in range(0, len(values), _STEP))


def _grouped(start: F64, end: F64, slack: F64, group: I32) -> I32:
    """int32[n]: rows within one lane, where each group of slices that do not overlap counts as one slice from its first
    start to its last end."""
    unit = _units(start, end, slack, group)
    count = int(unit.max()) + 1
    begins = np.full(count, np.inf)
    ends = np.full(count, -np.inf)
    spare = np.zeros(count)
    combine_at(np.minimum, begins, unit, start)
    combine_at(np.maximum, ends, unit, end)
    combine_at(np.maximum, spare, unit, slack)
    order = np.argsort(begins, kind="stable")
    depth = np.empty(count, np.int32)
    depth[order] = _stacked(begins[order], ends[order], spare[order], np.array([0, count]))
    return depth[unit]


def _units(start: F64, end: F64, slack: F64, group: I32) -> I64:
    """int64[n]: the number of the unit that each slice is placed with: its group, or the slice alone."""
    members = np.flatnonzero(group >= 0)
    members = members[np.argsort(group[members], kind="stable")]
    same = group[members][1:] == group[members][:-1]
    follows = (start[members][1:] >= end[members][:-1] - slack[members][1:]) & (end[members][1:] >= end[members][:-1])
    broken = distinct(group[members][1:][same & ~follows])
    members = members[~among(group[members], broken)]
    keys: Array = np.arange(len(group), dtype=np.int64)
    keys[members] = len(group) + group[members].astype(np.int64)
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


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


def build(events: Events, lanes: int, look: Callable[[], None] = lambda: None) -> Built:
    """The slices of ``events``, sorted by lane, row and start. A million events take about 0.2 s where few overlap.
    ``look``: as of ``arrange``."""
    made = arrange(events.lane, events.start, events.duration, events.group, lanes, look=look)

    def ordered(column: Array | None, kind: type[np.number[Any]]) -> Array:
        """``column`` in the new order, sealed; all -1 where the source has no such data."""
        look()
        return sealed(
            np.full(len(made.order), -1, kind) if column is None else column[made.order].astype(kind, copy=False)
        )

    slices = Slices(
        start=ordered(events.start, np.float64),
        duration=ordered(events.duration, np.float64),
        name=ordered(events.name, np.int32),
        category=ordered(events.category, np.int32),
        record=ordered(events.record, np.int64),
        address=ordered(events.address, np.int64),
        first=made.first,
        untimed=sealed(events.untimed[made.order]) if events.untimed is not None and events.untimed.any() else None,
    )
    return Built(slices, made.order, made.lane, made.first_row)


def timeline(
    events: Events,
    process: I32,
    thread: I32,
    strings: Strings,
    *,
    unit: TimeUnit = "s",
    seconds_per_unit: float | None = 1.0,
    counters: Counters | None = None,
    look: Callable[[], None] = lambda: None,
) -> Timeline:
    """The timeline of ``events``. ``process``, ``thread``: int32[lanes], ids in ``strings``; ``look``: as of
    ``arrange``."""
    built = build(events, len(process), look)
    made = Timeline(
        unit=unit,
        seconds_per_unit=seconds_per_unit,
        strings=strings,
        lanes=Lanes(sealed(process), sealed(thread), built.first_row),
        slices=built.slices,
    )
    return made if counters is None else replace(made, counters=counters)


def arrange(
    lane: I32,
    start: F64,
    duration: F64,
    group: I32 | None,
    lanes: int,
    origin: Decimal | None = None,
    look: Callable[[], None] = lambda: None,
) -> Arrangement:
    """The arrangement that ``build`` uses, for callers that reorder their columns one by one. ``origin``: the moment
    that times are relative to; ``look`` is called about every 0.1 s, and may raise Cancelled. Some lanes are arranged
    at a time, so that what is beside the result takes little memory."""
    rounding = Rounding.of(start, duration, origin)
    order = stable_order(lane, lanes)
    look()
    size = np.bincount(lane, minlength=lanes)
    ends = np.concatenate(([0], np.cumsum(size)))
    height = np.zeros(lanes, np.int64)
    counts = [np.zeros(1, np.int64)]
    for some in batches(size):
        own = order[ends[some.start] : ends[some.stop]]
        if not len(own):
            continue
        look()
        beside = lane[own] - np.int32(some.start)
        own[:] = own[_by_lane_and_start(beside, start[own], duration[own], rounding)]
        look()
        begin = start[own]
        depth = depths(beside, begin, begin + duration[own], rounding, None if group is None else group[own], look)
        del begin
        look()
        used = np.flatnonzero(size[some])
        first = ends[some][used] - ends[some.start]
        height[some][used] = np.maximum.reduceat(depth, first) + 1
        row = np.concatenate(([0], np.cumsum(height[some])))[beside] + depth
        rows = int(height[some].sum())
        if bool(np.any(depth)):
            own[:] = own[stable_order(row, rows)]
        counts.append(np.bincount(row, minlength=rows))
    return Arrangement(
        order,
        sealed(np.repeat(np.arange(lanes, dtype=np.int32), size)),
        sealed(np.concatenate(([0], np.cumsum(height))).astype(np.int32)),
        sealed(np.cumsum(np.concatenate(counts), dtype=np.int64)),
        rounding,
    )


def _by_lane_and_start(lane: I32, start: F64, duration: F64, rounding: Rounding) -> I64:
    """int64[n]: the order by lane, then start. Of slices with equal starts, those shorter than the rounding error come
    first, then the longest, so that a caller is placed above its callees."""
    order = by_groups(lane, start)
    in_order, starts = lane[order], start[order]
    equal = np.flatnonzero((in_order[1:] == in_order[:-1]) & (starts[1:] == starts[:-1]))
    if len(equal):
        tied = with_next(equal, len(order))
        some = order[tied]
        begin, long = start[some], duration[some]
        lasts = long > rounding.slack(begin, begin + long)
        order[tied] = some[np.lexsort((np.where(lasts, -long, long), lasts, begin, lane[some]))]
    return order
