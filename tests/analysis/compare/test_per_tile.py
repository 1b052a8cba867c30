"""Figures of tiles side by side are what a loop over the tiles gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.tiles import PlacesCompared, ipus_compared, largest_first, tiles_compared
from app.analysis.tile_figures import Content

NUMBERS = st.lists(st.integers(0, 1000) | st.none(), min_size=1, max_size=12)


def content(*parts: tuple[str, list[int | None]], per_ipu: int = 0, adds_up: bool = True) -> Content:
    made = tuple(
        (key, key.title(), np.array([math.nan if n is None else n for n in own], float), "") for key, own in parts
    )
    total = np.sum([values for _, _, values, _ in made], axis=0)
    return Content("none", "Memory", "B", made, total, None, adds_up, per_ipu, None)


def at(values: np.ndarray, place: int) -> float | None:
    return None if np.isnan(values[place]) else float(values[place])


@given(NUMBERS, NUMBERS)
def test_each_tile_has_both_amounts_and_those_of_one_side_are_marked(
    before: list[int | None], after: list[int | None]
) -> None:
    made = tiles_compared(content(("code", before)), content(("code", after)))
    assert len(made.after) == max(len(before), len(after))
    for tile in range(len(made.after)):
        one = before[tile] if tile < len(before) else None
        other = after[tile] if tile < len(after) else None
        assert (at(made.before, tile), at(made.after, tile)) == (one, other)
        assert at(made.difference, tile) == (None if one is None or other is None else other - one)
        assert made.only_before[tile] == (tile >= len(after))
        assert made.only_after[tile] == (tile >= len(before))


def test_a_part_that_one_side_lacks_is_zero_there_and_no_data_on_tiles_it_does_not_have() -> None:
    made = tiles_compared(content(("code", [1, 2])), content(("data", [5, 6, 7])))
    parts = {part.key: part for part in made.parts}
    assert list(parts) == ["data", "code"]
    assert parts["data"].before.tolist()[:2] == [0, 0]
    assert np.isnan(parts["data"].before[2])
    assert parts["code"].after.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("per_tile", "expected"), [(False, (3, 24)), (True, (1.5, 6))])
def test_ipus_of_different_sizes_are_compared_as_sums_or_per_tile(
    per_tile: bool, expected: tuple[float, float]
) -> None:
    before, after = content(("code", [1, 2, 4, 8]), per_ipu=2), content(("code", [6] * 8), per_ipu=4)
    made = ipus_compared(before, after, per_tile=per_tile)
    assert (made.before[0], made.after[0]) == expected


def test_small_parts_are_merged_on_both_sides() -> None:
    before = content(*((name, list[int | None]([size, 0])) for size, name in enumerate("abcd", start=1)))
    after = content(*((name, list[int | None]([0, size])) for size, name in enumerate("abcd", start=1)))
    whole: PlacesCompared = tiles_compared(before, after)
    merged = largest_first(whole.parts, 2, "Others")
    assert [part.title for part in merged] == ["D", "Others"]
    assert merged[1].before.tolist() == [6, 0]
    assert merged[1].after.tolist() == [0, 6]


def test_of_differences_the_part_that_differs_most_is_first_and_others_are_left_out() -> None:
    before = content(("large", [900, 900]), ("small", [1, 1]), ("other", [5, 5]))
    after = content(("large", [900, 901]), ("small", [9, 1]), ("other", [5, 5]))
    parts = tiles_compared(before, after).parts
    assert [part.key for part in largest_first(parts, 12, "Others", by_difference=True)] == ["small", "large"]
    same = tiles_compared(before, before).parts
    assert [part.key for part in largest_first(same, 12, "Others", by_difference=True)] == ["large"]
