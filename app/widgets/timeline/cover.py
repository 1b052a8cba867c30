"""What each pixel of a row shows, by the rule of edges: a pixel that any slice touches is never blank.

A pixel p covers [edge p, edge p+1). Its *cover* is the share of it that slices fill; its *slot* is the colour of
the slice that fills more of it, of the one that enters from the left and the first one that starts in it. A slice
without length fills nothing and still counts as there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import F64, I64, U8
from app.widgets.timeline.rows import Rows, spread

FULL = 255
"""Cover of a pixel that is filled; whatever is there at all has at least 1."""


@dataclass(frozen=True, slots=True)
class Pixels:
    """``width`` pixels from time ``start``, each ``step`` long."""

    start: float
    step: float
    width: int

    @property
    def end(self) -> float:
        return self.start + self.step * self.width

    def edges(self) -> F64:
        return self.start + self.step * np.arange(self.width + 1, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """``slot``: uint8[strips, width], 0 blank; ``cover``: uint8 of the same shape, 0 blank, 1..FULL."""

    slot: U8
    cover: U8


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Slices in a window and where they lie: ``index``: int64, ``strip``: int64, ``left``, ``right``: float64
    pixels, not cut to the window."""

    index: I64
    strip: I64
    left: F64
    right: F64

    def wider(self, width: float) -> Placed:
        keep = self.right - self.left >= width
        return Placed(self.index[keep], self.strip[keep], self.left[keep], self.right[keep])


NOWHERE = Placed(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))


def place(rows: Rows, low: I64, high: I64, strips: I64, pixels: Pixels) -> Placed:
    """Slices [low, high) of each row, on the strip of that row."""
    index, owner = spread(low, high)
    left = (rows.start[index] - pixels.start) / pixels.step
    return Placed(index, strips[owner], left, left + rows.duration[index] / pixels.step)


def paint(rows: Rows, placed: Placed, strips: int, width: int) -> Raster:
    """Paints slices that were looked at one by one: for windows with about as many slices as pixels."""
    left, right = np.clip(placed.left, 0, width), np.clip(placed.right, 0, width)
    first = np.minimum(np.floor(left), width - 1)
    last = np.maximum(np.ceil(right) - 1, first)
    base = placed.strip.astype(np.int32) * np.int32(width)
    begin, final = base + first.astype(np.int32), base + last.astype(np.int32)
    colour = rows.slot(placed.index)
    several = final > begin
    head, tail = np.minimum(right, first + 1) - left, right - last
    cover: F64 = np.bincount(begin, head, strips * width).astype(np.float64, copy=False)
    cover += np.bincount(final[several], tail[several], strips * width)
    slot = np.zeros(strips * width, np.uint8)
    inner = np.flatnonzero(final > begin + 1)
    pixel, owner = spread(begin[inner] + 1, final[inner])
    cover[pixel] = 1.0
    slot[pixel] = colour[inner][owner]
    starts = several | (placed.left >= 0)
    slot[begin[starts][::-1]] = colour[starts][::-1]  # the first that starts in a pixel is written last
    alone = np.append(begin[1:] != final[:-1], True)
    wins = np.flatnonzero((several | ~starts) & (alone | (tail >= np.append(head[1:], 0.0))))
    slot[final[wins]] = colour[wins]
    return Raster(slot.reshape(strips, width), whole(cover, slot).reshape(strips, width))


def whole(cover: F64, slot: U8) -> U8:
    """Cover 0..1 as 0..FULL, rounded up; what is there at all has at least 1."""
    steps = np.minimum(cover * FULL + (1 - 1e-6), FULL).astype(np.uint8)
    return np.where(slot != 0, np.maximum(steps, np.uint8(1)), np.uint8(0))


def search(rows: Rows, low: int, high: int, pixels: Pixels, cumulated: F64 | None) -> tuple[U8, U8, I64]:
    """(slot, cover, slices that fill a pixel and more) of one row whose slices [low, high) outnumber the pixels
    by far: looks at as many slices as there are edges. ``cumulated``: float64, entry i - low is the sum of the
    durations of the row's slices before i; without it a pixel in which several start counts as full."""
    edges = pixels.edges()
    after = low + np.searchsorted(rows.start[low:high], edges)
    before = np.maximum(after - 1, low)
    over = np.where(after > low, rows.start[before] + rows.duration[before] - edges, 0.0)
    over = np.maximum(over, 0.0)  # how far the slice before an edge reaches past it
    step = pixels.step
    enters = np.minimum(over[:-1], step)
    starts = after[1:] > after[:-1]
    starter = np.minimum(after[:-1], high - 1)
    head = np.where(starts, np.minimum(rows.duration[starter], edges[1:] - rows.start[starter]), 0.0)
    if cumulated is None:
        cover = np.where(after[1:] > after[:-1] + 1, 1.0, (enters + head) / step)
    else:
        cover = np.diff(cumulated[after - low] - over) / step
    slot = np.where(starts, rows.slot(starter), np.uint8(0))
    slot = np.where((enters >= head) & (enters > 0), rows.slot(before[:-1]), slot)
    return slot, whole(cover, slot), np.unique(before[:-1][over[:-1] >= step])
