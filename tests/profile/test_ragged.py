"""Rows of a ragged column, gathered."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.profile.arrays import Ragged, expand, rows_with

TABLES = st.lists(st.lists(st.integers(-9, 9), max_size=5), min_size=1, max_size=8)


def ragged(rows: list[list[int]]) -> Ragged:
    items = np.array([item for row in rows for item in row], np.int32)
    return Ragged.of(np.array([len(row) for row in rows], np.int64), items)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(-3, 6))))
def test_stretches_are_counted_through_one_after_the_other(stretches: list[tuple[int, int]]) -> None:
    begin = np.array([low for low, _ in stretches], np.int64)
    end = np.array([low + length for low, length in stretches], np.int64)
    places = expand(begin, end)
    assert places.dtype == np.int64
    assert places.tolist() == [place for low, length in stretches for place in range(low, low + length)]


@given(TABLES, st.data())
def test_gathered_rows_stand_in_the_order_asked_for(rows: list[list[int]], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=12))
    part = ragged(rows).gather(np.array(wanted, np.int64))
    assert [part.row(place).tolist() for place in range(len(part))] == [rows[row] for row in wanted]
    assert part.lengths.tolist() == [len(rows[row]) for row in wanted]
    assert part.owner.tolist() == [place for place, row in enumerate(wanted) for _ in rows[row]]


def test_nothing_is_gathered_from_no_rows() -> None:
    part = ragged([[1], [2, 3]]).gather(np.empty(0, np.int64))
    assert (len(part), part.items.tolist(), part.first.tolist()) == (0, [], [0])
    assert part.row(0).tolist() == []


@given(st.lists(st.lists(st.integers(-3, 3), max_size=5), max_size=8))
def test_rows_with_an_item_are_counted(rows: list[list[int]]) -> None:
    items = np.array([item for row in rows for item in row], np.int64)
    counted = rows_with(Ragged.of(np.array([len(row) for row in rows], np.int64), items))
    assert counted == Counter(item for row in rows for item in set(row))
