"""Reduced levels of a matrix of codes in which no peak is lost: each cell is the maximum of those it covers.

Level (i, j) has one cell for 2^i rows and 2^j columns. A frame uses the level just finer than its pixels and reduces
what falls into one pixel; so its cost depends on the number of pixels, and a single hot cell survives any zoom.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, U8
from app.views.heat.scale import Scale

KEPT_CELLS = 64 * 1024 * 1024
"""A matrix with more cells stores no codes of its finest level; they are computed for the visible part."""
CROP_CELLS = 4 * 1024 * 1024
MOST_AROUND = 3.0
BAND_CELLS = 1 << 22
"""Cells whose codes are computed at once."""


class Grid(Protocol):
    """Amounts [rows, columns]: an array, or what computes parts of one."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...

    def __getitem__(self, part: Any, /) -> Any: ...


class Crop(Struct, frozen=True, eq=False):
    """The codes of a part of a matrix at level (i, j)."""

    i: int
    j: int
    rows: range
    columns: range
    codes: U8


class Pyramid:
    """Codes of ``values`` [rows, columns] under ``scale``, at any level."""

    def __init__(self, values: Grid, scale: Scale) -> None:
        self.values = values
        self.scale = scale
        self.shape: tuple[int, int] = (values.shape[0], values.shape[1])
        self._levels: dict[tuple[int, int], U8] = {}
        self._crop: Crop | None = None
        if values.size <= KEPT_CELLS:
            self._levels[0, 0] = _codes(values, scale)
        else:
            self._levels[1, 1] = _coarse_blocks(values, scale)
        self._build()

    def window(self, rows: tuple[float, float], columns: tuple[float, float], height: int, width: int) -> U8:
        """The codes of rows[0] .. rows[1], columns[0] .. columns[1] as uint8[height, width]."""
        coarse = _coarseness(rows, height), _coarseness(columns, width)
        level, i, j = self._level(coarse, rows, columns)
        ends: tuple[float, float] = self.shape
        if level is None:
            crop = self._cropped(i, j, rows, columns)
            level, row_from, column_from = crop.codes, crop.rows.start, crop.columns.start
            rows = rows[0] - row_from, rows[1] - row_from
            columns = columns[0] - column_from, columns[1] - column_from
            ends = ends[0] - row_from, ends[1] - column_from
        (top, bottom), (left, right) = _reach(rows, i, level.shape[0]), _reach(columns, j, level.shape[1])
        part = level[top:bottom, left:right]
        first, after = _edges(rows, height, i, level.shape[0], ends[0])
        of_rows = first - top, after - top
        first, after = _edges(columns, width, j, level.shape[1], ends[1])
        of_columns = first - left, after - left
        # keep the intermediate array small: a few tall rows of very many tiles, or the other way round
        if height * part.shape[1] <= part.shape[0] * width:
            return _join_columns(_join_rows(part, *of_rows), *of_columns)
        return _join_rows(_join_columns(part, *of_columns), *of_rows)

    def _level(
        self, wanted: tuple[int, int], rows: tuple[float, float], columns: tuple[float, float]
    ) -> tuple[U8 | None, int, int]:
        """The codes of the requested level and its (i, j); None if they have to be computed for the visible part."""
        i, j = min(wanted[0], self._deepest(0)), min(wanted[1], self._deepest(1))
        if (i, j) in self._levels:
            return self._levels[i, j], i, j
        if (0, 0) not in self._levels and min(i, j) == 0:
            if (rows[1] - rows[0] + 2) * (columns[1] - columns[0] + 2) <= CROP_CELLS:
                return None, i, j
            i, j = max(i, 1), max(j, 1)
        base = max(
            (known for known in self._levels if known[0] <= i and known[1] <= j), key=lambda known: known[0] + known[1]
        )
        codes = self._levels[base]
        for _ in range(base[0], i):
            codes = _halved(codes, 0)
        for _ in range(base[1], j):
            codes = _halved(codes, 1)
        self._levels[i, j] = codes
        return codes, i, j

    def _cropped(self, i: int, j: int, rows: tuple[float, float], columns: tuple[float, float]) -> Crop:
        """Level (i, j) of the visible part and its surroundings, cached so that panning does not compute it every
        frame."""
        seen = _whole(rows, self.shape[0]), _whole(columns, self.shape[1])
        crop = self._crop
        if crop is None or (crop.i, crop.j) != (i, j) or not _holds(crop, *seen):
            more = min(MOST_AROUND, math.sqrt(CROP_CELLS / max(1, len(seen[0]) * len(seen[1]))))
            down, along = _widened(seen[0], more, 1 << i, self.shape[0]), _widened(seen[1], more, 1 << j, self.shape[1])
            codes = self.scale.codes(self.values[down.start : down.stop, along.start : along.stop])
            for _ in range(i):
                codes = _halved(codes, 0)
            for _ in range(j):
                codes = _halved(codes, 1)
            crop = self._crop = Crop(i, j, down, along, codes)
        return crop

    def _deepest(self, axis: int) -> int:
        return max(0, math.ceil(math.log2(max(1, self.shape[axis]))))

    def _build(self) -> None:
        """Computes the levels that shrink both ways (a third of the finest in total); others are computed on demand."""
        (i, j), codes = next(iter(self._levels.items()))
        while max(codes.shape) > 64 and min(codes.shape) > 1:
            codes = _halved(_halved(codes, 0), 1)
            i, j = i + 1, j + 1
            self._levels[i, j] = codes


