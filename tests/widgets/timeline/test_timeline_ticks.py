"""Ticks of the ruler."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.table import Unit
from app.views.timeline.ticks import amount_ticks, nice_step, ruler
from app.views.units import scale_for


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


def test_cycles_told_as_time_have_round_times() -> None:
    """At 1.33 GHz 500 cycles are 0.376 µs: ticks stand at round times, and each where its label says."""
    marks = ruler(0, 2000, 4, 1 / 1.33e9)
    assert list(marks.labels) == ["0 µs", "0.5 µs", "1.0 µs", "1.5 µs"]
    for place, label in zip(marks.places, marks.labels, strict=True):
        assert place / 1.33e9 * 1e6 == pytest.approx(float(label.removesuffix(" µs")))


@given(
    st.floats(0, 1e7), st.floats(1e-3, 1e7), st.integers(2, 20), st.sampled_from([1e-6, 1 / 1.33e9, 1 / 1.85e9, None])
)
def test_a_label_says_where_its_tick_stands(start: float, span: float, most: int, seconds: float | None) -> None:
    marks = ruler(start, start + span, most, seconds)
    units = {"s": 1.0, "ms": 1e3, "µs": 1e6, "ns": 1e9, "": 1.0}
    if marks.base:
        return
    for place, label in zip(marks.places, marks.labels, strict=True):
        number, _, unit = label.replace(",", "").partition(" ")
        shown = place * (1.0 if seconds is None else seconds) * units[unit]
        assert float(number) == pytest.approx(shown, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("high", "unit", "most", "texts"),
    [
        (1.88, "", 5, ["0", "0.5", "1.0", "1.5"]),
        (3.0e-4, "", 4, ["0", "0.0001", "0.0002", "0.0003"]),
        (2500.0, "cycles", 5, ["0", "500 cycles", "1,000 cycles", "1,500 cycles", "2,000 cycles", "2,500 cycles"]),
        (2 * 2**20, "B", 4, ["0", "0.5 MiB", "1.0 MiB", "1.5 MiB", "2.0 MiB"]),
    ],
)
def test_ticks_of_amounts_are_exact(high: float, unit: Unit, most: int, texts: list[str]) -> None:
    scale = scale_for(high, unit)
    assert [text for _, text in amount_ticks(0.0, high, scale, most)] == texts


def test_far_from_zero_labels_tell_the_distance_from_a_base() -> None:
    marks = ruler(999.99999, 1000.0001, 6, 1e-6)
    assert marks.base == "1.00000000 ms"
    assert marks.labels[:3] == ("+0 ns", "+0.02 ns", "+0.04 ns")


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
