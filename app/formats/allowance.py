"""Limits on the memory used to decode a file: columns of entries that take two bytes in the file can take a hundred
times as much memory."""

from __future__ import annotations

from typing import Final

FREE: Final = 200_000_000
TIMES: Final = 8


def allowed(file_size: int, each: int) -> int:
    """The largest number of entries of ``each`` bytes of memory that a file of ``file_size`` bytes may hold. Entries of
    real files take less than ``TIMES`` times their bytes in the file, so only lists of nearly empty entries reach this
    limit."""
    return (FREE + TIMES * file_size) // each
