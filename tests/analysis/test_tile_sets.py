"""Tiles as text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.tile_sets import BadTiles, parse, written


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("5", [5]),
        ("0-3,8", [0, 1, 2, 3, 8]),
        (" 3 - 1 ; 7,7 ", [1, 2, 3, 7]),
        ("1 or 0".replace(" or ", ","), [0, 1]),
        ("8–9", [8, 9]),
        ("6:7", [6, 7]),
        ("9-400", [9]),
        ("ipu 1", [4, 5, 6, 7]),
        ("IPU0, 9", [0, 1, 2, 3, 9]),
        ("ipu 1-2", [4, 5, 6, 7, 8, 9]),
        ("5,", [5]),
    ],
)
def test_what_is_understood(text: str, tiles: list[int]) -> None:
    assert parse(text, 10, 4).tolist() == tiles


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Enter tiles"),
        (" , ", "Enter tiles"),
        ("abc", "is not a tile"),
        ("3-", "is not a tile"),
        ("-3", "is not a tile"),
        ("1.5", "is not a tile"),
        ("10", "no tile 10; the last one is 9"),
        ("999999999999", "no tile"),
        ("ipu 5", "no tile 20"),
        ("9" * 30, "is not a tile"),
    ],
)
def test_what_is_not(text: str, why: str) -> None:
    with pytest.raises(BadTiles, match=why):
        parse(text, 10, 4)


def test_ipus_need_their_size() -> None:
    with pytest.raises(BadTiles, match="how many tiles an IPU has"):
        parse("ipu 0", 10)
    with pytest.raises(BadTiles, match="no tiles"):
        parse("0", 0)


@given(st.sets(st.integers(0, 500)))
def test_what_is_written_is_understood(tiles: set[int]) -> None:
    text = written(np.array(sorted(tiles), np.int64), longest=10_000)
    assert (parse(text, 501).tolist() if text else []) == sorted(tiles)


def test_what_is_too_long_is_not_written() -> None:
    assert written(np.arange(0, 400, 2)) == ""
    assert written(np.arange(0, 400)) == "0-399"
