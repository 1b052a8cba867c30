"""Gaps, overlaps and self times against counting unit by unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.table import Table
from app.analysis.tables import timeline as tables
from app.analysis.tables.timeline import MOST_PAIRS, gaps_table, lane_name, lane_pairs, overlap_table
from app.analysis.timeline.intervals import Gaps, Spans, lane_gaps, lane_spans, overlap
from app.analysis.timeline.statistics import by_name, self_time
from app.analysis.timeline.times import within
from app.profile.profile import Origin, Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from app.views.scales import column_scales
from generators.timelines import random_timeline, timeline

SPAN = 40
Row = list[tuple[int, int]]
rows = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=6)
stacks = st.lists(rows, min_size=1, max_size=3)
stretches = st.none() | st.tuples(st.integers(-3, SPAN), st.integers(1, 30)).map(lambda p: TimeRange(p[0], p[0] + p[1]))


def laid(row: Row) -> list[tuple[float, float, str, str]]:
    """Gap and duration pairs, one after the other."""
    found, time = [], 0.0
    for gap, duration in row:
        found.append((time + gap, float(duration), f"n{duration}", ""))
        time += gap + duration
    return found


def made(*lanes: list[Row]) -> Timeline:
    return timeline([("core0", f"t{number}", [laid(row) for row in stack]) for number, stack in enumerate(lanes)])


def units(line: Timeline, lane: int, stretch: TimeRange | None) -> set[int]:
    """The whole units of time in which the lane is busy."""
    low, high = line.slices.first[line.lanes.first_row[[lane, lane + 1]]].tolist()
    found = set()
    for start, duration in zip(line.slices.start[low:high], line.slices.duration[low:high], strict=True):
        found |= set(range(int(start), int(start + duration)))
    return found if stretch is None else {t for t in found if stretch.start <= t < stretch.end}


def covered(spans: Spans | Gaps) -> list[int]:
    return [t for a, b in zip(spans.start.tolist(), spans.end.tolist(), strict=True) for t in range(int(a), int(b))]


@settings(max_examples=100)
@given(stacks, stretches)
def test_spans_and_gaps_are_what_is_busy_and_what_is_not(stack: list[Row], stretch: TimeRange | None) -> None:
    line = made(stack)
    busy = units(line, 0, stretch)
    spans, gaps = lane_spans(line, 0, stretch), lane_gaps(line, 0, stretch)
    assert covered(spans) == sorted(busy)
    assert (spans.start[1:] > spans.end[:-1]).all()
    if stretch is not None:
        whole = set(range(int(stretch.start), int(stretch.end)))
    else:
        whole = set(range(min(busy), max(busy) + 1)) if busy else set()
    assert covered(gaps) == sorted(whole - busy)
    for start, end, before, after in zip(gaps.start, gaps.end, gaps.before, gaps.after, strict=True):
        if before >= 0:
            finish = line.slices.start[before] + line.slices.duration[before]
            assert finish == start
        else:
            assert stretch is not None
            assert start == stretch.start
        if after >= 0:
            assert line.slices.start[after] == end
            assert line.slices.duration[after] > 0
        else:
            assert stretch is not None
            assert end == stretch.end


@settings(max_examples=100)
@given(stacks, stacks, stretches)
def test_overlap_is_when_both_are_busy(one: list[Row], other: list[Row], stretch: TimeRange | None) -> None:
    line = made(one, other)
    both = overlap(lane_spans(line, 0, stretch), lane_spans(line, 1, stretch))
    expected = units(line, 0, stretch) & units(line, 1, stretch)
    assert covered(both) == sorted(expected)
    assert both.total == len(expected)
    turned = overlap(lane_spans(line, 1, stretch), lane_spans(line, 0, stretch))
    assert (both.start.tolist(), both.end.tolist()) == (turned.start.tolist(), turned.end.tolist())


def column(table: Table, key: str) -> list[object]:
    found = next(column for column in table.columns if column.key == key)
    return [found.value(row) for row in range(table.rows)]


LINE = timeline(
    [
        ("core0", "CUBE", [[(0.0, 10.0, "a", ""), (20.0, 10.0, "b", ""), (31.0, 1.0, "c", "")]]),
        ("core0", "MTE2", [[(5.0, 20.0, "load", "")]]),
        ("core0", "empty", [[]]),
        ("core1", "CUBE", [[(0.0, 4.0, "a", "")]]),
    ]
)


def test_gaps_by_length_with_what_stands_beside_them() -> None:
    table = gaps_table(LINE, 0)
    assert column(table, "duration") == [10.0, 1.0]
    assert column(table, "before") == ["a", "b"]
    assert column(table, "after") == ["b", "c"]
    assert [table.key(row) for row in range(2)] == [1, 2]
    assert table.note == "Gaps of core0 / CUBE between its first and its last slice. They take 34.4 % of the time."
    inside = gaps_table(LINE, 0, TimeRange(5.0, 25.0))
    assert (column(inside, "start"), column(inside, "end")) == ([10.0], [20.0])
    assert inside.note.endswith("in the range. They take 50.0 % of the time.")
    idle = gaps_table(LINE, 2, TimeRange(5.0, 25.0))
    assert (idle.rows, idle.key(0), column(idle, "before")) == (1, -1, [None])
    assert gaps_table(LINE, 2).rows == 0


def test_overlap_of_chosen_lanes_or_within_a_process() -> None:
    table = overlap_table(LINE, (0,))
    assert column(table, "second_thread") == ["MTE2"]
    assert column(table, "overlap") == [10.0]
    assert column(table, "first_share") == [pytest.approx(100 * 10 / 21)]
    assert column(table, "second_share") == [50.0]
    assert column(table, "stretches") == [2]
    assert table.key(0) == 1
    three = overlap_table(LINE, (0, 1, 3))
    assert column(three, "overlap") == [10.0, 4.0, 0.0]
    assert overlap_table(LINE, (2,)).rows == 2  # an empty lane beside those of its process
    assert overlap_table(LINE, (0, 2)).rows == 0
    assert column(overlap_table(LINE, (0, 1), TimeRange(0.0, 6.0)), "overlap") == [1.0]
    assert column(overlap_table(LINE, (0, 3), TimeRange(50.0, 60.0)), "first_share") == [None]


def test_pairs_are_limited_and_names_never_empty() -> None:
    many = random_timeline(600, 60)
    assert len(lane_pairs(many, tuple(range(60)))) == MOST_PAIRS
    assert overlap_table(many, tuple(range(60))).note.startswith("Only the first")
    assert lane_name(timeline([("", "", [[]])]), 0) == "lane 0"


def nested() -> Timeline:
    rows = [
        [(0.0, 10.0, "outer", ""), (20.0, 4.0, "outer", "")],
        [(2.0, 5.0, "inner", ""), (22.0, 5.0, "beside", "")],
        [(3.0, 1.0, "leaf", "")],
    ]
    return timeline([("p", "t", rows)])


def test_self_times_in_tables() -> None:
    line = nested()
    profile = Profile(name="p", origin=Origin("x", ()), timeline=line)
    listed = tables.slices(profile)
    assert listed is not None
    assert column(listed, "self") == [5.0, 4.0, 4.0, 5.0, 1.0]
    by_name = tables.slice_statistics(profile)
    assert by_name is not None
    assert dict(zip(column(by_name, "name"), column(by_name, "self"), strict=True)) == {
        "outer": 9.0,
        "inner": 4.0,
        "beside": 5.0,
        "leaf": 1.0,
    }
    some = tables.some_slices(line, np.array([4, 0]), "found", "Found")
    assert (column(some, "name"), column(some, "self")) == (["leaf", "outer"], [1.0, 5.0])
    assert [some.key(row) for row in range(2)] == [4, 0]
    assert all(key.key != "self" for key in tables.some_slices(LINE, np.array([0]), "x", "x").columns)


def test_self_times_have_the_unit_of_what_they_are_a_part_of() -> None:
    depths = [(0.0, 5_000.0), (1.0, 4_998.0), (2.0, 4_996.0), (3.0, 1.0)]
    rows = [[(start, duration, f"n{level}", "")] for level, (start, duration) in enumerate(depths)]
    line = timeline([("p", "t", rows)])
    profile = Profile(name="p", origin=Origin("x", ()), timeline=line)
    for table, whole in ((tables.slices(profile), "duration"), (tables.slice_statistics(profile), "total")):
        assert table is not None
        scales = dict(zip((column.key for column in table.columns), column_scales(table, None, None), strict=True))
        own, all_ = scales["self"], scales[whole]
        assert own is not None
        assert all_ is not None
        assert own.suffix == all_.suffix


@settings(max_examples=100)
@given(st.integers(0, 12), st.integers(1, 20))
def test_self_time_inside_a_stretch(start: int, length: int) -> None:
    line, stretch = nested(), TimeRange(start, start + length)
    found = self_time(line, stretch)
    tree = {0: [2], 2: [4], 1: [], 3: [], 4: []}
    starts, ends = line.slices.start, line.slices.start + line.slices.duration
    for index, inside in tree.items():
        own = units_of(starts[index], ends[index], stretch)
        for child in inside:
            own -= units_of(starts[child], ends[child], stretch)
        assert found[index] == len(own)
    statistics = by_name(line, stretch)
    assert statistics.self_total.sum() == found[within(line, stretch)].sum()


def units_of(start: float, end: float, stretch: TimeRange) -> set[int]:
    return {t for t in range(int(start), int(end)) if stretch.start <= t < stretch.end}
