"""Parts of a profile that are parts of its timeline: lanes, stretches of time, and processes (ranks, devices,
replays)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import of_rows, renumbered, taken_rows
from app.analysis.table import Unit
from app.analysis.timeline.times import extent, row_lanes
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, among, sealed
from app.profile.file_state import TimeNote
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.tensorflow import GRAIN
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


def ranges(profile: Profile, chosen: TimeRange | None = None, notes: Sequence[TimeNote] = ()) -> PartList:
    """``chosen`` and what lies around it, and what lies before, in and after each note."""
    line = profile.timeline
    whole = None if line is None else extent(line)
    about = tr("The range of the timeline and the time around it; the time before, in and after each note.")
    if line is None or whole is None:
        return PartList("range", (), about)
    pairs = [*_around(whole, chosen), *(pair for note in notes for pair in _of_note(whole, note))]
    parts: dict[str, ProfilePart] = {}
    for label, start, end in pairs:
        low, high = max(start, whole[0]), min(end, _beyond(whole[1]))
        if high > low:
            part = named(line, f"{low!r}..{high!r}", label)
            parts.setdefault(part.id, part)
    return PartList("range", tuple(parts.values()), about)


def named(line: Timeline, text: str, label: str = "") -> ProfilePart:
    """The part of the times ``START..END``, of which one may be left out. ValueError for other texts."""
    first, dots, last = text.partition("..")
    whole = extent(line)
    if not dots or whole is None:
        raise ValueError(text)
    start = float(first) if first.strip() else whole[0]
    end = float(last) if last.strip() else _beyond(whole[1])
    if not (np.isfinite(start) and np.isfinite(end) and start < end):
        raise ValueError(text)
    shown = label or tr("{start} to {end} {unit}", start=f"{start:,.6g}", end=f"{end:,.6g}", unit=line.unit)
    return ProfilePart("range", text, shown, min(end, whole[1]) - start, line.unit, TimeRange(start, end))


def sections_of_range(profile: Profile, stretch: TimeRange) -> dict[str, Any]:
    """The sections of a stretch of time. Slices are cut at its ends; a step or an event belongs to the stretch in which
    it starts."""
    line = profile.timeline
    if line is None:
        return {}
    part = of_stretch(line, stretch)
    made: dict[str, Any] = {"timeline": part}
    if profile.steps is not None:
        starts = step_starts(line, len(profile.steps))
        rows = np.flatnonzero((starts >= stretch.start) & (starts < stretch.end)).astype(np.int64)
        made["steps"] = _steps(profile.steps, rows, stretch.start)
        made["timeline"] = renumbered(part, rows)
        if profile.execution is not None:
            made["execution"] = replace(
                profile.execution, cycles=_length(part), tile_cycles={}, trace=None, runs=None, vertices=None
            )
        for name in ("programs", "compute_sets", "vertex_types", "exchanges"):
            made[name] = profile.section(name)
    events = profile.host_events
    if events is not None:
        start = np.round(events.starts() - events.zero, GRAIN)
        rows = np.flatnonzero((start >= stretch.start) & (start < stretch.end)).astype(np.int64)
        made["host_events"] = of_rows(events, rows)
        made["timeline"] = renumbered(part, rows)
    return made


def step_starts(line: Timeline, steps: int) -> F64:
    """float64[steps]: where each step is on the timeline, NaN for those that are not."""
    record = line.slices.record
    starts = np.full(steps, np.nan)
    known = (record >= 0) & (record < steps)
    starts[record[known]] = line.slices.start[known]
    return starts


def _length(line: Timeline) -> int | None:
    whole = extent(line)
    return None if whole is None else round(whole[1])


def _steps(steps: Steps, rows: I64, start: float) -> Steps:
    part, shift = taken_rows(steps, rows), round(start)
    moved = {"number": sealed(rows)} if steps.number is None else {}
    for name in ("cycles_from", "cycles_to"):
        own = getattr(part, name)
        moved[name] = sealed(np.where(own >= 0, own - shift, own))
    return replace(part, **moved)


def _beyond(end: float) -> float:
    """The first time behind ``end``, so that what has no length there belongs to the last stretch."""
    return float(np.nextafter(end, np.inf))


def _around(whole: tuple[float, float], chosen: TimeRange | None) -> Iterator[tuple[str, float, float]]:
    if chosen is None:
        return
    length = chosen.end - chosen.start
    yield tr("the selected range"), chosen.start, chosen.end
    if chosen.start - length >= whole[0]:
        yield tr("same length before it"), chosen.start - length, chosen.start
    yield tr("everything before it"), whole[0], chosen.start
    if chosen.end + length <= whole[1]:
        yield tr("same length after it"), chosen.end, chosen.end + length
    yield tr("everything after it"), chosen.end, _beyond(whole[1])


def _of_note(whole: tuple[float, float], note: TimeNote) -> Iterator[tuple[str, float, float]]:
    name = note.text or f"{note.start:,.6g}"
    if not note.moment:
        yield tr("note {name}", name=name), note.start, note.end
    yield tr("before note {name}", name=name), whole[0], note.start
    yield tr("after note {name}", name=name), note.end, _beyond(whole[1])


MOST: Final = 4096
_DEVICE: Final = re.compile(r"Device (\d{1,9})")
"""What processes of a timeline of host events are called."""


def processes(profile: Profile) -> PartList:
    """The processes of the timeline that have slices, with the time from the first start to the last end of each."""
    line = profile.timeline
    about = tr("Processes of the timeline, with the time from their first start to their last end.")
    if line is None:
        return PartList("process", (), about)
    unit: Unit = line.unit
    spans = _spans(line)
    parts = tuple(ProfilePart("process", name, name, end - start, unit) for name, (start, end) in spans.items() if name)
    return PartList("process", parts if len(parts) <= MOST else (), about)


def sections_of_process(profile: Profile, name: str) -> dict[str, Any]:
    """The sections of the process called ``name``."""
    line, events = profile.timeline, profile.host_events
    if line is None:
        return {}
    known = among(line.lanes.process, line.strings.find(name))
    part = of_lanes(line, known)
    device = _DEVICE.fullmatch(name)
    if events is None or device is None:
        return {"timeline": part}
    rows = np.flatnonzero(events.ordinal == int(device[1])).astype(np.int64)
    return {"timeline": renumbered(part, rows), "host_events": of_rows(events, rows)}


def _spans(line: Timeline) -> dict[str, tuple[float, float]]:
    slices, lanes = line.slices, line.lanes
    first = slices.first[lanes.first_row]
    full = np.flatnonzero(np.diff(first) > 0)
    spans: dict[str, tuple[float, float]] = {}
    if not len(full):
        return spans
    start = np.minimum.reduceat(slices.start, first[full])
    end = np.maximum.reduceat(slices.start + slices.duration, first[full])
    process: I32 = lanes.process[full]
    for number, low, high in zip(process.tolist(), start.tolist(), end.tolist(), strict=True):
        name = line.strings.get(number)
        known = spans.get(name, (low, high))
        spans[name] = min(known[0], low), max(known[1], high)
    return spans
