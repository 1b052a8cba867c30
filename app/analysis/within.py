"""Which rows of a table are inside the selected ranges."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Table
from app.profile.arrays import F64, I64, Bool, among
from app.profile.profile import Profile
from app.profile.selection import Ranges, TimeRange
from app.profile.tensorflow import GRAIN
from app.profile.timeline import Timeline


def rows_within(profile: Profile, table: Table, ranges: Ranges) -> Bool | None:
    """bool[rows], or None if no range applies to this table. Tiles: rows of those tiles, and variables on them. Time:
    slices that overlap the range, steps whose slice does (a step without cycles of its own, such as Sync, has a place
    on the timeline too), and host events (one without a time never does). Rows that stand for nothing in this profile
    (key -1) are outside."""
    keys = table.keys if table.keys is not None else np.arange(table.rows)
    within = _within(profile, table, keys, ranges)
    return None if within is None else within & (keys >= 0)


def _within(profile: Profile, table: Table, keys: I64, ranges: Ranges) -> Bool | None:
    if table.selects == "tile" and ranges.tiles is not None:
        return among(keys, np.array(ranges.tiles.tiles, np.int64))
    if table.id == "variables" and ranges.tiles is not None and profile.variables is not None:
        return among(profile.variables.tile[keys], np.array(ranges.tiles.tiles, np.int64))
    if ranges.time is None or profile.timeline is None:
        return None
    if table.selects == "slice":
        slices = profile.timeline.slices
        return _touches(slices.start[keys], slices.start[keys] + slices.duration[keys], ranges.time)
    if table.selects == "host_event" and profile.host_events is not None:
        events = profile.host_events
        start = np.round(events.starts() - events.zero, GRAIN)
        return _touches(start, events.since(), ranges.time)[keys]
    if table.selects == "step" and profile.steps is not None and profile.timeline.unit == "cycles":
        return _steps_within(profile.timeline, len(profile.steps), ranges.time)[keys]
    return None


def _steps_within(timeline: Timeline, steps: int, stretch: TimeRange) -> Bool:
    """bool[steps]: those with a slice that overlaps the range."""
    slices = timeline.slices
    records = slices.record[_touches(slices.start, slices.start + slices.duration, stretch)]
    inside = np.zeros(steps, np.bool_)
    inside[records[(records >= 0) & (records < steps)]] = True
    return inside


def _touches(start: F64, end: F64, stretch: TimeRange) -> Bool:
    return np.asarray((start <= stretch.end) & (end >= stretch.start))
