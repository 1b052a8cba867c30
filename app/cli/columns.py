"""Widths of texts in a terminal, where East Asian characters take two columns."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

_WIDE = frozenset("WF")


def width(text: str) -> int:
    """The columns that ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(1 + (east_asian_width(letter) in _WIDE) - bool(combining(letter)) for letter in text)


def left(text: str, columns: int) -> str:
    """``text``, filled with spaces to that many columns."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """``text`` at the right of that many columns."""
    return " " * (columns - width(text)) + text
