"""Slices of one name, taken together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.analysis.timeline.rows import within
from app.analysis.timeline.self_times import self_time
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


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
