"""Everything that becomes a slice: complete events, and begins paired with their ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.clock import TIME_LIMIT
from app.formats.ascend_trace.columns import SliceColumns
from app.formats.ascend_trace.labels import BEGIN, END
from app.formats.ascend_trace.points import Points, count_unplaced
from app.profile.arrays import F64, I32, I64
from app.profile.strings import Interner

SETS, WAITS = ("SET_FLAG", "set_event"), ("WAIT_FLAG", "wait_event")
"""Names of begins and ends that are paired by id (Ascend operator files, section 4.3)."""


def clean(slices: SliceColumns, lane_of: I32, dropped: Counter[str]) -> None:
    """Leaves out complete events without a place or a time, and counts them."""
    time, duration = slices.time.array(), slices.duration.array()
    timed = np.isfinite(time)
    long = (duration >= 0) & (duration < TIME_LIMIT)
    lane = lane_of[slices.label.array()]
    good = timed & long & (lane >= 0)
    if not bool(np.all(good)):
        dropped["without a duration"] += int(np.count_nonzero(timed & ~long))
        count_unplaced(timed | ~long, lane, dropped)
        slices.keep(good)


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Slices made of two events: ``begin``: int64, which of the points begins it; ``duration``: float64."""

    begin: I64
    duration: F64


def paired(points: Points, strings: Interner, dropped: Counter[str]) -> Made:
    """Begins with ends: flags by their id, all others by nesting. What has no partner is counted."""
    either = np.flatnonzero(points.has_kind(BEGIN, END))
    flag = np.isin(points.name[either], known(SETS + WAITS, strings)) & (points.key[either] >= 0)
    by_id, rest = either[flag], either[~flag]
    begins = points.kind == BEGIN
    waits = np.isin(points.name[by_id], known(WAITS, strings))
    found = pairs.by_key(points.key[by_id].astype(np.int64) * 2 + waits, begins[by_id], points.time[by_id])
    stacked = pairs.by_stack(
        points.lane[rest],
        points.time[rest],
        points.record[rest],
        begins[rest],
        points.name[rest],
        nameless=strings(""),
    )
    begin = np.concatenate((by_id[found.first], rest[stacked.first]))
    end = np.concatenate((by_id[found.second], rest[stacked.second]))
    duration = points.time[end] - points.time[begin]
    forward = duration >= 0
    dropped["that begin or end without their partner"] += len(found.alone) + len(stacked.alone)
    dropped["that end before they begin"] += 2 * int(np.count_nonzero(~forward))
    return Made(begin[forward], duration[forward])


def known(names: tuple[str, ...], strings: Interner) -> list[int]:
    """Text ids of those of ``names`` that occur."""
    return [strings.ids[name] for name in names if name in strings.ids]
