"""Builds slices from complete events and from pairs of begin and end events, and pairs flow starts with flow ends."""

from __future__ import annotations

from array import array
from collections import deque

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.clock import TIME_LIMIT
from app.formats.ascend_trace.columns import GLOBAL, SLICE_PHASE, Dropped, PointColumns, SliceColumns
from app.formats.ascend_trace.event import BEGIN, END, INSTANT
from app.formats.ascend_trace.labels import NOWHERE
from app.formats.numbering import batches, ranks
from app.language import tr
from app.profile.arrays import F64, I32, I64, U8, Array, Bool, Integers, among
from app.profile.orders import by_groups, stable_order
from app.profile.strings import Interner


class Points(Struct, frozen=True, eq=False):
    """Columns as in PointColumns, with text ids as ``name`` and ``category``; ``key``: int32, numbers of ids, -1
    none."""

    time: F64
    key: I32
    mark: U8
    record: I64
    address: I64
    kind: U8
    phase: U8
    name: I32
    category: I32
    place: I32

    @classmethod
    def of(cls, columns: PointColumns, name: I32, category: I32, key: I32, dropped: Dropped) -> Points:
        """The points with a time and a place (global instants need no place); others are counted in ``dropped``.
        ``name``, ``category``: int32, the text ids of the numbers in the columns, the last for -1; ``key``:
        int32[points], the numbers of their ids."""
        time, mark, kind = columns.time.array(), columns.mark.array(), columns.kind.array()
        place, phase = columns.place.array(), columns.phase.array()
        timed = np.isfinite(time)
        free = (place == NOWHERE) & (kind == INSTANT) & (mark == GLOBAL)
        dropped.unplaced(timed, np.where(free, 0, place), phase)
        good = timed & ((place >= 0) | free)
        which: Array | slice = slice(None) if bool(np.all(good)) else good  # usually nothing is copied
        return cls(
            time=time[which],
            key=key[which],
            mark=mark[which],
            record=columns.record.array()[which],
            address=columns.address.array()[which],
            kind=kind[which],
            phase=phase[which],
            name=name[columns.name.array()[which]],
            category=category[columns.category.array()[which]],
            place=place[which],
        )

    def some(self, which: I64) -> Points:
        """The points ``which``."""
        return Points(*(getattr(self, name)[which] for name in self.__struct_fields__))

    def has_kind(self, *kinds: int) -> Bool:
        """bool[points]: whether each is of one of ``kinds``."""
        wanted = np.zeros(1 << 8, np.bool_)
        wanted[list(kinds)] = True
        return wanted[self.kind]

    def is_named(self, which: I64, names: list[int]) -> Bool:
        """bool[n]: whether each of the points ``which`` (int64[n]) has one of the ``names`` (text ids)."""
        return among(self.name[which], names) if names else np.zeros(len(which), np.bool_)


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
        lost = among(group, group[first[backward]])
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
    with_bare = among(lane, lane[bare])
    mixed = among(lane, lane[with_bare & ~begins & ~bare])
    # Where all ends have names, each name has a stack of its own; where none has, the lane has one.
    stack = np.where(with_bare, int(label.max()) + 1 + lane, label)
    plain, others = np.flatnonzero(~mixed), np.flatnonzero(mixed)
    begin, end = _crossings(ranks(stack[plain]), time[plain], begins[plain])
    others = others[by_groups(lane[others], time[others])]
    firsts, seconds = _one_by_one(others, lane, begins, label, bare)
    return np.concatenate((plain[begin], firsts)), np.concatenate((plain[end], seconds))


def _crossings(stack: I64, time: F64, begins: Bool) -> tuple[I64, I64]:
    """(begins, ends) that belong together; ``stack`` numbers their stacks from 0. The height of a stack is a line that
    goes up at a begin and down at an end: where it goes down, it crosses the height at which it last went up there."""
    if not len(stack):
        return stack, stack
    together = by_groups(stack, time)
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


SETS, WAITS = ("SET_FLAG", "set_event"), ("WAIT_FLAG", "wait_event")
"""Names of begins and ends that are paired by id (Ascend operator files, section 4.3)."""


def clean(slices: SliceColumns, dropped: Dropped) -> None:
    """Removes complete events without a place, a time or a valid duration, and counts them in ``dropped``."""
    time, duration, place = slices.time.array(), slices.duration.array(), slices.place.array()
    timed = np.isfinite(time)
    long = (duration >= 0) & (duration < TIME_LIMIT)
    good = timed & long & (place >= 0)
    if not bool(np.all(good)):
        phase = np.full(len(good), SLICE_PHASE, np.uint8)
        dropped.add(tr("no duration"), phase[timed & ~long])
        rest = ~(timed & ~long)
        dropped.unplaced(timed[rest], place[rest], phase[rest])
        slices.select(good)


class Made(Struct, frozen=True, eq=False):
    """Slices made of two events. ``begin``: int64, the index of the point that begins it; ``duration``: float64."""

    begin: I64
    duration: F64


def paired(points: Points, strings: Interner, dropped: Dropped) -> Made:
    """The slices from begin to end events: flags are paired by id, all others by nesting. Events without a partner are
    counted in ``dropped``."""
    either = np.flatnonzero(points.has_kind(BEGIN, END))
    flag = points.is_named(either, known(SETS + WAITS, strings)) & (points.key[either] >= 0)
    by_id, rest = either[flag], either[~flag] if bool(np.any(flag)) else either
    begins = points.kind == BEGIN
    waits = points.is_named(by_id, known(WAITS, strings))
    flags, strays = _flags(points, by_id, waits, begins)
    which: I64 | slice = slice(None) if len(rest) == len(points.kind) else rest  # which saves copies
    stacked = by_stack(points.place[which], points.time[which], begins[which], points.name[which], nameless=strings(""))
    alone = np.concatenate((strays, rest[stacked.alone]))
    begin = np.concatenate((flags[0], rest[stacked.first]))
    end = np.concatenate((flags[1], rest[stacked.second]))
    return made_of(points, begin, end, alone, dropped)


def _flags(points: Points, which: I64, waits: Bool, begins: Bool) -> tuple[tuple[I64, I64], I64]:
    """((begins, ends), those without a partner): int64 among ``which``, paired by id, on their lane if they can be: ids
    may be those of a core."""
    key = points.key[which].astype(np.int64) * 2 + waits
    place = points.place[which].astype(np.int64)
    own = by_key(key * (int(place.max(initial=0)) + 1) + place, begins[which], points.time[which])
    rest = own.alone
    across = by_key(key[rest], begins[which[rest]], points.time[which[rest]])
    first = np.concatenate((which[own.first], which[rest[across.first]]))
    second = np.concatenate((which[own.second], which[rest[across.second]]))
    return (first, second), which[rest[across.alone]]


def made_of(points: Points, begin: I64, end: I64, alone: I64, dropped: Dropped) -> Made:
    """The slices from ``begin`` to ``end`` (int64, indices of points). Pairs whose end is before their begin, and the
    events ``alone``, are counted in ``dropped``."""
    duration = points.time[end] - points.time[begin]
    forward = duration >= 0
    dropped.add(tr("begin or end without its partner"), points.phase[alone])
    back = np.concatenate((begin[~forward], end[~forward]))
    dropped.add(tr("end before its begin"), points.phase[back])
    return Made(begin[forward], duration[forward])


def known(names: tuple[str, ...], strings: Interner) -> list[int]:
    """Text ids of those of ``names`` that occur."""
    return [strings.ids[name] for name in names if name in strings.ids]
