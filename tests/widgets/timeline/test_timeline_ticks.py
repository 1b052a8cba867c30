"""Ticks of the ruler."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.widgets.timeline.ticks import nice_step, ruler


@pytest.mark.parametrize(
    ("start", "end", "seconds", "labels"),
    [
        (0, 50, 1e-6, ["0 µs", "10 µs", "20 µs", "30 µs", "40 µs", "50 µs"]),
        (0, 0.004, 1e-6, ["0 ns", "1 ns", "2 ns", "3 ns", "4 ns"]),
        (0, 5_000_000, None, ["0", "1,000,000", "2,000,000", "3,000,000", "4,000,000", "5,000,000"]),
        (0, 2e7, 1e-6, ["0 s", "5 s", "10 s", "15 s", "20 s"]),
        (-1, 2, 1.0, ["−1.0 s", "−0.5 s", "0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]),
    ],
)
def test_labels_are_round_and_carry_their_unit(
    start: float, end: float, seconds: float | None, labels: list[str]
) -> None:
    assert list(ruler(start, end, 6, seconds).labels) == labels


def test_far_from_zero_labels_tell_the_distance_from_a_base() -> None:
    marks = ruler(999.99999, 1000.0001, 6, 1e-6)
    assert marks.base == "1,000,000.00 ns"
    assert marks.labels[:3] == ("+0 ns", "+0.02 ns", "+0.04 ns")


def test_times_are_told_from_zero() -> None:
    marks = ruler(1.7e15, 1.7e15 + 100, 6, 1e-6, zero=1.7e15)
    assert marks.labels[1] == "20 µs"
    assert marks.places[1] == 1.7e15 + 20


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.integers(1, 20))
def test_there_are_never_too_many_and_all_lie_inside(start: float, span: float, most: int) -> None:
    marks = ruler(start, start + span, most, 1e-6)
    assert len(marks.places) <= most + 1
    assert len(marks.labels) == len(marks.places)
    assert len(set(marks.labels)) == len(marks.labels)
    slack = span * 1e-6 + 1e-6
    assert all(start - slack <= place <= start + span + slack for place in marks.places + marks.minor)


@pytest.mark.parametrize("span", [0.0, float("nan"), float("inf")])
def test_no_span_is_no_error(span: float) -> None:
    assert nice_step(span, 5) == 1.0
