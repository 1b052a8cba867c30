"""How much of the time a lane is at work."""

from __future__ import annotations

import numpy as np

from app.analysis.timeline.rows import extent, row_lanes
from app.profile.arrays import F64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


def busy(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[lanes]: time in which at least one slice of the lane runs (the union of its slices), in the
    timeline's unit, inside ``stretch`` or in all."""
    slices = timeline.slices
    start, end = slices.start, slices.start + slices.duration
    if stretch is not None:
        start = np.clip(start, stretch.start, stretch.end)
        end = np.clip(end, stretch.start, stretch.end)
    lanes = len(timeline.lanes.process)
    heights = np.diff(timeline.lanes.first_row)
    found = np.bincount(_owners(timeline), _new_time(timeline, start, end), minlength=lanes)[:lanes]
    for lane in np.flatnonzero(heights > 1).tolist():
        a = slices.first[timeline.lanes.first_row[lane]]
        b = slices.first[timeline.lanes.first_row[lane + 1]]
        found[lane] = _union(start[a:b], end[a:b])
    return found.astype(np.float64)


def busy_share(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[lanes], 0..1: busy time as a share of ``stretch`` (or of the timeline, first start to last end);
    NaN where that has no length."""
    whole = extent(timeline) if stretch is None else (stretch.start, stretch.end)
    length = whole[1] - whole[0] if whole is not None else 0.0
    return busy(timeline, stretch) / (length if length > 0 else np.nan)


def _owners(timeline: Timeline) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.repeat(row_lanes(timeline), np.diff(timeline.slices.first)).astype(np.intp)


def _new_time(timeline: Timeline, start: F64, end: F64) -> F64:
    """float64[slices]: what of each slice no slice before it in its row covers (they may overlap by rounding)."""
    before = np.empty(len(start))
    before[1:] = end[:-1]
    firsts = timeline.slices.first[:-1]
    before[firsts[firsts < len(start)]] = -np.inf
    return np.maximum(end - np.maximum(start, before), 0.0)


def _union(start: F64, end: F64) -> float:
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    before = np.concatenate((start[:1], reach[:-1]))
    return float(np.maximum(end - np.maximum(start, before), 0.0).sum())
