"""Distinct values, unions and sums by group, beside numpy's own functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from app.analysis.poplar.tile_amounts import of_cells, of_parts
from app.profile.arrays import Array, among, combine_at, distinct, numbered, others, union

NUMBERS = st.sampled_from([np.int64, np.int32, np.uint8, np.uint64, np.float64, np.bool_])
COLUMNS = NUMBERS.flatmap(lambda kind: arrays_of.arrays(kind, st.integers(0, 40)))
SMALL = arrays_of.arrays(np.int64, st.integers(0, 40), elements=st.integers(0, 12))


@given(COLUMNS)
def test_distinct_is_unique(values: Array) -> None:
    before = values.copy()
    made = distinct(values)
    np.testing.assert_array_equal(made, np.unique(values))
    assert made.dtype == values.dtype
    made[:] = 0
    np.testing.assert_array_equal(values, before)


@given(SMALL)
def test_values_in_order_are_copied(values: Array) -> None:
    ascending = np.unique(values)
    made = distinct(ascending)
    np.testing.assert_array_equal(made, ascending)
    assert not np.shares_memory(made, ascending)


@given(SMALL, SMALL, st.integers(0, 15))
def test_unions_and_what_is_left(one: Array, other: Array, count: int) -> None:
    np.testing.assert_array_equal(union(one, other), np.union1d(one, other))
    np.testing.assert_array_equal(others(count, one - 1), np.setdiff1d(np.arange(count), one - 1))


WIDE = st.sampled_from([0, 1, 2, 3, 200, 255, 256, 70_000, 2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1])
ANY = st.one_of(WIDE, WIDE.map(lambda number: -number), st.integers(-300, 300))


def _integers(kind: Any) -> st.SearchStrategy[Array]:
    bounds = np.iinfo(kind)
    fitting = ANY.filter(lambda number: bool(bounds.min <= number <= bounds.max))
    return st.lists(fitting, max_size=40).map(lambda numbers: np.array(numbers, kind))


KINDS: list[Any] = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64]
INTEGERS = st.sampled_from(KINDS).flatmap(_integers)
FLOATS = arrays_of.arrays(
    np.float64, st.integers(0, 40), elements=st.sampled_from([0.0, -0.0, 0.5, np.nan, np.inf, 2.0, 1e300])
)


@given(INTEGERS, INTEGERS)
def test_integers_of_any_two_types_are_among_others(values: Array, chosen: Array) -> None:
    wanted = set(chosen.tolist())
    made = among(values, chosen)
    assert made.dtype == np.bool_
    assert made.tolist() == [value in wanted for value in values.tolist()]


@given(INTEGERS, st.integers(0, 2**32))
def test_far_apart_integers_are_among_others(values: Array, seed: int) -> None:
    """So many that a table of all numbers between them would be too large."""
    random = np.random.default_rng(seed)
    bounds = np.iinfo(values.dtype)
    chosen = np.concatenate((random.integers(bounds.min, bounds.max, 100, values.dtype, endpoint=True), values[::2]))
    others = random.integers(bounds.min, bounds.max, 100, values.dtype, endpoint=True)
    every = np.concatenate((values, others, chosen))
    wanted = set(chosen.tolist())
    assert among(every, chosen).tolist() == [value in wanted for value in every.tolist()]


@given(FLOATS, FLOATS)
def test_floats_are_among_others(values: Array, chosen: Array) -> None:
    np.testing.assert_array_equal(among(values, chosen), np.isin(values, chosen))


def test_what_can_be_among_what() -> None:
    assert among([], []).tolist() == []
    assert among([1, 2], []).tolist() == [False, False]
    assert among(np.arange(24).reshape(2, 3, 4), range(3, 20)).sum() == 17
    assert bool(among(5, range(20)))
    assert not among(5, range(6, 20))
    assert among(np.array([True, False]), np.zeros(20, np.bool_)).tolist() == [False, True]
    texts = [f"text {number}" for number in range(20)]
    assert among(["text 7", "text", "text 19"], texts).tolist() == [True, False, True]
    assert among(np.array([1, 2**63 - 1], np.int64), [1.0, 0.5] * 10).tolist() == [True, False]
    values = np.arange(20)
    values.flags.writeable = False
    assert among(values, values).all()


@given(st.one_of(SMALL, arrays_of.arrays(np.int64, st.integers(0, 40), elements=st.integers(0, 2**62))))
def test_numbered_is_unique_with_places(values: Array) -> None:
    known, place = numbered(values)
    wanted = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(known, wanted[0])
    np.testing.assert_array_equal(place, wanted[1])


@pytest.mark.parametrize("combine", [np.add, np.subtract, np.maximum, np.minimum])
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.bool_, np.float64])
def test_combining_is_that_of_numpy(combine: np.ufunc, kind: Any) -> None:
    random = np.random.default_rng(3)
    index, values = random.integers(0, 9, 200).astype(np.int32), random.integers(0, 2, 200).astype(kind)
    out, wanted = np.zeros(9), np.zeros(9)
    combine_at(combine, out, index, values)
    combine.at(wanted, index, values)
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64])
def test_bytes_of_parts_are_added_by_owner(kind: Any) -> None:
    random = np.random.default_rng(4)
    parts, owner = random.integers(0, 200, (40, 30)).astype(kind), random.integers(0, 5, 40)
    tiles = np.array([3, 4, 17, 29])
    chosen = np.flatnonzero(random.random(len(parts)) < 0.6)
    cells = np.zeros((6, len(tiles)), np.int64)
    np.add.at(cells, owner[chosen], parts[chosen][:, tiles])
    made, wanted = of_parts(parts, chosen, owner, 6, tiles), of_cells(cells, tiles)
    for name in ("total", "most", "tile", "tiles"):
        np.testing.assert_array_equal(getattr(made, name), getattr(wanted, name))
