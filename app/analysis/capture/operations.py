"""Collectives of several ranks, matched: who came late, and what the others waited (Ascend captures, section 5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.ranks import SECOND, groups_of, once, same_texts, sums
from app.profile.arrays import F64, I32, I64, U8, combine_at
from app.profile.ascend_capture import COLLECTIVE, Collectives
from app.profile.profile import Profile

FEWEST: Final = 3
"""Collectives of a rank below which nothing is said about its clock."""
AGREES: Final = 50_000
"""Nanoseconds: ends of one collective differ by up to 30 µs between ranks whose clocks agree (section 5)."""
_FAR: Final = np.iinfo(np.int64).max


class Operations(Struct, frozen=True, eq=False):
    """One row per collective that two ranks or more have, in the order of their first starts.

    ``row``: one of its rows in the section; ``ranks``: how many ranks have it; ``kind``: as in the section; ``late``:
    the rank (row of the capture) that starts last, -1 where clocks differ; ``delay``, ``end_spread``: float64 seconds
    between the first and the last start and end; ``wait_caused``: what all others wait for the late rank, NaN where
    clocks differ. ``of_row``: int64[collectives], the operation of each row, -1 for those of one rank; ``late_by``:
    float64[collectives], its start minus the first of all ranks. ``shift``: float64[ranks], seconds by which the clock
    of a rank is ahead of the others, already subtracted."""

    row: I64
    ranks: I64
    kind: U8
    late: I32
    delay: F64
    end_spread: F64
    wait_caused: F64
    of_row: I64
    late_by: F64
    shift: F64

    def __len__(self) -> int:
        return len(self.row)


def operations(profile: Profile) -> Operations:
    """Empty for a capture of one rank. A million rows take about two seconds."""
    return once(profile, _made)


def group_ids(own: Collectives) -> I64:
    """int64[rows]: a number for each communication group, -1 unknown. A row whose group is unknown has the one of its
    name, if that has only one: the name holds digits of the group."""
    same = same_texts(own.strings)
    name, group = same[own.name], same[own.group].copy()
    there = np.flatnonzero(group >= 0)
    if len(there) == len(group) or not len(there):
        return group
    _, first = groups_of(name[there], group[there])
    names, groups = name[there][first], group[there][first]
    count = np.bincount(names, minlength=len(same))
    of_name = np.full(len(same), -1, np.int64)
    of_name[names] = groups
    of_name[count > 1] = -1
    return np.where(group >= 0, group, of_name[name])


def waits_caused(profile: Profile) -> F64:
    """float64[ranks]: what the other ranks waited for each over all collectives in which it came last (an upper bound:
    the next collective may wait as well)."""
    own = operations(profile)
    rows = np.flatnonzero((own.late >= 0) & (own.kind == COLLECTIVE))
    return sums(own.late[rows], own.wait_caused[rows], len(own.shift))


def largest_delay(profile: Profile) -> int:
    """The operation with the largest delay of those whose late rank is known; point-to-point operations are none. -1
    without one."""
    own = operations(profile)
    rows = np.flatnonzero((own.late >= 0) & (own.kind == COLLECTIVE) & (own.delay > 0))
    return int(rows[own.delay[rows].argmax()]) if len(rows) else -1


def waited(profile: Profile) -> F64:
    """float64[collectives]: how long each waited for the last rank of its operation; NaN where that is unknown."""
    own = operations(profile)
    values = np.full(len(own.of_row), np.nan)
    there = np.flatnonzero(own.of_row >= 0)
    of = own.of_row[there]
    values[there] = np.where(own.late[of] >= 0, own.delay[of] - own.late_by[there], np.nan)
    return values


def _made(profile: Profile) -> Operations:
    own = profile.collectives
    ranks = 0 if profile.capture is None else len(profile.capture)
    if own is None or ranks < 2:
        return _nothing(0 if own is None else len(own), ranks)
    timed = np.flatnonzero((own.start >= 0) & (own.end >= own.start))
    if not len(timed):
        return _nothing(len(own), ranks)
    same = same_texts(own.strings)
    name, group = same[own.name[timed]], group_ids(own)[timed]
    rank, start, end = own.rank[timed], own.start[timed], own.end[timed]
    place = _turns(rank, start, name, group)
    of, first = groups_of(name, group, place)
    several = np.bincount(of) > 1
    wanted = several[of]
    timed, rank, start, end = timed[wanted], rank[wanted], start[wanted], end[wanted]
    of, first = groups_of(of[wanted])
    if not len(first):
        return _nothing(len(own), ranks)
    kind = own.kind[timed[first]]
    shift = _shifts(rank, end, of, kind, ranks)
    start, end = start - shift[rank], end - shift[rank]
    return _measured(own, timed, rank, start, end, of, shift)


def _turns(rank: I32, start: I64, name: I64, group: I64) -> I64:
    """int64[rows]: which one of its name, group and rank each is, by start, from 0."""
    order = np.lexsort((start, rank, group, name))
    keys = [column[order] for column in (name, group, rank)]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    begin = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    turn = np.empty(len(order), np.int64)
    turn[order] = np.arange(len(order)) - begin
    return turn


def _shifts(rank: I32, end: I64, of: I64, kind: U8, ranks: int) -> I64:
    """int64[ranks]: nanoseconds by which the clock of each rank is ahead: the median difference of its ends from the
    middle end of each collective, if that exceeds the spread of these differences; else 0."""
    rows = np.flatnonzero(kind[of] == COLLECTIVE)
    off = end[rows] - _middles(end[rows], of[rows], len(kind))[of[rows]]
    own = rank[rows]
    least, most = np.full(ranks, _FAR, np.int64), np.full(ranks, -_FAR, np.int64)
    combine_at(np.minimum, least, own, off)
    combine_at(np.maximum, most, own, off)
    count = np.bincount(own, minlength=ranks)
    median = _middles(off, own, ranks)
    known = count >= FEWEST
    spread = np.where(known, most, 0) - np.where(known, least, 0)
    return np.where(known & (np.abs(median) > np.maximum(spread, AGREES)), median, 0)


def _middles(values: I64, group: I64 | I32, groups: int) -> I64:
    """int64[groups]: the median of each group's values, rounded down; 0 for an empty group."""
    ordered = values[np.lexsort((values, group))]
    count = np.bincount(group, minlength=groups)
    first = np.cumsum(count) - count
    there = np.flatnonzero(count)
    low = ordered[(first + (count - 1) // 2)[there]]
    high = ordered[(first + count // 2)[there]]
    middle = np.zeros(groups, np.int64)
    middle[there] = low + (high - low) // 2
    return middle


def _measured(own: Collectives, rows: I64, rank: I32, start: I64, end: I64, of: I64, shift: I64) -> Operations:
    count = int(of.max()) + 1
    begin, last = np.full(count, _FAR, np.int64), np.full(count, -_FAR, np.int64)
    early, late = begin.copy(), last.copy()
    for combine, out, values in (
        (np.minimum, begin, start),
        (np.maximum, last, start),
        (np.minimum, early, end),
        (np.maximum, late, end),
    ):
        combine_at(combine, out, of, values)
    order = np.argsort(begin, kind="stable")
    number = np.empty(count, np.int64)
    number[order] = np.arange(count)
    behind = np.full(count, -1, np.int64)
    latest = np.flatnonzero(start == last[of])[::-1]  # of several, the first
    behind[of[latest]] = rank[latest]
    ranks = np.bincount(of, minlength=count).astype(np.int64)
    waits = sums(of, last[of] - start, count)
    delay, spread = last - begin, late - early
    differ = spread > delay
    one = np.empty(count, np.int64)
    one[of[::-1]] = rows[::-1]
    of_row, late_by = np.full(len(own), -1, np.int64), np.full(len(own), np.nan)
    of_row[rows], late_by[rows] = number[of], (start - begin[of]) / SECOND
    return Operations(
        row=one[order],
        ranks=ranks[order],
        kind=own.kind[one[order]],
        late=np.where(differ | (delay == 0), -1, behind)[order].astype(np.int32),
        delay=(delay / SECOND)[order],
        end_spread=(spread / SECOND)[order],
        wait_caused=np.where(differ, np.nan, waits / SECOND)[order],
        of_row=of_row,
        late_by=late_by,
        shift=shift / SECOND,
    )


def _nothing(rows: int, ranks: int) -> Operations:
    none, times = np.empty(0, np.int64), np.empty(0)
    return Operations(
        row=none,
        ranks=none,
        kind=none.astype(np.uint8),
        late=none.astype(np.int32),
        delay=times,
        end_spread=times,
        wait_caused=times,
        of_row=np.full(rows, -1, np.int64),
        late_by=np.full(rows, np.nan),
        shift=np.zeros(ranks),
    )
