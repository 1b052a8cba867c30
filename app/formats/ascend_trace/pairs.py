"""Pairs begins with ends, and flow starts with flow ends."""

from __future__ import annotations

from array import array
from collections import deque

import numpy as np
from msgspec import Struct

from app.formats.sorting import batches, by_lane_and_time, ranks, stable_order
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
    like this by id, and an end may come first in the file (Ascend operator files, section 4.3). An end that no begin
    precedes in time has lost its partner."""
    firsts, first_code = _ranked(group, np.flatnonzero(is_first), time)
    seconds, second_code = _ranked(group, np.flatnonzero(~is_first), time)
    _, a, b = np.intersect1d(first_code, second_code, assume_unique=True, return_indices=True)
    first, second = firsts[a], seconds[b]
    backward = time[second] < time[first]
    if bool(np.any(backward)):
        lost = np.isin(group, group[first[backward]])
        other = ~lost[first]
        queued = _by_queue(group, is_first, time, np.flatnonzero(lost))
        first, second = np.concatenate((first[other], queued[0])), np.concatenate((second[other], queued[1]))
    return _pairs_of(first, second, len(group))


def _by_queue(group: I64, is_first: Bool, time: F64, which: I64) -> tuple[I64, I64]:
    """(begins, ends) among ``which``: each end belongs to the earliest begin of its group that is open then."""
    order = which[np.lexsort((~is_first[which], time[which], group[which]))]
    firsts, seconds = array("q"), array("q")
    here, open_ = -1, deque[int]()
    for part in np.array_split(order, len(order) // _STEP + 1):
        for index, where, opens in zip(part.tolist(), group[part].tolist(), is_first[part].tolist(), strict=True):
            if where != here:
                here = where
                open_.clear()
            if opens:
                open_.append(index)
            elif open_:
                firsts.append(open_.popleft())
                seconds.append(index)
    return np.array(firsts, np.int64), np.array(seconds, np.int64)


def _ranked(group: I64, which: I64, time: F64) -> tuple[I64, I64]:
    """(``which`` sorted by group and time, int64: a number for each that encodes its group and its rank there)."""
    order = which[np.lexsort((time[which], group[which]))]
    groups = group[order].astype(np.int64)
    begins = np.searchsorted(groups, groups, "left")
    return order, groups * (len(group) + 1) + np.arange(len(order)) - begins


def by_stack(lane: Integers, time: F64, begins: Bool, name: I32, nameless: int) -> Pairs:
    """Pairs each end with the last open begin of its name in its lane (0 or above): those that began later, and have
    not ended, overlap it. An end without a name (``nameless``) closes the last begin that no such end has passed over,
    else the last of those. Of events with equal times, the first in the file comes first; so do the pairs, by their
    begins."""
    order = stable_order(lane, int(lane.max(initial=0)) + 1)
    sizes = np.bincount(lane)
    second = np.full(len(lane), -1, np.int64)
    for lanes in batches(sizes):
        begin = int(sizes[: lanes.start].sum())
        which = order[begin : begin + int(sizes[lanes].sum())]
        firsts, seconds = _stacked(lane[which], time[which], begins[which], name[which], nameless)
        second[which[firsts]] = which[seconds]
    first = np.flatnonzero(second >= 0)
    return _pairs_of(first, second[first], len(lane))


def _stacked(lane: Integers, time: F64, begins: Bool, name: I32, nameless: int) -> tuple[I64, I64]:
    """(begins, ends) that belong together among the events of some lanes, in the order of the file."""
    label = ranks(lane.astype(np.int64) * (int(name.max(initial=0)) + 2) + name + 1)
    bare = ~begins & (name == nameless)
    if not bool(np.any(bare)):  # each name has a stack of its own
        return _crossings(label, time, begins)
    with_bare = np.isin(lane, lane[bare])
    mixed = np.isin(lane, lane[with_bare & ~begins & ~bare])
    # Where all ends have names, each name has a stack of its own; where none has, the lane has one.
    stack = np.where(with_bare, int(label.max()) + 1 + lane, label)
    plain, others = np.flatnonzero(~mixed), np.flatnonzero(mixed)
    begin, end = _crossings(ranks(stack[plain]), time[plain], begins[plain])
    others = others[by_lane_and_time(lane[others], time[others])]
    firsts, seconds = _one_by_one(others, lane, begins, label, bare)
    return np.concatenate((plain[begin], firsts)), np.concatenate((plain[end], seconds))


def _crossings(stack: I64, time: F64, begins: Bool) -> tuple[I64, I64]:
    """(begins, ends) that belong together; ``stack`` numbers their stacks from 0. The height of a stack is a line that
    goes up at a begin and down at an end: where it goes down, it crosses the height at which it last went up there."""
    if not len(stack):
        return stack, stack
    together = by_lane_and_time(stack, time)
    stack, begins = stack[together], begins[together]
    height = np.cumsum(np.where(begins, np.int8(1), np.int8(-1)), dtype=np.int64)
    height -= begins
    first = np.concatenate(([0], np.flatnonzero(stack[1:] != stack[:-1]) + 1))
    least, most = np.minimum.reduceat(height, first), np.maximum.reduceat(height, first)
    height += np.repeat(np.cumsum(most - least + 1) - most - 1, np.diff(first, append=len(stack)))
    order = stable_order(height, int(height.max()) + 1)  # no stacks have heights in common now
    begins, height = begins[order], height[order]
    begin = np.flatnonzero(begins[:-1] & ~begins[1:] & (height[1:] == height[:-1]))
    return together[order[begin]], together[order[begin + 1]]


def _one_by_one(order: I64, lane: Integers, begins: Bool, label: I64, bare: Bool) -> tuple[I64, I64]:
    """(begins, ends) that belong together among the events ``order``, where some ends have names."""
    open_ = _Open(len(lane), int(label.max(initial=-1)) + 1)
    firsts, seconds = array("q"), array("q")
    here = -1
    for part in np.array_split(order, len(order) // _STEP + 1):
        columns = (part, lane[part], begins[part], label[part], bare[part])
        for index, where, opens, code, last in zip(*(column.tolist() for column in columns), strict=True):
            if where != here:
                here = where
                open_.clear()
            if opens:
                open_.begin(index, code)
            elif (begin := open_.end_last() if last else open_.end(code)) >= 0:
                firsts.append(begin)
                seconds.append(index)
    return np.array(firsts, np.int64), np.array(seconds, np.int64)


class _Open:
    """The open begins of a lane. Each step takes constant time on average, however the begins overlap. ``events``,
    ``labels``: the number of events, and of pairs of lane and name."""

    def __init__(self, events: int, labels: int) -> None:
        self._last = array("q", [-1]) * labels  # of each label, the last begin
        self._before = array("q", [-1]) * events  # of each begin, the one of its label before it
        self._state = bytearray(events)
        self._stack, self._passed = array("q"), array("q")

    def clear(self) -> None:
        """Begins another lane."""
        self._stack, self._passed = array("q"), array("q")

    def begin(self, index: int, label: int) -> None:
        self._before[index], self._last[label] = self._last[label], index
        self._stack.append(index)

    def end(self, label: int) -> int:
        """Closes the last open begin of a label; -1 without one."""
        index, before, state = self._last[label], self._before, self._state
        while index >= 0 and state[index] == _CLOSED:
            index = before[index]
        if index < 0:
            self._last[label] = -1
            return -1
        self._last[label] = before[index]
        if state[index] == _NESTED:
            while (above := self._stack.pop()) != index:
                state[above] = _PASSED
                self._passed.append(above)
        state[index] = _CLOSED
        return index

    def end_last(self) -> int:
        """Closes the last open begin; -1 without one."""
        while not self._stack and self._passed and self._state[self._passed[-1]] == _CLOSED:
            self._passed.pop()
        if not self._stack and not self._passed:
            return -1
        index = self._stack.pop() if self._stack else self._passed.pop()
        self._state[index] = _CLOSED
        return index


_NESTED, _PASSED, _CLOSED = range(3)
"""The state of a begin: in the stack, passed over by the end of one below it, ended."""


def flows(key: I32, category: I32, is_first: Bool, is_last: Bool) -> Pairs:
    """Pairs flow starts and ends by category and id, then the rest by id alone. Only exactly two events of an id form a
    pair (Ascend operator files, section 4.3); but a start with several final ends pairs with each of them, as a call of
    the host launches several tasks of the device."""
    categories = int(category.max()) + 2 if len(category) else 1
    group = key.astype(np.int64) * categories + category + 1
    by_both = _bundles(group, is_first, is_last)
    rest = by_both.alone
    more = _bundles(key[rest], is_first[rest], np.zeros(len(rest), np.bool_))
    first = np.concatenate((by_both.first, rest[more.first]))
    second = np.concatenate((by_both.second, rest[more.second]))
    return Pairs(first, second, rest[more.alone])


def _bundles(group: Array, is_first: Bool, is_last: Bool) -> Pairs:
    """Pairs the start of each group with the other events of it, where these are one, or several that are all last."""
    group = ranks(group)
    order = stable_order(2 * group + ~is_first, 2 * int(group.max(initial=0)) + 2)
    new = np.ones(len(order), np.bool_)
    new[1:] = group[order[1:]] != group[order[:-1]]
    begins = np.flatnonzero(new)
    counts = np.diff(begins, append=len(order))
    firsts, lasts = (np.add.reduceat(which[order].astype(np.int64), begins) for which in (is_first, is_last))
    good = (firsts == 1) & ((counts == 2) | (lasts == counts - 1)) & (counts > 1)
    others = np.repeat(good, counts) & ~new
    return _pairs_of(np.repeat(order[begins[good]], counts[good] - 1), order[others], len(group))


def _pairs_of(first: I64, second: I64, count: int) -> Pairs:
    alone = np.ones(count, np.bool_)
    alone[first] = False
    alone[second] = False
    return Pairs(first, second, np.flatnonzero(alone))
