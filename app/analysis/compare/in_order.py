"""Pairs equal codes: the first of a code with the first of the same code, the second with the second."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64


def pairs(before: I64, after: I64) -> tuple[I64, I64]:
    """int64 each: positions in ``before`` and ``after`` that have the same code and are as many of it."""
    if len(before) == len(after) and np.array_equal(before, after):
        rows = np.arange(len(before), dtype=np.int64)
        return rows, rows
    order, ordinal = _ordinals(before)
    other, _ = _ordinals(after)
    ordered, wanted = after[other], before[order]
    place = np.searchsorted(ordered, wanted, "left") + ordinal
    there = place < np.searchsorted(ordered, wanted, "right")
    return order[there], other[place[there]]


def _ordinals(codes: I64) -> tuple[I64, I64]:
    """(positions in the order of their codes, how many of the same code come before each)."""
    order = np.argsort(codes, kind="stable").astype(np.int64, copy=False)
    ordered = codes[order]
    return order, np.arange(len(order)) - np.searchsorted(ordered, ordered, "left")
