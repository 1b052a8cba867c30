"""Columns of text in a terminal are aligned where characters are wide."""

from __future__ import annotations

import pytest

from app.views.pages.document import aligned, left, right, width


@pytest.mark.parametrize(("text", "columns"), [("", 0), ("tile", 4), ("计算集", 6), ("（µs）", 6), ("e\u0301", 1)])
def test_wide_characters_take_two_columns(text: str, columns: int) -> None:
    assert width(text) == columns
    assert left(text, 8) == text + " " * (8 - columns)
    assert right(text, 8) == " " * (8 - columns) + text


def test_lines_of_a_comparison_are_aligned_by_what_is_seen() -> None:
    lines = list(aligned([("周期", "1", "a"), ("bytes", "20", "b")]))
    assert lines == ["周期   1   a", "bytes  20  b"]
