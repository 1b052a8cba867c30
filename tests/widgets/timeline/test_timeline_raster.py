"""Pixels of rows: whatever the way they are found, they equal those of a loop over all slices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.profile.arrays import U8, U32
from app.views.timeline import raster as rasters
from app.views.timeline.cover import FULL, Pixels, paint, search
from app.views.timeline.raster import SHADES, Pyramid, Renderer, Strips, shaded
from app.views.timeline.rows import Rows, bisect, spread

COLOURS = 5

Row = list[tuple[float, float, int]]


@st.composite
def a_row(draw: st.DrawFn, most: int = 30) -> Row:
    """Slices (start, duration, key) in quarters, some without length, some touching."""
    now = 0.0
    row: Row = []
    for gap, length, key in draw(
        st.lists(st.tuples(st.integers(0, 6), st.integers(0, 40), st.integers(0, COLOURS - 1)), max_size=most)
    ):
        now += gap / 4 + (0.25 if row and row[-1][1] == 0 and gap == 0 else 0)
        row.append((now, length / 4, key))
        now += length / 4
    return row


some_rows = st.lists(a_row(), min_size=1, max_size=4)
some_pixels = st.builds(
    Pixels,
    st.integers(-20, 120).map(lambda quarter: quarter / 4),
    st.sampled_from([0.125, 0.25, 0.5, 1.0, 2.0, 8.0]),
    st.integers(1, 40),
)


def rows_of(rows: Sequence[Row]) -> Rows:
    flat = [entry for row in rows for entry in row]
    start, duration, key = (np.array(column) for column in zip(*flat, strict=True)) if flat else (np.empty(0),) * 3
    first = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    slots = np.arange(1, COLOURS + 2, dtype=np.uint8)
    return Rows(start.astype(float), duration.astype(float), key.astype(np.int32), slots, first)


def brute(row: Row, pixels: Pixels) -> tuple[list[int], list[float]]:
    """(slot, cover) of each pixel, by the rule of edges in the head of cover.py."""
    slots, covers = [], []
    for p in range(pixels.width):
        left, right = pixels.start + p * pixels.step, pixels.start + (p + 1) * pixels.step
        entering = [entry for entry in row if entry[0] < left < entry[0] + entry[1]]
        starting = [entry for entry in row if left <= entry[0] < right]
        filled = [min(right, s + d) - max(left, s) for s, d, _ in entering + starting]
        slot = starting[0][2] + 1 if starting else 0
        if entering and filled[0] >= (filled[len(entering)] if starting else 0):
            slot = entering[0][2] + 1
        slots.append(slot)
        covers.append(min(1.0, sum(filled) / pixels.step))
    return slots, covers


def check(slot: U8, cover: U8, row: Row, pixels: Pixels) -> None:
    slots, covers = brute(row, pixels)
    assert slot.tolist() == slots
    assert ((cover > 0) == (np.array(slots) > 0)).all()
    assert np.abs(cover / FULL - covers).max() <= 1.01 / FULL


@given(some_rows, some_pixels)
def test_slices_looked_at_one_by_one(rows: list[Row], pixels: Pixels) -> None:
    table, ids = rows_of(rows), np.arange(len(rows))
    low, high = table.windows(ids, pixels.start, pixels.end)
    raster, _ = paint(table, low, high, pixels, 3.0)
    for number, row in enumerate(rows):
        check(raster.slot[number], raster.cover[number], row, pixels)


@given(a_row(60).filter(bool), some_pixels)
def test_edges_searched(row: Row, pixels: Pixels) -> None:
    table = rows_of([row])
    low, high = table.window(0, pixels.start, pixels.end)
    if low == high:
        return
    sums = np.concatenate(([0.0], np.cumsum(table.duration)))[low:]
    slot, cover, whole = search(table, low, high, pixels, sums)
    check(slot, cover, row, pixels)
    edges = pixels.edges()[:-1]
    starts, ends = table.start, table.start + table.duration
    wanted = {i for i in range(low, high) if ((starts[i] <= edges) & (ends[i] >= edges + pixels.step)).any()}
    assert set(whole.tolist()) >= {i for i in wanted if (starts[i] < edges[(starts[i] <= edges)][0])}


@given(some_rows, some_pixels)
def test_windows_hold_what_touches_them(rows: list[Row], pixels: Pixels) -> None:
    table = rows_of(rows)
    for number in range(len(rows)):
        low, high = table.window(number, pixels.start, pixels.end)
        touched = [
            i
            for i in range(int(table.first[number]), int(table.first[number + 1]))
            if table.start[i] < pixels.end
            and (table.start[i] + table.duration[i] > pixels.start or table.start[i] >= pixels.start)
        ]
        assert list(range(low, high)) == touched


@given(st.lists(st.lists(st.integers(0, 9), max_size=12).map(sorted), min_size=1, max_size=5), st.integers(-1, 10))
def test_all_stretches_are_searched_at_once(stretches: list[list[int]], wanted: int) -> None:
    values = np.array([value for stretch in stretches for value in stretch], float)
    ends = np.cumsum([len(stretch) for stretch in stretches])
    starts = ends - [len(stretch) for stretch in stretches]
    found = bisect(values, starts.astype(np.int64), ends.astype(np.int64), wanted)
    expected = [a + np.searchsorted(stretch, wanted) for a, stretch in zip(starts, stretches, strict=True)]
    assert found.tolist() == expected


def test_stretches_are_spread() -> None:
    index, owner = spread(np.array([3, 9, 5]), np.array([5, 7, 6]))
    assert index.tolist() == [3, 4, 5]
    assert owner.tolist() == [0, 0, 2]


def built(rows: Rows, end: float) -> Pyramid:
    pyramid = Pyramid.empty(rows, 0.0, end)
    for _ in pyramid.build(rows):
        pass
    return pyramid


@pytest.fixture
def small_pyramids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rasters, "FEW", 1)
    monkeypatch.setattr(rasters, "CELLS_LEAST", 64)
    monkeypatch.setattr(rasters, "STRETCH", 7)


@pytest.mark.usefixtures("small_pyramids")
@given(some_rows)
def test_the_base_of_the_pyramid_is_the_rule_of_edges(rows: list[Row]) -> None:
    table = rows_of(rows)
    end = 2.0 ** np.ceil(np.log2(1 + max((s + d for row in rows for s, d, _ in row), default=0.0)))
    pyramid = built(table, end)
    base = pyramid.levels[0]
    pixels = Pixels(0.0, pyramid.cell, base.slot.shape[1])
    for place_, number in enumerate(pyramid.rows.tolist()):
        check(base.slot[place_], base.cover[place_], rows[number], pixels)
        for level, plane in enumerate(pyramid.levels):
            wide = pyramid.wide[place_][level]
            longest = rasters.WIDE * pyramid.cell * 2**level
            first, last = table.first[number : number + 2]
            assert wide.tolist() == [i for i in range(first, last) if table.duration[i] >= longest]
            kept = base.slot[place_].reshape(plane.slot.shape[1], -1).any(1)
            assert ((plane.slot[place_] > 0) == kept).all()
            assert ((plane.cover[place_] > 0) == kept).all()


@pytest.mark.usefixtures("small_pyramids")
@given(some_rows, st.integers(1, 70), st.floats(-0.2, 0.9), st.floats(0.05, 1.5))
def test_nothing_vanishes_however_far_out(rows: list[Row], width: int, begin: float, share: float) -> None:
    table = rows_of(rows)
    end = max((s + d for row in rows for s, d, _ in row), default=0.0) + 1.0
    renderer = Renderer(table, built(table, end))
    pixels = Pixels(begin * end, share * end / width, width)
    ids = np.arange(len(rows))
    picture = renderer.render(Strips(ids, ids, len(rows)), pixels)
    for number, row in enumerate(rows):
        there = picture.raster.slot[number] > 0
        assert (there == (picture.raster.cover[number] > 0)).all()
        for start, duration, _ in row:  # in its pixel, or in the one in which its cell starts
            p = (start - pixels.start) / pixels.step
            if 1.001 <= p < width:
                assert there[int(p - 1e-6) - 1 : int(p + duration / pixels.step) + 1].any()
        touched = np.zeros(width + 2, np.bool_)
        for start, duration, _ in row:
            a, b = (start - pixels.start) / pixels.step, (start + duration - pixels.start) / pixels.step
            touched[max(0, int(np.floor(a)) - 1) : max(0, int(np.ceil(b)) + 2)] = True
        assert not (there & ~touched[:width]).any()


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_all_ways_agree_on_a_big_row(width_bits: int, seed: int) -> None:
    """The same window by looking, by searching and from the pyramid (where its cells are the pixels)."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 8, 600) / 4
    gaps = random.integers(1, 8, 600) / 4
    start = np.cumsum(gaps + lengths) - lengths
    table = Rows(
        start,
        lengths,
        random.integers(0, COLOURS, 600).astype(np.int32),
        np.arange(1, COLOURS + 2, dtype=np.uint8),
        np.array([0, 600]),
    )
    renderer = Renderer(table, built(table, 4096.0))
    width = 1 << width_bits
    pixels = Pixels(0.0, renderer.pyramid.cell, min(width * 16, 4096))
    one = Strips(np.zeros(1, np.int64), np.zeros(1, np.int64), 1)
    from_pyramid = renderer.render(one, pixels).raster
    renderer.pyramid.ready[:] = False
    looked = renderer.render(one, pixels).raster
    low, high = table.window(0, pixels.start, pixels.end)
    slot, cover, _ = search(table, low, high, pixels, np.concatenate(([0.0], np.cumsum(lengths)))[low:])
    assert (from_pyramid.slot == looked.slot).all()
    assert (from_pyramid.cover == looked.cover).all()
    assert (slot == looked.slot[0]).all()
    assert np.abs(cover.astype(int) - looked.cover[0]).max() <= 1


