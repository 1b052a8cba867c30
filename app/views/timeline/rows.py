"""Slices by row, and how to find those in a window without looking at the others."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, U8, Bool, expand


class Rows(Struct, frozen=True, eq=False):
    """``start``, ``duration``: float64[slices], rising starts and ends inside a row; ``first``: int64[rows + 1];
    ``key``: int32[slices], looked up in ``slots`` (uint8, the last entry serves key -1) for the colour slot;
    ``origin``: where slice i of a chosen few stands among all slices, None when these are all."""

    start: F64
    duration: F64
    key: I32
    slots: U8
    first: I64
    origin: I64 | None = None

    @property
    def count(self) -> int:
        return len(self.first) - 1

    def slot(self, index: I64) -> U8:
        """Colour slots of slices."""
        return self.slots[self.key[index]]

    def windows(self, rows: I64, start: float, end: float) -> tuple[I64, I64]:
        """Slices [low, high) of each row that touch ``start`` <= t < ``end``; one that ends at ``start`` does not."""
        low = bisect(self.start, self.first[rows], self.first[rows + 1], start)
        high = bisect(self.start, low, self.first[rows + 1], end)
        before = low - 1
        inside = before >= self.first[rows]
        reach = np.where(inside, before, 0)
        if len(self.start):
            low = low - (inside & (self.start[reach] + self.duration[reach] > start))
        return low, high

    def window(self, row: int, start: float, end: float) -> tuple[int, int]:
        """The same for one row."""
        low, high = self.windows(np.array([row]), start, end)
        return int(low[0]), int(high[0])

    def chosen(self, index: I64) -> Rows:
        """Only the slices ``index`` (rising), in the same rows."""
        return self._only(index, self.start[index], self.duration[index], self.key[index])

    def chosen_in_steps(self, index: I64, at_once: int) -> Generator[None, None, Rows]:
        """The same of very many, ``at_once`` in a step."""
        start, duration, key = (np.empty(len(index), own.dtype) for own in (self.start, self.duration, self.key))
        for first in range(0, len(index), at_once):
            piece = slice(first, first + at_once)
            some = index[piece]
            start[piece], duration[piece], key[piece] = self.start[some], self.duration[some], self.key[some]
            yield
        return self._only(index, start, duration, key)

    def _only(self, index: I64, start: F64, duration: F64, key: I32) -> Rows:
        first: I64 = np.searchsorted(index, self.first).astype(np.int64)
        origin = index if self.origin is None else self.origin[index]
        return Rows(start, duration, key, self.slots, first, origin)

    def among_all(self, index: int) -> int:
        """Where slice ``index`` of these stands among all slices."""
        return index if self.origin is None else int(self.origin[index])

    def holds(self, index: I64) -> Bool:
        """bool: which slices ``index`` of all are among these; quick for a few and a million of these."""
        if self.origin is None:
            return np.ones(len(index), np.bool_)
        there: Bool = np.searchsorted(self.origin, index, "right") > np.searchsorted(self.origin, index)
        return there

    def place(self, index: int) -> int:
        """Where slice ``index`` of all stands among these, or would stand."""
        return index if self.origin is None else int(np.searchsorted(self.origin, index))

    def row_of(self, index: int) -> int:
        """The row that slice ``index`` lies in."""
        return int(np.searchsorted(self.first, index, "right")) - 1


def bisect(values: F64, low: I64, high: I64, wanted: float) -> I64:
    """The first place in each rising stretch [low, high) of ``values`` that is not below ``wanted``: all
    stretches at once, in as many steps as the longest needs."""
    low, high = low.copy(), high.copy()
    if not len(values):
        return low
    last = len(values) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        right = (values[np.minimum(middle, last)] < wanted) & (low < high)
        low = np.where(right, middle + 1, low)
        high = np.where(right, high, middle)
    return low


def spread(low: I64, high: I64) -> tuple[I64, I64]:
    """All indices of the stretches [low, high) one after another, and for each the number of its stretch."""
    counts = np.maximum(high - low, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    return expand(low, high), owner
