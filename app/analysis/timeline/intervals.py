"""When lanes are busy and idle, with how many slices at once: unions of intervals, in which each moment counts once,
gaps, and overlaps of two lanes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Array, Bool, Integers, expand
from app.profile.orders import by_groups
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


def union_lengths(start: Array, end: Array, group: Integers, groups: int) -> F64:
    """float64[groups]: the length of the union of each group's intervals, which are in any order. The only source of
    busy times: utilization is never a sum of durations. A million intervals take about 0.3 s."""
    if not len(start):
        return np.zeros(groups)
    order = by_groups(group, start)
    start, end, of = start[order], end[order], group[order].astype(np.int64)
    opens = np.flatnonzero(np.concatenate(([True], of[1:] != of[:-1])))
    reach = _reach(end, of, groups)
    before = np.concatenate((start[:1], reach[:-1]))
    before[opens] = start[opens]
    lengths = np.zeros(groups)
    lengths[of[opens]] = np.add.reduceat(np.maximum(reach - np.maximum(start, before), 0), opens)
    return lengths


def _reach(end: Array, of: I64, groups: int) -> Array:
    """[n]: the latest end of the intervals of each group up to each; they are sorted by group, ``of``."""
    reach = end.copy()
    falls = of[1:][(end[1:] < end[:-1]) & (of[1:] == of[:-1])]
    nested = np.zeros(groups, np.bool_)
    nested[falls] = True
    some = np.flatnonzero(nested[of])
    ends = end[some]
    by_end = np.argsort(ends)
    rank = np.empty(len(ends), np.int64)
    rank[by_end] = np.arange(len(ends))
    if len(some):
        reach[some] = ends[by_end[np.maximum.accumulate(of[some] * len(ends) + rank) % len(ends)]]
    return reach


def most_at_once(start: Array, end: Array, group: Integers, groups: int) -> I64:
    """int64[groups]: how many intervals of each group run at the same time, at most. One that begins where another ends
    does not run with it; those without a length do not count."""
    most = np.zeros(groups, np.int64)
    lasting = end > start
    if not bool(np.any(lasting)):
        return most
    start, end, of = start[lasting], end[lasting], group[lasting].astype(np.int64)
    step = np.repeat(np.array([-1, 1], np.int8), len(start))
    order = np.lexsort((step, np.concatenate((end, start)), np.tile(of, 2)))
    running = np.cumsum(step[order], dtype=np.int64)  # 0 at the end of each group
    count = 2 * np.bincount(of, minlength=groups)
    full = np.flatnonzero(count)
    most[full] = np.maximum.reduceat(running, (np.cumsum(count) - count)[full])
    return most


class Spans(Struct, frozen=True, eq=False):
    """Disjoint, ascending intervals. ``start``, ``end``: float64, end > start."""

    start: F64
    end: F64

    def __len__(self) -> int:
        return len(self.start)

    @property
    def total(self) -> float:
        return float((self.end - self.start).sum())


class Gaps(Struct, frozen=True, eq=False):
    """Intervals in which no slice of a lane runs. ``start``, ``end``: float64; ``before``, ``after``: int64, the last
    slice to end before it and the first to begin after it, -1 at the border of a range."""

    start: F64
    end: F64
    before: I64
    after: I64

    def __len__(self) -> int:
        return len(self.start)


def lane_spans(timeline: Timeline, lane: int, stretch: TimeRange | None = None) -> Spans:
    """When any slice of the lane runs, inside ``stretch`` or overall."""
    return union(*_work(timeline, lane, stretch)[:2])


def lane_gaps(timeline: Timeline, lane: int, stretch: TimeRange | None = None) -> Gaps:
    """When no slice of the lane runs: between its first start and its last end, or in all of ``stretch``. Zero-length
    slices fill nothing."""
    start, end, index = _work(timeline, lane, stretch)
    if not len(start):
        whole = [] if stretch is None or not stretch.end > stretch.start else [stretch]
        none = np.full(len(whole), -1, np.int64)
        return Gaps(np.array([gap.start for gap in whole]), np.array([gap.end for gap in whole]), none, none)
    reach = np.maximum.accumulate(end)
    latest = np.maximum.accumulate(np.where(end >= reach, np.arange(len(end)), 0))
    place = np.flatnonzero(_apart(start[1:], reach[:-1])) + 1
    begins, ends = [reach[place - 1]], [start[place]]
    before, after = [index[latest[place - 1]]], [index[place]]
    if stretch is not None:
        if _apart(start[:1], np.array([stretch.start]))[0]:
            begins.insert(0, np.array([stretch.start]))
            ends.insert(0, start[:1])
            before.insert(0, np.array([-1]))
            after.insert(0, index[:1])
        if _apart(np.array([stretch.end]), reach[-1:])[0]:
            begins.append(reach[-1:])
            ends.append(np.array([stretch.end]))
            before.append(index[latest[-1:]])
            after.append(np.array([-1]))
    return Gaps(np.concatenate(begins), np.concatenate(ends), np.concatenate(before), np.concatenate(after))


def overlap(one: Spans, other: Spans) -> Spans:
    """When both run."""
    if not len(one) or not len(other):
        none = np.empty(0)
        return Spans(none, none)
    low = np.searchsorted(other.end, one.start, "right")
    high = np.searchsorted(other.start, one.end, "left")
    count = np.maximum(high - low, 0)
    mine = np.repeat(np.arange(len(one)), count)
    theirs = expand(low, high)
    start = np.maximum(one.start[mine], other.start[theirs])
    end = np.minimum(one.end[mine], other.end[theirs])
    return Spans(start, end)


def without(one: Spans, other: Spans) -> Spans:
    """When ``one`` runs and ``other`` does not."""
    start, end = np.concatenate(([-np.inf], other.end)), np.concatenate((other.start, [np.inf]))
    return overlap(one, Spans(start, end))


def _work(timeline: Timeline, lane: int, stretch: TimeRange | None) -> tuple[F64, F64, I64]:
    """(starts, ends, slices) of a lane by ascending start, clipped to ``stretch``; zero-length slices left out."""
    slices, first_row = timeline.slices, timeline.lanes.first_row
    low, high = int(slices.first[first_row[lane]]), int(slices.first[first_row[lane + 1]])
    start = slices.start[low:high]
    end = start + slices.duration[low:high]
    if stretch is not None:
        start, end = np.clip(start, stretch.start, stretch.end), np.clip(end, stretch.start, stretch.end)
    order = np.flatnonzero(end > start)
    if first_row[lane + 1] - first_row[lane] > 1:
        order = order[np.argsort(start[order], kind="stable")]
    return start[order], end[order], (low + order).astype(np.int64)


def union(start: F64, end: F64) -> Spans:
    """The union of intervals that are sorted by start."""
    if not len(start):
        return Spans(start, end)
    reach = np.maximum.accumulate(end)
    first = np.concatenate(([0], np.flatnonzero(_apart(start[1:], reach[:-1])) + 1))
    last = np.concatenate((first[1:] - 1, [len(start) - 1]))
    return Spans(start[first], reach[last])


def _apart(start: F64, end: F64) -> Bool:
    """bool[n]: which of ``start`` are truly later than the ``end`` before them: an end is a sum (start + duration),
    which may be off from the intended decimal in its last digit or two."""
    apart: Bool = start - end > 2 * np.spacing(np.abs(end))
    return apart


AT_ONCE = 1 << 16
"""Slices processed at once."""


class Parallel(Struct, frozen=True, eq=False):
    """``summed``: float64[lanes], the sum of the durations of each lane's slices, in the timeline's unit (more than the
    busy time where slices overlap or are nested); ``at_once``: int64[lanes], how many run at the same time, at most."""

    summed: F64
    at_once: I64


def busy(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[lanes]: time in which at least one slice of the lane runs (the union of its slices), in the timeline's
    unit, inside ``stretch`` or overall."""
    slices, first_row = timeline.slices, timeline.lanes.first_row
    times = summed(_new_time(timeline, stretch), slices.first[first_row])
    for lanes, index, group in _several_rows(timeline):
        start, end = _clipped(timeline, index, stretch)
        times[lanes] = union_lengths(start, end, group, len(lanes))
    return times


