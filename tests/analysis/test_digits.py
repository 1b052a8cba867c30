"""Computed figures are written with the digits that they are known to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.digits import known, known_digits, whole_or_known
from app.analysis.export import export
from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings


@given(st.decimals(min_value="1e-9", max_value="1e9", allow_nan=False, places=6))
def test_a_figure_of_up_to_15_digits_is_written_as_it_was_read(written: object) -> None:
    value = float(str(written))
    assert known(value) == value


@pytest.mark.parametrize(
    ("value", "reach", "text"),
    [
        (100 * 46050 / 413123, 0, "11.1468013158309"),
        (0.1 + 0.2, 0, "0.3"),
        (109.98 - 109.88, 109.98, "0.1"),
        (float(np.float32(10.8143)), 0, "10.814299583435059"),
        (1234.0, 0, "1234.0"),
        (1e-300 / 3, 0, "3.33333333333333e-301"),
    ],
)
def test_the_last_bits_of_a_computation_are_not_written(value: float, reach: float, text: str) -> None:
    assert repr(known(value, reach=reach)) == text


def test_places_far_from_zero_keep_what_tells_them_apart() -> None:
    first, second = 1718180919106.0425, 1718180919106.043
    assert known(first, finest=0.0005) != known(second, finest=0.0005)
    assert repr(known(first)) == "1718180919106.04"


@given(st.lists(st.floats()), st.sampled_from([0.0, 1.0, 1e300, math.inf]), st.sampled_from([0.0, 1e-9, 5.0]))
def test_nothing_raises_and_nothing_changes_by_more_than_its_last_digits(
    values: list[float], reach: float, finest: float
) -> None:
    for value, written in zip(values, known_digits(np.array(values), finest, reach), strict=True):
        if not math.isfinite(value):
            assert written is None
        elif reach == 0:
            assert written == pytest.approx(value, rel=1e-14, abs=0)


def test_a_column_of_several_units_has_whole_counts_and_a_unit_each() -> None:
    units = Coded(np.array([0, 1, -1]), Strings.of(["instructions", "%"]))
    column = Column("value", "Value", np.array([3606.0, 100 / 3, np.nan]), units=units)
    assert "".join(export(Table("t", "T", (column,)), "csv")) == "value\n3606\n33.3333333333333\n\n"
    assert [column.value(row) for row in range(3)] == [3606, 100 / 3, None]
    assert [column.unit_of(row) for row in range(3)] == ["instructions", "%", ""]
    assert whole_or_known(math.nan) is None


def test_cycles_that_are_all_whole_are_written_as_whole_numbers() -> None:
    whole = Column("a", "A", np.array([1.0, np.nan, 3.0]), "cycles")
    broken = Column("b", "B", np.array([1.0, 2.5, 3.0]), "cycles", stored=True)
    assert "".join(export(Table("t", "T", (whole, broken)), "csv")) == "a [cycles],b [cycles]\n1,1.0\n,2.5\n3,3.0\n"


@given(
    st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0.0, 1e-9, 0.25]), st.sampled_from([0.0, 1e6])
)
def test_one_figure_is_rounded_as_in_a_column(value: float, finest: float, reach: float) -> None:
    (of_column,) = known_digits(np.array([value]), finest, reach)
    assert known(value, finest, reach) == of_column
