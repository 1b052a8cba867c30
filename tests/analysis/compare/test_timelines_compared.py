"""Two timelines on one axis: where they lie, which slices and lanes belong together, and how they differ."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.lanes import unit_factor
from app.analysis.compare.timelines import (
    LaneDifferences,
    SliceDifferences,
    TimeMap,
    at_slices,
    at_start,
    lane_differences,
    lane_matches,
    slice_differences,
    slice_matches,
    stretched,
)
from app.analysis.tables.timeline import statistics_table
from app.analysis.timeline.statistics import by_name
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from generators.timeline_pairs import Row, dropped, inserted, lanes, profile, slower
from generators.timelines import timeline

BEFORE = profile(lanes())


def line(of: Profile) -> Timeline:
    assert of.timeline is not None
    return of.timeline


def differences(before: Profile, after: Profile) -> SliceDifferences:
    return slice_differences(line(before), line(after), slice_matches(Comparison(before, after)))


def times(before: Profile, after: Profile, stretch: TimeRange | None = None) -> LaneDifferences:
    matches = lane_matches(Comparison(before, after))
    return lane_differences(line(before), line(after), matches, at_start(line(before), line(after)), stretch)


def test_itself_against_itself_has_no_difference() -> None:
    made = differences(BEFORE, profile(lanes()))
    assert made.matches.whole
    assert (made.count, len(made.difference)) == (0, 0)
    assert times(BEFORE, profile(lanes())).unchanged


def test_a_slower_slice_is_the_only_difference() -> None:
    after = profile(slower(1, 4))
    made = differences(BEFORE, after)
    assert made.matches.whole
    assert (made.before.tolist(), made.after.tolist()) == ([16], [16])
    assert made.difference[0] == pytest.approx(0.8)
    assert times(BEFORE, after).difference.tolist() == pytest.approx([0, 0.8, 0])


def test_an_inserted_slice_is_only_in_the_comparison() -> None:
    after = profile(inserted(2, 5))
    made = differences(BEFORE, after)
    assert (made.only_before.tolist(), made.only_after.tolist()) == ([], [29])
    assert (made.before.tolist(), made.after.tolist(), made.difference.tolist()) == ([-1], [29], [1.0])
    assert made.changed == 0
    assert times(BEFORE, after).difference.tolist() == [0, 0, 1]


def test_a_dropped_lane_is_only_in_the_baseline() -> None:
    after = profile(dropped(1))
    made = differences(BEFORE, after)
    assert made.only_before.tolist() == list(range(12, 24))
    assert not len(made.only_after)
    assert made.difference.tolist() == [-8.0] * 12
    lanes_of = times(BEFORE, after)
    assert lanes_of.matches.only_before.tolist() == [1]
    assert lanes_of.difference.tolist() == [0, 0]


def test_differences_fall_and_are_those_of_the_pairs() -> None:
    random = np.random.default_rng(7)
    after = lanes(40)
    for _, _, rows in after:
        rows[0] = [(start, float(random.uniform(1, 9)), name, kind) for start, _, name, kind in rows[0]]
    before, other = profile(lanes(40)), profile(after)
    made = differences(before, other)
    assert made.count == 120
    assert (np.diff(np.abs(made.difference)) <= 0).all()
    for one, two, amount in zip(made.before, made.after, made.difference, strict=True):
        assert amount == line(other).slices.duration[two] - line(before).slices.duration[one]


def test_durations_of_one_unit_are_those_of_another() -> None:
    in_ns = [
        (process, thread, [[(start * 1e3, took * 1e3, *rest) for start, took, *rest in row] for row in rows])
        for process, thread, rows in lanes()
    ]
    made = differences(profile(in_ns, unit="ns", seconds=1e-9), BEFORE)  # type: ignore[arg-type]
    assert made.matches.whole
    assert made.changed == 0
    assert times(profile(in_ns, unit="ns", seconds=1e-9), BEFORE).unchanged  # type: ignore[arg-type]


def test_cycles_without_a_clock_have_no_durations_to_compare_with_times() -> None:
    cycles = profile(lanes(), unit="cycles", seconds=None)
    assert unit_factor(line(cycles), line(BEFORE)) is None
    assert at_start(line(cycles), line(BEFORE)) is None
    made = differences(cycles, BEFORE)
    assert made.matches.whole
    assert made.count == 0
    assert np.isnan(times(cycles, BEFORE).difference).all()
    assert stretched(line(cycles), line(BEFORE)).to_after(100.0) == 100.0


FINITE = st.floats(-1e9, 1e9)


@given(FINITE, FINITE, st.floats(1e-3, 1e3), FINITE)
def test_a_moment_goes_there_and_back(before: float, after: float, factor: float, moment: float) -> None:
    made = TimeMap(before, after, factor)
    assert made.to_after(before) == after
    assert made.to_before(made.to_after(moment)) == pytest.approx(moment, rel=1e-6, abs=1e-3)
    whole = made.range_before(TimeRange(after, after + factor))
    assert whole.end - whole.start == pytest.approx(1, rel=1e-3, abs=1e-3)


def test_where_the_baseline_lies() -> None:
    later = [
        (process, thread, [[(start + 900, took, *rest) for start, took, *rest in row] for row in rows])
        for process, thread, rows in slower(0, 0, share=1.0)
    ]
    before, after = line(BEFORE), timeline(later)  # type: ignore[arg-type]
    start = at_start(before, after)
    assert start is not None
    assert (start.to_after(100), start.to_after(150), start.factor) == (1000, 1050, 1)
    at = at_slices(before, after, 1, 1)
    assert at is not None
    assert at.to_after(110) == 1018
    assert at.to_before(1018) == 110
    ends = at_slices(before, after, 1, 1, end=True)
    assert ends is not None
    assert (
        ends.to_after(before.slices.start[1] + before.slices.duration[1])
        == after.slices.start[1] + after.slices.duration[1]
    )
    whole = stretched(before, after)
    assert (whole.to_after(100), whole.to_after(218)) == pytest.approx((1000, 1126))


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 30)), max_size=8), st.floats(0, 90), st.floats(0, 60))
def test_busy_times_inside_a_range_are_those_of_brute_force(
    spans: list[tuple[float, float]], low: float, length: float
) -> None:
    stack: list[list[Row]] = [[(round(start), round(took), "a", "")] for start, took in spans]
    before, after = timeline([("p", "t", stack)]), timeline([("p", "t", stack[1:])])
    stretch, shifted = TimeRange(round(low), round(low + length)), TimeMap(5, 0, 1)
    matches = lane_matches(Comparison(profile([("p", "t", stack)]), profile([("p", "t", stack[1:])])))
    made = lane_differences(before, after, matches, shifted, stretch)

    def brute(rows: list[list[Row]], first: int, last: int) -> float:
        moments = [moment + 0.5 for moment in range(first, last)]
        hit = [any(row[0][0] <= moment < row[0][0] + row[0][1] for row in rows) for moment in moments]
        return float(sum(hit)) if rows else math.nan

    first, last = int(stretch.start), int(stretch.end)
    expected = brute(stack, first + 5, last + 5), brute(stack[1:], first, last)
    assert (made.before[0], made.after[0]) == pytest.approx(expected, nan_ok=True)


def test_tables_of_two_ranges_do_not_share_their_matches() -> None:
    before, after = profile(lanes()), profile(slower(0, 0))
    comparison = Comparison(before, after)
    for stretch in (TimeRange(100, 105), TimeRange(110, 115)):
        sides = [statistics_table(line(one), by_name(line(one), stretch)) for one in (before, after)]
        made = comparison.compare("slice-statistics", sides[0], sides[1])
        names = [
            [None if row < 0 else table.columns[0].value(int(row)) for row in rows]
            for table, rows in zip(sides, (made.rows_before, made.rows_after), strict=True)
        ]
        assert all(one == other for one, other in zip(*names, strict=True) if one is not None and other is not None)