def parallel(timeline: Timeline, stretch: TimeRange | None = None) -> Parallel:
    """How much the slices of each lane run side by side, inside ``stretch`` or overall."""
    slices, first = timeline.slices, timeline.slices.first[timeline.lanes.first_row]
    whole = slice(0, len(slices.start))
    length = slices.duration if stretch is None else np.subtract(*reversed(_ends(timeline, whole, stretch)))
    total, at_once = summed(length, first), (summed((length > 0).astype(np.float64), first) > 0).astype(np.int64)
    for lanes, index, group in _several_rows(timeline):
        start, end = _clipped(timeline, index, stretch)
        at_once[lanes] = most_at_once(start, end, group, len(lanes))
    return Parallel(total, at_once)


def summed(values: F64, first: I64) -> F64:
    """float64[len(first) - 1]: the sum of each range first[k] .. first[k + 1]."""
    sums = np.zeros(len(first) - 1)
    full = np.flatnonzero(np.diff(first) > 0)
    if len(full):
        sums[full] = np.add.reduceat(values, first[full])
    return sums


def _several_rows(timeline: Timeline) -> Iterator[tuple[I64, I64, I64]]:
    """Yields (lanes with several rows, their slices, int64[slices]: the number among ``lanes``), for as many lanes at a
    time as have AT_ONCE slices together, at least one."""
    first_row = timeline.lanes.first_row
    lanes = np.flatnonzero(np.diff(first_row) > 1)
    begin, end = timeline.slices.first[first_row[lanes]], timeline.slices.first[first_row[lanes + 1]]
    part = np.cumsum(end - begin) // AT_ONCE
    for some in np.split(np.arange(len(lanes)), np.flatnonzero(np.diff(part)) + 1) if len(lanes) else ():
        yield lanes[some], expand(begin[some], end[some]), np.repeat(np.arange(len(some)), (end - begin)[some])


