"""What a slice is: work, waiting, a barrier, the setting of a flag, or a remark about other slices; and how long
each lane works and waits."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.analysis.timeline.intervals import busy, union_lengths
from app.analysis.timeline.pipes import PROCESS as OVERLAPS
from app.analysis.timeline.pipes import name_kinds
from app.analysis.timeline.times import lengthless, slice_lanes
from app.profile.arrays import F64, U8, Bool, among, distinct, sealed
from app.profile.kept import kept
from app.profile.pipes import is_work
from app.profile.selection import TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Timeline

WORK, SET, WAIT, BARRIER, REMARK = range(5)
"""REMARK: instants, annotations, states and summaries, which hold no lane."""

_REMARKS: Final = ("Trace", "user_annotation", "gpu_user_annotation", "cuda_sync", "scheduler_phase")
"""Categories of annotations (PyTorch's profiler), of what a host waits for (its own call is the wait), and of the
schedulers of a task graph, whose work is not that of the cores."""
_PROCESSES: Final = ("Spans", "Traces", OVERLAPS)
_RUN, _SYNC = "Execution", "Sync"
_STEPS: Final = ("ProfilerStep#", "PROFILING_ENABLE", "PROFILING_DISABLE")


def classes(timeline: Timeline) -> U8:
    """uint8[slices]: WORK, SET, WAIT, BARRIER or REMARK, by the names that the file uses."""
    return kept(timeline, _classes)


def _classes(timeline: Timeline) -> U8:
    slices, strings = timeline.slices, timeline.strings
    of_name = _by_name(strings)
    kinds = of_name[slices.name]
    remarks = _named(strings, _REMARKS)[slices.category] | _remark_lanes(timeline)[slice_lanes(timeline)]
    without = lengthless(timeline)
    kinds[_sync_lanes(timeline)[slice_lanes(timeline)]] = WAIT
    kinds[remarks if without is None else remarks | without] = REMARK
    return sealed(kinds)


def waiting(timeline: Timeline) -> Bool | None:
    """bool[slices]: those that only wait, for a flag, a barrier or a device; None if there are none."""
    return kept(timeline, _waiting)


def _waiting(timeline: Timeline) -> Bool | None:
    kinds = classes(timeline)
    waits: Bool = (kinds == WAIT) | (kinds == BARRIER)
    return sealed(waits) if waits.any() else None


def _by_name(strings: Strings) -> U8:
    """uint8[texts + 1]: the class of each name; the last entry serves -1, no name."""
    found, kinds = np.zeros(len(strings) + 1, np.uint8), name_kinds(strings)
    for names, own in ((kinds.waits, WAIT), (kinds.barriers, BARRIER), (kinds.sets, SET), (kinds.before, REMARK)):
        found[names] = own
    for word in _STEPS if len(strings) else ():
        found[:-1][matching_texts(strings, word)] = REMARK
    return found


def _named(strings: Strings, names: tuple[str, ...]) -> Bool:
    """bool[texts + 1]: which texts are among ``names``."""
    found = np.zeros(len(strings) + 1, np.bool_)
    for name in names:
        found[strings.find(name)] = True
    return found


def _sync_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: that of the steps of a Poplar run in which tiles wait for one another."""
    lanes, strings = timeline.lanes, timeline.strings
    return among(lanes.process, strings.find(_RUN)) & among(lanes.thread, strings.find(_SYNC))


def _remark_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: lanes of states, regions, marks, and of summaries of other lanes."""
    lanes, strings = timeline.lanes, timeline.strings
    threads = [text for text in distinct(lanes.thread).tolist() if not is_work(strings.get(text))]
    processes = [text for text in distinct(lanes.process).tolist() if strings.get(text).startswith(_PROCESSES)]
    remarks: Bool = among(lanes.thread, threads) | among(lanes.process, processes)
    return remarks


class LaneTimes(Struct, frozen=True, eq=False):
    """float64[lanes], in the unit of the timeline, each moment counted once: ``held``, in which any slice runs;
    ``waiting``, in which one waits for a flag, a barrier, an event or a device."""

    held: F64
    waiting: F64

    @property
    def work(self) -> F64:
        """float64[lanes]: in which slices run and none waits."""
        return np.maximum(self.held - self.waiting, 0.0)


def lane_times(timeline: Timeline, stretch: TimeRange | None = None) -> LaneTimes:
    """Of all lanes, inside ``stretch`` or overall."""
    lanes, waits = len(timeline.lanes.thread), waiting(timeline)
    if waits is None:
        return LaneTimes(busy(timeline, stretch), np.zeros(lanes))
    own = np.flatnonzero(waits)
    start = timeline.slices.start[own]
    end = start + timeline.slices.duration[own]
    if stretch is not None:
        start, end = (np.clip(times, stretch.start, stretch.end) for times in (start, end))
    return LaneTimes(busy(timeline, stretch), union_lengths(start, end, slice_lanes(timeline)[own], lanes))
