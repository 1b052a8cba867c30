"""How much longer or shorter lanes are busy than in the baseline."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.compared import EPSILON, ROUNDING
from app.analysis.compare.matches import Matches
from app.analysis.compare.time_map import TimeMap, unit_factor
from app.analysis.timeline.intervals import busy
from app.analysis.timeline.rows import lane_counts, lengthless_lanes
from app.analysis.timeline.times import reach
from app.profile.arrays import F64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


class LaneTimes(Struct, frozen=True, eq=False):
    """``matches`` of the lanes. Per lane of the comparison: ``before``, ``after``: float64, the time in which the lane
    is busy, in units of the comparison, NaN where it is not known; ``difference``: float64, after minus before, NaN
    where either is not known."""

    matches: Matches
    before: F64
    after: F64
    difference: F64

    @property
    def unchanged(self) -> bool:
        """Whether every lane has a partner that is busy as long."""
        known = self.difference[~np.isnan(self.difference)]
        return self.matches.whole and not known.any()


def lane_times(
    before: Timeline, after: Timeline, matches: Matches, time_map: TimeMap | None, stretch: TimeRange | None
) -> LaneTimes:
    """The busy times of lanes. ``stretch``: only inside this range of the comparison, which ``time_map`` places on the
    baseline; None: overall."""
    factor = unit_factor(before, after)
    inside = None if stretch is None or time_map is None else time_map.range_before(stretch)
    unknown = factor is None or (stretch is not None and inside is None)
    of_before = np.full(len(before.lanes.thread), np.nan) if unknown else _busy(before, inside) * (factor or 1.0)
    of_after = _busy(after, stretch)
    partner = matches.of_after
    there = partner >= 0
    mine = np.full(len(of_after), np.nan)
    mine[there] = of_before[partner[there]]
    difference = of_after - mine
    rounding = EPSILON * max(reach(before) * (factor or 1.0), reach(after))
    with np.errstate(invalid="ignore"):
        same = np.abs(difference) <= np.maximum(ROUNDING * np.fmax(mine, of_after), rounding)
    difference[same] = 0.0
    return LaneTimes(matches, mine, of_after, difference)


def _busy(timeline: Timeline, stretch: TimeRange | None) -> F64:
    """float64[lanes]: NaN where the length of no slice is known, and for lanes without slices."""
    unknown = lengthless_lanes(timeline) | (lane_counts(timeline) == 0)
    return np.where(unknown, np.nan, busy(timeline, stretch))
