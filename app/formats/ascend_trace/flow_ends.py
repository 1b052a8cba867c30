"""Which slices flows begin and end at."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from app.profile.arrays import F64, I32, I64
from app.profile.timeline import Slices

_ROUNDING = 2.0**-22
"""The share of a time by which a start plus a duration may miss the end that was meant (single precision)."""
_FEW_ROWS = 32


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
    """int64[n]: the shortest slice of ``lane`` that lies at ``time``, -1 where there is none. Of each row only the last
    that has begun by then counts."""
    found = np.full(len(time), -1, np.int64)
    order = np.argsort(lane, kind="stable")
    lanes, begins = np.unique(lane[order], return_index=True)
    for number, points in zip(lanes.tolist(), np.split(order, begins[1:]), strict=len(order) > 0):
        rows = range(first_row[number], first_row[number + 1])
        in_lane = row_by_row if len(rows) <= _FEW_ROWS else by_sweep
        found[points] = in_lane(slices, rows, time[points])
    return found


def row_by_row(slices: Slices, rows: range, time: F64) -> I64:
    """All points at once for each row: fast for the few rows that lanes have."""
    found = np.full(len(time), -1, np.int64)
    best = np.full(len(time), np.inf)
    for row in rows:
        a, b = int(slices.first[row]), int(slices.first[row + 1])
        index = a + np.searchsorted(slices.start[a:b], time, "right") - 1
        index = holds(slices, np.where(index >= a, index, -1), time)
        span = np.where(index >= 0, slices.duration[index], np.inf)
        better = span < best
        best[better] = span[better]
        found[better] = index[better]
    return found


def by_sweep(slices: Slices, rows: range, time: F64) -> I64:
    """Through the slices of all rows and the points in the order of time, with the running slices by their length: as
    long as sorting takes, whatever the number of rows."""
    a, b = int(slices.first[rows.start]), int(slices.first[rows.stop])
    row_of = np.repeat(np.arange(len(rows)), np.diff(slices.first[rows.start : rows.stop + 1])).tolist()
    spans, ends = slices.duration[a:b].tolist(), (slices.start[a:b] + slices.duration[a:b]).tolist()
    began = np.argsort(slices.start[a:b], kind="stable")
    counts = np.searchsorted(slices.start[a:b][began], time, "right").tolist()  # slices begun by each point
    by_start, limits = began.tolist(), (time - np.abs(time) * _ROUNDING).tolist()
    running: list[tuple[float, int, int]] = []  # (length, row, slice)
    last = [-1] * len(rows)
    found = np.full(len(time), -1, np.int64)
    done = 0
    for point in np.argsort(time, kind="stable").tolist():
        for index in by_start[done : counts[point]]:
            last[row_of[index]] = index
            heappush(running, (spans[index], row_of[index], index))
        done = counts[point]
        while running and (last[running[0][1]] != running[0][2] or ends[running[0][2]] < limits[point]):
            heappop(running)  # another began in its row, or it has ended: limits only rise
        if running:
            found[point] = a + running[0][2]
    return found
