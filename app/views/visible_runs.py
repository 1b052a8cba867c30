"""Which stretches of an axis show any of some places: a mask of pixels, so that drawing costs what the pixels cost."""

from __future__ import annotations

import math

import numpy as np

from app.profile.arrays import I64, Bool


def visible_runs(places: I64, start: float, end: float, pixels: float) -> list[tuple[float, float]]:
    """(first, after) of the stretches of ``places`` (int64, ascending) between ``start`` and ``end`` of an axis that
    has so many ``pixels``: exact where places are at least a pixel wide, else of the pixels that show any; at most as
    many as pixels."""
    count = max(round(pixels), 1)
    if not len(places) or end <= start:
        return []
    if end - start <= count:
        first, after = math.floor(start), math.ceil(end)
        begin, stop = np.searchsorted(places, [first, after]).tolist()
        held = np.zeros(after - first, np.bool_)
        held[places[begin:stop] - first] = True
        return [(float(first + left), float(first + right)) for left, right in runs(held)]
    edges = start + np.arange(count + 1) * ((end - start) / count)
    begins = np.floor(edges)
    begins[-1] = math.ceil(end)
    before = np.searchsorted(places, begins)
    return [(float(edges[left]), float(edges[right])) for left, right in runs(before[1:] > before[:-1])]


def runs(held: Bool) -> list[tuple[int, int]]:
    """(first, after) of the runs of True."""
    turns = np.flatnonzero(np.diff(held, prepend=False, append=False))
    return list(zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True))
