"""Builds the lanes of asynchronous slices and of instants."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.columns import GLOBAL, PROCESS
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.ids import Ids
from app.formats.ascend_trace.kinds import (
    ASYNC_BEGIN,
    ASYNC_END,
    ASYNC_INSTANT,
    INSTANT,
    OPERATION_BEGIN,
    OPERATION_END,
)
from app.formats.ascend_trace.places import MAX_LANES, Places
from app.formats.ascend_trace.points import Points
from app.formats.ascend_trace.slices import Made, made_of
from app.formats.sorting import ranks
from app.formats.timeline_rows import lowest_free
from app.language import tr
from app.profile.arrays import F64, I64, Bool, Integers, combine_at
from app.profile.strings import Interner

OWN_LANES = 64
"""The largest number of ids of a category in a process for which each id has its own lane."""
EVERYWHERE = "All processes"


class Track(Struct, frozen=True):
    """One lane. ``process``, ``thread``: ids, the thread None where the lane belongs to none; ``name``: "" for that of
    the thread and ``what`` it has; ``everywhere``: the lane belongs to no process, and ``process`` is a display
    name."""

    process: str
    thread: str | None
    name: str
    everywhere: bool = False
    what: str = "instants"


class Tracks(Struct, frozen=True, eq=False):
    """``lanes`` and the slices on them. ``point``: int64, the point each begins with; ``duration``: float64, 0 for
    those that are ``instant``; ``lane``: int64, indices in ``lanes``."""

    lanes: tuple[Track, ...]
    point: I64
    duration: F64
    instant: Bool
    lane: I64


def tracks(points: Points, places: Places, ids: Ids, strings: Interner, dropped: Dropped, others: int = 0) -> Tracks:
    """The tracks of asynchronous events and instants among ``points``. ``ids``: those of their keys; ``others``:
    the number of further lanes besides those of threads."""
    processes = _Processes(places)
    spans = _asynchronous(points, processes, strings, dropped)
    nested = np.flatnonzero(points.has_kind(ASYNC_INSTANT))
    point = np.concatenate((spans.begin, nested))
    duration = np.concatenate((spans.duration, np.zeros(len(nested))))
    lanes, lane = _by_id(points, point, duration, processes, ids, list(strings.ids))
    moments = np.flatnonzero(points.has_kind(INSTANT))
    more, on = _of_instants(points, moments, places, processes)
    point = np.concatenate((point, moments))
    duration = np.concatenate((duration, np.zeros(len(moments))))
    lane = np.concatenate((lane, len(lanes) + on))
    instant = np.arange(len(point)) >= len(spans.begin)
    room = MAX_LANES - len(places.threads) - others
    if len(lanes) + len(more) > room:
        beyond = lane >= room
        dropped.add(tr("lane beyond the first {max_lanes:,}", max_lanes=MAX_LANES), points.phase[point[beyond]])
        point, duration, instant, lane = point[~beyond], duration[~beyond], instant[~beyond], lane[~beyond]
    return Tracks((*lanes, *more)[:room], point, duration, instant, lane)


class _Processes:
    """Numbers the processes of places. ``of_place``: int64[places + 1], the last for NOWHERE; ``ids``: ids as text."""

    def __init__(self, places: Places) -> None:
        numbers: dict[str, int] = {}
        process_of = [numbers.setdefault(process, len(numbers)) for process, _ in places.pairs()]
        self.of_place = np.array([*process_of, -1], np.int64)
        self.ids = list(numbers)


def _asynchronous(points: Points, processes: _Processes, strings: Interner, dropped: Dropped) -> Made:
    """Pairs begins with ends by process, category and id, then the rest by category and id; operations, which do not
    nest, also by name."""
    nesting = np.flatnonzero(points.has_kind(ASYNC_BEGIN, ASYNC_END))
    plain = np.flatnonzero(points.has_kind(OPERATION_BEGIN, OPERATION_END))
    begin, end, alone = [], [], []
    for which, stacked in ((nesting, True), (plain, False)):
        for local in (True, False):
            group = _numbered(
                points.category[which],
                points.key[which],
                *([processes.of_place[points.place[which]]] if local else []),
                *([] if stacked else [points.name[which]]),
            )
            begins = points.has_kind(ASYNC_BEGIN, OPERATION_BEGIN)[which]
            if stacked:
                name, time = points.name[which], points.time[which]
                paired = pairs.by_stack(group, time, begins, name, nameless=strings(""))
            else:
                paired = pairs.by_key(group, begins, points.time[which])
            begin.append(which[paired.first])
            end.append(which[paired.second])
            which = which[paired.alone]
        alone.append(which)
    return made_of(points, np.concatenate(begin), np.concatenate(end), np.concatenate(alone), dropped)


def _by_id(
    points: Points, point: I64, duration: F64, processes: _Processes, ids: Ids, strings: list[str]
) -> tuple[list[Track], I64]:
    """(lanes of asynchronous slices by process, category and id; int64[slices]: the lane of each). Where a category has
    more than OWN_LANES ids in a process, ids that do not overlap share lanes, so that there are only as many lanes as
    ids run at a time."""
    process = processes.of_place[points.place[point]]
    category, key, start = points.category[point].astype(np.int64), points.key[point], points.time[point]
    family = _numbered(category, process)
    own = _numbered(key, family)
    count = int(own.max()) + 1 if len(own) else 0
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    combine_at(np.minimum, first, own, start)
    combine_at(np.maximum, last, own, start + duration)
    sample = np.zeros(count, np.int64)  # a slice of each id
    sample[own] = np.arange(len(own))
    lanes: list[Track] = []
    lane_of = np.empty(count, np.int64)
    order = np.lexsort((first, family[sample]))
    for members in np.split(order, np.flatnonzero(np.diff(family[sample][order])) + 1):
        if not len(members):
            continue
        one = int(sample[members[0]])
        owner, called = processes.ids[int(process[one])], strings[category[one]] if category[one] >= 0 else "async"
        if len(members) <= OWN_LANES:
            lane_of[members] = len(lanes) + np.arange(len(members))
            numbers = [int(key[sample[member]]) for member in members]
            lanes += [Track(owner, None, f"{called} id {ids.text(n)}" if n >= 0 else called) for n in numbers]
        else:
            shared = lowest_free(first[members], last[members])
            lane_of[members] = len(lanes) + shared
            most = int(shared.max()) + 1
            lanes += [Track(owner, None, f"{called} (lane {n + 1:,} of {most:,})") for n in range(most)]
    return lanes, lane_of[own]


def _of_instants(points: Points, moments: I64, places: Places, processes: _Processes) -> tuple[list[Track], I64]:
    """(lanes of instants, int64[moments]: the lane of each): one per thread, process or trace, by their scope."""
    pairs_of_ids = places.pairs()
    scope, place = points.mark[moments], points.place[moments].astype(np.int64)
    place[scope == GLOBAL] = 0
    alike = scope == PROCESS  # all places of a process count as one
    place[alike] = processes.of_place[place[alike]]
    kind = np.where(scope == GLOBAL, 2, np.where(alike, 1, 0))
    group = _numbered(place, kind)
    lanes = []
    for one in np.unique(group, return_index=True)[1].tolist():
        if kind[one] == 2:
            lanes.append(Track(EVERYWHERE, None, "Global instants", everywhere=True))
        elif kind[one] == 1:
            lanes.append(Track(processes.ids[int(place[one])], None, "Process instants"))
        else:
            lanes.append(Track(*pairs_of_ids[int(place[one])], ""))
    return lanes, group


def _numbered(*columns: Integers) -> I64:
    """int64[n]: the number of each combination of values; values are -1 or above."""
    number = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        number = ranks(number * (int(column.max(initial=0)) + 2) + column + 1)
    return number
