"""Builds slices from complete events and from pairs of begin and end events."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.clock import TIME_LIMIT
from app.formats.ascend_trace.columns import SLICE_PHASE, SliceColumns
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.kinds import BEGIN, END
from app.formats.ascend_trace.points import Points
from app.language import tr
from app.profile.arrays import F64, I64, Bool
from app.profile.strings import Interner

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
    stacked = pairs.by_stack(
        points.place[which], points.time[which], begins[which], points.name[which], nameless=strings("")
    )
    alone = np.concatenate((strays, rest[stacked.alone]))
    begin = np.concatenate((flags[0], rest[stacked.first]))
    end = np.concatenate((flags[1], rest[stacked.second]))
    return made_of(points, begin, end, alone, dropped)


def _flags(points: Points, which: I64, waits: Bool, begins: Bool) -> tuple[tuple[I64, I64], I64]:
    """((begins, ends), those without a partner): int64 among ``which``, paired by id, on their lane if they can be: ids
    may be those of a core."""
    key = points.key[which].astype(np.int64) * 2 + waits
    place = points.place[which].astype(np.int64)
    own = pairs.by_key(key * (int(place.max(initial=0)) + 1) + place, begins[which], points.time[which])
    rest = own.alone
    across = pairs.by_key(key[rest], begins[which[rest]], points.time[which[rest]])
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
