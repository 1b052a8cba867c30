"""How long lanes are busy."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

AT_ONCE = 1 << 16
"""Slices processed at once."""
FEW = 64
"""Lanes with at most this many slices are processed together: there may be very many of them."""


def busy(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[lanes]: time in which at least one slice of the lane runs (the union of its slices), in the timeline's
    unit, inside ``stretch`` or overall."""
    slices, first_row = timeline.slices, timeline.lanes.first_row
    times = summed(_new_time(timeline, stretch), slices.first[first_row])
    counts = np.where(np.diff(first_row) > 1, np.diff(slices.first[first_row]), 0)
    for lane in np.flatnonzero(counts > FEW).tolist():
        a, b = slices.first[first_row[lane : lane + 2]].tolist()
        times[lane] = _union(*_ends(timeline, a, b, stretch))
    few = np.flatnonzero((counts > 0) & (counts <= FEW))
    for some in np.array_split(few, len(few) * FEW // AT_ONCE + 1):
        times[some] = _unions(timeline, slices.first[first_row[some]], counts[some], stretch)
    return times


def summed(values: F64, first: I64) -> F64:
    """float64[len(first) - 1]: the sum of each range first[k] .. first[k + 1]."""
    sums = np.zeros(len(first) - 1)
    full = np.flatnonzero(np.diff(first) > 0)
    if len(full):
        sums[full] = np.add.reduceat(values, first[full])
    return sums


def _new_time(timeline: Timeline, stretch: TimeRange | None) -> F64:
    """float64[slices]: the part of each slice that no earlier slice in its row covers (they may overlap by rounding).
    Computed in blocks, so that intermediate arrays stay in the processor's cache."""
    slices = timeline.slices
    time = np.empty(len(slices.start))
    last = -np.inf
    for a in range(0, len(time), AT_ONCE):
        b = min(a + AT_ONCE, len(time))
        start, end = _ends(timeline, a, b, stretch)
        before = np.concatenate(([last], end[:-1]))
        firsts = slices.first[slice(*np.searchsorted(slices.first, (a, b)))]
        before[firsts - a] = -np.inf
        np.subtract(end, np.maximum(start, before, out=before), out=time[a:b])
        last = float(end[-1])
    return np.maximum(time, 0.0, out=time)


def _ends(timeline: Timeline, a: int, b: int, stretch: TimeRange | None) -> tuple[F64, F64]:
    """Starts and ends of the slices a .. b, clipped to ``stretch``."""
    start = timeline.slices.start[a:b]
    end = start + timeline.slices.duration[a:b]
    if stretch is None:
        return start, end
    return np.clip(start, stretch.start, stretch.end), np.clip(end, stretch.start, stretch.end)


def _union(start: F64, end: F64) -> float:
    if not len(start):
        return 0.0
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    before = np.concatenate((start[:1], reach[:-1]))
    return float(np.maximum(end - np.maximum(start, before), 0.0).sum())


def _unions(timeline: Timeline, first: I64, count: I64, stretch: TimeRange | None) -> F64:
    """float64[lanes]: the union of each of these ranges of slices, ``count`` (1..FEW) from ``first`` on."""
    lane = np.repeat(np.arange(len(first)), count)
    opens = np.cumsum(count) - count
    index = np.arange(len(lane)) - opens[lane] + first[lane]
    start = timeline.slices.start[index]
    end = start + timeline.slices.duration[index]
    if stretch is not None:
        start, end = np.clip(start, stretch.start, stretch.end), np.clip(end, stretch.start, stretch.end)
    order = np.lexsort((start, lane))
    start, reach = start[order], end[order]
    step = 1
    while step < FEW:  # running maximum of ends, over twice as many slices each time
        same = lane[step:] == lane[:-step]
        reach[step:] = np.where(same, np.maximum(reach[step:], reach[:-step]), reach[step:])
        step *= 2
    before = np.concatenate((start[:1], reach[:-1]))
    before[opens] = start[opens]
    new = np.maximum(reach - np.maximum(start, before), 0.0)
    return np.add.reduceat(new, opens) if len(opens) else np.zeros(0)
