"""How busy lanes are, measured in small steps while the window is used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.timeline.intervals import busy, parallel
from app.analysis.timeline.rows import lengthless_lanes
from app.profile.arrays import F64, I64, distinct, sealed
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from app.views.timeline.model import Model, slice_extent
from app.views.timeline.rows import spread

AT_ONCE = 1 << 15
"""Slices of a lane that are measured at once."""
ROW_COST = 4
"""Slices that are measured in the time in which a row is searched."""


class LaneUse(Struct, frozen=True, eq=False):
    """``busy``: float64[lanes], 0..1 of the measured time in which any slice of the lane runs, NaN unknown; ``summed``:
    float64[lanes], the sum of the durations as a share of that time, more than ``busy`` where slices overlap;
    ``at_once``: int64[lanes], how many slices run at the same time, at most."""

    busy: F64
    summed: F64
    at_once: I64

    @classmethod
    def unknown(cls, lanes: int) -> LaneUse:
        return cls(np.full(lanes, np.nan), np.full(lanes, np.nan), np.zeros(lanes, np.int64))


def measure(model: Model, use: LaneUse, stretch: TimeRange | None) -> Iterator[None]:
    """Fills ``use`` for ``stretch``, or for the time from the first to the last slice; lanes without slices that last
    stay unknown. Only slices inside the stretch are looked at."""
    begin, end = slice_extent(model.timeline) if stretch is None else (stretch.start, stretch.end)
    first_row, without = model.timeline.lanes.first_row, lengthless_lanes(model.timeline)
    for lane in range(len(use.busy)):
        rows = np.arange(first_row[lane], first_row[lane + 1], dtype=np.int64)
        if not len(rows) or not end > begin or without[lane]:
            use.busy[lane] = use.summed[lane] = np.nan
            continue
        covered = total = 0.0
        most = 0
        edges = _edges(model, rows, begin, end)
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            last = np.inf if stretch is None and high == end else high
            part, window = one_lane(model.timeline, *model.rows.windows(rows, low, last)), TimeRange(low, high)
            covered += float(busy(part, window)[0])
            beside = parallel(part, window)
            total, most = total + float(beside.summed[0]), max(most, int(beside.at_once[0]))
            yield
        use.busy[lane], use.summed[lane], use.at_once[lane] = covered / (end - begin), total / (end - begin), most


def _edges(model: Model, rows: I64, begin: float, end: float) -> F64:
    """float64: moments from ``begin`` to ``end``, between which about AT_ONCE slices of the rows begin; more where
    there are so many rows that looking at each of them would take longer than the slices do."""
    low, high = model.rows.windows(rows, begin, end)
    count = int(np.maximum(high - low, 0).sum())
    pieces = min(-(-count // AT_ONCE), count // (ROW_COST * len(rows)))
    if pieces <= 1:
        return np.array([begin, end])
    whole = slice(int(model.rows.first[rows[0]]), int(model.rows.first[rows[-1] + 1]), max(1, count // (64 * pieces)))
    starts = model.rows.start[whole]
    starts = starts[(starts > begin) & (starts < end)]
    inner = np.quantile(starts, np.arange(1, pieces) / pieces) if len(starts) else starts
    return distinct(np.concatenate(([begin], inner, [end])))


def one_lane(timeline: Timeline, low: I64, high: I64) -> Timeline:
    """A timeline of a single lane with the slices [low, high) of each of its rows."""
    slices, first = timeline.slices, np.zeros(len(low) + 1, np.int64)
    if len(low) == 1:
        start, duration = slices.start[low[0] : high[0]], slices.duration[low[0] : high[0]]
    else:
        index, _ = spread(low, high)
        start, duration = slices.start[index], slices.duration[index]
    first[1:] = np.cumsum(np.maximum(high - low, 0))
    lanes = replace(timeline.lanes, process=_ZERO, thread=_ZERO, first_row=np.array([0, len(low)], np.int32))
    return replace(
        timeline, lanes=lanes, slices=replace(slices, start=start, duration=duration, first=first, untimed=None)
    )


_ZERO = sealed(np.zeros(1, np.int32))
