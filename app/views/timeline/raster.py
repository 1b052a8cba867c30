"""The picture of some rows in a window of time: pixels for everything, places for what is wide enough to name."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

from app.profile.arrays import F64, I64, U32
from app.views.timeline.cover import NOWHERE, Pixels, Placed, Raster, paint, search
from app.views.timeline.pyramid import Pyramid
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
    """Lays freshly drawn lines into the picture; where rows share a line, the fuller pixel wins."""
    if not shared:
        raster.slot[lines] = fresh.slot
        raster.cover[lines] = fresh.cover
        return
    for number, line in enumerate(lines.tolist()):
        better = fresh.cover[number] > raster.cover[line]
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
