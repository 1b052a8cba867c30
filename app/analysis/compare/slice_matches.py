"""Which slices and lanes of two timelines belong together, and how their durations differ."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.compared import ROUNDING
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matches import Matches
from app.analysis.compare.partners import NO_RULE
from app.analysis.compare.polling import Check, never
from app.analysis.compare.time_map import unit_factor
from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.rows import lasting, slice_lanes
from app.analysis.timeline.times import lane_columns
from app.profile.arrays import F64, I64, sealed
from app.profile.timeline import Timeline

MOST: Final = 10_000
"""Differences that can be stepped through, the largest first."""


def slice_matches(comparison: Comparison, check: Check = never) -> Matches:
    """Which slices belong together, by the rules of the table of slices, and which instants by those of theirs."""
    before, after = comparison.before.timeline, comparison.after.timeline
    made = comparison.compare("slices", _slices(before), _slices(after), check).matches
    if before is None or after is None or not (len(before.instants.slice) or len(after.instants.slice)):
        return made
    marks = comparison.compare("instants", _instants(before), _instants(after), check).matches
    count = len(before.slices.start)
    of_before, rule = np.full(count, -1, np.int32), np.full(count, NO_RULE, np.uint8)
    for part, own, other in (
        (made, _lasting(before), _lasting(after)),
        (marks, before.instants.slice, after.instants.slice),
    ):
        rows, partners = part.pairs
        of_before[own[rows]] = other[partners]
        rule[own] = part.rule
    return Matches(sealed(of_before), sealed(rule), len(after.slices.start), made.exact and marks.exact)


def lane_matches(comparison: Comparison, check: Check = never) -> Matches:
    """Which lanes belong together, by the rules of the table of lanes."""
    before, after = (_lanes(profile.timeline) for profile in (comparison.before, comparison.after))
    return comparison.compare("lanes", before, after, check).matches


def _slices(timeline: Timeline | None) -> Table:
    """Only the columns by which slices are matched."""
    if timeline is None:
        return Table("slices", "", ())
    return _some("slices", timeline, _lasting(timeline))


def _instants(timeline: Timeline | None) -> Table:
    return Table("instants", "", ()) if timeline is None else _some("instants", timeline, timeline.instants.slice)


def _some(table_id: str, timeline: Timeline, index: I64) -> Table:
    name = Column("name", "", Coded(timeline.slices.name[index], timeline.strings), role="name")
    return Table(table_id, "", (name, *lane_columns(timeline, slice_lanes(timeline)[index])))


def _lasting(timeline: Timeline) -> I64:
    """int64, ascending: the slices that are no instants."""
    rows = lasting(timeline)
    return np.arange(len(timeline.slices.start), dtype=np.int64) if rows is None else rows


def _lanes(timeline: Timeline | None) -> Table:
    if timeline is None:
        return Table("lanes", "", ())
    return Table("lanes", "", lane_columns(timeline, np.arange(len(timeline.lanes.thread), dtype=np.int32)))


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
