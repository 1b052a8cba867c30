"""The fast sort gives the order that a plain stable sort would."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.analysis.sorting import natural_key, natural_order, order_of, sort_keys, text_ranks
from app.analysis.table import Coded, Column
from app.profile.arrays import I64
from app.profile.strings import Strings


def sort_order(column: Column, *, descending: bool = False) -> I64:
    return order_of(*sort_keys(column), descending=descending)


def brute(values: list[float | int | str | None], descending: bool) -> list[int]:
    known = [row for row, value in enumerate(values) if value is not None and value == value]
    rest = [row for row in range(len(values)) if row not in set(known)]
    keyed = sorted(known, key=lambda row: values[row], reverse=descending)  # type: ignore[arg-type, return-value]
    return keyed + rest


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64])
@given(data=st.data(), descending=st.booleans())
def test_numbers(dtype: type, data: st.DataObject, descending: bool) -> None:
    values = data.draw(arrays.arrays(dtype, st.integers(0, 40)))
    missing = data.draw(arrays.arrays(np.bool_, len(values)))
    plain = [None if gone else value for value, gone in zip(values.tolist(), missing.tolist(), strict=True)]
    order = sort_order(Column("a", "A", values, missing=missing), descending=descending)
    assert order.dtype == np.int64
    assert order.tolist() == brute(plain, descending)


@given(st.lists(st.sampled_from([0.0, -0.0, 1.5, math.inf, -math.inf, math.nan])), st.booleans())
def test_ties_keep_their_order_both_ways(values: list[float], descending: bool) -> None:
    order = sort_order(Column("a", "A", np.array(values, np.float64)), descending=descending)
    assert order.tolist() == brute(list(values), descending)


@pytest.mark.parametrize(
    "wide", [np.array([2**63 - 1, -(2**63), 0, 2**63 - 1]), np.array([2**64 - 1, 0, 2**64 - 1], np.uint64)]
)
def test_the_widest_integers(wide: np.ndarray) -> None:
    for descending in (False, True):
        assert sort_order(Column("a", "A", wide), descending=descending).tolist() == brute(wide.tolist(), descending)


def test_texts_go_by_rank_not_by_id() -> None:
    strings = Strings.of(["core10", "core2", "Core2", "b"])
    column = Column("a", "A", Coded(np.array([0, 1, -1, 3, 2], np.int32), strings))
    assert sort_order(column).tolist() == [3, 4, 1, 0, 2]
    assert sort_order(column, descending=True).tolist() == [0, 1, 4, 3, 2]


def test_plain_texts_and_truth_values() -> None:
    assert sort_order(Column("a", "A", ("b10", "b9", "a"))).tolist() == [2, 1, 0]
    assert sort_order(Column("a", "A", np.array([True, False, True]))).tolist() == [1, 0, 2]


def test_equal_texts_share_a_rank() -> None:
    assert text_ranks(Strings.of(["x", "a", "x"])).tolist() == [1, 0, 1]


def test_natural_order_counts() -> None:
    assert sorted(["t10", "t9", "T1", "t"], key=natural_key) == ["t", "T1", "t9", "t10"]


@given(st.lists(st.one_of(st.text("0123456789", max_size=20), st.text("01aB ²", max_size=4)), max_size=30))
def test_the_fast_natural_order_is_that_of_its_keys(texts: list[str]) -> None:
    assert natural_order(texts) == sorted(texts, key=natural_key)
