"""Sort orders and ranks in linear time, where values are small numbers or nearly sorted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.profile.arrays import F64, I64, Integers, numbered

_DIGIT: Final = 16
"""Bits that numpy sorts by counting."""
_TOGETHER: Final = 1 << 17
"""Items of which the columns fit into the cache of a processor."""


def stable_order(keys: Integers, count: int) -> I64:
    """int64[n]: the stable sort order of ``keys`` in 0..count-1."""
    if count > 1 << 2 * _DIGIT:
        return np.argsort(keys, kind="stable")
    order = np.argsort(keys.astype(np.uint16), kind="stable")  # numpy wraps: these are the lowest bits
    if count > 1 << _DIGIT:
        highest = (keys >> _DIGIT).astype(np.uint16)
        order = order[np.argsort(highest[order], kind="stable")]
    return order


def by_lane_and_time(lane: Integers, time: F64) -> I64:
    """int64[n]: the stable order by lane (0 or above), then time. Only lanes that are out of order are sorted; in most
    files few are."""
    lanes = int(lane.max()) + 1 if len(lane) else 0
    order = stable_order(lane, lanes)
    in_order, times = lane[order], time[order]
    falls = np.flatnonzero((times[1:] < times[:-1]) & (in_order[1:] == in_order[:-1]))
    if len(falls):
        unsorted = np.zeros(lanes, np.bool_)
        unsorted[in_order[falls]] = True
        places = np.flatnonzero(unsorted[in_order])
        some = order[places]
        some = some[np.argsort(time[some], kind="stable")]
        order[places] = some[stable_order(lane[some], lanes)]
    return order


def by_times(first: F64, second: F64) -> I64:
    """int64[n]: the stable order by ``first``, then ``second``."""
    order = np.argsort(first, kind="stable")
    equal = np.flatnonzero(first[order[1:]] == first[order[:-1]])
    if len(equal):
        tied = with_next(equal, len(order))
        some = order[tied]
        order[tied] = some[np.lexsort((second[some], first[some]))]
    return order


def with_next(places: I64, count: int) -> I64:
    """int64, ascending: those of 0..count-1 that are in ``places``, or the next after one."""
    either = np.zeros(count, np.bool_)
    either[places] = True
    either[places + 1] = True
    return np.flatnonzero(either)


def ranks(values: Integers) -> I64:
    """int64[n]: the rank of each value (0 or above) among all different ones."""
    return numbered(values)[1]


def batches(sizes: Integers, most: int = _TOGETHER) -> Iterator[slice]:
    """Consecutive groups with these ``sizes``, together: as many as have at most ``most`` items, or one."""
    ends = np.cumsum(sizes, dtype=np.int64)
    first = 0
    while first < len(sizes):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield slice(first, last)
        first = last