def _clipped(timeline: Timeline, index: I64, stretch: TimeRange | None) -> tuple[F64, F64]:
    """(starts, ends) of slices by row, inside ``stretch``. One that reaches into the next in its row does so by
    rounding alone, and ends where that begins."""
    start, end = _ends(timeline, index, stretch)
    same_row = index[1:] == index[:-1] + 1
    firsts = timeline.slices.first
    same_row &= firsts[np.searchsorted(firsts, index[1:], "right") - 1] != index[1:]
    end[:-1] = np.where(same_row, np.minimum(end[:-1], start[1:]), end[:-1])
    return start, end


def _new_time(timeline: Timeline, stretch: TimeRange | None) -> F64:
    """float64[slices]: the part of each slice that no earlier slice in its row covers (they may overlap by rounding).
    Computed in blocks, so that intermediate arrays stay in the processor's cache."""
    slices = timeline.slices
    time = np.empty(len(slices.start))
    last = -np.inf
    for a in range(0, len(time), AT_ONCE):
        b = min(a + AT_ONCE, len(time))
        start, end = _ends(timeline, slice(a, b), stretch)
        before = np.concatenate(([last], end[:-1]))
        firsts = slices.first[slice(*np.searchsorted(slices.first, (a, b)))]
        before[firsts - a] = -np.inf
        np.subtract(end, np.maximum(start, before, out=before), out=time[a:b])
        last = float(end[-1])
    return np.maximum(time, 0.0, out=time)


def _ends(timeline: Timeline, index: I64 | slice, stretch: TimeRange | None) -> tuple[F64, F64]:
    """(starts, ends) of slices, clipped to ``stretch``."""
    start = timeline.slices.start[index]
    end = start + timeline.slices.duration[index]
    if stretch is None:
        return start, end
    return np.clip(start, stretch.start, stretch.end), np.clip(end, stretch.start, stretch.end)
