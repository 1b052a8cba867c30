"""Sequences are aligned as a textbook's table does it, and honestly where that would take too long."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.alignment import Aligner, Alignment, longest_increasing
from app.profile.arrays import I64

IDS = st.lists(st.integers(0, 4), max_size=30)


def longest_common(before: list[int], after: list[int]) -> int:
    """The length of a longest common subsequence, by the table of all prefixes."""
    row = [0] * (len(after) + 1)
    for one in before:
        last = row[:]
        for place, other in enumerate(after):
            row[place + 1] = last[place] + 1 if one == other else max(row[place], last[place + 1])
    return row[-1]


def aligned(before: I64, after: I64) -> Alignment:
    """The alignment, of which is certain that it is one."""
    made = Aligner().align(before, after)
    rows = np.flatnonzero(made.partner >= 0)
    assert (before[rows] == after[made.partner[rows]]).all()
    assert (np.diff(made.partner[rows]) > 0).all()
    return made


@given(IDS, IDS)
def test_short_sequences_have_as_many_pairs_as_any_alignment(before: list[int], after: list[int]) -> None:
    made = aligned(np.array(before, np.int64), np.array(after, np.int64))
    assert made.exact
    assert int((made.partner >= 0).sum()) == longest_common(before, after)


@given(st.lists(st.integers(-50, 50), unique=True, max_size=60))
def test_the_longest_increasing_subsequence(values: list[int]) -> None:
    chosen = longest_increasing(np.array(values, np.int64))
    assert (np.diff(np.array(values)[chosen]) > 0).all()
    piles: list[int] = []
    for value in values:
        place = bisect_left(piles, value)
        piles[place : place + 1] = [value]
    assert len(chosen) == len(piles)


def edited(ids: I64, edits: int, seed: int) -> tuple[I64, int]:
    """``ids`` with that many replaced, removed and added; and how many are as before."""
    random = np.random.default_rng(seed)
    places = random.permutation(len(ids))[: 2 * edits]
    made = ids.copy()
    made[places[:edits]] = ids.max() + 1 + np.arange(edits)
    made = np.delete(made, places[edits:])
    return np.insert(made, random.integers(0, len(made), edits), ids.max() + 1), len(ids) - 2 * edits


@pytest.mark.parametrize("edits", [1, 20, 400])
@pytest.mark.parametrize("kind", ["names", "loop", "different"])
def test_long_sequences_lose_almost_nothing(kind: str, edits: int) -> None:
    count = 40_000
    ids = {
        "names": np.random.default_rng(5).integers(0, 200, count),
        "loop": np.tile(np.arange(100), count // 100),
        "different": np.arange(count),
    }[kind]
    after, same = edited(ids, edits, seed=edits)
    made = aligned(ids, after)
    assert made.exact
    assert int((made.partner >= 0).sum()) >= same - edits


def test_sequences_without_anything_in_common_order_are_matched_as_far_as_it_is_cheap_and_say_so() -> None:
    random = np.random.default_rng(9)
    made = aligned(random.integers(0, 200, 60_000), random.integers(0, 200, 60_000))
    assert not made.exact
    assert (made.partner >= 0).any()


def test_an_alignment_can_be_cancelled() -> None:
    class Stop(Exception):
        pass

    def check() -> None:
        raise Stop

    with pytest.raises(Stop):
        Aligner(check).align(np.arange(10), np.arange(10)[::-1])
