"""Rasters many bars into one image: which kinds of access touch each pixel.

Cost depends on pixels: a view of few records reads only those, a view of very many reads a coarse map that is made
once."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, U8, Bool
from app.views.memory_accesses.records import LOAD, OTHER, STORE, Records

DIRECT = 40_000
"""Up to this many records are always drawn one by one."""
MAP_COLUMNS, MAP_ROWS = 8192, 4096
"""Size of the finest map; coarser ones, each half as wide and high, serve larger views."""
MAPS = 3


class Window(Struct, frozen=True):
    """A range on both axes, and the pixels that it is drawn on."""

    left: float
    right: float
    low: float
    high: float
    width: int
    height: int


class Bars(Struct, eq=False, dict=True):
    """Answers queries about one set of records."""

    records: Records

    def __post_init__(self) -> None:
        self._tallest = float((self.records.high - self.records.low).max(initial=0.0))

    def prepare(self) -> None:
        """Computes in advance what the first image needs."""
        if len(self._sorted_low) > DIRECT:
            _ = self._maps

    def inside(self, window: Window) -> I64:
        """Indices of the records that may touch the window, searched by record number or by address, whichever leaves
        fewer."""
        records, x = self.records, self.records.x
        first = int(np.searchsorted(x, window.left - 1, "right"))
        last = int(np.searchsorted(x, window.right, "left"))
        begin = int(np.searchsorted(self._sorted_low, window.low - self._tallest, "left"))
        end = int(np.searchsorted(self._sorted_low, window.high, "right"))
        if end - begin < last - first:
            places = self._by_low[begin:end]
            places = places[(places >= first) & (places < last)]
        else:
            places = np.arange(first, last)
        touches = (records.high[places] >= window.low) & (records.low[places] <= window.high)
        touching: I64 = places[touches]
        return touching

    def count(self, window: Window) -> int:
        """Upper bound of the number of records that ``inside`` examines."""
        x = self.records.x
        across = int(np.searchsorted(x, window.right, "left") - np.searchsorted(x, window.left - 1, "right"))
        low = self._sorted_low
        up = np.searchsorted(low, window.high, "right") - np.searchsorted(low, window.low - self._tallest, "left")
        return min(across, int(up))

    def raster(self, window: Window) -> U8:
        """uint8[height, width] of kind bits, the top row first."""
        level = -1 if self.count(window) <= DIRECT else self._level(window)
        if level < 0:
            return draw_bars(self.records, self.inside(window), window, thick=True)
        return self._folded(window, level)

    def _level(self, window: Window) -> int:
        """The coarsest map whose cells are no larger than a pixel of the window (or a record, or a byte); -1 if there
        is none."""
        across, up = window.right - window.left, window.high - window.low
        columns = across / self.records.width * MAP_COLUMNS / max(min(window.width, across), 1e-300)
        rows = up / self.records.axis.size * MAP_ROWS / max(min(window.height, up), 1e-300)
        finer = min(columns, rows)
        return min(int(math.log2(finer)), MAPS - 1) if finer >= 1 else -1

    def _folded(self, window: Window, level: int) -> U8:
        """The map of a level, reduced to pixels."""
        records, cells = self.records, self._maps[level]
        first, after = _cells(window.low, window.high, records.axis.size, cells.shape[0], window.height)
        left, right = _cells(window.left, window.right, records.width, cells.shape[1], window.width)
        joined = cells[first]
        for step in range(1, int((after - first).max(initial=1))):
            np.bitwise_or(joined, cells[np.minimum(first + step, after - 1)], out=joined)
        picture = np.take(joined, left, axis=1)
        for step in range(1, int((right - left).max(initial=1))):
            np.bitwise_or(picture, np.take(joined, np.minimum(left + step, right - 1), axis=1), out=picture)
        return np.ascontiguousarray(picture[::-1])

    @cached_property
    def _by_low(self) -> I64:
        order: I64 = np.argsort(self.records.low, kind="stable")
        return order

    @cached_property
    def _sorted_low(self) -> F64:
        return self.records.low[self._by_low]

    @cached_property
    def _maps(self) -> tuple[U8, ...]:
        """uint8[MAP_ROWS, MAP_COLUMNS], the bottom row first; then maps of half the size in both directions."""
        records = self.records
        whole = Window(0.0, records.width, 0.0, records.axis.size, MAP_COLUMNS, MAP_ROWS)
        maps = [np.ascontiguousarray(draw_bars(records, np.arange(len(records.x)), whole)[::-1])]
        for _ in range(1, MAPS):
            rows = maps[-1][::2] | maps[-1][1::2]
            maps.append(np.ascontiguousarray(rows[:, ::2] | rows[:, 1::2]))
        return tuple(maps)


def draw_bars(records: Records, places: I64, window: Window, *, thick: bool = False) -> U8:
    """uint8[height, width]: the bits of all kinds whose bars touch a pixel. Every bar covers at least one pixel
    (``thick``: two, one below the other)."""
    width, height = window.width, window.height
    across, up = width / max(window.right - window.left, 1e-300), height / max(window.high - window.low, 1e-300)
    column = np.clip((records.x[places] - window.left) * across, 0, width - 1).astype(np.int32)
    top = np.clip((window.high - records.high[places]) * up, 0, height - 1).astype(np.int32)
    bottom = np.clip((window.high - records.low[places]) * up, top, height - 1).astype(np.int32)
    if thick:
        np.minimum(np.maximum(bottom, top + 1), height - 1, out=bottom)
    pixel, kind = top * width + column, records.kind[places]
    picture = np.zeros(height * width, np.uint8)
    for bit in (LOAD, STORE, OTHER):
        own = np.flatnonzero(kind == bit)
        picture[pixel[own]] |= bit
        extra = bottom[own] - top[own]
        second = own[extra == 1]
        picture[pixel[second] + width] |= bit
        tall = own[extra > 1]
        if len(tall):
            picture[_filled(column[tall], top[tall], bottom[tall], width, height)] |= bit
    return picture.reshape(height, width)


def _filled(column: I32, top: I32, bottom: I32, width: int, height: int) -> Bool:
    """bool[height * width]: all pixels from top to bottom of each bar, from a running count of bars begun and ended."""
    size = (height + 1) * width
    steps = np.bincount(top * width + column, minlength=size) - np.bincount(
        (bottom + 1) * width + column, minlength=size
    )
    open_bars = np.cumsum(steps.reshape(height + 1, width)[:height], axis=0)
    return (open_bars > 0).reshape(-1)


def _cells(start: float, end: float, size: float, cells: int, pixels: int) -> tuple[I64, I64]:
    """(first, after): the half-open range of cells of each pixel."""
    edges = np.linspace(start, end, pixels + 1) / size * cells
    first = np.clip(np.floor(edges[:-1]), 0, cells - 1).astype(np.int64)
    return first, np.clip(np.ceil(edges[1:]), first + 1, cells).astype(np.int64)