@pytest.mark.parametrize("ready", [True, False])
def test_a_burst_in_a_huge_trace_is_searched(ready: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand slices in one pixel of the pyramid, and one far away that stretches its cells."""
    count = 100_000
    start = np.append(np.arange(count) * 1e-6, 1e6)
    table = Rows(
        start, np.full(count + 1, 0.5e-6), np.zeros(count + 1, np.int32), np.ones(2, np.uint8), np.array([0, count + 1])
    )
    renderer = Renderer(table, built(table, 1e6 + 1))
    renderer.pyramid.ready[:] = ready
    one = Strips(np.zeros(1, np.int64), np.zeros(1, np.int64), 1)
    monkeypatch.setattr(rasters, "paint", None)  # nothing looks at all of them
    raster = renderer.render(one, Pixels(0.0, 0.1 / 500, 500)).raster
    assert (raster.slot == 1).all()
    if ready:
        assert np.abs(raster.cover / FULL - 0.5).max() < 0.01


def test_lanes_folded_into_one_line_show_the_fuller() -> None:
    table = rows_of([[(0.0, 4.0, 0)], [(2.0, 0.5, 1), (6.0, 2.0, 1)]])
    renderer = Renderer.of(table, 0.0, 8.0)
    picture = renderer.render(Strips(np.arange(2), np.zeros(2, np.int64), 1), Pixels(0.0, 1.0, 8))
    assert picture.raster.slot[0].tolist() == [1, 1, 1, 1, 0, 0, 2, 2]


def test_wide_slices_get_a_dark_start() -> None:
    table = rows_of([[(0.0, 4.0, 0), (4.0, 4.0, 0), (8.0, 1.0, 0)]])
    picture = Renderer.of(table, 0.0, 9.0).render(
        Strips(np.zeros(1, np.int64), np.zeros(1, np.int64), 1), Pixels(0.0, 1.0, 10)
    )
    colours: U32 = np.arange(2 * SHADES, dtype=np.uint32)
    drawn = shaded(picture, colours)[0]
    dark, full = 2 * SHADES - 1, 2 * SHADES - 2
    assert drawn.tolist() == [dark, full, full, full, dark, full, full, full, full, 0]
    assert picture.wide.index.tolist() == [0, 1]


def test_a_choice_of_slices_keeps_its_rows() -> None:
    table = rows_of([[(0.0, 1.0, 0), (2.0, 1.0, 1)], [(1.0, 1.0, 2)]])
    chosen = table.chosen(np.array([1, 2]))
    assert chosen.first.tolist() == [0, 1, 2]
    assert chosen.chosen(np.array([1])).origin is not None
    assert chosen.origin is not None
    assert chosen.origin.tolist() == [1, 2]
