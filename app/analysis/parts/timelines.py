"""Lanes and stretches of a timeline as timelines."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.timeline.rows import row_lanes
from app.profile.arrays import F64, I64, Bool, among, sealed
from app.profile.selection import TimeRange
from app.profile.timeline import Counters, Flows, Instants, Lanes, Slices, Timeline


class _Chosen(Struct, frozen=True, eq=False):
    """``lanes``, ``slices``: int64, those that are left; ``lane_of``, ``slice_of``: the new number of each, -1."""

    lanes: I64
    slices: I64
    lane_of: I64
    slice_of: I64


def of_lanes(timeline: Timeline, lanes: Bool) -> Timeline:
    """Only the ``lanes`` (bool[lanes]) and the counters of their processes."""
    rows = lanes[row_lanes(timeline)]
    slices = np.flatnonzero(np.repeat(rows, np.diff(timeline.slices.first)))
    made = _chosen(timeline, np.flatnonzero(lanes), slices)
    processes = set(timeline.lanes.process[lanes].tolist())
    tracks = np.flatnonzero(among(timeline.counters.process, list(processes)))
    counters = _tracks(timeline.counters, tracks)
    return replace(
        timeline,
        lanes=_lanes(timeline, made),
        slices=_slices(timeline, made, timeline.slices.start[slices], timeline.slices.duration[slices]),
        flows=_flows(timeline.flows, made, np.ones(len(timeline.flows.category), np.bool_)),
        counters=counters,
        instants=_instants(timeline, made),
    )


def of_stretch(timeline: Timeline, stretch: TimeRange) -> Timeline:
    """Only what lies from ``stretch.start`` to before its end; slices that reach over its ends are cut there. Times
    count from the start of the stretch. Lanes that have nothing in it are left out."""
    slices = timeline.slices
    end = slices.start + slices.duration
    touched = (slices.start < stretch.end) & (end > stretch.start)
    marks = (slices.duration == 0) & (slices.start >= stretch.start) & (slices.start < stretch.end)
    left = np.flatnonzero(np.where(slices.duration == 0, marks, touched))
    counts = np.diff(slices.first[timeline.lanes.first_row])
    row = np.searchsorted(slices.first, left, "right") - 1
    there = np.bincount(row_lanes(timeline)[row], minlength=len(counts)) > 0
    made = _chosen(timeline, np.flatnonzero(there | (counts == 0)), left)
    begin = np.maximum(slices.start[left], stretch.start)
    length = np.minimum(end[left], stretch.end) - begin
    whole = (slices.start[left] >= stretch.start) & (end[left] <= stretch.end)
    length = np.where(whole, slices.duration[left], length)
    flows = timeline.flows
    inside = (flows.from_time >= stretch.start) & (flows.to_time < stretch.end)
    return replace(
        timeline,
        lanes=_lanes(timeline, made),
        slices=_slices(timeline, made, begin - stretch.start, length),
        flows=_shifted(_flows(flows, made, inside), stretch.start),
        counters=_counters(timeline.counters, stretch),
        instants=_instants(timeline, made),
        origin=timeline.origin + Decimal(repr(stretch.start)),
    )


def _chosen(timeline: Timeline, lanes: I64, slices: I64) -> _Chosen:
    lane_of = np.full(len(timeline.lanes.process), -1, np.int64)
    lane_of[lanes] = np.arange(len(lanes))
    slice_of = np.full(len(timeline.slices.start), -1, np.int64)
    slice_of[slices] = np.arange(len(slices))
    return _Chosen(lanes, slices, lane_of, slice_of)


def _lanes(timeline: Timeline, made: _Chosen) -> Lanes:
    own = timeline.lanes
    heights = np.diff(own.first_row)[made.lanes]
    first = np.concatenate(([0], np.cumsum(heights))).astype(np.int32)
    return Lanes(sealed(own.process[made.lanes]), sealed(own.thread[made.lanes]), sealed(first))


def _slices(timeline: Timeline, made: _Chosen, start: F64, duration: F64) -> Slices:
    own, which = timeline.slices, made.slices
    rows = made.lane_of[row_lanes(timeline)] >= 0
    row = np.searchsorted(own.first, which, "right") - 1
    counts = np.bincount(row, minlength=len(rows))[rows]
    untimed = None if own.untimed is None else own.untimed[which]
    return Slices(
        start=sealed(start),
        duration=sealed(duration),
        name=sealed(own.name[which]),
        category=sealed(own.category[which]),
        record=sealed(own.record[which]),
        address=sealed(own.address[which]),
        first=sealed(np.concatenate(([0], np.cumsum(counts))).astype(np.int64)),
        untimed=sealed(untimed) if untimed is not None and untimed.any() else None,
    )


def _instants(timeline: Timeline, made: _Chosen) -> Instants:
    number = made.slice_of[timeline.instants.slice]
    return Instants(sealed(number[number >= 0]))


def _flows(flows: Flows, made: _Chosen, wanted: Bool) -> Flows:
    """The arrows of ``wanted`` whose ends are both on lanes that are left."""
    lanes = made.lane_of[flows.from_lane], made.lane_of[flows.to_lane]
    rows = np.flatnonzero(wanted & (lanes[0] >= 0) & (lanes[1] >= 0))
    return Flows(
        category=sealed(flows.category[rows]),
        from_time=sealed(flows.from_time[rows]),
        from_lane=sealed(lanes[0][rows].astype(np.int32)),
        from_slice=_ends(flows.from_slice[rows], made.slice_of),
        to_time=sealed(flows.to_time[rows]),
        to_lane=sealed(lanes[1][rows].astype(np.int32)),
        to_slice=_ends(flows.to_slice[rows], made.slice_of),
    )


def _ends(slices: I64, slice_of: I64) -> I64:
    number = np.append(slice_of, -1)[slices]  # -1, no slice, takes the last one
    return sealed(number.astype(np.int64))


def _shifted(flows: Flows, start: float) -> Flows:
    return replace(flows, from_time=sealed(flows.from_time - start), to_time=sealed(flows.to_time - start))


def _tracks(counters: Counters, tracks: I64) -> Counters:
    """Only these tracks."""
    values = np.concatenate(
        [np.arange(counters.first[track], counters.first[track + 1]) for track in tracks.tolist()]
        or [np.empty(0, np.int64)]
    )
    return _points(counters, tracks, np.diff(counters.first)[tracks], counters.time[values], counters.value[values])


def _counters(counters: Counters, stretch: TimeRange) -> Counters:
    """The values within ``stretch``, and at its start the one that held there."""
    times, values, tracks, counts = [], [], [], []
    for track, (first, end) in enumerate(zip(counters.first[:-1].tolist(), counters.first[1:].tolist(), strict=True)):
        begin, stop = np.searchsorted(counters.time[first:end], (stretch.start, stretch.end))
        held = begin > 0 and not (begin < stop and counters.time[first + begin] == stretch.start)
        own = np.arange(first + begin - held, first + stop)
        if len(own):
            tracks.append(track)
            counts.append(len(own))
            times.append(np.maximum(counters.time[own], stretch.start) - stretch.start)
            values.append(counters.value[own])
    nothing: F64 = np.empty(0)
    return _points(
        counters,
        np.array(tracks, np.int64),
        np.array(counts, np.int64),
        np.concatenate(times or [nothing]),
        np.concatenate(values or [nothing]),
    )


def _points(counters: Counters, tracks: I64, counts: I64, time: F64, value: F64) -> Counters:
    return Counters(
        process=sealed(counters.process[tracks]),
        name=sealed(counters.name[tracks]),
        series=sealed(counters.series[tracks]),
        first=sealed(np.concatenate(([0], np.cumsum(counts))).astype(np.int64)),
        time=sealed(time),
        value=sealed(value),
    )
