"""The difference of the values of two tensors, element by element."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import Array, Bool

WIDE = 4
"""Bytes of the largest integers whose differences int64 always holds."""


def same_values(before: Array, after: Array) -> Bool:
    """bool: which elements are the same. Two NaN are."""
    same: Bool = before == after
    if before.dtype.kind == "f":
        same = same | (np.isnan(before) & np.isnan(after))
    return same


def difference(before: Array, after: Array) -> Array:
    """After minus before: int64 of integers, if that holds them all, else float64; 0 where both are the same, also for
    infinite values and NaN."""
    if before.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            made: Array = after.astype(np.float64) - before.astype(np.float64)
        made[same_values(before, after)] = 0.0
        return made
    if before.dtype.itemsize <= WIDE:
        return after.astype(np.int64) - before.astype(np.int64)
    larger = np.maximum(before, after).astype(np.uint64) - np.minimum(before, after).astype(np.uint64)
    if larger.max(initial=0) > np.iinfo(np.int64).max:
        return np.where(after < before, -1.0, 1.0) * larger.astype(np.float64)
    return np.where(after < before, -1, 1) * larger.astype(np.int64)
