"""The pyramid loses nothing: a window shows what a loop over all cells would."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.views.heat import pyramid
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import HeatScale, lookup, ramp, scale_of
from app.views.look import DARK, LIGHT

LINEAR = HeatScale(0.0, 200.0)
matrices = arrays.arrays(
    np.int16, st.tuples(st.integers(1, 70), st.integers(1, 70)), elements=st.integers(0, 200), fill=st.just(0)
)


def cells_of(part: tuple[float, float], pixels: int, level: int, size: int) -> list[range]:
    """Which cells of the finest level a pixel stands for, when its level joins 2^level of them."""
    found = []
    for pixel in range(pixels):
        edges = [part[0] + (part[1] - part[0]) * (pixel + side) / pixels for side in (0, 1)]
        first, after = (math.floor(edge) >> level for edge in edges)
        after = max(after, first + 1)
        if pixel == pixels - 1 and part[1] >= size:
            after = size
        found.append(range(first << level, min(after << level, size)))
    return found


@given(data=st.data(), values=matrices)
def test_a_window_is_the_largest_of_its_cells(data: st.DataObject, values: np.ndarray) -> None:
    rows, columns = values.shape
    row_from = data.draw(st.integers(0, rows - 1))
    column_from = data.draw(st.integers(0, columns - 1))
    row_to = data.draw(st.integers(row_from + 1, rows))
    column_to = data.draw(st.integers(column_from + 1, columns))
    height, width = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    shown = Pyramid(values, LINEAR).window((row_from, row_to), (column_from, column_to), height, width)
    assert shown.shape == (height, width)
    codes = LINEAR.codes(values)
    down = cells_of((row_from, row_to), height, pyramid._coarseness((row_from, row_to), height), rows)
    across = cells_of((column_from, column_to), width, pyramid._coarseness((column_from, column_to), width), columns)
    expected = [[codes[a.start : a.stop, b.start : b.stop].max() for b in across] for a in down]
    assert shown.tolist() == [[int(cell) for cell in line] for line in expected]


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 50), st.integers(1, 50), st.data())
def test_a_single_hot_cell_survives_any_zoom(
    rows: int, columns: int, height: int, width: int, data: st.DataObject
) -> None:
    values = np.zeros((rows, columns), np.uint16)
    values[data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))] = 7
    shown = Pyramid(values, scale_of(values)).window((0, rows), (0, columns), height, width)
    assert (shown == 255).any()


def test_a_matrix_too_large_for_codes_shows_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).integers(0, 200, (301, 257)).astype(np.int32)
    whole = Pyramid(values, LINEAR)
    monkeypatch.setattr(pyramid, "KEPT_CELLS", 1000)
    lean = Pyramid(values, LINEAR)
    assert (0, 0) not in lean._levels
    for rows, columns, height, width in (
        ((0, 301), (0, 257), 60, 60),
        ((10, 50), (20, 60), 80, 90),
        ((5, 9), (0, 256), 20, 32),
    ):
        a, b = (p.window(rows, columns, height, width) for p in (whole, lean))
        assert (a == b).all()


def test_panning_over_a_matrix_too_large_for_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes from, a frame is the same; most frames make no codes."""
    numbers = np.random.default_rng(2)
    values = numbers.integers(0, 200, (90, 800)).astype(np.int32)
    whole = Pyramid(values, LINEAR)
    monkeypatch.setattr(pyramid, "KEPT_CELLS", 1000)
    monkeypatch.setattr(pyramid, "CROP_CELLS", 20_000)
    lean = Pyramid(values, LINEAR)
    made: list[pyramid.Crop] = []
    for height, width, tall, wide in ((30, 40, 15.0, 300.0), (40, 30, 80.0, 25.0), (60, 60, 12.5, 40.0)):
        row, column = 3.0, 5.0
        for _ in range(60):
            row = min(max(row + numbers.uniform(-1, 1.2), 0), 90 - tall)
            column = min(max(column + numbers.uniform(-4, 8), 0), 800 - wide)
            part = (row, row + tall), (column, column + wide)
            assert (lean.window(*part, height, width) == whole.window(*part, height, width)).all()
            if lean._crop is not None and lean._crop not in made:
                made.append(lean._crop)
    assert 3 <= len(made) < 60


def test_codes_keep_nothing_zero_and_small_apart() -> None:
    values = np.array([[-1.0, np.nan, 0.0, 1e-9, 100.0, 1e9]])
    for log in (False, True):
        codes = HeatScale(1.0, 100.0, log).codes(values)[0].tolist()
        assert codes[:3] == [0, 0, 1]
        assert codes[3:] == [2, 255, 255]
    narrow = np.array([[0, 1, 200, 255]], np.uint8)
    assert LINEAR.codes(narrow)[0].tolist() == LINEAR.codes(narrow.astype(np.int64))[0].tolist()


@given(arrays.arrays(np.float64, 30, elements=st.floats(0, 1e12)), st.booleans())
def test_codes_rise_with_the_amounts(values: np.ndarray, log: bool) -> None:
    values = np.sort(values)[None, :]
    codes = scale_of(values, log=log).codes(values)[0].astype(int)
    assert (np.diff(codes) >= 0).all()


def test_a_place_on_the_ramp_is_an_amount_and_back() -> None:
    for log in (False, True):
        scale = HeatScale(2.0, 2000.0, log)
        for value in (2.0, 63.0, 2000.0):
            assert scale.value(scale.share(value)) == pytest.approx(value)


def test_a_matrix_without_amounts_has_a_scale() -> None:
    for empty in (np.zeros((2, 3)), np.full((2, 3), np.nan), np.zeros((0, 3)), np.full((1, 1), -1)):
        for log in (False, True):
            scale = scale_of(empty, log=log)
            assert np.isin(scale.codes(empty), (0, 1)).all()


def test_colours_tell_the_three_apart_in_both_themes() -> None:
    for theme in (LIGHT, DARK):
        table = lookup(theme)
        assert table[0] == 0
        assert len({int(table[1]), int(table[2]), int(table[255])}) == 3
        assert ramp(theme).shape == (254, 3)
