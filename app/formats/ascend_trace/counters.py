"""Collects counter events into one track for each series of each counter."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import chain, compress
from typing import Any, Final, TypeAlias

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.growing import Growing
from app.formats.ascend_trace.times import Moments, Times
from app.formats.numbering import latest, numbering, numbers_of, translation
from app.formats.sorting import by_lane_and_time
from app.profile.arrays import F64, I32, numbered, sealed
from app.profile.strings import Interner
from app.profile.timeline import Counters

_PLAIN: Final = {int, float}
Counter: TypeAlias = tuple[object, object, str | None]
"""Process id, name and key, as in the file."""


class CounterTracks:
    """Collects ``C`` events. ``bad`` counts those without a time or a number; ``tracks`` numbers (process,
    counter, series); ``track``, ``time`` and ``value``: columns of their values."""

    def __init__(self) -> None:
        self.bad = 0
        self.time = Times()
        self.tracks: defaultdict[tuple[str, str, str], int] = numbering()
        self.track = Growing(np.int32)
        self.value = Growing(np.float64)
        self._counters: defaultdict[Counter, int] = numbering()
        self._series: defaultdict[str, int] = numbering()
        self._of_counter: list[Counter] = []
        self._of_series: list[str] = []
        self._known: dict[tuple[int, int], int] = {}

    def add(self, events: Sequence[Event], keys: Collection[str], times: Moments, arguments: Sequence[Any]) -> None:
        """Adds some events that have no other ``keys``. ``arguments``: those of each, which map series to values."""
        series = arguments if set(map(type, arguments)) <= {dict} else [_as_dict(args) for args in arguments]
        sizes = np.fromiter(map(len, series), np.int64, len(series))
        figures = _floats(list(chain.from_iterable(map(dict.values, series))))
        name = numbers_of(self._series, chain.from_iterable(series), len(figures))
        counter, owner = self._counters_of(events, keys), np.repeat(np.arange(len(events)), sizes)
        valid = np.isfinite(figures) & np.isfinite(times.value)[owner]
        shown = owner[valid]
        self.bad += len(events) - int(np.count_nonzero(np.bincount(shown, minlength=len(events))))
        self.track.extend(self._tracks_of(counter[shown], name[valid]))
        self.value.extend(figures[valid])
        self.time.extend(times[shown])

    def _counters_of(self, events: Sequence[Event], keys: Collection[str]) -> I32:
        """int32[events]: the number of the counter of each event in ``_counters``."""
        counters = self._counters
        if "id" not in keys and "id2" not in keys:
            numbers = [counters[event.pid, event.name, None] for event in events]
        else:
            numbers = [counters[event.pid, event.name, event.key] for event in events]
        return np.array(numbers, np.int32)

    def _tracks_of(self, counter: I32, series: I32) -> I32:
        """int32[n]: the number of the track of each pair of a counter and a series."""
        pair, which = numbered(counter.astype(np.int64) * len(self._series) + series)
        self._of_counter += latest(self._counters, len(self._counters) - len(self._of_counter))
        self._of_series += latest(self._series, len(self._series) - len(self._of_series))
        tracks = [self._number(*divmod(code, len(self._series))) for code in pair.tolist()]
        result: I32 = np.array(tracks, np.int32)[which]
        return result

    def _number(self, counter: int, series: int) -> int:
        """The number of a track."""
        number = self._known.get((counter, series))
        if number is None:
            process, name, key = self._of_counter[counter]
            called = text(name) if key is None else f"{text(name)}[{key}]"
            number = self._known[counter, series] = self.tracks[text(process), called, self._of_series[series]]
        return number

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
        order = by_lane_and_time(track, time)
        return Counters(
            process=sealed(np.array([strings(names.get(process, process)) for process, _, _ in keys], np.int32)),
            name=sealed(np.array([strings(name) for _, name, _ in keys], np.int32)),
            series=sealed(np.array([strings(series) for _, _, series in keys], np.int32)),
            first=sealed(np.concatenate(([0], np.cumsum(np.bincount(track, minlength=len(keys)))))),
            time=sealed(time[order]),
            value=sealed(self.value.array()[order]),
        )

    def _used(self) -> list[tuple[str, str, str]]:
        """The tracks with values."""
        return list(compress(self.tracks, np.bincount(self.track.array(), minlength=len(self.tracks)).tolist()))


def _as_dict(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _floats(values: list[Any]) -> F64:
    """float64[values]: the numbers, and those in texts; NaN for anything else."""
    if set(map(type, values)) <= _PLAIN:
        with contextlib.suppress(OverflowError):  # an integer of hundreds of digits
            return np.array(values, np.float64)
    return np.array([number(value) for value in values], np.float64)
