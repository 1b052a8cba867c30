"""Two timelines: where times of the baseline lie on the axis of the comparison, which slices and lanes belong together,
how their times differ, and the program steps of two liveness trees side by side."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.alignment import Check, never
from app.analysis.compare.codes import interleaved
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.lanes import lane_table, unit_factor
from app.analysis.compare.matched import Matches
from app.analysis.compare.tables import EPSILON, ROUNDING
from app.analysis.poplar.liveness import Curve, curve
from app.analysis.table import Table
from app.analysis.time.classes import lane_times
from app.analysis.timeline.times import extent, lane_counts, lengthless_lanes, reach
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


class TimeMap(Struct, frozen=True):
    """The moment ``before`` of the baseline lies at the moment ``after`` of the comparison, and from there on one unit
    of the baseline is as long as ``factor`` units of the comparison."""

    before: float
    after: float
    factor: float = 1.0

    def to_after(self, moment: float) -> float:
        """Where a moment of the baseline lies in the comparison."""
        return self.after + (moment - self.before) * self.factor

    def to_before(self, moment: float) -> float:
        """Where a moment of the comparison lies in the baseline."""
        return self.before + (moment - self.after) / self.factor

    def range_after(self, stretch: TimeRange) -> TimeRange:
        """A range of the baseline in times of the comparison."""
        return TimeRange(self.to_after(stretch.start), self.to_after(stretch.end))

    def range_before(self, stretch: TimeRange) -> TimeRange:
        """A range of the comparison in times of the baseline."""
        return TimeRange(self.to_before(stretch.start), self.to_before(stretch.end))


def at_start(before: Timeline, after: Timeline) -> TimeMap | None:
    """Both begin at the same place of the axis; None without a common unit."""
    factor, ends = unit_factor(before, after), _ends(before, after)
    return None if factor is None else TimeMap(ends[0][0], ends[1][0], factor)


def at_slices(
    before: Timeline, after: Timeline, slice_before: int, slice_after: int, *, end: bool = False
) -> TimeMap | None:
    """These two slices start (``end``: end) at the same place of the axis; None without a common unit."""
    factor = unit_factor(before, after)
    if factor is None:
        return None
    one, other = before.slices.start[slice_before], after.slices.start[slice_after]
    if end:
        one, other = one + before.slices.duration[slice_before], other + after.slices.duration[slice_after]
    return TimeMap(float(one), float(other), factor)


def stretched(before: Timeline, after: Timeline) -> TimeMap:
    """Both begin and end at the same places of the axis."""
    (start, end), (after_start, after_end) = _ends(before, after)
    length, after_length = end - start, after_end - after_start
    return TimeMap(start, after_start, after_length / length if length > 0 and after_length > 0 else 1.0)


def _ends(before: Timeline, after: Timeline) -> tuple[tuple[float, float], tuple[float, float]]:
    return extent(before) or (0.0, 0.0), extent(after) or (0.0, 0.0)


class LaneDifferences(Struct, frozen=True, eq=False):
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


def lane_differences(
    before: Timeline, after: Timeline, matches: Matches, time_map: TimeMap | None, stretch: TimeRange | None
) -> LaneDifferences:
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
    return LaneDifferences(matches, mine, of_after, difference)


def _busy(timeline: Timeline, stretch: TimeRange | None) -> F64:
    """float64[lanes], without waiting: NaN where the length of no slice is known, and for lanes without slices."""
    unknown = lengthless_lanes(timeline) | (lane_counts(timeline) == 0)
    return np.where(unknown, np.nan, lane_times(timeline, stretch).work)


MOST: Final = 10_000
"""Differences that can be stepped through, the largest first."""


def slice_matches(comparison: Comparison, check: Check = never) -> Matches:
    """Which slices belong together, and which instants."""
    return comparison.slices(check)


def lane_matches(comparison: Comparison, check: Check = never) -> Matches:
    """Which lanes belong together, by the rules of the table of lanes."""
    if comparison.lanes is not None:
        return comparison.lanes.matches
    before, after = (_lanes(profile.timeline) for profile in (comparison.before, comparison.after))
    return comparison.compare("lanes", before, after, check).matches


def _lanes(timeline: Timeline | None) -> Table:
    if timeline is None:
        return Table("lanes", "", ())
    return lane_table(timeline)


class SliceDifferences(Struct, frozen=True, eq=False):
    """``matches`` of the slices. ``before``, ``after``: int64, slices (-1: that side has none) that differ in duration
    or have no partner, by falling |difference|, MOST at most; ``difference``: float64, of their durations in units of
    the comparison (a slice that only one side has counts with its whole duration), NaN where durations cannot be
    compared. ``changed``: how many matched slices differ in duration."""

    matches: Matches
    before: I64
    after: I64
    difference: F64
    changed: int

    @property
    def only_before(self) -> I64:
        """int64, ascending: slices that only the baseline has."""
        return self.matches.only_before

    @property
    def only_after(self) -> I64:
        """int64, ascending: slices that only the comparison has."""
        return self.matches.only_after

    @property
    def count(self) -> int:
        """How many there are to step through, if there were no limit."""
        return self.changed + len(self.only_before) + len(self.only_after)


def slice_differences(before: Timeline, after: Timeline, matches: Matches) -> SliceDifferences:
    """What differs between the slices of two timelines."""
    factor = unit_factor(before, after)
    one, other = matches.pairs
    difference = durations_apart(before, after, one, other)
    apart = np.flatnonzero(difference != 0) if factor is not None else np.empty(0, np.int64)
    apart = apart[~np.isnan(difference[apart])]
    alone = np.concatenate((-_whole(before, matches.only_before, factor), _whole(after, matches.only_after, 1.0)))
    none = np.full(len(matches.only_after), -1)
    whole_before = np.concatenate((one[apart], matches.only_before, none))
    whole_after = np.concatenate((other[apart], np.full(len(matches.only_before), -1), matches.only_after))
    size = np.concatenate((difference[apart], alone))
    order = np.argsort(-np.abs(np.nan_to_num(size)), kind="stable")[:MOST]
    return SliceDifferences(
        matches, sealed(whole_before[order]), sealed(whole_after[order]), sealed(size[order]), len(apart)
    )


def durations_apart(before: Timeline, after: Timeline, slices_before: I64, slices_after: I64) -> F64:
    """float64: duration after minus duration before of pairs of slices, in units of the comparison; 0 for no more than
    rounding, NaN where the source does not give both, or they have no common unit."""
    factor = unit_factor(before, after)
    if factor is None:
        return np.full(len(slices_before), np.nan)
    long_before, long_after = before.slices.duration[slices_before] * factor, after.slices.duration[slices_after]
    difference = long_after - long_before
    difference[np.abs(difference) <= ROUNDING * np.maximum(long_before, long_after)] = 0.0
    for untimed, index in ((before.slices.untimed, slices_before), (after.slices.untimed, slices_after)):
        if untimed is not None:
            difference[untimed[index]] = np.nan
    return difference


def _whole(timeline: Timeline, index: I64, factor: float | None) -> F64:
    return timeline.slices.duration[index] * (np.nan if factor is None else factor)


class LiveSteps(Struct, frozen=True, eq=False):
    """``before``, ``after``: the curves; ``steps_before``, ``steps_after``: int64[places], the program step of each at
    each place, -1 where it has none. ``of_after``: int32[nodes after], the node before that each is matched with."""

    before: Curve
    after: Curve
    steps_before: I64
    steps_after: I64
    of_after: I32

    def nodes_before(self, nodes: I64) -> I64:
        """The nodes of the tree before that belong to some after."""
        own = self.of_after[nodes[(nodes >= 0) & (nodes < len(self.of_after))]].astype(np.int64)
        return own[own >= 0]


def live_steps(comparison: Comparison, check: Check = never) -> LiveSteps | None:
    """The steps in the order in which they run: a step that only one side has stands after the one it follows there.
    None unless both profiles have a liveness tree."""
    before, after = curve(comparison.before), curve(comparison.after)
    compared = comparison.table("liveness", check)
    if before is None or after is None or compared is None:
        return None
    matches = compared.matches
    step_of = np.full(matches.rows_after + 1, -1, np.int64)
    step_of[after.nodes] = np.arange(len(after.nodes))
    partner = step_of[matches.of_before[before.nodes]]  # -1: the last, which is none
    one, other = interleaved(partner, len(after.nodes))
    return LiveSteps(before, after, one, other, matches.of_after)
