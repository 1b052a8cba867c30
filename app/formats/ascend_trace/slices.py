"""Everything that becomes a slice: complete events, and begins paired with their ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.columns import BEGIN, END, SLICE, Columns, Ids, join
from app.profile.arrays import Array, Bool

LIMIT = 1e18
"""Times beyond this (30,000 years of microseconds) are no times."""

SETS, WAITS = ("SET_FLAG", "set_event"), ("WAIT_FLAG", "wait_event")
"""Names of begins and ends that are paired by id (Ascend operator files, section 4.3)."""


def placed(events: Columns, dropped: Counter[str]) -> Columns:
    """The events that have a time, a duration where they need one, and a process or a thread. The others are
    counted in ``dropped``."""
    timed = np.abs(events.time) < LIMIT
    long = (events.kind != SLICE) | ((events.duration >= 0) & (events.duration < LIMIT))
    somewhere = (events.process != 0) | (events.thread != 0)
    for good, reason in (
        (timed, "without a time"),
        (long | ~timed, "without a duration"),
        (somewhere | ~long | ~timed, "without process and thread"),
    ):
        dropped[reason] += int(np.count_nonzero(~good))
    every = timed & long & somewhere
    return events if bool(np.all(every)) else events.take(np.flatnonzero(every))


def complete(events: Columns, lane: Array, names: Ids, dropped: Counter[str]) -> tuple[Columns, Array]:
    """(slices, their ``lane``). Of a pair the begin says all but the duration."""
    whole = events.kind == SLICE
    if bool(np.all(whole)):
        return events, lane
    ends = np.flatnonzero((events.kind == BEGIN) | (events.kind == END))
    made, made_lane = _paired(events.take(ends), lane[ends], names, dropped)
    return join(events.take(np.flatnonzero(whole)), made), np.concatenate((lane[whole], made_lane))


def _paired(events: Columns, lane: Array, names: Ids, dropped: Counter[str]) -> tuple[Columns, Array]:
    flags = is_flag(events, names)
    by_id, rest = np.flatnonzero(flags), np.flatnonzero(~flags)
    waits = np.isin(events.name[by_id], _numbers(names, WAITS))
    found = pairs.by_key(
        events.key[by_id].astype(np.int64) * 2 + waits, events.kind[by_id] == BEGIN, events.time[by_id]
    )
    stacked = pairs.by_stack(events.take(rest), lane[rest])
    first = np.concatenate((by_id[found.first], rest[stacked.first]))
    second = np.concatenate((by_id[found.second], rest[stacked.second]))
    duration = events.time[second] - events.time[first]
    forward = duration >= 0
    dropped["that begin or end without their partner"] += len(found.alone) + len(stacked.alone)
    dropped["that end before they begin"] += 2 * int(np.count_nonzero(~forward))
    first = first[forward]
    made = replace(events.take(first), duration=duration[forward], kind=np.full(len(first), SLICE, np.uint8))
    return made, lane[first]


def is_flag(events: Columns, names: Ids) -> Bool:
    """Which events set a flag or wait for one, and say which."""
    known: Bool = events.key != 0
    return known & np.isin(events.name, _numbers(names, SETS + WAITS))


def _numbers(names: Ids, wanted: tuple[str, ...]) -> list[int]:
    return [names[name] for name in wanted if name in names]
