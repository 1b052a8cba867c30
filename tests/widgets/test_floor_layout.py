"""Where the cells of tiles lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from app.widgets.floor.scene import lay_out


@given(st.integers(1, 6000), st.integers(0, 1600), st.integers(60, 1600), st.integers(60, 900))
def test_every_tile_has_a_cell_of_its_own_inside(tiles: int, per_block: int, width: int, height: int) -> None:
    place = QRectF(7, 20, width, height)
    layout = lay_out(place, tiles, per_block, 14)
    if layout.cell < 1:
        return
    for tile in {0, tiles - 1, tiles // 2, tiles // 3}:
        cell = layout.cell_rect(tile)
        assert place.adjusted(-1, -1, 1, 1).contains(cell)
        assert layout.tile_at(cell.center()) == tile
        assert layout.tiles_in(cell.adjusted(0.1, 0.1, -0.1, -0.1)).tolist() == [tile]
    assert layout.tile_at(QPointF(place.left() - 5, place.top() - 5)) == -1


def test_four_ipus_stand_side_by_side_in_a_wide_place() -> None:
    layout = lay_out(QRectF(0, 0, 1000, 260), 5888, 1472, 16)
    assert (layout.blocks, layout.across) == (4, 4)
    tall = lay_out(QRectF(0, 0, 260, 1000), 5888, 1472, 16)
    assert tall.across == 1
    assert lay_out(QRectF(0, 0, 500, 300), 1472, 1472, 16).label == 0


def test_a_box_takes_the_tiles_it_touches() -> None:
    layout = lay_out(QRectF(0, 0, 100, 100), 100, 100, 0)
    assert layout.columns == 10
    size = layout.cell
    box = QRectF(1.5 * size, 0.5 * size, 2 * size, 1.2 * size)
    assert layout.tiles_in(box).tolist() == [1, 2, 3, 11, 12, 13]
    assert layout.tiles_in(QRectF(-500, -500, 10, 10)).tolist() == []
    everything = layout.tiles_in(QRectF(-5, -5, 500, 500))
    assert everything.tolist() == list(range(100))


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (3, 500)])
def test_no_room_is_no_trouble(size: tuple[int, int]) -> None:
    layout = lay_out(QRectF(0, 0, *size), 94_208, 1472, 16)
    assert isinstance(layout.tile_at(QPointF(0, 0)), int)
    assert np.all(layout.tiles_in(QRectF(0, 0, 2, 2)) < 94_208)
