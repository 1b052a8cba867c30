"""The scanner against a loop over characters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.json.tolerant import Scanner


def by_hand(text: bytes) -> list[tuple[int, int, int]]:
    found, depth, inside, escape = [], 0, False, False
    for at, byte in enumerate(text):
        char = chr(byte)
        escaped, escape = escape, char == "\\" and not escape
        if char == '"' and not escaped:
            inside = not inside
            found.append((at, byte, depth))
        elif not inside and char in "{}[],:":
            depth -= char in "}]"
            found.append((at, byte, depth))
            depth += char in "{["
    return found


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='{}[],:"\\a\n', max_size=80).map(str.encode), st.lists(st.integers(0, 80), max_size=6))
def test_any_cuts(text: bytes, cuts: list[int]) -> None:
    scanner = Scanner(100, wanted=b'{}[],:"')
    places = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    found = []
    for begin, end in pairwise(places):
        marks = scanner.feed(text[begin:end])
        found += list(zip((marks.at - 100).tolist(), marks.byte.tolist(), marks.depth.tolist(), strict=True))
    assert found == by_hand(text)
    assert scanner.position == 100 + len(text)


def test_only_the_wanted_ones() -> None:
    marks = Scanner(depth=2).feed(b'{"a,[": [1, 2]}')
    assert marks.at.tolist() == [0, 8, 13, 14]
    assert marks.depth.tolist() == [2, 3, 3, 2]
