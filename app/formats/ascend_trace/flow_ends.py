"""Which slices flows begin and end at."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I32, I64
from app.profile.timeline import Slices

_ROUNDING = 2.0**-22
"""The share of a time by which a start plus a duration may miss the end that was meant (single precision)."""


def holds(slices: Slices, index: I64, time: F64) -> I64:
    """``index`` where that slice lies at ``time`` (its end counts), -1 elsewhere."""
    known = np.flatnonzero(index >= 0)
    start = slices.start[index[known]]
    slack = np.abs(time[known]) * _ROUNDING
    inside = (start <= time[known]) & (start + slices.duration[index[known]] >= time[known] - slack)
    found = np.full(len(index), -1, np.int64)
    found[known[inside]] = index[known[inside]]
    return found


def enclosing(slices: Slices, first_row: I32, lane: I32, time: F64) -> I64:
    """int64[n]: the shortest slice of ``lane`` that lies at ``time``, -1 where there is none."""
    found = np.full(len(time), -1, np.int64)
    best = np.full(len(time), np.inf)
    order = np.argsort(lane, kind="stable")
    lanes, begins = np.unique(lane[order], return_index=True)
    for number, points in zip(lanes.tolist(), np.split(order, begins[1:]), strict=len(order) > 0):
        for row in range(first_row[number], first_row[number + 1]):
            a, b = int(slices.first[row]), int(slices.first[row + 1])
            index = a + np.searchsorted(slices.start[a:b], time[points], "right") - 1
            index = holds(slices, np.where(index >= a, index, -1), time[points])
            span = np.where(index >= 0, slices.duration[index], np.inf)
            better = span < best[points]
            best[points[better]] = span[better]
            found[points[better]] = index[better]
    return found
