"""The picture of some rows in a window of time: pixels for everything, places for what is wide enough to name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct, field

from app.profile.arrays import F64, I64, U8, U32, Bool, distinct
from app.views.timeline.colouring import WAITING
from app.views.timeline.cover import NOWHERE, Pixels, Placed, Raster, paint, search
from app.views.timeline.rows import Rows

DENSE = 4
"""Rows with more slices than so many a pixel are searched for edges instead of looked at slice by slice."""
AT_ONCE = 1 << 16
"""Slices and pixels that are looked at together: what fits the processor's cache."""
MARK_WIDTH = 3.0
"""Pixels a slice must be wide to get a dark start."""


class Strips(Struct, frozen=True, eq=False):
    """Which rows go where. ``rows``: int64, rising; ``strip``: int64, the line of the picture that each is drawn
    on (several rows of something folded share one); ``count``: lines in all."""

    rows: I64
    strip: I64
    count: int

    @property
    def shared(self) -> bool:
        return len(self.rows) > 1 and bool((np.diff(self.strip) == 0).any())


class Picture(Struct, frozen=True, eq=False):
    """``raster``: [strips, width]; ``wide``: slices of MARK_WIDTH pixels and more, in the order of their rows."""

    raster: Raster
    wide: Placed


class Renderer(Struct, eq=False):
    """Draws rows from their pyramid, or from the slices themselves below its resolution (and until it is built)."""

    rows: Rows
    pyramid: Pyramid
    sums: dict[int, F64] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Rows, start: float, end: float) -> Renderer:
        return cls(rows, Pyramid.empty(rows, start, end))

    def render(self, strips: Strips, pixels: Pixels) -> Picture:
        """Never looks at more slices than a few for each pixel."""
        blank = np.zeros((strips.count, pixels.width), np.uint8)
        raster = Raster(blank, blank.copy())
        level = self.pyramid.level_for(pixels.step)
        places = self.pyramid.place_of[strips.rows]
        summed = (places >= 0) & (level >= 0)
        summed[summed] = self.pyramid.ready[places[summed]]
        low, high = self.rows.windows(strips.rows, pixels.start, pixels.end)
        dense = ~summed & (high - low > DENSE * pixels.width)
        sparse = ~summed & ~dense & (high > low)
        wide = [
            self._summed(raster, strips, np.flatnonzero(summed), pixels, level, low, high),
            self._dense(raster, strips, np.flatnonzero(dense), pixels, low, high),
            self._sparse(raster, strips, np.flatnonzero(sparse), pixels, low, high),
        ]
        return Picture(raster, joined(wide))

    def _summed(
        self, raster: Raster, strips: Strips, which: I64, pixels: Pixels, level: int, low: I64, high: I64
    ) -> Placed:
        if not len(which):
            return NOWHERE
        places = self.pyramid.place_of[strips.rows[which]]
        put(raster, strips.strip[which], self.pyramid.sample(level, places, pixels), strips.shared)
        of_rows = [
            self.pyramid.wide_in(level, *numbers)
            for numbers in zip(places.tolist(), low[which].tolist(), high[which].tolist(), strict=True)
        ]
        owner = np.repeat(strips.strip[which], [len(indices) for indices in of_rows])
        return self._placed(np.concatenate(of_rows), owner, pixels)

    def _dense(self, raster: Raster, strips: Strips, which: I64, pixels: Pixels, low: I64, high: I64) -> Placed:
        wide_ones = [NOWHERE]
        for number in which.tolist():
            row, a, b = int(strips.rows[number]), int(low[number]), int(high[number])
            slot, cover, whole = search(self.rows, a, b, pixels, self._sums(row, a))
            strip = strips.strip[number : number + 1]
            put(raster, strip, Raster(slot[None], cover[None]), strips.shared)
            wide_ones.append(self._placed(whole, np.repeat(strip, len(whole)), pixels))
        return joined(wide_ones)

    def _sparse(self, raster: Raster, strips: Strips, which: I64, pixels: Pixels, low: I64, high: I64) -> Placed:
        if not len(which):
            return NOWHERE
        wide_ones = [NOWHERE]
        weight = np.cumsum(high[which] - low[which] + pixels.width)
        for part in np.split(which, np.searchsorted(weight, np.arange(AT_ONCE, int(weight[-1]), AT_ONCE))):
            if len(part):
                lines = strips.strip[part]
                fresh, wide = paint(self.rows, low[part], high[part], pixels, MARK_WIDTH)
                put(raster, lines, fresh, strips.shared)
                wide_ones.append(Placed(wide.index, lines[wide.strip], wide.left, wide.right))
        return joined(wide_ones)

    def _placed(self, index: I64, strip: I64, pixels: Pixels) -> Placed:
        left = (self.rows.start[index] - pixels.start) / pixels.step
        placed = Placed(index, strip, left, left + self.rows.duration[index] / pixels.step)
        return placed.wider(MARK_WIDTH)

    def _sums(self, row: int, low: int) -> F64 | None:
        """Durations summed along a row, from slice ``low``; made once for a row, when its pyramid is there."""
        place_ = int(self.pyramid.place_of[row])
        if place_ < 0 or not self.pyramid.ready[place_]:
            return None
        first, last = int(self.rows.first[row]), int(self.rows.first[row + 1])
        if row not in self.sums:
            self.sums[row] = np.concatenate(([0.0], np.cumsum(self.rows.duration[first:last])))
        return self.sums[row][low - first :]


