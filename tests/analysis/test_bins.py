"""Amounts in bins: every amount in exactly one, edges that people can read."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.bins import bins, spread_wide, table

AMOUNTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=60)


@given(AMOUNTS, st.booleans(), st.integers(1, 60))
def test_every_amount_is_in_one_bin(amounts: list[int], log: bool, count: int) -> None:
    values = np.array(amounts, np.int64)
    found = bins(values, log=log, count=count)
    assert found is not None
    assert found.counts.sum() + found.zeros == len(values)
    assert len(found.counts) <= count + 2
    assert np.all(np.diff(found.edges) > 0)
    members = [found.members(values, number, number) for number in range(len(found.counts))]
    assert [len(rows) for rows in members] == found.counts.tolist()
    inside = np.sort(np.concatenate(members))
    assert len(np.unique(inside)) == len(inside)
    whole = found.members(values, 0, len(found.counts) - 1)
    assert whole.tolist() == inside.tolist()


@given(AMOUNTS)
def test_linear_edges_are_round_and_whole(amounts: list[int]) -> None:
    found = bins(np.array(amounts, np.int64))
    assert found is not None
    step = float(found.edges[1] - found.edges[0])
    assert step.is_integer()
    assert np.allclose(found.edges % step, 0)
    digits = str(int(step)).rstrip("0")
    assert digits in ("1", "2", "5")


@given(AMOUNTS)
def test_binary_edges_are_powers_of_two(amounts: list[int]) -> None:
    found = bins(np.array(amounts, np.int64), binary=True)
    assert found is not None
    assert math.log2(found.edges[1] - found.edges[0]).is_integer()


def test_no_data_is_not_counted() -> None:
    found = bins(np.array([np.nan, 1.0, 3.0]))
    assert found is not None
    assert found.counts.sum() == 2
    assert bins(np.array([np.nan])) is None
    assert bins(np.empty(0, np.int64)) is None


def test_the_limit_is_seen() -> None:
    found = bins(np.array([3, 5]), top=100)
    assert found is not None
    assert found.edges[-1] >= 100


def test_logarithmic_bins_leave_zeros_out_and_say_so() -> None:
    values = np.array([0, 0, 1, 10, 100_000], np.int64)
    assert spread_wide(values)
    assert not spread_wide(np.array([5, 6, 7]))
    assert not spread_wide(np.array([0, 0]))
    found = bins(values, log=True)
    assert found is not None
    assert (found.zeros, found.log) == (2, True)
    made = table("Spread", found, "cycles", "vertices")
    assert made.note == "2 vertices with value zero are in no bin."
    assert sum(int(made.columns[2].value(row) or 0) for row in range(made.rows)) == 3


def test_only_zeros_still_make_a_bin() -> None:
    for log in (False, True):
        found = bins(np.zeros(4, np.int64), log=log)
        assert found is not None
        assert found.counts.tolist() == [4]
