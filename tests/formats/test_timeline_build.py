"""Rows of slices against a loop that tries every row."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.timeline_build import Built, Events, build
from app.profile.arrays import F64

Event = tuple[int, int, int, int]  # lane, start, duration, group


def built(events: list[Event], lanes: int = 4) -> Built:
    lane, start, duration, group = (np.array([e[k] for e in events]) for k in range(4))
    count = np.arange(len(events))
    i32 = np.int32
    return build(
        Events(
            lane.astype(i32),
            start.astype(float),
            duration.astype(float),
            count.astype(i32),
            count.astype(i32),
            count.astype(np.int64),
            count.astype(np.int64),
            group.astype(i32),
        ),
        lanes,
    )


def row_of_each(result: Built) -> list[int]:
    rows = np.repeat(np.arange(len(result.slices.first) - 1), np.diff(result.slices.first))
    back = np.empty(len(rows), np.int64)
    back[result.order] = rows - result.first_row[result.lane]
    return [int(row) for row in back]


def lowest_free(events: list[Event]) -> list[int]:
    rows = [0] * len(events)
    ends: dict[int, list[int]] = {}
    for i in sorted(range(len(events)), key=lambda i: (events[i][0], events[i][1], events[i][2] > 0, -events[i][2], i)):
        lane, start, duration, _ = events[i]
        taken = ends.setdefault(lane, [])
        rows[i] = next((r for r, end in enumerate(taken) if end <= start), len(taken))
        taken[rows[i] : rows[i] + 1] = [start + duration]
    return rows


ungrouped = st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(0, 9), st.just(-1))
grouped = st.tuples(st.integers(0, 1), st.integers(0, 30), st.integers(0, 6), st.integers(-1, 4))


@settings(max_examples=200, deadline=None)
@given(st.lists(ungrouped, max_size=40))
def test_lowest_free_row(events: list[Event]) -> None:
    assert row_of_each(built(events)) == lowest_free(events)


@settings(max_examples=200, deadline=None)
@given(st.lists(ungrouped, max_size=40) | st.lists(grouped, max_size=40))
def test_rows_hold_the_contract(events: list[Event]) -> None:
    result = built(events)
    slices = result.slices
    assert sorted(slices.record.tolist()) == list(range(len(events)))
    assert slices.first[0] == 0
    assert slices.first[-1] == len(events)
    assert len(slices.first) == result.first_row[-1] + 1
    for lane in range(4):
        used = {event[0] for event in events}
        assert (result.first_row[lane + 1] > result.first_row[lane]) == (lane in used)
    for a, b in zip(slices.first[:-1], slices.first[1:], strict=True):
        assert b > a
        start = slices.start[a:b]
        end = start + slices.duration[a:b]
        assert np.all(start[1:] >= end[:-1])
        assert np.all(end[1:] >= end[:-1])
        assert len(set(result.lane[a:b].tolist())) == 1
    assert slices.start.tolist() == [events[i][1] for i in slices.record]


@settings(max_examples=200, deadline=None)
@given(st.lists(grouped, max_size=30))
def test_groups_share_a_row(events: list[Event]) -> None:
    rows = row_of_each(built(events))
    groups: dict[tuple[int, int], list[int]] = {}
    for i, (lane, _, _, group) in enumerate(events):
        if group >= 0:
            groups.setdefault((lane, group), []).append(i)
    for members in groups.values():
        spans = sorted((events[i][1], events[i][2] > 0, events[i][1] + events[i][2]) for i in members)
        if all(a[2] <= b[0] for a, b in pairwise(spans)):
            assert len({rows[i] for i in members}) == 1


def test_a_group_keeps_its_row_between_its_slices() -> None:
    # The group lies at 0-2 and 8-9; the long slice begins first, the short one falls into the gap.
    assert row_of_each(built([(0, 0, 20, -1), (0, 0, 2, 7), (0, 8, 1, 7), (0, 4, 2, -1)])) == [0, 1, 1, 2]


@pytest.mark.parametrize("kind", ["exact", "short", "double"])
def test_rounded_times_do_not_overlap(kind: str) -> None:
    rng = np.random.default_rng(5)
    duration = rng.integers(1, 6, 200_000).astype(float)
    start = np.cumsum(duration) - duration
    start, duration = start / 1850, duration / 1850
    if kind != "double":
        start, duration = rounded(start, kind), rounded(duration, kind)
    zero = np.zeros(len(start), np.int32)
    result = build(Events(zero, start, duration, zero, zero, zero.astype(np.int64), zero.astype(np.int64)), 1)
    assert np.count_nonzero(start[1:] < start[:-1] + duration[:-1]) > 1000
    assert result.slices.first[1] >= len(start) * 0.9999


def rounded(values: F64, kind: str) -> F64:
    single = values.astype(np.float32)
    return single.astype(float) if kind == "exact" else np.array([float(str(v)) for v in single])


def test_real_overlap_of_a_cycle_is_seen() -> None:
    result = built([(0, 0, 5, -1), (0, 4, 5, -1), (0, 9, 1, -1)])
    assert row_of_each(result) == [0, 1, 0]


def test_nothing() -> None:
    result = built([], lanes=0)
    assert result.slices.first.tolist() == [0]
    assert result.first_row.tolist() == [0]


clock = st.integers(0, 4000)
rounded_slices = st.lists(st.tuples(clock, st.integers(0, 40)), min_size=1, max_size=60)


@settings(max_examples=200, deadline=None)
@given(rounded_slices)
def test_rows_of_rounded_times_are_those_of_the_cycles(cycles: list[tuple[int, int]]) -> None:
    """Times in single precision, as simulators write them, and 4,000 cycles around a power of two."""
    begin, length = (np.array(column, float) for column in zip(*cycles, strict=True))
    begin += 1850 * 16 - 2000
    zero = np.zeros(len(begin), np.int32)
    times = (begin / 1850).astype(np.float32).astype(float), (length / 1850).astype(np.float32).astype(float)
    exact, single = (build(Events(zero, *pair, zero), 1) for pair in ((begin, length), times))
    assert single.first_row.tolist() == exact.first_row.tolist()
    assert [single.slices.first.tolist(), single.order.tolist()] == [exact.slices.first.tolist(), exact.order.tolist()]


def test_a_lane_has_as_many_rows_as_slices_at_once() -> None:
    rng = np.random.default_rng(4)
    start, length = rng.integers(0, 20_000, 5_000), rng.integers(1, 400, 5_000)
    zero = np.zeros(len(start), np.int32)
    result = build(Events(zero, start.astype(float), length.astype(float), zero), 1)
    running = np.zeros(21_000, np.int64)
    np.add.at(running, start, 1)
    np.add.at(running, start + length, -1)
    assert result.first_row[1] == np.cumsum(running).max()
