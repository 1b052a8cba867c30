"""What each pixel of a row shows, by the rule of edges: a pixel that any slice touches is never blank.

A pixel p covers [edge p, edge p+1). Its *cover* is the share of it that slices fill; its *slot* is the colour of
the slice that fills more of it, of the one that enters from the left and the first one that starts in it. A slice
without length fills nothing and still counts as there.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F32, F64, I32, I64, U8, distinct
from app.views.timeline.rows import Rows, spread

FULL = 255
"""Cover of a pixel that is filled; whatever is there at all has at least 1."""


class Pixels(Struct, frozen=True):
    """``width`` pixels from time ``start``, each ``step`` long."""

    start: float
    step: float
    width: int

    @property
    def end(self) -> float:
        return self.start + self.step * self.width

    def edges(self) -> F64:
        return self.start + self.step * np.arange(self.width + 1, dtype=np.float64)


class Raster(Struct, frozen=True, eq=False):
    """``slot``: uint8[strips, width], 0 blank; ``cover``: uint8 of the same shape, 0 blank, 1..FULL."""

    slot: U8
    cover: U8


class Placed(Struct, frozen=True, eq=False):
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


class Spans(Struct, frozen=True, eq=False):
    """Slices of some rows side by side: ``left``, ``right``: float64 pixels, not cut; ``colour``: uint8 slots;
    ``base``: int32, the first pixel of the line of each."""

    left: F64
    right: F64
    colour: U8
    base: I32


def spans(rows: Rows, low: I64, high: I64, pixels: Pixels) -> Spans:
    """Slices [low, high) of each row, one line for each."""
    pieces = [slice(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True) if b > a]
    left = np.concatenate([rows.start[piece] for piece in pieces])
    left -= pixels.start
    left *= 1.0 / pixels.step
    right = np.concatenate([rows.duration[piece] for piece in pieces])
    right *= 1.0 / pixels.step
    right += left
    colour = rows.slots.take(np.concatenate([rows.key[piece] for piece in pieces]))
    line = np.arange(len(low), dtype=np.int32) * np.int32(pixels.width)
    return Spans(left, right, colour, np.repeat(line, np.maximum(high - low, 0)))


def paint(rows: Rows, low: I64, high: I64, pixels: Pixels, wide: float) -> tuple[Raster, Placed]:
    """A line for each row by looking at its slices [low, high) one by one, and which of them are ``wide`` pixels
    or wider. For windows with about as many slices as pixels, and so few rows that all of it stays in the cache."""
    count, width = len(low), pixels.width
    if not (high > low).any():
        return Raster(np.zeros((count, width), np.uint8), np.zeros((count, width), np.uint8)), NOWHERE
    span = spans(rows, low, high, pixels)
    left = np.clip(span.left, 0, width).astype(np.float32)
    right = np.clip(span.right, 0, width).astype(np.float32)
    begin = np.minimum(left.astype(np.int32), np.int32(width - 1))
    final = np.maximum(np.ceil(right).astype(np.int32) - np.int32(1), begin)
    head = np.minimum(right, (begin + np.int32(1)).astype(np.float32)) - left
    tail = right - final.astype(np.float32)
    begin += span.base
    final += span.base
    cover: F64 = np.bincount(begin, head, count * width).astype(np.float64, copy=False)
    several = np.flatnonzero(final > begin)
    cover += np.bincount(final[several], tail[several], count * width)
    slot = np.zeros(count * width, np.uint8)
    inner = several[final[several] > begin[several] + 1]
    pixel, owner = spread(begin[inner].astype(np.int64) + 1, final[inner].astype(np.int64))
    cover[pixel] = 1.0
    slot[pixel] = span.colour[inner][owner]
    first = np.flatnonzero(np.append(True, begin[1:] != begin[:-1]))
    slot[begin[first]] = span.colour[first]
    settle(slot, span, begin, final, head, tail, several)
    raster = Raster(slot.reshape(count, width), whole(cover, slot).reshape(count, width))
    return raster, wider(span, low, high, width, wide)


def settle(slot: U8, span: Spans, begin: I32, final: I32, head: F32, tail: F32, several: I64) -> None:
    """Where one slice enters a pixel and another starts in it, the one that fills more of it shows."""
    following = np.append(begin[1:], np.int32(-1))
    rival = np.append(head[1:], np.float32(0))
    wins = several[(following[several] != final[several]) | (tail[several] >= rival[several])]
    slot[final[wins]] = span.colour[wins]
    entering = np.flatnonzero((span.left < 0) & (final == begin))  # enters the window and ends in its first pixel
    loses = entering[(following[entering] == begin[entering]) & (rival[entering] > head[entering])]
    slot[begin[loses]] = span.colour[loses + 1]


def wider(span: Spans, low: I64, high: I64, width: int, least: float) -> Placed:
    """Those of ``least`` pixels and more."""
    wide = np.flatnonzero(span.right - span.left >= least)
    line = (span.base[wide] // width).astype(np.int64)
    counts = np.maximum(high - low, 0)
    index = wide - (np.cumsum(counts) - counts)[line] + low[line]
    return Placed(index, line, span.left[wide], span.right[wide])


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
    return slot, whole(cover, slot), distinct(before[:-1][over[:-1] >= step])
