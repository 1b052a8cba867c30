"""Determines the lanes of a trace with their names and order."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.metadata import Metadata
from app.formats.ascend_trace.places import NOWHERE, Places
from app.formats.ascend_trace.tracks import Track
from app.profile.arrays import I32
from app.profile.pipes import PIPE_STATES, PIPES, core_of, pipe_of
from app.profile.strings import Interner

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


def make(
    places: Places, tracks: Sequence[Track], shown: dict[str, str], metadata: Metadata, strings: Interner
) -> LaneTable:
    """The lanes of all threads and tracks. ``shown``: display names of processes. The instants of a thread follow its
    lane, other tracks of a process follow its threads, and tracks without a process come last."""
    threads = [(pair, number) for number, pair in enumerate(places.pairs()) if number in places.threads]
    naming = _Naming(shown, metadata, [place for place, _ in threads], tracks)
    lanes = [_Lane(shown[pid], naming.thread((pid, tid)), naming.place(pid, tid)) for (pid, tid), _ in threads]
    lanes += [naming.of_track(track, number) for number, track in enumerate(tracks)]
    order = sorted(range(len(lanes)), key=lambda number: lanes[number].place)
    lane_of = np.empty(len(lanes), np.int32)
    lane_of[order] = np.arange(len(order))
    of_place = np.full(len(places) + 1, NOWHERE, np.int32)
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


class _Naming:
    """Names and sort keys of lanes. ``shown``: display names of processes."""

    def __init__(
        self, shown: dict[str, str], metadata: Metadata, threads: Sequence[tuple[str, str]], tracks: Sequence[Track]
    ) -> None:
        self._shown = shown
        self._metadata = metadata
        of_tracks = [(track.process, track.thread) for track in tracks if track.thread is not None]
        names = {"", *shown.values(), *map(self.thread, threads), *map(self.thread, of_tracks)}
        self._rank = _ranks(names)

    def thread(self, pair: tuple[str, str]) -> str:
        """The name of the thread of a (process id, thread id)."""
        return self._metadata.thread_names.get(pair) or pair[1]

    def of_track(self, track: Track, number: int) -> _Lane:
        """The lane of a track, which is number ``number``."""
        if track.everywhere:
            return _Lane(track.process, track.name, (math.inf, -1, "", 0.0, -1, "", number))
        process = self._shown[track.process]
        if track.thread is None:
            place = self.place(track.process, "")
            return _Lane(process, track.name, (*place[:3], math.inf, *place[4:6], number))
        thread = self.thread((track.process, track.thread))
        if track.what == PIPE_STATES:
            thread = core_of(thread)
        name = f"{thread} ({track.what})" if thread else track.what.capitalize()
        place = self.place(track.process, track.thread)
        return _Lane(process, name, (*place[:6], number))

    def place(self, process: str, thread: str) -> tuple[object, ...]:
        """The sort key of the lane of a thread."""
        pair = (process, thread)
        name = self.thread(pair)
        return (
            self._metadata.process_places.get(process, 0.0),
            self._rank[self._shown[process]],
            process,
            self._metadata.thread_places.get(pair, _default_place(name)),
            self._rank[name],
            thread,
            -1,
        )


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
