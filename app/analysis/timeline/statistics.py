"""Slices of one name, taken together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from app.analysis.timeline.innermost import innermost_holders
from app.analysis.timeline.rows import row_lanes, within
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

MANY_ROWS = 48
"""Rows of a lane from which a sweep over time is quicker than looking at each row above."""


@dataclass(frozen=True, slots=True, eq=False)
class NameStatistics:
    """One row a name, by falling total. ``name``: int32 text ids; ``count``: int64; ``total``, ``average``,
    ``minimum``, ``maximum``: float64 in the timeline's unit; ``share``: float64, 0..1 of the sum of all totals, NaN
    where that is zero; ``self_total``: float64, the sum of self times."""

    name: I32
    count: I64
    total: F64
    average: F64
    minimum: F64
    maximum: F64
    share: F64
    self_total: F64

    def __len__(self) -> int:
        return len(self.name)


def by_name(timeline: Timeline, stretch: TimeRange | None = None, chosen: Bool | I64 | None = None) -> NameStatistics:
    """Statistics of the slices ``chosen`` (mask or indices; None all). Of a slice that ``stretch`` cuts only the
    part inside counts."""
    slices = timeline.slices
    which = _chosen(timeline, stretch, chosen)
    start, name = slices.start[which], slices.name[which]
    duration = slices.duration[which]
    alone = self_time(timeline, stretch)[which]
    if stretch is not None:
        duration = np.minimum(start + duration, stretch.end) - np.maximum(start, stretch.start)
        duration = np.where(slices.duration[which] > 0, duration, 0.0)
    names = len(timeline.strings)
    count = np.bincount(name, minlength=names).astype(np.int64)
    total = np.bincount(name, duration, minlength=names).astype(np.float64)
    least, most = np.full(names, np.inf), np.full(names, -np.inf)
    np.minimum.at(least, name, duration)
    np.maximum.at(most, name, duration)
    found = np.flatnonzero(count)
    found = found[np.argsort(-total[found], kind="stable")]
    everything = float(total.sum())
    return NameStatistics(
        name=found.astype(np.int32),
        count=count[found],
        total=total[found],
        average=total[found] / count[found],
        minimum=least[found],
        maximum=most[found],
        share=total[found] / (everything if everything > 0 else np.nan),
        self_total=np.bincount(name, alone, minlength=names).astype(np.float64)[found],
    )


def _chosen(timeline: Timeline, stretch: TimeRange | None, chosen: Bool | I64 | None) -> Bool | I64 | slice:
    if stretch is None:
        return slice(None) if chosen is None else chosen
    inside = within(timeline, stretch)
    if chosen is None:
        return inside
    return inside & chosen if chosen.dtype == np.bool_ else chosen[inside[chosen]]


def self_time(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[slices]: the duration without what slices of the rows below, that lie inside it, take; never below
    zero (such slices may overlap one another). A slice belongs to the innermost one above that holds it. With
    ``stretch`` only what lies inside of it counts, of the slice and of those that it holds."""
    slices, rows = timeline.slices, row_lanes(timeline)
    end = slices.start + slices.duration
    inside = slices.duration
    if stretch is not None:
        inside = np.clip(end, stretch.start, stretch.end) - np.clip(slices.start, stretch.start, stretch.end)
    found = inside.copy()
    for first, stop in _lanes_of_rows(rows):
        if stop - first > MANY_ROWS:
            _take_off_by_sweep(found, timeline, first, stop, end, inside)
        else:
            _take_off_by_rows(found, timeline, first, stop, end, inside)
    return np.maximum(found, 0.0)


def _lanes_of_rows(rows: I32) -> Iterator[tuple[int, int]]:
    """(first, stop) row of each lane that has more than one."""
    borders = np.flatnonzero(np.diff(rows, prepend=-1, append=-1)).tolist()
    for first, stop in pairwise(borders):
        if stop - first > 1:
            yield first, stop


def _take_off_by_rows(found: F64, timeline: Timeline, first: int, stop: int, end: F64, inside: F64) -> None:
    """Row by row, looking at each of the rows above: quick where there are few."""
    slices = timeline.slices
    for row in range(first + 1, stop):
        left = np.arange(slices.first[row], slices.first[row + 1])
        above = row - 1
        while len(left) and above >= first:
            a, b = int(slices.first[above]), int(slices.first[above + 1])
            holder = a + np.searchsorted(slices.start[a:b], slices.start[left], "right") - 1
            held = holder >= a
            held[held] = end[holder[held]] >= end[left[held]]
            np.subtract.at(found, holder[held], inside[left[held]])
            left, above = left[~held], above - 1


def _take_off_by_sweep(found: F64, timeline: Timeline, first: int, stop: int, end: F64, inside: F64) -> None:
    """The same in one pass over time, for a lane of very many rows."""
    slices = timeline.slices
    a, b = int(slices.first[first]), int(slices.first[stop])
    row = np.repeat(np.arange(stop - first), np.diff(slices.first[first : stop + 1]))
    holder = innermost_holders(slices.start[a:b], end[a:b], row)
    held = holder >= 0
    np.subtract.at(found, a + holder[held], inside[a:b][held])
