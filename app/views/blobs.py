"""Positions of the blobs along a strip.

Files follow one another. On the scale of bytes a blob is as wide as it is large, so an executable may leave no room for
the others; on the compact scale its width is the logarithm of its size, so that every blob is visible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Bool
from app.profile.popef import Blobs

DWARFS = 0.8
"""If a blob has more than this share of the bytes, the compact scale is the default."""


class Filling(Struct, frozen=True, eq=False):
    """``edges``: float64[blobs + 1], rising from 0: where each blob begins, and the end of the last; ``rank``:
    int64[blobs], 0 for the smallest; ``by_rank``: the blob of each rank; ``files``: (index of the file, its first
    blob)."""

    blobs: Blobs
    compact: bool
    edges: F64
    rank: I64
    by_rank: I64
    files: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.rank)

    @property
    def size(self) -> float:
        """The total length, in units of ``edges``."""
        return float(self.edges[-1])

    def at(self, place: float) -> int:
        """The blob at a position on the strip."""
        return int(np.clip(np.searchsorted(self.edges, place, "right") - 1, 0, len(self) - 1))

    def ends(self, blob: int) -> tuple[float, float]:
        """The start and end of a blob on the strip."""
        return float(self.edges[blob]), float(self.edges[blob + 1])

    def fitting(self, first: int, last: int, room: float) -> Iterator[Named]:
        """Yields the blobs first .. last that are wider than ``room``."""
        wide = np.flatnonzero(np.diff(self.edges[first : last + 2]) >= room) + first
        for blob in wide.tolist():
            yield Named(blob, *self.ends(blob))


class Named(NamedTuple):
    """A blob with its edges."""

    blob: int
    start: float
    end: float


class Pixels(NamedTuple):
    """Per pixel column: ``blob``, the largest blob in it; ``many``, the number of blobs in it (both int64); ``border``,
    whether a blob begins there that is wide enough to show its border (bool)."""

    blob: I64
    many: I64
    border: Bool


def filling(blobs: Blobs, *, compact: bool) -> Filling:
    """The strip of all blobs, of which there must be at least one."""
    sizes = np.maximum(blobs.size, 1)
    weights = 1.0 + np.log2(sizes.astype(np.float64)) if compact else sizes.astype(np.float64)
    by_rank = np.argsort(sizes, kind="stable")
    rank = np.empty(len(sizes), np.int64)
    rank[by_rank] = np.arange(len(sizes))
    numbers, firsts = np.unique(blobs.file, return_index=True)
    files = tuple(zip(numbers.tolist(), firsts.tolist(), strict=True))
    edges = np.concatenate(([0.0], np.cumsum(weights)))
    return Filling(blobs, compact, edges, rank, by_rank.astype(np.int64), files)


def dwarfed(blobs: Blobs) -> bool:
    """Whether one blob takes nearly all of the bytes."""
    return len(blobs) > 1 and float(blobs.size.max()) > DWARFS * float(blobs.size.sum(dtype=np.float64))


def pixels(strip: Filling, start: float, end: float, width: int, least: float = 3.0) -> Pixels:
    """Positions start .. end of a strip in ``width`` pixel columns; a blob shows its border if it is at least ``least``
    pixels wide."""
    places = np.linspace(start, end, width + 1)
    first = np.clip(np.searchsorted(strip.edges, places[:-1], "right") - 1, 0, len(strip) - 1)
    last = np.clip(np.searchsorted(strip.edges, places[1:], "left") - 1, first, len(strip) - 1)
    low = int(first[0])
    ranks = strip.rank[low : int(last[-1]) + 1]
    largest = np.maximum(np.maximum.reduceat(ranks, first - low), strip.rank[last])
    seen = np.arange(low, int(last[-1]) + 1)
    scale = width / (end - start)
    wide = seen[np.diff(strip.edges[low : int(last[-1]) + 2]) * scale >= least]
    column = np.floor((strip.edges[wide] - start) * scale).astype(np.int64)
    border = np.zeros(width, np.bool_)
    border[column[(column > 0) & (column < width)]] = True
    return Pixels(strip.by_rank[largest], last - first + 1, border)
