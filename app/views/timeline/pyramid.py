"""Rows with many slices, summed up once in cells of time, level by level: what zoomed-out views are drawn from.

Level 0 has cells as long as an average slice or so and is made by the rule of edges (cover.py), so that no slice is
too short to be in it. Each level above joins two cells: their cover is the mean, rounded up; the colour is that of
the fuller one. Beside it lie, for each level, the slices that are wide enough there to be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, U8, Bool, distinct
from app.views.timeline.cover import Pixels, Raster, paint
from app.views.timeline.rows import Rows

FEW = 64
"""Rows with fewer slices are quicker to draw as they are."""
CELLS_LEAST, CELLS_MOST = 4096, 1 << 24
"""Level-0 cells of a row at least, and of all rows together at most; each costs four bytes, levels above included."""
LEVEL_CELLS_MOST = 1 << 18
CELLS_A_SLICE = 2
"""Level-0 cells of the fullest row for each of its slices, at least."""
STRETCH = 1 << 18
"""Slices that are summed up at a time, so that building in the window's thread never takes a frame away."""
WIDE = 4.0
"""Cells a slice must be long to be listed as wide on a level."""


class Pyramid(Struct, eq=False):
    """``rows``: int64, the rows it holds; ``place_of``: int64[all rows], where each stands in it or -1;
    ``levels``: for each level a Raster of [rows, cells];
    ``wide[row place][level]``: rising slice indices; ``ready``: bool[rows]."""

    start: float
    cell: float
    rows: I64
    place_of: I64
    levels: list[Raster]
    wide: list[list[I64]]
    ready: Bool

    @classmethod
    def empty(cls, rows: Rows, start: float, end: float) -> Pyramid:
        """Nothing summed up yet; ``build`` does it."""
        counts = np.diff(rows.first)
        chosen = np.flatnonzero(counts >= FEW)
        most = int(counts[chosen].max(initial=FEW))
        cells = 1 << int(np.clip(CELLS_A_SLICE * most, CELLS_LEAST, LEVEL_CELLS_MOST) - 1).bit_length()
        while cells > 1024 and cells * len(chosen) > CELLS_MOST:
            cells //= 2
        if not end > start:
            chosen = chosen[:0]
        place_of = np.full(rows.count, -1, np.int64)
        place_of[chosen] = np.arange(len(chosen))
        sizes = [cells >> level for level in range(cells.bit_length())]
        return cls(
            start,
            (end - start) / cells,
            chosen,
            place_of,
            [Raster(np.zeros((len(chosen), n), np.uint8), np.zeros((len(chosen), n), np.uint8)) for n in sizes],
            [[] for _ in chosen],
            np.zeros(len(chosen), np.bool_),
        )

    def build(self, rows: Rows) -> Iterator[None]:
        """Sums up row after row; the caller goes on when it has time."""
        for place_, row in enumerate(self.rows.tolist()):
            yield from self._base(rows, row, place_)
            self._join(place_)
            self._list_wide(rows, row, place_)
            self.ready[place_] = True
            yield

    def level_for(self, step: float) -> int:
        """The level whose cells are at most ``step`` long and more than half of it; -1 where level 0 is coarser."""
        if not step >= self.cell or not len(self.rows):
            return -1
        return min(int(np.log2(step / self.cell) + 1e-9), len(self.levels) - 1)

    def sample(self, level: int, places: I64, pixels: Pixels) -> Raster:
        """[places, width] of rows at ``places``. Each cell goes to the pixel in which it starts."""
        cells = self.levels[level].slot.shape[1]
        edges = (pixels.edges() - self.start) / (self.cell * (1 << level))
        bounds = np.ceil(np.clip(edges, -1, cells + 1) - 1e-9).astype(np.int64)
        outside = (bounds[1:] <= 0) | (bounds[:-1] >= cells)
        one = np.clip(bounds[:-1], 0, cells - 1)
        two = np.maximum(one, np.minimum(bounds[1:] - 1, cells - 1))
        low, high = int(one[0]), int(two[-1]) + 1
        slot = part(self.levels[level].slot, places, low, high)
        cover = part(self.levels[level].cover, places, low, high)
        result = fuller(
            slot.take(one - low, 1), cover.take(one - low, 1), slot.take(two - low, 1), cover.take(two - low, 1)
        )
        result.slot[:, outside] = 0
        result.cover[:, outside] = 0
        return result

    def wide_in(self, level: int, place_: int, low: int, high: int) -> I64:
        """Of the slices [low, high) of a row those that are WIDE cells of ``level`` long or longer."""
        listed = self.wide[place_][level]
        a, b = np.searchsorted(listed, (low, high))
        return listed[a:b]

    def _base(self, rows: Rows, row: int, place_: int) -> Iterator[None]:
        first, last = int(rows.first[row]), int(rows.first[row + 1])
        cells = self.levels[0].slot.shape[1]
        begins = rows.start[np.arange(first + STRETCH, last, STRETCH)]
        borders = np.clip(((begins - self.start) / self.cell).astype(np.int64), 0, cells)
        borders = distinct(np.concatenate(([0], borders, [cells])))
        for low, high in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
            pixels = Pixels(self.start + low * self.cell, self.cell, high - low)
            a, b = rows.window(row, pixels.start, np.inf if high == cells else pixels.end)
            raster, _ = paint(rows, np.array([a]), np.array([b]), pixels, np.inf)
            self.levels[0].slot[place_, low:high] = raster.slot[0]
            self.levels[0].cover[place_, low:high] = raster.cover[0]
            yield

    def _join(self, place_: int) -> None:
        for below, above in pairwise(self.levels):
            slot, cover = below.slot[place_], below.cover[place_]
            joined = fuller(slot[::2], cover[::2], slot[1::2], cover[1::2])
            above.slot[place_] = joined.slot
            above.cover[place_] = joined.cover

    def _list_wide(self, rows: Rows, row: int, place_: int) -> None:
        first, last = int(rows.first[row]), int(rows.first[row + 1])
        duration = rows.duration[first:last]
        listed = np.flatnonzero(duration >= WIDE * self.cell)
        for level in range(len(self.levels)):
            listed = listed[duration[listed] >= WIDE * self.cell * (1 << level)]
            self.wide[place_].append(listed + first)


def fuller(slot_a: U8, cover_a: U8, slot_b: U8, cover_b: U8) -> Raster:
    """Two neighbours as one: the colour of the fuller, the mean cover rounded up so that nothing is lost."""
    slot = np.where(cover_b > cover_a, slot_b, slot_a)
    return Raster(slot, (cover_a >> 1) + (cover_b >> 1) + ((cover_a | cover_b) & 1))


def part(plane: U8, places: I64, low: int, high: int) -> U8:
    """Columns [low, high) of the rows at ``places``, without a copy where the rows are neighbours."""
    if len(places) and places[-1] - places[0] == len(places) - 1 and bool((np.diff(places) == 1).all()):
        return plane[places[0] : places[-1] + 1, low:high]
    return plane[places, low:high]
