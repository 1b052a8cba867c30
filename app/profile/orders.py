"""Stable sort orders of columns. Most are nearly in order, or are in order in each of a few groups: only what is not is
sorted, groups by counting and times by numpy's vectorised sort, which is not stable: equal values are put in order
afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from app.profile.arrays import I64, Array, Bool, Integers, expand

_DIGIT: Final = 16
"""Bits that numpy sorts by counting."""
_STEP: Final = 1 << 18
"""Items that are sorted without a question for cancel."""
_FEW: Final = 8
"""Of so many items one may be equal to another, if they are put in order afterwards."""
_LARGE: Final = 64
"""Items of a group from which on a call for each takes less than sorting all at once."""


def stable_order(keys: Integers, count: int) -> I64:
    """int64[n]: the stable sort order of ``keys`` in 0..count-1."""
    if bool((keys[1:] >= keys[:-1]).all()):
        return np.arange(len(keys), dtype=np.int64)
    if count > 1 << 2 * _DIGIT:
        return np.argsort(keys, kind="stable")
    order = np.argsort(keys.astype(np.uint16), kind="stable")  # numpy wraps: these are the lowest bits
    if count > 1 << _DIGIT:
        highest = (keys >> _DIGIT).astype(np.uint16)
        order = order[np.argsort(highest[order], kind="stable")]
    return order


def in_steps(keys: Integers, count: int, look: Callable[[], None]) -> I64:
    """The same, by counting, in steps between which ``look`` is called, which may raise to stop."""
    order = np.empty(len(keys), np.int64)
    free = np.zeros(count, np.int64)
    steps = [slice(begin, begin + _STEP) for begin in range(0, len(keys), _STEP)]
    for step in steps:
        free += np.bincount(keys[step], minlength=count)
        look()
    free = np.cumsum(free) - free
    for step in steps:
        own = stable_order(keys[step], count)
        sorted_ = keys[step][own]
        begins = np.flatnonzero(np.append(True, sorted_[1:] != sorted_[:-1]))
        sizes = np.diff(np.append(begins, len(own)))
        order[np.arange(len(own)) + np.repeat(free[sorted_[begins]] - begins, sizes)] = own + step.start
        free[sorted_[begins]] += sizes
        look()
    return order


def by_groups(group: Integers, *values: Array) -> I64:
    """int64[n]: the stable order by ``group`` (0 or above), then by the other columns. Only groups that are out of
    order are sorted: each by itself where they are large, as most of it is in order then."""
    groups = int(group.max(initial=-1)) + 1
    order = stable_order(group, groups)
    own, columns = group[order], [column[order] for column in values]
    falls = np.flatnonzero(_falls(columns) & (own[1:] == own[:-1]))
    if not len(falls):
        return order
    mixed = own[falls[np.append(True, own[falls[1:]] != own[falls[:-1]])]]
    begins, ends = np.searchsorted(own, mixed), np.searchsorted(own, mixed, "right")
    if len(mixed) * _LARGE > int((ends - begins).sum()):
        places = expand(begins, ends)
        order[places] = order[places][np.lexsort((*(column[places] for column in reversed(columns)), own[places]))]
        return order
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        order[begin:end] = order[begin:end][np.lexsort([column[begin:end] for column in reversed(columns)])]
    return order


def _falls(columns: list[Array]) -> Bool:
    """bool[n - 1]: where rows descend, which are compared by the first column, then the next."""
    falls = np.zeros(max(len(columns[0]) - 1, 0), np.bool_)
    equal = ~falls
    for column in columns:
        falls |= equal & (column[1:] < column[:-1])
        equal &= column[1:] == column[:-1]
    return falls


def by_values(first: Array, *then: Array) -> I64:
    """int64[n]: the stable order by ``first``, which has no NaN, then by the other columns."""
    order = np.argsort(first)
    ordered = first[order]
    equal = ordered[1:] == ordered[:-1]
    if np.count_nonzero(equal) * _FEW > len(order):
        return np.lexsort((*reversed(then), first))
    tied = np.zeros(len(order), np.bool_)
    tied[1:] = equal
    tied[:-1] |= equal
    places = np.flatnonzero(tied)
    some = order[places]
    order[places] = some[np.lexsort((some, *(column[some] for column in reversed(then)), first[some]))]
    return order


def by_integers(*columns: I64) -> I64:
    """int64[n]: the stable order by integer ``columns``, the first first. Where they and the places fit into one
    number, that is sorted, in an eighth of the time."""
    key, size = np.zeros(len(columns[0]), np.int64), 1
    for column in (*columns, np.arange(len(key))):
        low = int(column.min(initial=0))
        span = int(column.max(initial=0)) - low + 1
        size *= span
        if size >= 1 << 62:
            return np.lexsort(columns[::-1])
        key = key * span + column - low
    key.sort()
    return key % max(len(key), 1)
