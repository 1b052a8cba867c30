"""Texts and tables of the tile memory panel about some tiles, about IPUs, and about tiles without data."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.tables.poplar_memory import ipu_table
from app.analysis.tile_figures import Content
from app.panels.tile_memory.compared import compared
from app.panels.tile_memory.picture import bars_of
from app.panels.tile_memory.shown import words
from app.views.look import Look
from app.views.tile_memory.places import places

NO = np.nan


def content(values: list[float], per_ipu: int = 0, *, adds_up: bool = True) -> Content:
    total = np.array(values, float)
    part = ("own", "Own", total, "")
    return Content("own", "By tile", "B", (part,), total, None, adds_up, per_ipu, None, title_by_ipu="By IPU")


@pytest.mark.parametrize(
    ("values", "per_ipu", "most", "fullest"),
    [
        ([1, 5, 5, NO, NO, NO, 2], 3, [5, None, 2], [1, None, 6]),
        ([1, 7], 0, [7], [1]),
        ([0, 0, -1, 0], 2, [0, 0], [0, 3]),
    ],
)
def test_the_fullest_tile_of_an_ipu_is_one_of_its_own(
    values: list[float], per_ipu: int, most: list[float | None], fullest: list[int | None]
) -> None:
    columns = {column.key: column for column in ipu_table(content(values, per_ipu, adds_up=False)).columns}
    assert [columns["max_tile"].value(ipu) for ipu in range(len(most))] == most
    assert [columns["fullest"].value(ipu) for ipu in range(len(most))] == fullest


def test_one_tile_in_each_of_many_ipus() -> None:
    """Each IPU was looked for among all tiles."""
    assert ipu_table(content([1.0] * 200_000, 1)).rows == 200_000


def test_pictures_of_ipus_have_their_own_title_in_every_language() -> None:
    own = content([1, 2, 3, 4], 2)
    both = compared(own, own, difference=False, per_tile=False)
    assert [bars_of(own, places(own, view)).title for view in ("tile", "ipu")] == ["By tile", "By IPU"]
    shown = [both.bars(both.places(view), limit=False, lines=False).title for view in ("tile", "ipu")]
    assert shown == ["By tile", "By IPU"]


def test_tiles_of_one_side_are_counted_among_the_selected_ones() -> None:
    both = compared(content([1, 2]), content([1, 2, 3, 4]), difference=False, per_tile=False)
    assert "2 tiles only in the comparison" in both.words(-1, np.arange(4), "", Look())
    assert "1 tile only in the comparison" in both.words(-1, np.arange(3), " selected", Look())
    assert "only in" not in both.words(-1, np.arange(2), " selected", Look())


def test_one_tile_with_data_is_one_tile() -> None:
    assert words(content([NO, 2]), -1, np.arange(2), "", Look()).startswith("1 tile ·")
