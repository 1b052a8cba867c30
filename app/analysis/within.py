"""Which rows of a table lie inside the range that the person set."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Table
from app.profile.arrays import F64, I64, Bool
from app.profile.profile import Profile
from app.profile.selection import Ranges, TimeRange


def rows_within(profile: Profile, table: Table, ranges: Ranges) -> Bool | None:
    """bool[rows], or None where no range concerns this table. Tiles: rows of those tiles. Time: slices and steps
    that touch the stretch (steps only where the timeline runs in cycles, as they do)."""
    keys = table.keys if table.keys is not None else np.arange(table.rows)
    if table.selects == "tile" and ranges.tiles is not None:
        return np.isin(keys, np.array(ranges.tiles.tiles, np.int64))
    if ranges.time is None or profile.timeline is None:
        return None
    if table.selects == "slice":
        slices = profile.timeline.slices
        return _touches(slices.start[keys], slices.start[keys] + slices.duration[keys], ranges.time)
    if table.selects == "step" and profile.steps is not None and profile.timeline.unit == "cycles":
        return _touches(profile.steps.cycles_from[keys], profile.steps.cycles_to[keys], ranges.time)
    return None


def _touches(start: F64 | I64, end: F64 | I64, stretch: TimeRange) -> Bool:
    return np.asarray((start <= stretch.end) & (end >= stretch.start))
