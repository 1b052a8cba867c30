"""When lanes are busy and idle: unions of slices, gaps between them, overlaps of two lanes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Bool, expand
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


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
