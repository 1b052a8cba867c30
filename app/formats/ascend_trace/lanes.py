"""The lanes of a trace with their names and order: those of threads, of asynchronous slices and of instants, and of
what is not work of a pipe, though it lies on its thread (states of pipes, regions, marks)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace import slices
from app.formats.ascend_trace.columns import GLOBAL, PROCESS, Dropped, Gathered, SliceColumns
from app.formats.ascend_trace.event import (
    ASYNC_BEGIN,
    ASYNC_END,
    ASYNC_INSTANT,
    INSTANT,
    OPERATION_BEGIN,
    OPERATION_END,
)
from app.formats.ascend_trace.labels import MAX_LANES, NOWHERE, Ids, Metadata, Places
from app.formats.ascend_trace.slices import Made, Points, made_of
from app.formats.numbering import ranks
from app.formats.timeline_build import lowest_free
from app.language import tr
from app.profile.arrays import F64, I32, I64, U8, Bool, Integers, combine_at, distinct
from app.profile.pipes import MARKS, PIPE_STATES, PIPES, REGIONS, TRACE_POINTS_LANE, core_of, pipe_of
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
                paired = slices.by_stack(group, time, begins, name, nameless=strings(""))
            else:
                paired = slices.by_key(group, begins, points.time[which])
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


THREADS = {name: place for place, name in enumerate(PIPES, 1)}
"""The default order of pipes without metadata; other threads come first (Ascend operator files, section 4.5)."""
_FIRST_WARP = 100
_WARP = re.compile(r"(?:WARP_|Warp )(\d{1,6})")


_SORTED_BY = 256


class LaneTable(Struct, frozen=True, eq=False):
    """``process``, ``thread``: int32[lanes] text ids, in display order; ``of_place``: int32[places + 1], the lane of
    the thread of each place in Places, NOWHERE without one; ``of_track``: int32[tracks], the lane of each track."""

    process: I32
    thread: I32
    of_place: I32
    of_track: I32


def make_lanes(
    places: Places, tracks: Sequence[Track], shown: dict[str, str], metadata: Metadata, strings: Interner
) -> LaneTable:
    """The lanes of all threads and tracks. ``shown``: display names of processes. The instants of a thread follow its
    lane, other tracks of a process follow its threads, and tracks without a process come last."""
    threads = [(pair, number) for number, pair in enumerate(places.pairs()) if number in places.threads]
    naming = _Naming(shown, metadata, [place for place, _ in threads], tracks)
    lanes = [naming.of_thread(pair) for pair, _ in threads]
    lanes += [naming.of_track(track, number) for number, track in enumerate(tracks)]
    order = sorted(range(len(lanes)), key=[place for _, _, place in lanes].__getitem__)
    lane_of = np.empty(len(lanes), np.int32)
    lane_of[order] = np.arange(len(order))
    of_place = np.full(len(places) + 1, NOWHERE, np.int32)
    of_place[[number for _, number in threads]] = lane_of[: len(threads)]
    return LaneTable(
        process=np.array([strings(lanes[number][0]) for number in order], np.int32),
        thread=np.array([strings(lanes[number][1]) for number in order], np.int32),
        of_place=of_place,
        of_track=lane_of[len(threads) :],
    )


_Lane: TypeAlias = tuple[str, str, tuple[Any, ...]]
"""The names of its process and of a lane, and its sort key: a trace may have very many lanes."""


class _Naming:
    """Names and sort keys of lanes. ``shown``: display names of processes."""

    def __init__(
        self, shown: dict[str, str], metadata: Metadata, threads: Sequence[tuple[str, str]], tracks: Sequence[Track]
    ) -> None:
        self._shown = shown
        self._metadata = metadata
        of_tracks = [(track.process, track.thread or "") for track in tracks if not track.everywhere]
        names = {"", *shown.values(), *map(self._thread, threads), *map(self._thread, of_tracks)}
        rank = _ranks(names)
        self._of_process = {
            process: (name, (metadata.process_places.get(process, 0.0), rank[name], process))
            for process, name in shown.items()
        }
        self._of_name = {name: (_default_place(name), rank[name]) for name in names}

    def _thread(self, pair: tuple[str, str]) -> str:
        """The name of the thread of a (process id, thread id)."""
        return self._metadata.thread_names.get(pair) or pair[1]

    def of_thread(self, pair: tuple[str, str]) -> _Lane:
        """The lane of a thread."""
        process, first = self._of_process[pair[0]]
        name = self._thread(pair)
        place, rank = self._of_name[name]
        return process, name, (*first, self._metadata.thread_places.get(pair, place), rank, pair[1], -1)

    def of_track(self, track: Track, number: int) -> _Lane:
        """The lane of a track, which is number ``number``."""
        if track.everywhere:
            return track.process, track.name, (math.inf, -1, "", 0.0, -1, "", number)
        process, thread, place = self.of_thread((track.process, track.thread or ""))
        if track.thread is None:
            return process, track.name, (*place[:3], math.inf, *place[4:6], number)
        if track.what == PIPE_STATES:
            thread = core_of(thread)
        name = f"{thread} ({track.what})" if thread else track.what.capitalize()
        return process, name, (*place[:6], number)


def _default_place(thread: str) -> float:
    warp = _WARP.fullmatch(thread)
    return float(_FIRST_WARP + int(warp[1]) if warp else THREADS.get(pipe_of(thread), 0))


def _ranks(names: set[str]) -> dict[str, int]:
    """The rank of each name in natural order; equal for names that this order does not distinguish."""
    keys = {name: tuple(_natural(name)) for name in names}
    rank = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return {name: rank[key] for name, key in keys.items()}


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that compares numbers in names as numbers: core2 before core10, with the warps of a core behind it.
    Uses the first _SORTED_BY characters."""
    core = name.removeprefix("warp.")
    parts = re.split(r"([0-9]{1,18})", core[:_SORTED_BY])
    key = [(0, int(part), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts) if part]
    return key if core == name else [*key, (2, 0, "")]


