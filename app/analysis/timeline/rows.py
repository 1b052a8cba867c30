"""The row and lane of slices, and related slices."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I32, I64, Bool, among
from app.profile.selection import TimeRange
from app.profile.timeline import Flows, Timeline


def row_lanes(timeline: Timeline) -> I32:
    """int32[rows]: the lane of each row."""
    heights = np.diff(timeline.lanes.first_row)
    return np.repeat(np.arange(len(heights), dtype=np.int32), heights)


def slice_rows(timeline: Timeline) -> I32:
    """int32[slices]: the row of each slice."""
    counts = np.diff(timeline.slices.first)
    return np.repeat(np.arange(len(counts), dtype=np.int32), counts)


def slice_lanes(timeline: Timeline) -> I32:
    """int32[slices]: the lane of each slice."""
    return np.repeat(row_lanes(timeline), np.diff(timeline.slices.first))


def instant_mask(timeline: Timeline, index: I64 | None = None) -> Bool | None:
    """bool: which slices (of all, or of ``index``) are instants; None if the timeline has none."""
    instants = timeline.instants.slice
    if not len(instants):
        return None
    mask = np.zeros(len(timeline.slices.start), np.bool_)
    mask[instants] = True
    return mask if index is None else mask[index]


def moment_rows(timeline: Timeline) -> Bool:
    """bool[rows]: which rows hold only instants."""
    first = timeline.slices.first
    instants = np.diff(np.searchsorted(timeline.instants.slice, first))
    alone: Bool = (instants > 0) & (instants == np.diff(first))
    return alone


def lane_slices(timeline: Timeline, lanes: I64) -> I64:
    """int64: slices of these lanes, ascending."""
    slices = np.flatnonzero(among(slice_lanes(timeline), lanes))
    return slices.astype(np.int64)


def lane_counts(timeline: Timeline) -> I64:
    """int64[lanes]: how many slices and instants each lane has."""
    first = timeline.slices.first[timeline.lanes.first_row]
    return np.diff(first).astype(np.int64)


def instant_counts(timeline: Timeline) -> I64:
    """int64[lanes]: how many instants each lane has."""
    first = timeline.slices.first[timeline.lanes.first_row]
    return np.diff(np.searchsorted(timeline.instants.slice, first)).astype(np.int64)


def lasting(timeline: Timeline) -> I64 | None:
    """int64, ascending: the slices that are no instants; None for all of them."""
    instants = instant_mask(timeline)
    return None if instants is None else np.flatnonzero(~instants).astype(np.int64)


def lengthless(timeline: Timeline, index: I64 | None = None) -> Bool | None:
    """bool: which slices (of all, or of ``index``) have no usable length: instants, and those whose length the source
    does not give; None if all have one."""
    instants, untimed = instant_mask(timeline, index), timeline.slices.untimed
    if untimed is None:
        return instants
    own: Bool = untimed if index is None else untimed[index]
    return own if instants is None else own | instants


def lengthless_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: those with slices of which none has a length, so that it is unknown how busy they are."""
    without, counts = lengthless(timeline), lane_counts(timeline)
    if without is None:
        return np.zeros(len(counts), np.bool_)
    lanes = np.bincount(slice_lanes(timeline)[without], minlength=len(counts))
    none: Bool = (lanes == counts) & (counts > 0)
    return none


def extent(timeline: Timeline) -> tuple[float, float] | None:
    """First start and last end of the slices; of counters if there are no slices; None if there is nothing."""
    slices = timeline.slices
    if len(slices.start):
        return float(slices.start.min()), float((slices.start + slices.duration).max())
    times = timeline.counters.time
    return (float(times.min()), float(times.max())) if len(times) else None


def within(timeline: Timeline, stretch: TimeRange) -> Bool:
    """bool[slices]: which overlap ``stretch`` (zero-length slices if they are inside it)."""
    slices = timeline.slices
    end = slices.start + slices.duration
    inside: Bool = (slices.start < stretch.end) & (end > stretch.start)
    marks: Bool = (slices.duration == 0) & (slices.start >= stretch.start) & (slices.start <= stretch.end)
    return inside | marks


def flows_of(timeline: Timeline, index: int) -> I64:
    """int64: the flows that begin or end at slice ``index``."""
    flows = timeline.flows
    return np.flatnonzero((flows.from_slice == index) | (flows.to_slice == index)).astype(np.int64)


def flow_counts(timeline: Timeline) -> dict[str, int]:
    """The number of flows in each category, most frequent first; "" stands for no category."""
    category, count = np.unique(timeline.flows.category, return_counts=True)
    order = np.argsort(-count, kind="stable")
    named = zip(category[order].tolist(), count[order].tolist(), strict=True)
    totals: dict[str, int] = {}
    for text, number in named:
        name = timeline.strings.get(text)
        totals[name] = totals.get(name, 0) + number
    return totals


def linked(flows: Flows, index: int, direction: int) -> int | None:
    """The slice at the other end of the first arrow that leaves slice ``index`` (direction 1), or of the last one that
    reaches it (-1); None without one."""
    here, there, time = flows.from_slice, flows.to_slice, flows.to_time
    if direction < 0:
        here, there, time = flows.to_slice, flows.from_slice, -flows.from_time
    arrows = np.flatnonzero((here == index) & (there >= 0))
    return int(there[arrows[np.argmin(time[arrows])]]) if len(arrows) else None
