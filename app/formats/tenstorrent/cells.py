"""Many lines of a plain CSV text at a time: where the cells are, whole numbers and ids of texts, without a step of
Python for a line. Such a text has no quoted cells (Tenstorrent, section 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from app.profile.arrays import I64, U64, Bool

_BEFORE: Final = 32
"""Zeros in front of and behind the text, so that eight bytes can be read at any of its places."""
_COMMA, _NEWLINE, _SPACE, _RETURN = b",\n \r"
_ZEROS: Final = np.uint64(0x3030303030303030)
_HIGH: Final = np.uint64(0xF0F0F0F0F0F0F0F0)
_SIXES: Final = np.uint64(0x0606060606060606)
_MIX: Final = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29))
DIGITS: Final = 18
"""Of a number: as many as surely fit into 63 bits."""
MOST_TEXT: Final = 4096
"""Bytes of a text that tell it from others."""


class Cells:
    """The cells of ``text``, whole lines. ``line``: int64, the number of each line that has at least ``width`` cells,
    counted from 0; ``lines``: how many there are in all, without blank ones."""

    def __init__(self, text: bytes, width: int) -> None:
        self._bytes = np.zeros(len(text) + 2 * _BEFORE, np.uint8)
        self._bytes[_BEFORE : _BEFORE + len(text)] = np.frombuffer(text, np.uint8)
        self._words: U64 = np.ndarray((len(self._bytes) - 7,), "<u8", self._bytes, strides=(1,))
        marks = np.flatnonzero((self._bytes == _COMMA) | (self._bytes == _NEWLINE))
        ends = np.flatnonzero(self._bytes[marks] == _NEWLINE)
        first = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1)) if len(ends) else ends
        begin = np.concatenate((np.full(1, _BEFORE - 1), marks[ends[:-1]])) + 1 if len(ends) else ends
        there = marks[ends] - begin > 1 if len(ends) else np.zeros(0, np.bool_)  # a blank line may end with CR
        first, begin, ends = first[there], begin[there], ends[there]
        self.lines = len(ends)
        good = ends - first + 1 >= width
        self.line: I64 = np.flatnonzero(good).astype(np.int64)
        self._first, self._begin, self._marks = first[good], begin[good], marks
        self._places: dict[int, tuple[I64, I64]] = {}

    def place(self, column: int) -> tuple[I64, I64]:
        """(begin, end) of the cells of a column, without a space in front and a carriage return behind."""
        known = self._places.get(column)
        if known is not None:
            return known
        begin = self._begin if not column else self._marks[self._first + column - 1] + 1
        end = self._marks[self._first + column]
        begin = begin + ((self._bytes[begin] == _SPACE) & (begin < end))
        self._places[column] = made = begin, end - ((self._bytes[end - 1] == _RETURN) & (end > begin))
        return made

    def numbers(self, column: int) -> tuple[I64, Bool]:
        """(int64: whole numbers from 0 on; bool: which cells are such of at most DIGITS digits, the others count as
        -1)."""
        begin, end = self.place(column)
        width = end - begin
        good = (width > 0) & (width <= DIGITS)
        value = np.zeros(len(end), np.int64)
        for step in range(-(-min(int(width.max(initial=0)), DIGITS) // 8)):
            part, fine = self._eight(end - 8 * step, width - 8 * step)
            value += part * 10 ** (8 * step)
            good &= fine
        return np.where(good, value, -1), good

    def _eight(self, end: I64, width: I64) -> tuple[I64, Bool]:
        """(the number of the last ``width`` of eight digits, whether they are digits). Lowest bytes come first."""
        width = np.clip(width, 0, 8)
        word = self._words[np.maximum(end - 8, 0)]
        unused = np.uint64(8) * (8 - width).astype(np.uint64)
        mask = np.where(width == 0, ~np.uint64(0), (np.uint64(1) << np.minimum(unused, np.uint64(56))) - np.uint64(1))
        word = (word & ~mask) | (_ZEROS & mask)
        fine = ((word & _HIGH) == _ZEROS) & (((word + _SIXES) & _HIGH) == _ZEROS)
        word = word - _ZEROS
        word = word * np.uint64(10) + (word >> np.uint64(8))
        low = np.uint64(0x000000FF000000FF)
        word = (word & low) * np.uint64(0x000F424000000064) + ((word >> np.uint64(16)) & low) * np.uint64(
            0x0000271000000001
        )
        return (word >> np.uint64(32)).astype(np.int64), fine

    def hashes(self, column: int) -> U64:
        """uint64: equal for equal texts, and for others by chance only (of longer ones, MOST_TEXT bytes count)."""
        begin, end = self.place(column)
        width = np.minimum(end - begin, MOST_TEXT)
        made: U64 = width.astype(np.uint64) * _MIX[1]
        rest = np.flatnonzero(width > 0)
        at = 0
        while len(rest):
            left = width[rest] - at
            unused = np.uint64(8) * np.maximum(8 - left, 0).astype(np.uint64)
            word = (self._words[begin[rest] + at] << unused) >> unused
            made[rest] = mixed(made[rest], word)
            at += 8
            rest = rest[left > 8]
        return made

    def text(self, column: int, row: int) -> str:
        """The cell in the row of ``line`` with that index, up to MOST_TEXT bytes of it."""
        begin, end = (int(place[row]) for place in self.place(column))
        return self._bytes[begin : min(end, begin + MOST_TEXT)].tobytes().decode("utf-8", "replace")


def mixed(hashes: U64, more: npt.NDArray[np.generic]) -> U64:
    """uint64: the hash of pairs."""
    made: U64 = (hashes ^ (more.astype(np.uint64) * _MIX[0])) * _MIX[1]
    made ^= made >> _MIX[2]
    return made


class Coder:
    """Ids of what equal hashes stand for, in the order in which they come; what comes after ``most`` has one id."""

    def __init__(self, most: int) -> None:
        self.ids: dict[int, int] = {}
        self._most = most

    def __call__(self, hashes: U64, new: Callable[[int], None]) -> I64:
        """int64: the id of each; ``new`` gets a row of each new one in the order of the ids, -1 for all that are too
        many."""
        known, first, place = np.unique(hashes, return_index=True, return_inverse=True)
        ids = np.empty(len(known), np.int64)
        for number in np.argsort(first, kind="stable").tolist():
            key, row = int(known[number]), int(first[number])
            if key not in self.ids:
                if len(self.ids) >= self._most:
                    key, row = -1, -1
                if key not in self.ids:
                    self.ids[key] = len(self.ids)
                    new(row)
            ids[number] = self.ids[key]
        return ids[place.reshape(-1)]
