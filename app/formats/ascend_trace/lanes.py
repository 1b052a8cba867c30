"""Determines the lanes of a trace with their names and order."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.labels import NOWHERE, Places
from app.formats.ascend_trace.metadata import Metadata
from app.formats.ascend_trace.tracks import Track
from app.profile.arrays import I32
from app.profile.strings import Interner

THREADS = {
    name: place
    for place, name in enumerate(
        ("SCALAR", "FLOWCTRL", "MTE1", "CUBE", "FIXP", "MTE2", "VECTOR", "MTE3", "CACHEMISS"), 1
    )
}
"""The default order of pipes without metadata; other threads come first (Ascend operator files, section 4.5)."""


_SORTED_BY = 256


class LaneTable(Struct, frozen=True, eq=False):
    """``process``, ``thread``: int32[lanes] text ids, in display order; ``of_place``: int32[places + 1], the lane of
    the thread of each place in Places, NOWHERE without one; ``of_track``: int32[tracks], the lane of each track."""

    process: I32
    thread: I32
    of_place: I32
    of_track: I32


def make(
    places: Places, tracks: Sequence[Track], shown: dict[str, str], metadata: Metadata, strings: Interner
) -> LaneTable:
    """The lanes of all threads and tracks. ``shown``: display names of processes. The instants of a thread follow its
    lane, other tracks of a process follow its threads, and tracks without a process come last."""
    threads = [place for place in places.numbers.items() if place[1] in places.threads]
    lanes = [
        _Lane(shown[pid], _named(metadata, (pid, tid)), _place(pid, tid, shown, metadata)) for (pid, tid), _ in threads
    ]
    lanes += [_of_track(track, number, shown, metadata) for number, track in enumerate(tracks)]
    order = sorted(range(len(lanes)), key=lambda number: lanes[number].place)
    lane_of = np.empty(len(lanes), np.int32)
    lane_of[order] = np.arange(len(order))
    of_place = np.full(len(places.numbers) + 1, NOWHERE, np.int32)
    of_place[[number for _, number in threads]] = lane_of[: len(threads)]
    return LaneTable(
        process=np.array([strings(lanes[number].process) for number in order], np.int32),
        thread=np.array([strings(lanes[number].thread) for number in order], np.int32),
        of_place=of_place,
        of_track=lane_of[len(threads) :],
    )


class _Lane(Struct, frozen=True):
    """The names of a lane and its process, and the sort key of the lane."""

    process: str
    thread: str
    place: tuple[object, ...]


def _named(metadata: Metadata, pair: tuple[str, str]) -> str:
    return metadata.thread_names.get(pair) or pair[1]


def _of_track(track: Track, number: int, shown: dict[str, str], metadata: Metadata) -> _Lane:
    if track.everywhere:
        return _Lane(track.process, track.name, (math.inf, [], "", 0.0, [], "", number))
    process = shown[track.process]
    if track.thread is None:
        place = _place(track.process, "", shown, metadata)
        return _Lane(process, track.name, (*place[:3], math.inf, *place[4:6], number))
    thread = _named(metadata, (track.process, track.thread))
    name = f"{thread} (instants)" if thread else "Instants"
    place = _place(track.process, track.thread, shown, metadata)
    return _Lane(process, name, (*place[:6], number))


def _place(process: str, thread: str, shown: dict[str, str], metadata: Metadata) -> tuple[object, ...]:
    pair = (process, thread)
    name = _named(metadata, pair)
    default = THREADS.get(name, 0)
    return (
        metadata.process_places.get(process, 0.0),
        _natural(shown[process]),
        process,
        metadata.thread_places.get(pair, float(default)),
        _natural(name),
        thread,
        -1,
    )


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that compares numbers in names as numbers: core2 before core10. Uses the first _SORTED_BY
    characters."""
    parts = re.split(r"([0-9]{1,18})", name[:_SORTED_BY])
    return [(0, int(part), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts) if part]
