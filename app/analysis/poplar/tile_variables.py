"""Variables by tile, and how many bytes of it they take."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, distinct, expand
from app.profile.poplar import Variables

MOST_BYTES = 1 << 40
"""No tile has this many bytes; a larger number is not an address."""


def rows_on(variables: Variables, tiles: I64) -> tuple[I64, I64]:
    """(rows of the variables on ``tiles``, the tile of each), int64 both: tile by tile, largest first. Costs only what
    is on the tiles, because the file reader stored the order."""
    tiles = distinct(tiles[tiles >= 0])
    wanted = tiles.astype(variables.tile.dtype)  # another dtype would make numpy convert the whole column
    low = np.searchsorted(variables.tile, wanted, "left", variables.by_tile)
    high = np.searchsorted(variables.tile, wanted, "right", variables.by_tile)
    counts = high - low
    return variables.by_tile[expand(low, high)].astype(np.int64), np.repeat(tiles, counts)


def covered(variables: Variables, rows: I64, tiles: I64) -> int | None:
    """Bytes covered by ``rows`` on their ``tiles``: addresses that several share are counted once. None if the file
    does not have the address of each of them."""
    size, offset = np.maximum(variables.size[rows], 0), variables.offset[rows]
    there = size > 0
    size, offset, tiles = size[there], offset[there], tiles[there]
    if bool(np.any((offset < 0) | (offset > MOST_BYTES) | (size > MOST_BYTES))):
        return None
    _, rank = np.unique(tiles, return_inverse=True)
    begin = offset + rank * (2 * MOST_BYTES + 1)  # all tiles in one address space, for a single pass
    order = np.argsort(begin, kind="stable")
    begin = begin[order]
    end = begin + size[order]
    before = np.concatenate((np.zeros(1, np.int64), np.maximum.accumulate(end)))[:-1]
    return int(np.maximum(end - np.maximum(begin, before), 0).sum())
