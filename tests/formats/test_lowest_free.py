"""The lowest free row, against a loop over all rows; and what it costs."""

from __future__ import annotations

import math
from heapq import heappush

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import timeline_build
from app.formats.ascend_trace import links
from app.formats.timeline_build import Events, Rounding, build, lowest_free
from app.profile.arrays import I32, I64

EXACT = Rounding(0.0)

moments = st.integers(-40, 40).map(lambda quarter: quarter / 4)
lengths = st.integers(0, 30).map(lambda quarter: quarter / 4)


@given(st.lists(st.tuples(moments, lengths), max_size=80))
def test_each_takes_the_lowest_row_that_is_free_by_then(asked: list[tuple[float, float]]) -> None:
    asked.sort(key=lambda item: item[0])
    until = [-math.inf] * (len(asked) + 1)
    expected = []
    for begin, length in asked:
        lowest = next(row for row, ends in enumerate(until) if ends <= begin)
        expected.append(lowest)
        until[lowest] = begin + length
    begins = np.array([begin for begin, _ in asked], np.float64)
    ends = begins + np.array([length for _, length in asked], np.float64)
    assert lowest_free(begins, ends).tolist() == expected


def test_the_effort_does_not_grow_with_the_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Very many rows end a little later than the short slices that begin then: each short one looked at all of them."""
    freed: list[int] = []

    def push(free: list[int], row: int) -> None:
        freed.append(row)
        heappush(free, row)

    monkeypatch.setattr(timeline_build, "heappush", push)
    begin = np.concatenate((np.zeros(4096), np.full(1000, 9.0), [10.5]))
    end = np.concatenate((10.0 + np.arange(4096), np.full(1000, 9.0), [10.5]))
    assert lowest_free(begin, end)[4096:].tolist() == [4096] * 1000 + [0]
    assert freed == [4096] * 1000 + [0]


def test_calls_inside_one_another_take_no_step_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_build, "_by_heap", None)
    begin = np.array([0, 0, 1, 1, 4, 5, 10, 10, 12, 20.0])
    end = np.array([10, 10, 3, 1, 9, 9, 12, 11, 12, 20.0])
    assert lowest_free(begin, end).tolist() == [0, 1, 2, 3, 2, 3, 0, 1, 0, 0]


def test_only_what_crosses_takes_a_step_each(monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one = timeline_build._by_heap
    sizes: list[int] = []

    def counted(order: I32, ended: I32) -> I32:
        sizes.append(len(order))
        return one_by_one(order, ended)

    monkeypatch.setattr(timeline_build, "_by_heap", counted)
    begin = np.array([0, 1, 2, 10, 11, 15, 20, 21.0])
    end = np.array([9, 5, 4, 14, 18, 16, 29, 22.0])
    assert lowest_free(begin, end).tolist() == [0, 1, 2, 0, 1, 0, 0, 1]
    assert sizes == [3]


@given(st.lists(st.lists(st.tuples(moments, lengths), max_size=20), max_size=5))
def test_lanes_have_rows_of_their_own(lanes: list[list[tuple[float, float]]]) -> None:
    for lane in lanes:
        lane.sort(key=lambda item: item[0])
    begins = [np.array([begin for begin, _ in lane], np.float64) for lane in lanes]
    ends = [np.array([begin + length for begin, length in lane], np.float64) for lane in lanes]
    expected = [row for a, b in zip(begins, ends, strict=True) for row in lowest_free(a, b).tolist()]
    borders = np.cumsum([0, *map(len, lanes)])
    none = np.empty(0)
    assert lowest_free(np.concatenate((none, *begins)), np.concatenate((none, *ends)), borders).tolist() == expected


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-20, 60), st.integers(0, 30)), min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(0, 1), st.integers(-50, 200)), max_size=40),
)
def test_arrows_end_at_the_same_slices_in_deep_lanes_as_in_flat_ones(
    slices: list[tuple[int, int, int]], points: list[tuple[int, int]]
) -> None:
    lane, start, duration = (np.array(column) for column in zip(*slices, strict=True))
    nothing: I32 = np.zeros(len(lane), np.int32)
    made = build(
        Events(
            lane.astype(np.int32),
            start / 2.0,
            duration / 2.0,
            nothing,
            nothing,
            nothing.astype(np.int64),
            nothing.astype(np.int64),
        ),
        2,
    )
    time = np.array([at / 4.0 for _, at in points])
    for number in range(2):
        rows = range(int(made.first_row[number]), int(made.first_row[number + 1]))
        flat: I64 = links.row_by_row(made.slices, rows, time, EXACT)
        assert links.by_sweep(made.slices, rows, time, EXACT).tolist() == flat.tolist()
