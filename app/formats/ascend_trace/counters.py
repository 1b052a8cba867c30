"""Collects counter events into one track for each series of each counter."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.profile.arrays import F64, sealed
from app.profile.strings import Interner
from app.profile.timeline import Counters


class CounterTracks:
    """Collects ``C`` events. ``bad`` counts those without a time or a number."""

    def __init__(self) -> None:
        self.bad = 0
        self._tracks: dict[tuple[str, str, str], int] = {}
        self._track = array("i")
        self._time = array("d")
        self._value = array("d")

    def restate(self, restated: Callable[[F64], F64]) -> None:
        """Replaces the times collected so far by ``restated(times)``."""
        self._time = array("d", restated(np.array(self._time)))

    def add(self, event: Event, time: float, plain: Any) -> None:
        """Adds one event at ``time``. ``plain``: the same event with its arguments, which map series to values."""
        args = plain.get("args") if isinstance(plain, dict) else None
        values = args if isinstance(args, dict) else {}
        name = event.name if event.key is None else f"{event.name}[{event.key}]"
        process, known = text(event.pid), False
        for series, value in values.items():
            figure = number(value)
            if math.isfinite(figure) and math.isfinite(time):
                self._track.append(self._tracks.setdefault((process, name, series), len(self._tracks)))
                self._time.append(time)
                self._value.append(figure)
                known = True
        self.bad += not known

    def processes(self) -> set[str]:
        """The process ids that have counters."""
        return {process for process, _, _ in self._tracks}

    def times(self) -> F64:
        """float64: the times of all values of all tracks."""
        return np.array(self._time)

    def section(self, names: dict[str, str], strings: Interner, units: Callable[[F64], F64]) -> Counters:
        """The section: tracks sorted by process, counter and series, with ascending times. ``names``: process names by
        id; ``units``: converts times to those of the timeline."""
        keys = sorted(self._tracks)
        place = np.empty(len(keys), np.int32)
        place[[self._tracks[key] for key in keys]] = np.arange(len(keys))
        track, time = place[np.array(self._track, np.int32)], units(np.array(self._time))
        order = np.lexsort((time, track))
        return Counters(
            process=sealed(np.array([strings(names.get(process, process)) for process, _, _ in keys], np.int32)),
            name=sealed(np.array([strings(name) for _, name, _ in keys], np.int32)),
            series=sealed(np.array([strings(series) for _, _, series in keys], np.int32)),
            first=sealed(np.concatenate(([0], np.cumsum(np.bincount(track, minlength=len(keys)))))),
            time=sealed(time[order]),
            value=sealed(np.array(self._value)[order]),
        )
