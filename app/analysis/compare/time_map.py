"""Where the times of the baseline lie on the time axis of the comparison."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.timeline.rows import extent
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


def unit_factor(before: Timeline, after: Timeline) -> float | None:
    """Units of the comparison in one unit of the baseline: 1 for cycles on both sides, whatever their clocks. None
    where one is in cycles of an unknown clock and the other in time."""
    if before.unit == after.unit:
        return 1.0
    if not before.seconds_per_unit or not after.seconds_per_unit:
        return None
    return before.seconds_per_unit / after.seconds_per_unit


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
