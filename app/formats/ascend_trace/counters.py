"""Collects counter events into one track for each series of each counter."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.growing import Growing
from app.formats.ascend_trace.numbering import numbering, translation
from app.formats.ascend_trace.times import Times
from app.profile.arrays import F64, sealed
from app.profile.strings import Interner
from app.profile.timeline import Counters


class CounterTracks:
    """Collects ``C`` events. ``bad`` counts those without a time or a number; ``tracks`` numbers (process,
    counter, series); ``track``, ``time`` and ``value``: columns of their values."""

    def __init__(self) -> None:
        self.bad = 0
        self.time = Times()
        self.tracks: defaultdict[tuple[str, str, str], int] = numbering()
        self.track = Growing(np.int32)
        self.value = Growing(np.float64)

    def add(self, event: Event, timed: bool, args: Any) -> int:
        """Adds the values of one event, and returns their number; the caller adds as many times. ``args``: its
        arguments, which map series to values."""
        values = args if isinstance(args, dict) and timed else {}
        called = text(event.name)
        name = called if event.key is None else f"{called}[{event.key}]"
        process = text(event.pid)
        figures = {series: number(value) for series, value in values.items()}
        valid = {series: figure for series, figure in figures.items() if math.isfinite(figure)}
        self.track.extend([self.tracks[process, name, series] for series in valid])
        self.value.extend(list(valid.values()))
        self.bad += not valid
        return len(valid)

    def extend(self, later: CounterTracks) -> None:
        """Adds the counters of later events."""
        self.bad += later.bad
        self.track.extend(translation(self.tracks, later.tracks)[later.track.array()])
        self.value.extend(later.value.array())
        self.time.extend(later.time.moments())

    def processes(self) -> set[str]:
        """The process ids that have counters."""
        return {process for process, _, _ in self.tracks}

    def section(self, names: dict[str, str], strings: Interner, units: Callable[[F64], F64]) -> Counters:
        """The section: tracks sorted by process, counter and series, with ascending times. ``names``: process names by
        id; ``units``: converts times to those of the timeline."""
        keys = sorted(self.tracks)
        place = np.empty(len(keys), np.int32)
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
