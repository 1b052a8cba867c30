"""Columns of whole numbers from untyped lists: their types are checked before an array is made."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from app.formats.errors import FormatError
from app.formats.integers import whole, whole_rows


def test_whole_numbers_and_whole_fractions_become_int64() -> None:
    assert whole([]).tolist() == []
    assert whole([3, -1, 2**63 - 1, -(2**63)]).tolist() == [3, -1, 2**63 - 1, -(2**63)]
    assert whole([12.0, 2**53 + 1, -0.0]).tolist() == [12, 2**53 + 1, 0]
    assert whole([7]).dtype == "int64"


@pytest.mark.parametrize("odd", [None, "5", True, [1], {}, 1.5, float("nan"), float("inf"), b"5", 2**63, 1e30])
def test_anything_else_is_refused(odd: Any) -> None:
    for values in ([odd], [1, odd], [odd, 1]):
        with pytest.raises(FormatError):
            whole(values)


def test_rows_of_one_length_become_a_matrix() -> None:
    assert whole_rows([]).shape == (0, 0)
    assert whole_rows([[], []]).shape == (2, 0)
    assert whole_rows([[1, 2], [3, 4.0]]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "odd", [[[1], [1, 2]], [[1], 2], [1, 2], ["ab", "cd"], [[1, "x"]], [[1, [2]]], [(1, 2), (3, 4)]]
)
def test_rows_that_differ_are_refused(odd: list[Any]) -> None:
    with pytest.raises(FormatError):
        whole_rows(odd)


def test_texts_are_refused_before_they_are_padded_to_the_longest() -> None:
    values: list[Any] = [1] * 20_000 + ["x" * 10_000]  # numpy would make 800 MB of them
    rows = [[1, "x" * 10_000]] + [[1, 2]] * 10_000
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            whole(values)
        with pytest.raises(FormatError):
            whole_rows(rows)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
