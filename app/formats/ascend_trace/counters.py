"""Counter events: one track for each series of each counter."""

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
    """Takes ``C`` events; ``bad`` counts those without a time or without a number."""

    def __init__(self) -> None:
        self.bad = 0
        self._tracks: dict[tuple[str, str, str], tuple[array[float], array[float]]] = {}

    def restate(self, restated: Callable[[F64], F64]) -> None:
        """Puts ``restated`` times in the place of those taken so far."""
        for key, (times, values) in self._tracks.items():
            self._tracks[key] = (array("d", restated(np.array(times))), values)

    def add(self, event: Event, time: float, plain: Any) -> None:
        """One event and its time; ``plain`` is the same with its arguments, which are series and their values."""
        args = plain.get("args") if isinstance(plain, dict) else None
        values = args if isinstance(args, dict) else {}
        name = event.name if event.id is None else f"{event.name}[{event.id}]"
        process, known = text(event.pid), False
        for series, value in values.items():
            figure = number(value)
            if math.isfinite(figure) and math.isfinite(time):
                key = (process, name, series)
                track = self._tracks.get(key)
                if track is None:
                    track = self._tracks[key] = (array("d"), array("d"))
                track[0].append(time)
                track[1].append(figure)
                known = True
        self.bad += not known

    def processes(self) -> set[str]:
        """The process ids that have counters."""
        return {process for process, _, _ in self._tracks}

    def times(self) -> F64:
        """float64: of all values of all tracks."""
        return np.concatenate([np.zeros(0), *(np.array(times) for times, _ in self._tracks.values())])

    def section(self, names: dict[str, str], strings: Interner, units: Callable[[F64], F64]) -> Counters:
        """The tracks by process, counter and series, times rising; ``names``: what processes are called; ``units``
        turns times into the timeline's."""
        tracks = sorted(self._tracks.items(), key=lambda item: item[0])
        times = [units(np.array(t)) for _, (t, _) in tracks]
        orders = [np.argsort(t, kind="stable") for t in times]
        values = [np.array(v)[order] for (_, (_, v)), order in zip(tracks, orders, strict=True)]
        return Counters(
            process=sealed(np.array([strings(names.get(key[0], key[0])) for key, _ in tracks], np.int32)),
            name=sealed(np.array([strings(key[1]) for key, _ in tracks], np.int32)),
            series=sealed(np.array([strings(key[2]) for key, _ in tracks], np.int32)),
            first=sealed(np.cumsum([0, *map(len, times)], dtype=np.int64)),
            time=sealed(np.concatenate([np.zeros(0), *(t[o] for t, o in zip(times, orders, strict=True))])),
            value=sealed(np.concatenate([np.zeros(0), *values])),
        )
