"""Rows of different lengths in one column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import I64, Integers, sealed


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Row r is ``items[first[r]:first[r + 1]]``. ``first``: int64[rows + 1], rising from 0; ``items``: integers."""

    first: I64
    items: Integers

    @classmethod
    def of(cls, lengths: I64, items: Integers) -> Ragged:
        """Rows of these ``lengths`` (int64[rows], which add up to the items), sealed."""
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        return cls(sealed(first), sealed(items))

    def __len__(self) -> int:
        return len(self.first) - 1

    def row(self, index: int) -> Integers:
        """The items of row ``index``; none for a row that is not there."""
        if not 0 <= index < len(self):
            return self.items[:0]
        return self.items[int(self.first[index]) : int(self.first[index + 1])]

    @property
    def lengths(self) -> I64:
        """int64[rows]."""
        return np.diff(self.first)

    @property
    def owner(self) -> I64:
        """int64[items]: the row that each item is in."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)