def _whole(part: tuple[float, float], size: int) -> range:
    """The cells that an interval touches, and one after it."""
    return range(max(int(part[0]), 0), min(math.ceil(part[1]) + 1, size))


def _holds(crop: Crop, rows: range, columns: range) -> bool:
    inside = crop.rows.start <= rows.start and rows.stop <= crop.rows.stop
    return inside and crop.columns.start <= columns.start and columns.stop <= crop.columns.stop


def _widened(part: range, more: float, step: int, size: int) -> range:
    """``more`` times as many cells around the same middle, with ends at multiples of ``step``."""
    beyond = int(len(part) * max(0.0, more - 1) / 2)
    start = max(0, part.start - beyond) // step * step
    return range(start, min(size, -(-(part.stop + beyond) // step) * step))


def _coarseness(part: tuple[float, float], pixels: int) -> int:
    cells = (part[1] - part[0]) / max(1, pixels)
    return max(0, math.floor(math.log2(cells))) if cells >= 2 else 0


def _edges(part: tuple[float, float], pixels: int, level: int, size: int, whole: float) -> tuple[I64, I64]:
    """The cells of each pixel: first .. after - 1. Where pixels are wider than cells, each cell belongs to exactly one
    pixel; where they are narrower, each pixel shows one cell."""
    edges = np.floor(np.linspace(part[0], part[1], pixels + 1) / (1 << level)).astype(np.int64)
    np.clip(edges, 0, size, out=edges)
    if part[1] >= whole:
        edges[-1] = size  # the last cell may cover fewer than 2^level, and no other follows
    first = np.minimum(edges[:-1], size - 1)
    return first, np.maximum(edges[1:], first + 1)


def _reach(part: tuple[float, float], level: int, size: int) -> tuple[int, int]:
    first = min(max(int(part[0] / (1 << level)), 0), size - 1)
    return first, min(math.ceil(part[1] / (1 << level)) + 1, size)


def _join_rows(codes: U8, first: I64, after: I64) -> U8:
    joined = codes[first]
    for step in range(1, int((after - first).max(initial=1))):
        np.maximum(joined, codes[np.minimum(first + step, after - 1)], out=joined)
    return joined


def _join_columns(codes: U8, first: I64, after: I64) -> U8:
    joined = np.take(codes, first, axis=1)
    for step in range(1, int((after - first).max(initial=1))):
        np.maximum(joined, np.take(codes, np.minimum(first + step, after - 1), axis=1), out=joined)
    return joined


def _halved(codes: U8, axis: int) -> U8:
    """The maximum of pairs of rows (axis 0) or columns (axis 1); an odd last one is copied."""
    if codes.shape[axis] == 1:
        return codes
    if axis == 0:
        halved = codes[::2].copy()
        np.maximum(halved[: len(codes) // 2], codes[1::2], out=halved[: len(codes) // 2])
        return halved
    halved = codes[:, ::2].copy()
    half = codes.shape[1] // 2
    np.maximum(halved[:, :half], codes[:, 1::2], out=halved[:, :half])
    return halved


def _codes(values: Grid, scale: Scale) -> U8:
    """The finest level, a band of rows at a time."""
    if isinstance(values, np.ndarray):
        return scale.codes(values)
    codes = np.empty(values.shape, np.uint8)
    band = max(2, BAND_CELLS // max(1, values.shape[1]))
    for start in range(0, values.shape[0], band):
        codes[start : start + band] = scale.codes(values[start : start + band])
    return codes


def _coarse_blocks(values: Grid, scale: Scale) -> U8:
    """Level (1, 1) computed directly from the values, a band of rows at a time."""
    rows, columns = values.shape
    codes = np.empty(((rows + 1) // 2, (columns + 1) // 2), np.uint8)
    band = max(2, BAND_CELLS // max(1, columns) // 2 * 2)
    for start in range(0, rows, band):
        part = scale.codes(values[start : start + band])
        codes[start // 2 : (start + len(part) + 1) // 2] = _halved(_halved(part, 0), 1)
    return codes
