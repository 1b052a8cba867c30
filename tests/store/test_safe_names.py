"""Names of files are valid everywhere, and different also where case is ignored."""

from __future__ import annotations

import pytest

from app.store.outputs import SafeNames, safe_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("memory-table/L1", "memory-table_L1"),
        ('a<b>:"c|?*\\', "a_b___c____"),
        ("con", "_con"),
        ("NUL.tar", "_NUL.tar"),
        ("console", "console"),
        ("../..", "_"),
        ("name. ", "name._"),
        ("trailing...", "trailing"),
        ("", "unnamed"),
        ("矩阵 乘", "矩阵_乘"),
        ("x" * 300, "x" * 100),
    ],
)
def test_names_are_valid_on_every_system(text: str, name: str) -> None:
    assert safe_name(text) == name


def test_no_two_are_the_same() -> None:
    names = SafeNames()
    assert [names.name(text, ".csv") for text in ("a", "A", "a-2", "a")] == ["a.csv", "A-2.csv", "a-2-2.csv", "a-3.csv"]
