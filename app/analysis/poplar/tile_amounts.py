"""Bytes on a set of tiles: by variable, and by item with the sum and the tile with the most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.analysis.poplar.numbers import blocks
from app.profile.arrays import I64, Integers, combine_at, distinct, expand, numbered
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


class Amounts(Struct, frozen=True, eq=False):
    """One row per item, int64: ``total`` over the tiles, ``most`` on one of them, ``tile`` which one that is (-1:
    none), ``tiles`` how many of them have any. All are -1 if unknown."""

    total: I64
    most: I64
    tile: I64
    tiles: I64

    @classmethod
    def none(cls, count: int) -> Amounts:
        zeros = [np.zeros(count, np.int64) for _ in range(3)]
        return cls(zeros[0], zeros[1], np.full(count, -1, np.int64), zeros[2])

    @classmethod
    def unknown(cls, count: int) -> Amounts:
        blank = [np.full(count, -1, np.int64) for _ in range(4)]
        return cls(*blank)

    @property
    def known(self) -> I64:
        """``total`` with 0 for unknown amounts, for sums."""
        return np.maximum(self.total, 0)

    def rows(self, chosen: I64) -> Amounts:
        return Amounts(self.total[chosen], self.most[chosen], self.tile[chosen], self.tiles[chosen])

    def put(self, first: int, part: Amounts) -> None:
        """Writes the rows of ``part`` from row ``first`` on."""
        self.put_at(np.arange(first, first + len(part.total)), part)

    def put_at(self, place: Integers, part: Amounts) -> None:
        """Writes row i of ``part`` to row ``place[i]``."""
        self.total[place], self.most[place] = part.total, part.most
        self.tile[place], self.tiles[place] = part.tile, part.tiles


def of_matrices(matrices: Sequence[Integers], tiles: I64) -> Amounts:
    """The amounts of the sum of ``matrices`` [items, tiles], which have one shape, in the columns ``tiles``. Reads no
    other columns, and many columns in blocks of rows."""
    rows, columns = matrices[0].shape
    tiles = tiles[tiles < columns]
    out = Amounts.none(rows)
    if len(tiles):
        for part in blocks(rows, len(tiles)):
            cells = np.zeros((len(range(*part.indices(rows))), len(tiles)), np.int64)
            for matrix in matrices:
                cells += matrix[part][:, tiles]
            out.put(part.start, of_cells(cells, tiles))
    return out


def of_cells(cells: I64, tiles: I64) -> Amounts:
    """The amounts of int64[items, tiles]; at least one tile."""
    at = np.argmax(cells, axis=1)
    most = cells[np.arange(len(cells)), at]
    return Amounts(cells.sum(axis=1), most, np.where(most > 0, tiles[at], -1), np.count_nonzero(cells > 0, axis=1))


def of_parts(parts: Integers, chosen: I64, owner: Integers, owners: int, tiles: I64) -> Amounts:
    """The amounts of the rows ``chosen`` of ``parts`` [parts, tiles], added up by ``owner`` (int[parts], below
    ``owners``). Reads no other rows and columns."""
    cells = np.zeros((owners, len(tiles)), np.int64)
    for own, row in zip(owner[chosen].tolist(), chosen.tolist(), strict=True):
        cells[own] += parts[row][tiles]
    return of_cells(cells, tiles)


def of_pieces(owner: I64, bytes_: I64, on: I64) -> tuple[I64, Amounts]:
    """(distinct owners, ascending; their amounts) of pieces, each with its ``owner`` and the tile ``on`` which it
    is."""
    owners, rank = numbered(owner)
    tiles, column = numbered(on)
    pairs, place = numbered(rank * max(len(tiles), 1) + column)
    sums = np.zeros(len(pairs), np.int64)
    combine_at(np.add, sums, place, bytes_)
    mine, where = pairs // max(len(tiles), 1), tiles[pairs % max(len(tiles), 1)]
    out = Amounts.none(len(owners))
    combine_at(np.add, out.total, mine, sums)
    combine_at(np.add, out.tiles, mine, sums > 0)
    order = np.lexsort((-sums, mine))
    first = order[np.searchsorted(mine[order], np.arange(len(owners)))]
    out.most[:] = sums[first]
    out.tile[:] = np.where(sums[first] > 0, where[first], -1)
    return owners, out
