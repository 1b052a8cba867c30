"""Folding tiles into pixel columns gives what a loop would."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.views.plot import fold, raster

amounts = arrays.arrays(np.float64, st.integers(1, 200), elements=st.one_of(st.just(math.nan), st.integers(0, 50)))


@given(st.data(), amounts, st.integers(1, 60))
def test_every_place_falls_into_a_column_that_shows_the_most(
    data: st.DataObject, totals: np.ndarray, width: int
) -> None:
    start = data.draw(st.integers(0, len(totals) - 1))
    end = data.draw(st.integers(start + 1, len(totals)))
    folded = fold(totals, start, end, width)
    seen: set[int] = set()
    for first, after, worst, most, least in zip(
        folded.first.tolist(), folded.after.tolist(), folded.worst.tolist(), folded.most, folded.least, strict=True
    ):
        span = totals[first:after]
        assert after > first
        assert first <= worst < after
        assert np.array_equal([totals[worst]], [most], equal_nan=True)
        if np.isnan(span).all():
            assert math.isnan(most)
            assert math.isnan(least)
        else:
            assert most == np.nanmax(span)
            assert least == np.nanmin(span)
        seen.update(range(first, after))
    assert seen == set(range(start, end))
    if end - start > width:
        assert sum((folded.after - folded.first).tolist()) == end - start


@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 6))
def test_raster_counts_the_edges_above(height: int, width: int, layers: int) -> None:
    generator = np.random.default_rng(height * 1000 + width * 10 + layers)
    tops = generator.integers(-3, height + 3, (layers, width))
    image = raster(tops, height)
    expected = [[int((np.clip(tops[:, x], 0, height) <= y).sum()) for x in range(width)] for y in range(height)]
    assert image.tolist() == expected
