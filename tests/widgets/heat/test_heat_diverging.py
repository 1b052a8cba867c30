"""Colours of differences: the largest in either direction survives, and small ones, zero and no data are apart."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views.axis import TileAxis
from app.views.colours import difference
from app.views.heat.diverging import STEPS, DivergingScale, diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import NO_DATA, ZERO
from app.views.look import DARK, LIGHT, Theme
from app.widgets.heat.picture import HeatPicture

VALUES = st.floats(-1e6, 1e6).map(lambda value: value if abs(value) > 1e-3 else 0.0)


@given(VALUES, VALUES, st.booleans())
def test_codes_grow_with_the_distance_from_zero(one: float, other: float, log: bool) -> None:
    scale = DivergingScale(1e6, log, 1e-3)
    codes = scale.code(one), scale.code(other)
    assert (codes[0] == ZERO) == (one == 0)
    if one:
        assert codes[0] >= 2
        assert codes[0] % 2 == (one > 0)
    if abs(one) <= abs(other):
        assert codes[0] // 2 <= codes[1] // 2
    assert scale.code(math.nan) == NO_DATA


def test_a_pixel_of_many_cells_shows_the_largest_difference_in_either_direction() -> None:
    values = np.zeros((64, 64))
    values[3, 5], values[40, 41] = 5.0, -9.0
    pyramid = Pyramid(values, diverging_scale(values))
    code = pyramid.window((0, 64), (0, 64), 1, 1)[0, 0]
    assert code == pyramid.scale.code(-9.0)
    picture = HeatPicture("Difference", pyramid, "B", "Row", str, TileAxis(64))
    assert picture.largest(range(64), range(64)) == (40, 41)
    assert picture.amount(40, 41) == -9


def test_one_extreme_difference_leaves_the_others_visible() -> None:
    values = np.zeros((100, 100))
    values[::2] = 10.0
    values[0, 0] = -1e6
    scale = diverging_scale(values)
    assert scale.clipped
    assert scale.high == 10
    assert scale.code(-1e6) == 2 * STEPS
    assert diverging_scale(np.array([[1.0, -2.0]])) == DivergingScale(2.0, False, 0.2, False)


def test_without_any_difference_all_is_zero() -> None:
    values = np.array([[0.0, math.nan]])
    scale = diverging_scale(values)
    assert scale.codes(values).tolist() == [[ZERO, NO_DATA]]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_both_directions_zero_and_steps_are_told_apart(theme: Theme) -> None:
    colours = [f"#{int(packed) & 0xFFFFFF:06x}" for packed in DivergingScale(1.0).lookup(theme)]
    assert difference(colours[2 * STEPS], colours[2 * STEPS + 1]) > 60
    for least in (2, 3):
        assert difference(colours[ZERO], colours[least]) > 8
    for direction in (0, 1):
        away = [difference(colours[ZERO], colour) for colour in colours[2 + direction :: 2]]
        assert all(near <= far + 1.0 for near, far in pairwise(away))
