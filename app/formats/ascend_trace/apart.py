"""Slices that are not work of a pipe, though they lie on its thread: states of pipes, regions, marks. They get lanes of
their own, so that they do not count as work (Ascend operator reports, sections 2.3 and 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.columns import Gathered, SliceColumns
from app.formats.ascend_trace.metadata import Metadata
from app.formats.ascend_trace.places import MAX_LANES, Places
from app.formats.ascend_trace.tracks import Track
from app.profile.arrays import I64, U8, Bool, distinct
from app.profile.pipes import MARKS, PIPE_STATES, REGIONS, TRACE_POINTS_LANE, pipe_of

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
