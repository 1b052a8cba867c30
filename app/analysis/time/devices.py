"""Devices of a trace: lanes that hosts launch on, when they compute, communicate and idle, and when what ran next was
launched."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.time.classes import REMARK, WORK, classes
from app.analysis.time.links import launch_groups, launches
from app.analysis.time.pieces import NEAR
from app.analysis.timeline.intervals import Spans, union, union_lengths, without
from app.analysis.timeline.times import slice_lanes
from app.profile.arrays import F64, I32, I64, Bool, among, distinct
from app.profile.kept import kept
from app.profile.timeline import Timeline

_COLLECTIVE: Final = re.compile(
    r"(nccl|rccl|hccl|hcom|msccl|oneccl)\w*.*|.*(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all).*", re.IGNORECASE
)
_COPY: Final = re.compile(r"(mem(cpy|set|ory)|sdma|memcpy_async).*", re.IGNORECASE)


_NOTHING, _HOLDS, _COMPUTES, _COMMUNICATES = range(4)


class Device(Struct, frozen=True, eq=False):
    """What one group of host processes launches on. ``name``: of the process with the most launches; ``start``,
    ``end``: of its first and last kernel or collective; ``computing``, ``communicating``, ``held``: when any kernel,
    collective, or anything at all (waits too) runs; ``kernels``, ``collectives``: int64 slices;
    ``launched``: int64 slices with a launch, by start, ``launch``: float64, the time of its last launch; ``own``:
    float64[lanes], the work of each of its lanes, 0 for others; ``hosts``: bool[lanes], those of the processes that
    launch."""

    name: str
    start: float
    end: float
    computing: Spans
    communicating: Spans
    held: Spans
    kernels: I64
    collectives: I64
    launched: I64
    launch: F64
    own: F64
    hosts: Bool

    @property
    def span(self) -> float:
        return self.end - self.start

    @property
    def exposed(self) -> Spans:
        """When it communicates and does not compute."""
        return without(self.communicating, self.computing)


class Idle(Struct, frozen=True, eq=False):
    """Times in which a device holds nothing, float64 by gap: from ``start`` to ``launch`` what runs next was not
    launched yet, from there to ``end`` it was. ``slice``: int64, what runs next."""

    start: F64
    launch: F64
    end: F64
    slice: I64


def devices(timeline: Timeline) -> tuple[Device, ...]:
    """The devices, in the order of their lanes; none if no arrow leads from one process to another."""
    return kept(timeline, _made)


def _made(timeline: Timeline) -> tuple[Device, ...]:
    launched = launches(timeline)
    if not len(launched):
        return ()
    lane, kinds = slice_lanes(timeline), classes(timeline)
    name = timeline.slices.name
    collective = _matching(timeline, _COLLECTIVE)[name]
    what = np.where(kinds == REMARK, _NOTHING, _HOLDS)
    what[kinds == WORK] = _COMPUTES
    what[(kinds == WORK) & _matching(timeline, _COPY)[name]] = _HOLDS
    what[(kinds == WORK) & collective] = _COMMUNICATES
    groups = launch_groups(timeline, launched)
    group = groups[timeline.flows.to_lane[launched]]
    made = distinct(group).tolist()
    further = _communication_lanes(timeline) if len(made) == 1 else np.zeros(len(groups), np.bool_)
    return tuple(_device(timeline, launched[group == number], lane, what, further) for number in made)


def _communication_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: those that are named after communication, whether or not an arrow leads to them."""
    strings, lanes = timeline.strings, timeline.lanes
    pairs = zip(lanes.process.tolist(), lanes.thread.tolist(), strict=True)
    named = [strings.get(one).startswith("HCCL") or "Communication" in strings.get(two) for one, two in pairs]
    return np.array(named, np.bool_)


def _device(timeline: Timeline, launched: I64, lane: I32, what: I64, further: Bool) -> Device:
    flows, slices = timeline.flows, timeline.slices
    own = np.zeros(len(timeline.lanes.thread), np.bool_)
    own[flows.to_lane[launched]] = True
    inside = own[lane]
    kernels = np.flatnonzero(inside & (what == _COMPUTES))
    collectives = np.flatnonzero((inside | further[lane]) & (what == _COMMUNICATES))
    held = np.flatnonzero(inside & (what != _NOTHING))
    started, launch = _launched(flows.to_slice[launched], flows.from_time[launched])
    order = np.argsort(slices.start[started], kind="stable")
    works = np.concatenate((kernels, collectives))
    covered = union_lengths(
        slices.start[works], (slices.start + slices.duration)[works], lane[works].astype(np.int64), len(own)
    )
    busy = _spans(timeline, works)
    process = timeline.lanes.process[flows.to_lane[launched]]
    most = int(np.bincount(process).argmax())
    return Device(
        timeline.strings.get(most),
        float(busy.start[0]) if len(busy) else 0.0,
        float(busy.end[-1]) if len(busy) else 0.0,
        _spans(timeline, kernels),
        _spans(timeline, collectives),
        _spans(timeline, held),
        kernels,
        collectives,
        started[order],
        launch[order],
        covered,
        among(timeline.lanes.process, timeline.lanes.process[flows.from_lane[launched]]),
    )


def _spans(timeline: Timeline, index: I64) -> Spans:
    """When any of these slices runs."""
    start = timeline.slices.start[index]
    end = start + timeline.slices.duration[index]
    order = np.flatnonzero(end > start)
    order = order[np.argsort(start[order], kind="stable")]
    return union(start[order], end[order])


def _launched(target: I64, time: F64) -> tuple[I64, F64]:
    """(the distinct slices that are launched; the last launch of each)."""
    order = np.lexsort((time, target))
    last = np.append(target[order][1:] != target[order][:-1], True)
    return target[order][last], time[order][last]


def between_launches(timeline: Timeline, device: Device) -> F64:
    """float64: the times from one launch of a host lane to the next one of a kernel."""
    flows = timeline.flows
    kernel = np.zeros(len(timeline.slices.start), np.bool_)
    kernel[device.kernels] = True
    rows = launches(timeline)
    rows = rows[kernel[flows.to_slice[rows]]]
    order = rows[np.lexsort((flows.from_time[rows], flows.from_lane[rows]))]
    same = flows.from_lane[order][1:] == flows.from_lane[order][:-1]
    apart: F64 = np.diff(flows.from_time[order])[same]
    return apart


def idle(timeline: Timeline, device: Device) -> Idle:
    """The gaps of a device before slices with a known launch: until it was launched, and from then on."""
    starts = timeline.slices.start[device.launched]
    begin, end = device.held.end[:-1], device.held.start[1:]
    place = np.searchsorted(starts, end)
    known = (place < len(starts)) & (begin >= device.start) & (end <= device.end)
    known[known] = starts[place[known]] <= end[known] + NEAR * device.span
    begin, end, place = begin[known], end[known], place[known]
    return Idle(begin, np.clip(device.launch[place], begin, end), end, device.launched[place])


def _matching(timeline: Timeline, pattern: re.Pattern[str]) -> Bool:
    """bool[texts + 1]: which names of slices match."""
    strings = timeline.strings
    matches = np.zeros(len(strings) + 1, np.bool_)
    for text in distinct(timeline.slices.name).tolist():
        matches[text] = text >= 0 and pattern.fullmatch(strings[text]) is not None
    return matches
