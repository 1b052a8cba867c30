"""Reduces one bar per tile to one bar per pixel column.

A column that covers several tiles shows the largest, so that the worst tile is always visible, and also has the
smallest, so that the picture does not suggest that all are like the worst.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, U8

ROUNDING = 1e-9
"""Keeps a place on the edge between two columns from being lost to rounding."""


class Folded(Struct, frozen=True, eq=False):
    """Per pixel column: ``first`` .. ``after`` - 1 the places it covers, ``worst`` the one with the largest total
    (int64); ``most`` and ``least`` the largest and smallest total (float64, NaN without data)."""

    first: I64
    after: I64
    worst: I64
    most: F64
    least: F64


def fold(totals: F64, start: float, end: float, width: int) -> Folded:
    """The places start..end of ``totals`` (float64, NaN for no data) in ``width`` pixel columns. Where columns are
    wider than places, each place belongs to exactly one column; else each column shows one place."""
    edges = np.floor(np.linspace(start, end, width + 1) + ROUNDING).astype(np.int64)
    if end >= len(totals):
        edges[-1] = len(totals)
    first = np.clip(edges[:-1], 0, len(totals) - 1)
    after = np.clip(np.maximum(edges[1:], first + 1), 1, len(totals))
    if end - start <= width:
        return Folded(first, after, first, totals[first], totals[first])
    low = int(first[0])
    part = totals[low : int(after[-1])]
    known = np.where(np.isnan(part), -np.inf, part)
    most = np.maximum.reduceat(known, first - low)
    owners = np.repeat(np.arange(width), after - first)
    hits = np.flatnonzero(known == most[owners])
    _, firsts = np.unique(owners[hits], return_index=True)
    worst = hits[firsts] + low
    return Folded(first, after, worst, totals[worst], np.fmin.reduceat(part, first - low))


def raster(tops: I64, height: int) -> U8:
    """uint8[height, columns]: how many of the stacked edges ``tops`` (int64[layers, columns], pixels from the top, the
    topmost edge first) are at or above each pixel: 0 above the stack, 1 in its topmost layer."""
    steps = np.zeros((height + 1, tops.shape[1]), np.uint8)
    columns = np.arange(tops.shape[1])
    for edge in tops:
        steps[np.clip(edge, 0, height), columns] += 1
    return np.cumsum(steps[:height], axis=0, dtype=np.uint8)
