"""Pairs begins with ends, and flow starts with flow ends."""

from __future__ import annotations

from array import array

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, Array, Bool, Integers

_STEP = 1 << 16


class Pairs(Struct, frozen=True, eq=False):
    """``first``, ``second``: int64[n], indices of two events that belong together; ``alone``: int64, events without a
    partner."""

    first: I64
    second: I64
    alone: I64


def by_key(group: I64, is_first: Bool, time: F64) -> Pairs:
    """Pairs the first begin of each ``group`` with its first end, the second with the second, by time. Flags are paired
    like this by id, so an end may come first (Ascend operator files, section 4.3)."""
    firsts, first_code = _ranked(group, np.flatnonzero(is_first), time)
    seconds, second_code = _ranked(group, np.flatnonzero(~is_first), time)
    _, a, b = np.intersect1d(first_code, second_code, assume_unique=True, return_indices=True)
    return _pairs_of(firsts[a], seconds[b], len(group))


def _ranked(group: I64, which: I64, time: F64) -> tuple[I64, I64]:
    """(``which`` sorted by group and time, int64: a number for each that encodes its group and its rank there)."""
    order = which[np.lexsort((time[which], group[which]))]
    groups = group[order].astype(np.int64)
    begins = np.searchsorted(groups, groups, "left")
    return order, groups * (len(group) + 1) + np.arange(len(order)) - begins


def by_stack(lane: Integers, time: F64, record: I64, begins: Bool, name: I32, nameless: int) -> Pairs:
    """Pairs each end with the last open begin of its lane, which must have the same name unless the name of the end is
    ``nameless``."""
    order = np.lexsort((record, time, lane))
    firsts, seconds = array("q"), array("q")
    stack, names = array("q"), array("q")
    here = -1
    for part in np.array_split(order, len(order) // _STEP + 1):
        rows = zip(part.tolist(), lane[part].tolist(), begins[part].tolist(), name[part].tolist(), strict=True)
        for index, where, opens, label in rows:
            if where != here:
                here, stack, names = where, array("q"), array("q")
            if opens:
                stack.append(index)
                names.append(label)
            elif (depth := _open(names, label, nameless)) >= 0:
                firsts.append(stack[depth])
                seconds.append(index)
                del stack[depth:], names[depth:]
    return _pairs_of(np.array(firsts, np.int64), np.array(seconds, np.int64), len(order))


def _open(names: array[int], name: int, nameless: int) -> int:
    """Index in the stack of open ``names`` of the begin that an end called ``name`` closes; -1 where it is not among
    the topmost 64."""
    if not names or name in (nameless, names[-1]):
        return len(names) - 1
    for depth in range(len(names) - 2, max(-1, len(names) - 64), -1):
        if names[depth] == name:
            return depth
    return -1


def flows(key: I32, category: I32, is_first: Bool) -> Pairs:
    """Pairs flow starts and ends by category and id, then the rest by id alone. Only exactly two events of an id form a
    pair (Ascend operator files, section 4.3)."""
    categories = int(category.max()) + 2 if len(category) else 1
    by_both = _twos(key.astype(np.int64) * categories + category + 1, is_first)
    rest = by_both.alone
    more = _twos(key[rest], is_first[rest])
    first = np.concatenate((by_both.first, rest[more.first]))
    second = np.concatenate((by_both.second, rest[more.second]))
    return Pairs(first, second, rest[more.alone])


def _twos(group: Array, is_first: Bool) -> Pairs:
    order = np.lexsort((~is_first, group))
    _, begins, counts = np.unique(group[order], return_index=True, return_counts=True)
    begins = begins[counts == 2]
    a, b = order[begins], order[begins + 1]
    good = is_first[a] & ~is_first[b]
    return _pairs_of(a[good], b[good], len(group))


def _pairs_of(first: I64, second: I64, count: int) -> Pairs:
    alone = np.ones(count, np.bool_)
    alone[first] = False
    alone[second] = False
    return Pairs(first, second, np.flatnonzero(alone))
