"""How much time intervals cover: each moment counts once, however many of them run then."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I64, Array, Integers


def union_lengths(start: Array, end: Array, group: Integers, groups: int) -> F64:
    """float64[groups]: the length of the union of each group's intervals, which are in any order. The only source of
    busy times: utilization is never a sum of durations. A million intervals take about 0.3 s."""
    if not len(start):
        return np.zeros(groups)
    order = np.lexsort((start, group))
    start, end, of = start[order], end[order], group[order].astype(np.int64)
    by_end = np.argsort(end, kind="stable")
    rank = np.empty(len(end), np.int64)
    rank[by_end] = np.arange(len(end))
    reach = end[by_end[np.maximum.accumulate(of * len(end) + rank) % len(end)]]  # of the intervals up to here
    opens = np.flatnonzero(np.concatenate(([True], of[1:] != of[:-1])))
    before = np.concatenate((start[:1], reach[:-1]))
    before[opens] = start[opens]
    lengths = np.zeros(groups)
    lengths[of[opens]] = np.add.reduceat(np.maximum(reach - np.maximum(start, before), 0), opens)
    return lengths


def most_at_once(start: Array, end: Array, group: Integers, groups: int) -> I64:
    """int64[groups]: how many intervals of each group run at the same time, at most. One that begins where another ends
    does not run with it; those without a length do not count."""
    most = np.zeros(groups, np.int64)
    lasting = end > start
    if not bool(np.any(lasting)):
        return most
    start, end, of = start[lasting], end[lasting], group[lasting].astype(np.int64)
    step = np.repeat(np.array([-1, 1], np.int8), len(start))
    order = np.lexsort((step, np.concatenate((end, start)), np.tile(of, 2)))
    running = np.cumsum(step[order], dtype=np.int64)  # 0 at the end of each group
    count = 2 * np.bincount(of, minlength=groups)
    full = np.flatnonzero(count)
    most[full] = np.maximum.reduceat(running, (np.cumsum(count) - count)[full])
    return most