STATE, REGION, MARK, TRACE_POINT = range(1, 5)
LANES: Final = {STATE: PIPE_STATES, REGION: REGIONS, MARK: MARKS, TRACE_POINT: TRACE_POINTS_LANE}
STATE_CATEGORY, BUSY_CATEGORY, MARK_CATEGORY = "PIPE_STATE", "pipe_state_busy", "MarkStamp"
TRACE_POINTS: Final = ("TRACE_START", "TRACE_STOP")
"""Names of which no documentation says how they are written: they are shown as they are."""

_NUMBERED: Final = {"Region": REGION, "MarkStamp": MARK}
_PREFIXES: Final = (*_NUMBERED, *TRACE_POINTS)
_OWN_NAME: Final = re.compile(r"(Region|MarkStamp)\d+")
_SHORT: Final = 1.0
"""Markers and marks are written with a duration of a cycle, which means nothing: those up to this are instants."""


class Apart(Struct, frozen=True, eq=False):
    """``lanes``; ``slice``: int64, indices of the complete slices on them; ``lane``: int64, indices in ``lanes``;
    ``instant``: bool, which are moments; ``undocumented``: how many of them are TRACE_POINTS."""

    lanes: tuple[Track, ...]
    slice: I64
    lane: I64
    instant: Bool
    undocumented: int = 0


