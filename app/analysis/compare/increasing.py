"""Longest increasing subsequences."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from app.analysis.compare.polling import Check, never
from app.profile.arrays import I64, Bool

OFTEN = 1 << 14


def longest_increasing(values: I64, check: Check = never) -> I64:
    """int64, ascending: positions of a longest increasing subsequence of different numbers.

    A number that is larger than all before it and smaller than all after it is in one of the longest, so that only the
    stretches between such numbers have to be searched: of sequences that are mostly in order, almost nothing."""
    if not len(values):
        return np.empty(0, np.int64)
    below = np.concatenate(([values[0] - 1], np.maximum.accumulate(values)[:-1]))
    above = np.concatenate((np.minimum.accumulate(values[::-1])[::-1][1:], [values[-1] + 1]))
    in_order: Bool = (values > below) & (values < above)
    if in_order.all():
        return np.arange(len(values), dtype=np.int64)
    chosen = in_order.copy()
    edges = np.flatnonzero(np.diff(np.concatenate(([True], in_order, [True])).astype(np.int8)))
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        check()
        chosen[start + _patience(values[start:stop].tolist(), check)] = True
    return np.flatnonzero(chosen)


def _patience(values: list[int], check: Check) -> I64:
    """Positions of a longest increasing subsequence, by patience sorting."""
    tails: list[int] = []
    tail_at: list[int] = []
    previous = [-1] * len(values)
    for place, value in enumerate(values):
        if not place % OFTEN:
            check()
        pile = bisect_left(tails, value)
        if pile:
            previous[place] = tail_at[pile - 1]
        if pile == len(tails):
            tails.append(value)
            tail_at.append(place)
        else:
            tails[pile], tail_at[pile] = value, place
    chain = np.empty(len(tails), np.int64)
    place = tail_at[-1]
    for index in range(len(tails) - 1, -1, -1):
        chain[index] = place
        place = previous[place]
    return chain
