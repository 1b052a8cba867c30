"""Formulas for figures per tile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.profile.arrays import I64, Array, Integers
from app.profile.profile import Target

BLOCK_CELLS = 1 << 20


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices over the rows of a matrix, each of about a million cells, so that intermediate arrays stay small."""
    step = max(1, BLOCK_CELLS // max(columns, 1))
    return (slice(at, min(at + step, rows)) for at in range(0, rows, step))


def row_sums(matrix: Integers) -> I64:
    """int64[rows]."""
    sums: I64 = matrix.sum(axis=1, dtype=np.int64)
    return sums


def row_maxima(matrix: Integers) -> I64:
    """int64[rows], 0 for empty rows."""
    maxima: I64 = matrix.max(axis=1, initial=0).astype(np.int64)
    return maxima


def active_columns(matrix: Integers) -> I64:
    """int64[rows]: the number of cells above zero in each row."""
    out = np.empty(len(matrix), np.int64)
    for part in blocks(*matrix.shape):
        out[part] = np.count_nonzero(matrix[part] > 0, axis=1)
    return out


def ipu_of_tiles(target: Target | None, tiles: int) -> I64 | None:
    """int64[tiles]: the IPU of each tile (tile // tiles per IPU), None if unknown."""
    if target is None or not target.tiles_per_ipu or target.tiles_per_ipu < 0:
        return None
    return np.arange(tiles, dtype=np.int64) // target.tiles_per_ipu


def sync_delays(target: Target) -> I64 | None:
    """int64[tiles of one IPU]: cycles from a tile's sync request to its release (smallest delay + the tile's own,
    the same on every IPU: Poplar profiling data format, 7.1.1)."""
    if target.relative_sync_delay is None or target.min_sync_delay is None:
        return None
    return target.relative_sync_delay.astype(np.int64) + target.min_sync_delay


def padded(values: Array, count: int, missing: Array | None = None) -> tuple[Array, Array]:
    """(values, mask of the missing ones), both ``count`` long: lists of one file may differ in length."""
    out = np.zeros(count, values.dtype)
    absent = np.ones(count, np.bool_)
    size = min(count, len(values))
    out[:size] = values[:size]
    absent[:size] = False if missing is None else missing[:size]
    return out, absent
