"""Lines of a text for a terminal, whose wide characters (Chinese) take two columns and may be followed by a break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

CLOSING = "，。：；、！？）》」』”’…"
"""Never at the beginning of a line."""
OPENING = "（《「『“‘"
"""Never at its end."""
_WORD = re.compile(r"\s+|\S+")


def columns_of(text: str) -> int:
    """How many columns of a terminal ``text`` takes: wide characters take two."""
    return sum(map(_columns, text))


def folded(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The lines of ``text``, at most ``width`` columns wide unless a prefix alone is wider; ``first`` and ``rest``
    stand before the first line and the others. Without a word there is no line."""
    lines: list[str] = []
    line, filled = first, False
    gap = ""
    for piece in _pieces(text):
        if piece.isspace():
            gap = " "
            continue
        for part in _parts(piece, max(width - columns_of(rest), 2)):
            if filled and columns_of(line) + columns_of(gap + part) > width:
                lines.append(line)
                line, filled, gap = rest, False, ""
            line += (gap if filled else "") + part
            filled, gap = True, ""
    return [*lines, line] if filled else lines


def _pieces(text: str) -> Iterator[str]:
    """White space, words, and wide characters with the punctuation that stays with them."""
    for run in _WORD.findall(text):
        held = ""
        for letter in run:
            wide_before = bool(held) and _columns(held[-1]) == 2
            if held and letter not in CLOSING and held[-1] not in OPENING and (wide_before or _columns(letter) == 2):
                yield held
                held = ""
            held += letter
        yield held


def _parts(word: str, width: int) -> Iterator[str]:
    """A word that is wider than a line, cut."""
    held = ""
    for letter in word:
        if held and columns_of(held) + _columns(letter) > width:
            yield held
            held = ""
        held += letter
    yield held


def _columns(letter: str) -> int:
    return 2 if east_asian_width(letter) in "WF" else 1
