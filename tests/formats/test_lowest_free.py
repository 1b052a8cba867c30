"""The lowest free row, against a loop over all rows; and what it costs."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.formats.ascend_trace import flow_ends
from app.formats.timeline_build import Events, build
from app.formats.timeline_rows import LowestFree, Rounding
from app.profile.arrays import I32, I64

EXACT = Rounding(0.0)

moments = st.floats(-100, 100, allow_nan=False)


@given(st.lists(st.tuples(moments, moments), max_size=80))
def test_each_takes_the_lowest_row_that_is_free_by_then(asked: list[tuple[float, float]]) -> None:
    free, until = LowestFree(), [-math.inf] * (len(asked) + 1)
    for by_then, end in asked:
        lowest = next(row for row, ends in enumerate(until) if ends <= by_then)
        assert free.take(by_then, end) == lowest
        until[lowest] = end


class Counting(float):
    """A moment that counts how often it is compared."""

    compared = 0

    def __lt__(self, other: float) -> bool:
        Counting.compared += 1
        return float(self) < float(other)


def test_rows_that_end_just_after_cost_no_look_at_each() -> None:
    """Very many rows end a little later than the short slices that begin then: each short one looked at all of them."""
    free = LowestFree()
    for _ in range(4096):
        free.take(0.0, 10.0)
    Counting.compared = 0
    rows = {free.take(Counting(9.0), Counting(9.0)) for _ in range(1000)}
    assert rows == {4096}
    assert Counting.compared < 1000 * 40


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
        flat: I64 = flow_ends.row_by_row(made.slices, rows, time, EXACT)
        assert flow_ends.by_sweep(made.slices, rows, time, EXACT).tolist() == flat.tolist()
