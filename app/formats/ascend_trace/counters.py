"""Collects counter events into one track for each series of each counter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Any, Final, TypeAlias

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.growing import Growing
from app.formats.ascend_trace.times import Moments, Times
from app.formats.numbering import numbering, translation
from app.profile.arrays import F64, sealed
from app.profile.strings import Interner
from app.profile.timeline import Counters

_PLAIN: Final = (int, float)
Track: TypeAlias = tuple[object, ...]
"""Process id, name, key and series, as in the file."""


class CounterTracks:
    """Collects ``C`` events. ``bad`` counts those without a time or a number; ``tracks`` numbers (process,
    counter, series); ``track``, ``time`` and ``value``: columns of their values."""

    def __init__(self) -> None:
        self.bad = 0
        self.time = Times()
        self.tracks: defaultdict[tuple[str, str, str], int] = numbering()
        self.track = Growing(np.int32)
        self.value = Growing(np.float64)
        self._known: dict[Track, int] = {}

    def add(self, events: Sequence[Event], times: Moments, arguments: Iterable[Any]) -> None:
        """Adds some events. ``arguments``: those of each, which map series to values."""
        tracks, values, owners = [], [], []
        known = self._known
        for owner, (event, args) in enumerate(zip(events, arguments, strict=True)):
            if type(args) is not dict:
                continue
            process, name = event.pid, event.name
            key = None if event.id is None and event.id2 is None else event.key
            for series, value in args.items():
                track = process, name, key, series
                tracks.append(known[track] if track in known else self._numbered(track))
                values.append(value if type(value) in _PLAIN else number(value))
                owners.append(owner)
        figures = _floats(values)
        valid = np.isfinite(figures) & np.isfinite(times.value)[owners]
        shown = np.array(owners, np.int64)[valid]
        self.bad += len(events) - int(np.count_nonzero(np.bincount(shown, minlength=len(events))))
        self.track.extend(np.array(tracks, np.int32)[valid])
        self.value.extend(figures[valid])
        self.time.extend(times[shown])

    def extend(self, later: CounterTracks) -> None:
        """Adds the counters of later events."""
        self.bad += later.bad
        self.track.extend(translation(self.tracks, later.tracks)[later.track.array()])
        self.value.extend(later.value.array())
        self.time.extend(later.time.moments())

    def processes(self) -> set[str]:
        """The process ids that have counters."""
        return {process for process, _, _ in self._used()}

    def section(self, names: dict[str, str], strings: Interner, units: Callable[[F64], F64]) -> Counters:
        """The section: tracks sorted by process, counter and series, with ascending times. ``names``: process names by
        id; ``units``: converts times to those of the timeline."""
        keys = sorted(self._used())
        place = np.full(len(self.tracks), -1, np.int32)
        place[[self.tracks[key] for key in keys]] = np.arange(len(keys))
        track, time = place[self.track.array()], units(self.time.array())
        order = np.lexsort((time, track))
        return Counters(
            process=sealed(np.array([strings(names.get(process, process)) for process, _, _ in keys], np.int32)),
            name=sealed(np.array([strings(name) for _, name, _ in keys], np.int32)),
            series=sealed(np.array([strings(series) for _, _, series in keys], np.int32)),
            first=sealed(np.concatenate(([0], np.cumsum(np.bincount(track, minlength=len(keys)))))),
            time=sealed(time[order]),
            value=sealed(self.value.array()[order]),
        )

    def _numbered(self, track: Track) -> int:
        """The number of a track that is not known yet."""
        process, name, key, series = track
        called = text(name) if key is None else f"{text(name)}[{key}]"
        self._known[track] = number = self.tracks[text(process), called, str(series)]
        return number

    def _used(self) -> list[tuple[str, str, str]]:
        """The tracks with values."""
        return list(compress(self.tracks, np.bincount(self.track.array(), minlength=len(self.tracks)).tolist()))


def _floats(values: list[Any]) -> F64:
    try:
        return np.array(values, np.float64)
    except OverflowError:  # an integer of hundreds of digits
        return np.array([number(value) for value in values], np.float64)
