"""How much memory may be made of the bytes of a file: entries of two bytes would take a hundred times as much."""

from __future__ import annotations

from typing import Final

FREE: Final = 200_000_000
TIMES: Final = 8


def allowed(file_size: int, each: int) -> int:
    """How many entries that take ``each`` bytes of memory, at most, a file of that size may have. Real ones take less
    than ``TIMES`` times their bytes in the file, so that only lists of next to nothing come to this bound."""
    return (FREE + TIMES * file_size) // each
