"""Highlights reach to the end of an axis, whatever is selected, and cost what their pixels cost."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.profile.arrays import I64, Bool
from app.views.axis import TileAxis
from app.views.look import LIGHT, Look
from app.views.plot import plot_picture
from app.views.visible_runs import visible_runs
from app.widgets.heat.draw import draw_marks
from app.widgets.heat.layout import HeatLayout
from app.widgets.plane.scene import Marks
from app.widgets.plane.view import PlaneView
from app.widgets.plot.scene import PlotScene

TILES = 94_208
WIDE, HIGH = 1000, 300


@given(
    st.lists(st.integers(0, 60), unique=True, max_size=40),
    st.floats(0, 50),
    st.floats(0.5, 60),
    st.integers(1, 80),
)
def test_it_covers_every_place_in_view_and_no_pixel_without_one(
    chosen: list[int], start: float, width: float, pixels: int
) -> None:
    places, end = np.array(sorted(chosen), np.int64), start + width
    found = visible_runs(places, start, end, pixels)
    assert len(found) <= pixels
    assert all(first < after for first, after in found)
    assert all(before[1] < behind[0] for before, behind in pairwise(found))
    pixel = width / pixels
    for place in range(61):
        seen = max(place, start), min(place + 1.0, end)
        if seen[0] + 1e-9 < seen[1]:
            near = any(first - pixel < seen[1] and after + pixel > seen[0] for first, after in found)
            inside = any(first <= seen[0] + 1e-6 and seen[1] - 1e-6 <= after for first, after in found)
            if place in chosen and width <= pixels:
                assert inside
            elif place in chosen:
                assert near
    for first, after in found:
        assert any(place < after + pixel and place + 1 > first - pixel for place in chosen)


def painted(image: QImage, row: int, colour: str) -> Bool:
    """bool[columns]: where a row of the picture has a colour."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()) & 0xFFFFFF
    return np.asarray(pixels[row] == int(colour[1:], 16))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("step", [2, 3, 210])
def test_the_selection_of_every_other_tile_is_marked_up_to_the_last(step: int) -> None:
    amounts = [("used", np.full(TILES, 50.0))]
    scene = PlotScene(plot_picture("Memory", "B", TileAxis(TILES, "Tile"), amounts))
    image = QImage(WIDE, HIGH, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    look = Look(theme=LIGHT)
    with QPainter(image) as painter:
        layout = scene.lay_out(QRectF(0, 0, WIDE, HIGH), scene.whole(), look, QFontMetricsF(painter.font(), image))
        selected: I64 = np.arange(0, TILES, step)
        scene.draw_marks(painter, layout, Marks(selected=selected, within=selected), look)
    left, right = round(layout.plot.left()), round(layout.plot.right())
    below = round(layout.axis.top()) + 2
    marked = painted(image, below, LIGHT.selection)[left + 2 : right - 2]
    if step < 50:  # every pixel shows a selected tile
        assert marked.all()
    first, *_, last = np.array_split(marked, 10)
    assert last.mean() == pytest.approx(first.mean(), abs=0.1)


@pytest.mark.usefixtures("qapp")
def test_columns_of_a_heat_map_are_marked_up_to_the_last() -> None:
    plot = QRectF(50, 20, 900, 200)
    image = QImage(WIDE, HIGH, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    with QPainter(image) as painter:
        metrics = QFontMetricsF(painter.font(), image)
        names, axis = QRectF(0, 20, 50, 200), QRectF(50, 220, 900, 40)
        view = PlaneView.whole(TILES, TILES, (8.0, 8.0))
        layout = HeatLayout(QRectF(0, 0, WIDE, 20), names, plot, axis, view, metrics)
        chosen: I64 = np.arange(0, TILES, 2)
        draw_marks(painter, layout, Marks(selected=chosen), (chosen, chosen), LIGHT)
    assert painted(image, 222, LIGHT.selection)[52:948].all()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(HIGH, WIDE) & 0xFFFFFF
    assert (pixels[22:218, 46] == int(LIGHT.selection[1:], 16)).all()