def put(raster: Raster, lines: I64, fresh: Raster, shared: bool) -> None:
    """Lays freshly drawn lines into the picture; where rows share a line, the fuller pixel wins, and of two that are
    equally full that which works."""
    if not shared:
        raster.slot[lines] = fresh.slot
        raster.cover[lines] = fresh.cover
        return
    for number, line in enumerate(lines.tolist()):
        cover, busy = raster.cover[line], fresh.slot[number] != WAITING
        better = (fresh.cover[number] > cover) | (
            (fresh.cover[number] == cover) & busy & (raster.slot[line] == WAITING)
        )
        raster.slot[line][better] = fresh.slot[number][better]
        raster.cover[line][better] = fresh.cover[number][better]


def joined(parts: list[Placed]) -> Placed:
    """Several lists of places as one."""
    full = [part for part in parts if len(part.index)]
    if len(full) <= 1:
        return full[0] if full else NOWHERE
    return Placed(
        np.concatenate([part.index for part in full]),
        np.concatenate([part.strip for part in full]),
        np.concatenate([part.left for part in full]),
        np.concatenate([part.right for part in full]),
    )


SHADES = 17
"""Entries of a colour table for each slot: blank, 15 steps of cover, the dark start."""


def shaded(picture: Picture, table: U32) -> U32:
    """The picture as 0xffRRGGBB, uint32[strips, width]. ``table``: uint32[slots * SHADES]."""
    width = picture.raster.slot.shape[1]
    entry = picture.raster.slot.astype(np.uint16) * SHADES
    entry += STEPS[picture.raster.cover]
    wide = picture.wide
    starts = (wide.left >= 0) & (wide.left < width)
    where = wide.strip[starts] * width + wide.left[starts].astype(np.int64)
    pixels = entry.reshape(-1)
    pixels[where] = pixels[where] // SHADES * SHADES + SHADES - 1
    return table[entry]


STEPS = ((np.arange(256) + SHADES - 1) // SHADES).astype(np.uint16)


FEW = 64
"""Rows with fewer slices are quicker to draw as they are."""
CELLS_LEAST, CELLS_MOST = 4096, 1 << 24
"""Level-0 cells of a row at least, and of all rows together at most; each costs four bytes, levels above included."""
LEVEL_CELLS_MOST = 1 << 18
CELLS_A_SLICE = 2
"""Level-0 cells of the fullest row for each of its slices, at least."""
STRETCH = 1 << 16
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
