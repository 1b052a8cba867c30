"""How wide the columns of a layout are at first."""

from __future__ import annotations

import pytest

from app.window.layouts import ASCEND, POPLAR, TEXT, Column, widths

CHARACTER = 6.0


def test_columns_share_a_small_window_by_their_weights() -> None:
    assert widths(ASCEND.columns, 1280, CHARACTER) == pytest.approx([0.74 * 1280, 0.26 * 1280])


def test_a_column_of_text_leaves_a_large_window_to_the_data() -> None:
    tree, data, aside = widths(POPLAR.columns, 3840, CHARACTER)
    assert aside == TEXT * CHARACTER
    assert tree + data + aside == pytest.approx(3840)
    assert data / tree == pytest.approx(54 / 21)


def test_without_others_a_column_of_text_takes_everything() -> None:
    assert widths((Column(26, (), TEXT),), 3840, CHARACTER) == [3840]
