"""Rows of different lengths in one column."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, Integers, sealed


def expand(begin: Integers, end: Integers) -> I64:
    """int64: begin[0] .. end[0] - 1, then begin[1] .. end[1] - 1, and so on; a range whose end is not after its begin
    is empty. Use it as an index to gather ranges of a column."""
    lengths = np.maximum(end - begin, 0)
    ends = np.cumsum(lengths, dtype=np.int64)
    places: I64 = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    places += np.repeat(begin - (ends - lengths), lengths)
    return places


class Ragged(Struct, frozen=True, eq=False):
    """Row r is ``items[first[r]:first[r + 1]]``. ``first``: int64[rows + 1], ascending from 0; ``items``: integers."""

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
        """The items of row ``index``; empty for an index out of range."""
        if not 0 <= index < len(self):
            return self.items[:0]
        return self.items[int(self.first[index]) : int(self.first[index + 1])]

    def gather(self, rows: Integers) -> Ragged:
        """A copy with only these rows, in this order."""
        begin, end = self.first[rows], self.first[rows + 1]
        return Ragged.of(end - begin, self.items[expand(begin, end)])

    @property
    def lengths(self) -> I64:
        """int64[rows]."""
        return np.diff(self.first)

    @property
    def owner(self) -> I64:
        """int64[items]: the row that each item is in."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)


def reverse(rows: Ragged) -> Ragged:
    """The rows that have each number as an item, once per item: parents of children, callers of the called."""
    order = np.argsort(rows.items, kind="stable")
    lengths = np.bincount(rows.items, minlength=len(rows)).astype(np.int64)
    return Ragged.of(lengths, rows.owner[order])


def rows_with(rows: Ragged) -> dict[int, int]:
    """In how many rows each item is."""
    order = np.lexsort((rows.owner, rows.items))
    items, owner = rows.items[order], rows.owner[order]
    new = np.ones(len(items), np.bool_)
    new[1:] = (items[1:] != items[:-1]) | (owner[1:] != owner[:-1])
    items = items[new]
    begins = np.flatnonzero(np.concatenate((np.ones(min(len(items), 1), np.bool_), items[1:] != items[:-1])))
    counts = np.diff(np.append(begins, len(items)))
    return dict(zip(items[begins].tolist(), counts.tolist(), strict=True))
