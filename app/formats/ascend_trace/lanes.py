"""Determines the lanes of a trace with their names and order."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.labels import NOWHERE, Labels
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
_OF_LANES = ("process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index")


@dataclass(slots=True)
class Metadata:
    """The data of ``M`` events about processes and threads, by their ids as text."""

    process_names: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    thread_names: dict[tuple[str, str], str] = field(default_factory=dict)
    process_places: dict[str, float] = field(default_factory=dict)
    thread_places: dict[tuple[str, str], float] = field(default_factory=dict)
    other: int = 0

    def add(self, event: Event) -> None:
        """Adds one ``M`` event; those that do not describe lanes are counted in ``other``."""
        args = event.args
        process, thread = text(event.pid), (text(event.pid), text(event.tid))
        place = number(args.sort_index)
        if event.name == "process_name" and args.name is not None:
            self.process_names[process] = text(args.name)
        elif event.name == "thread_name" and args.name is not None:
            self.thread_names[thread] = text(args.name)
        elif event.name == "process_labels" and args.labels:
            self.labels[process] = text(args.labels)
        elif event.name == "process_sort_index" and place == place:
            self.process_places[process] = place
        elif event.name == "thread_sort_index" and place == place:
            self.thread_places[thread] = place
        elif event.name not in _OF_LANES:
            self.other += 1

    def shown(self, processes: list[str]) -> dict[str, str]:
        """Display names of processes by id; processes of the same name get their id appended."""
        names = {pid: self.process_names.get(pid) or pid for pid in processes}
        taken = Counter(names.values())
        for pid, name in names.items():
            apart = f" ({pid})" if taken[name] > 1 and name != pid else ""
            labels = f" [{self.labels[pid]}]" if self.labels.get(pid) else ""
            names[pid] = f"{name}{apart}{labels}"
        return names


@dataclass(frozen=True, slots=True, eq=False)
class LaneTable:
    """``process``, ``thread``: int32[lanes] text ids, in display order; ``of_place``: int32[places + 1], the lane of
    the thread of each place in Labels, NOWHERE without one; ``of_track``: int32[tracks], the lane of each track."""

    process: I32
    thread: I32
    of_place: I32
    of_track: I32


def make(
    labels: Labels, tracks: Sequence[Track], shown: dict[str, str], metadata: Metadata, strings: Interner
) -> LaneTable:
    """The lanes of all threads and tracks. ``shown``: display names of processes. The instants of a thread follow its
    lane, other tracks of a process follow its threads, and tracks without a process come last."""
    places = [place for place in labels.places.items() if place[1] in labels.threads]
    lanes = [
        _Lane(shown[pid], _named(metadata, (pid, tid)), _place(pid, tid, shown, metadata)) for (pid, tid), _ in places
    ]
    lanes += [_of_track(track, number, shown, metadata) for number, track in enumerate(tracks)]
    order = sorted(range(len(lanes)), key=lambda number: lanes[number].place)
    lane_of = np.empty(len(lanes), np.int32)
    lane_of[order] = np.arange(len(order))
    of_place = np.full(len(labels.places) + 1, NOWHERE, np.int32)
    of_place[[number for _, number in places]] = lane_of[: len(places)]
    return LaneTable(
        process=np.array([strings(lanes[number].process) for number in order], np.int32),
        thread=np.array([strings(lanes[number].thread) for number in order], np.int32),
        of_place=of_place,
        of_track=lane_of[len(places) :],
    )


@dataclass(frozen=True, slots=True)
class _Lane:
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