def taken_apart(gathered: Gathered, metadata: Metadata, others: Bool) -> Apart:
    """Finds such slices among the complete ones. Moments lose their duration, threads that have nothing else lose their
    lane, and busy slices of PIPE_STATE records lose their category: that of all pipes, which says nothing. ``others``:
    bool[places], the threads with events besides complete slices."""
    slices, places = gathered.slices, gathered.places
    kind = _kinds(slices, gathered, metadata)
    which = np.flatnonzero(kind)
    place, kinds = slices.place.array()[which].astype(np.int64), kind[which]
    codes, lane = np.unique(place * (len(LANES) + 1) + kinds, return_inverse=True)
    if not len(which) or len(places.threads) + len(codes) > MAX_LANES:
        return Apart((), which[:0], which[:0], np.zeros(0, np.bool_))
    _forget_category(slices, gathered.categories)
    _name_category(slices, gathered, which[kinds == MARK])
    instant = (slices.duration.array()[which] <= _SHORT) & (kinds != REGION)
    slices.duration.array()[which[instant]] = 0.0
    lanes, number = _lanes(places.pairs(), codes)
    left = np.bincount(slices.place.array()[kind == 0], minlength=len(places)) > 0
    places.threads -= {thread for thread in distinct(place).tolist() if not (left[thread] or others[thread])}
    undocumented = int(np.count_nonzero(kinds == TRACE_POINT))
    return Apart(lanes, which, number[lane.reshape(-1)], instant, undocumented)


def _kinds(slices: SliceColumns, gathered: Gathered, metadata: Metadata) -> U8:
    """uint8[slices]: what each is, 0 for the work of a pipe."""
    kind = np.zeros(len(slices), np.uint8)
    of_name = np.zeros(len(gathered.names) + 1, np.uint8)
    for name in _candidates(gathered.names):
        numbered = _OWN_NAME.fullmatch(name)
        of_name[gathered.names[name]] = (
            _NUMBERED[numbered[1]] if numbered else TRACE_POINT if name in TRACE_POINTS else 0
        )
    if bool(np.any(of_name)):
        kind = of_name[slices.name.array()]
        kind[~_of_core(gathered.places, metadata)[slices.place.array()]] = 0
    state = gathered.categories.get(STATE_CATEGORY)
    if state is not None:
        states = (slices.category.array() == state) & (slices.duration.array() <= _SHORT)
        kind = np.where(states, np.uint8(STATE), kind)
    return kind


def _candidates(names: Iterable[str | float | None]) -> list[str]:
    """The texts among a million names that begin like one of these, if any does: looking at each takes five times as
    long as looking through all of them."""
    texts: Iterable[Any] = names
    if not set(map(type, names)) <= {str}:
        texts = [name for name in names if type(name) is str]
    joined = "\n" + "\n".join(texts)
    if not any(f"\n{prefix}" in joined for prefix in _PREFIXES):
        return []
    return [name for name in texts if name.startswith(_PREFIXES)]


def _of_core(places: Places, metadata: Metadata) -> Bool:
    """bool[places]: the threads that are a pipe, or are named after a region or mark: elsewhere such names mean
    something else."""
    names = [metadata.thread_names.get(place) or place[1] for place in places.pairs()]
    return np.array([bool(pipe_of(name) or _OWN_NAME.fullmatch(name)) for name in names], np.bool_)


def _forget_category(slices: SliceColumns, categories: Mapping[str, int]) -> None:
    busy = categories.get(BUSY_CATEGORY)
    if busy is not None:
        category = slices.category.array()
        category[category == busy] = -1


def _name_category(slices: SliceColumns, gathered: Gathered, marks: I64) -> None:
    """Marks without a category get that of marks, so that a colour of its own for each number crowds out no other."""
    category = slices.category.array()
    bare = marks[category[marks] < 0]
    if len(bare):
        category[bare] = gathered.categories[MARK_CATEGORY]


def _lanes(places: list[tuple[str, str]], codes: I64) -> tuple[tuple[Track, ...], I64]:
    """(the lanes, int64[codes]: that of each code of place and kind). Regions whose threads are named after them share
    the lane of their process, and marks too."""
    numbers: dict[Track, int] = {}
    lane = []
    for code in codes.tolist():
        process, thread = places[code // (len(LANES) + 1)]
        what = LANES[code % (len(LANES) + 1)]
        own = _OWN_NAME.fullmatch(thread) is not None
        track = Track(process, None, what.capitalize()) if own else Track(process, thread, "", what=what)
        lane.append(numbers.setdefault(track, len(numbers)))
    return tuple(numbers), np.array(lane, np.int64)
