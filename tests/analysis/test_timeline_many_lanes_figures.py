"""Busy times and self times of very many lanes, and of lanes in which very many slices overlap."""

from __future__ import annotations

import sys
from typing import NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.timeline import statistics
from app.analysis.timeline.intervals import busy, union_lengths
from app.analysis.timeline.statistics import self_time
from app.formats.ascend_trace import FORMAT
from app.profile.arrays import F64, I64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from generators.ascend_hostile import lanes, trace
from generators.reading import profile_of

LANES = st.lists(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=9).map(sorted), min_size=1, max_size=4
)


def read(raw: bytes) -> Timeline:
    timeline = profile_of(FORMAT, raw).timeline
    assert timeline is not None
    return timeline


def made(lanes_: list[list[tuple[int, int]]]) -> Timeline:
    events = [
        {"ph": "X", "pid": "p", "tid": f"t{lane}", "name": "s", "ts": start, "dur": duration}
        for lane, slices in enumerate(lanes_)
        for start, duration in slices
    ]
    return read(trace(events or [{"ph": "X", "pid": "p", "tid": "t", "name": "s", "ts": 0, "dur": 0}]))


def busy_by_hand(timeline: Timeline, low: float, high: float) -> list[float]:
    times = []
    for lane in range(len(timeline.lanes.thread)):
        first, last = timeline.slices.first[timeline.lanes.first_row[lane : lane + 2]]
        covered, reach = 0.0, low
        spans = sorted(zip(timeline.slices.start[first:last], timeline.slices.duration[first:last], strict=True))
        for start, duration in spans:
            begin, end = max(start, reach), min(start + duration, high)
            covered, reach = covered + max(end - begin, 0.0), max(reach, end)
        times.append(covered)
    return times


def self_by_hand(timeline: Timeline) -> F64:
    """Each slice by itself, row after row above it."""
    slices = timeline.slices
    own, end = slices.duration.copy(), slices.start + slices.duration
    for lane in range(len(timeline.lanes.thread)):
        low, high = timeline.lanes.first_row[lane : lane + 2].tolist()
        for row in range(low, high):
            for one in range(*slices.first[row : row + 2].tolist()):
                for above in range(row - 1, low - 1, -1):
                    a, b = slices.first[above : above + 2].tolist()
                    holder = a + int(np.searchsorted(slices.start[a:b], slices.start[one], "right")) - 1
                    if holder >= a and end[holder] >= end[one]:
                        own[holder] -= slices.duration[one]
                        break
    return np.maximum(own, 0.0)


@pytest.mark.parametrize("rows", [1, 32])
@given(lanes_=LANES)
def test_self_times_are_those_of_a_loop(rows: int, lanes_: list[list[tuple[int, int]]]) -> None:
    timeline, usual = made(lanes_), statistics.MANY_ROWS
    statistics.MANY_ROWS = rows
    try:
        assert self_time(timeline).tolist() == self_by_hand(timeline).tolist()
    finally:
        statistics.MANY_ROWS = usual


@given(LANES, st.integers(0, 20), st.integers(1, 20))
def test_busy_times_are_those_of_a_loop(lanes_: list[list[tuple[int, int]]], start: int, length: int) -> None:
    timeline = made(lanes_)
    assert busy(timeline).tolist() == pytest.approx(busy_by_hand(timeline, -np.inf, np.inf))
    stretch = TimeRange(start, start + length)
    assert busy(timeline, stretch).tolist() == pytest.approx(busy_by_hand(timeline, start, start + length))


def test_many_lanes_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = read(lanes(3_000))
    assert (np.diff(timeline.lanes.first_row) > 1).all()

    def alone(*_: object) -> NoReturn:
        raise AssertionError("a lane is looked at by itself")

    groups = list[int]()

    def counted(start: F64, end: F64, group: I64, count: int) -> F64:
        groups.append(count)
        return union_lengths(start, end, group, count)

    monkeypatch.setattr(sys.modules[busy.__module__], "union_lengths", counted)
    monkeypatch.setattr(statistics, "innermost_holders", alone)
    assert (busy(timeline) == 10.0).all()
    assert sum(groups) == 3_000
    assert len(groups) < 10
    assert self_time(timeline).sum() == timeline.slices.duration.sum()
