"""Distinct values, unions and sums by group, beside numpy's own functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from app.analysis.poplar.tile_amounts import of_cells, of_parts
from app.profile.arrays import Array, combine_at, distinct, numbered, others, union

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
