"""Bytes as lines of hexadecimal text."""

from __future__ import annotations

from typing import NamedTuple

WIDE, NARROW = 16, 8


class HexLine(NamedTuple):
    """``offset``, then the bytes in groups of eight, then the same bytes as ASCII. ``differs``: the
    places in the line of those that differ from the baseline."""

    offset: str
    bytes: str
    text: str
    differs: tuple[int, ...] = ()


def lines_of(size: int, width: int) -> int:
    """Number of lines for ``size`` bytes at ``width`` bytes per line."""
    return -(-size // width)


def digits_of(size: int) -> int:
    """Number of digits of an offset, the same on every line."""
    return max(8, len(f"{max(size - 1, 0):x}"))


def letters_of(size: int, width: int) -> int:
    """Number of characters in a whole line, with two between its parts."""
    return digits_of(size) + 2 + 3 * width + width // 8 + 2 + width


def hex_line(offset: int, content: bytes, digits: int, before: bytes | None = None) -> HexLine:
    """One line; an empty ``content`` means that it has not been read yet. ``before``: the bytes of the baseline there,
    None without one."""
    groups = [content[start : start + 8].hex(" ") for start in range(0, len(content), 8)]
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in content)
    differs: tuple[int, ...] = ()
    if before is not None:
        differs = tuple(place for place, byte in enumerate(content) if before[place : place + 1] != bytes((byte,)))
    return HexLine(f"{offset:0{digits}x}", "  ".join(groups), text, differs)


def letter_of(place: int) -> int:
    """The first character of a byte in the text of a line's bytes."""
    return 3 * place + place // 8
