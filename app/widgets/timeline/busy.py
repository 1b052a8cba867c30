"""How busy each lane is, lane by lane, so that the window's thread is never held up. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.analysis.timeline import busy, lengthless_lanes
from app.profile.arrays import F64, I64, sealed
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from app.widgets.timeline.model import Model, slice_extent
from app.widgets.timeline.rows import spread


def lane_shares(model: Model, shares: F64, stretch: TimeRange | None) -> Iterator[None]:
    """Fills ``shares`` (float64[lanes]), 0..1 of ``stretch`` or of the time from the first to the last slice; lanes
    without slices that last stay NaN. Only slices inside the stretch are looked at."""
    begin, end = slice_extent(model.timeline) if stretch is None else (stretch.start, stretch.end)
    first_row, without = model.timeline.lanes.first_row, lengthless_lanes(model.timeline)
    for lane in range(len(shares)):
        rows = np.arange(first_row[lane], first_row[lane + 1], dtype=np.int64)
        if not len(rows) or not end > begin or without[lane]:
            shares[lane] = np.nan
            continue
        low, high = model.rows.windows(rows, begin, np.inf if stretch is None else end)
        shares[lane] = busy(one_lane(model.timeline, low, high), TimeRange(begin, end))[0] / (end - begin)
        yield


def one_lane(timeline: Timeline, low: I64, high: I64) -> Timeline:
    """A timeline of a single lane with the slices [low, high) of each of its rows."""
    index, _ = spread(low, high)
    slices, none = timeline.slices, np.zeros(len(low) + 1, np.int64)
    if len(low) == 1:
        start, duration = slices.start[low[0] : high[0]], slices.duration[low[0] : high[0]]
    else:
        start, duration = slices.start[index], slices.duration[index]
    none[1:] = np.cumsum(np.maximum(high - low, 0))
    lanes = replace(timeline.lanes, process=_ZERO, thread=_ZERO, first_row=np.array([0, len(low)], np.int32))
    return replace(
        timeline, lanes=lanes, slices=replace(slices, start=start, duration=duration, first=none, untimed=None)
    )


_ZERO = sealed(np.zeros(1, np.int32))
