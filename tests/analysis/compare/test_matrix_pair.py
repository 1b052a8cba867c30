"""Two matrices over the rows and columns that either has are what a loop over names and tiles gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tiles import Amounts, figures_of, matrix_pair
from app.analysis.matrix import Matrix
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings

EMPTY = Profile(name="p", origin=Origin("poplar", (Path("graph.json"),)))
Cells = dict[str, list[int]]


def matrix(rows: Cells) -> Matrix:
    values = np.array(list(rows.values()), np.int32)
    return Matrix("m", "Cycles", "Compute sets", values, "cycles", "", "compute_set", Strings.of(rows))


@st.composite
def cells(draw: st.DrawFn) -> Cells:
    names = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True))
    width = draw(st.integers(1, 5))
    return {name: draw(st.lists(st.integers(-1, 9), min_size=width, max_size=width)) for name in names}


@given(cells(), cells())
def test_every_cell_is_after_minus_before(before: Cells, after: Cells) -> None:
    pair = matrix_pair(Comparison(EMPTY, EMPTY), matrix(before), matrix(after))
    widths = [len(next(iter(side.values()))) for side in (before, after)]
    assert pair.shape == (len({*before, *after}), max(widths))
    shown = {name: Amounts(pair, name)[:] for name in ("difference", "before", "after")}
    for row in range(pair.shape[0]):
        name = pair.name(row)
        for tile in range(pair.shape[1]):
            sides: list[int | None] = []
            for side, width in zip((before, after), widths, strict=True):
                value = side[name][tile] if name in side and tile < width else -1
                sides.append(value if value >= 0 else None)
            one, other = sides
            expected = None if one is None and other is None else (other or 0) - (one or 0)
            if tile >= min(widths):
                expected = None
            assert pair.both(row, tile) == (one, other)
            for which, wanted in (("before", one), ("after", other), ("difference", expected)):
                cell = shown[which][row, tile]
                assert (None if np.isnan(cell) else cell) == wanted
                assert np.array_equal([Amounts(pair, which)[row, tile]], [cell], equal_nan=True)  # type: ignore[arg-type]


def test_parts_are_read_alone_and_in_another_order() -> None:
    pair = matrix_pair(Comparison(EMPTY, EMPTY), matrix({"a": [1, 2], "b": [3, 4]}), matrix({"b": [5, 4], "c": [1, 1]}))
    names = [pair.name(row) for row in range(3)]
    order = np.array(sorted(range(3), key=names.__getitem__))
    arranged = pair.arranged(order, np.array([1, 0]))
    whole = Amounts(arranged, "difference")
    assert whole[:].tolist() == [[-2, -1], [0, 2], [1, 1]]
    assert whole[1:2, 1:2].tolist() == [[2]]
    assert whole.shape == (3, 2)
    figures = figures_of(arranged, "difference")
    assert figures.rows.tolist() == [-3, 2, 2]
    assert figures.columns.tolist() == [-1, 2]


@pytest.mark.parametrize("shown", ["difference", "before", "after"])
def test_a_matrix_against_itself(shown: str) -> None:
    own = matrix({"a": [1, -1], "b": [0, 4]})
    pair = matrix_pair(Comparison(EMPTY, EMPTY), own, own)
    values = Amounts(pair, shown)[:]  # type: ignore[arg-type]
    expected = np.zeros((2, 2)) if shown == "difference" else np.array([[1, np.nan], [0, 4]])
    if shown == "difference":
        expected[0, 1] = np.nan
    assert np.array_equal(values, expected, equal_nan=True)
