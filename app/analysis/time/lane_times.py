"""How long each lane works, and how long it waits."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.time.classes import waiting
from app.analysis.timeline.intervals import busy
from app.analysis.timeline.rows import slice_lanes
from app.analysis.unions import union_lengths
from app.profile.arrays import F64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


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
