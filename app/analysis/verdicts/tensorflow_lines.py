"""Where the wall time of a TensorFlow application went, by its log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.host_events.totals import compile_seconds
from app.analysis.part import Amount, sentence
from app.analysis.unions import union_lengths
from app.analysis.verdicts.answer import Detail
from app.language import plural, tr
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.tensorflow import COMPILE_END, EXECUTE, HostEvents

_FEWEST: Final = 3


def of_events(profile: Profile) -> Iterator[Detail]:
    """The time from the first to the last event: compiling, executing, the rest; and the longest pause."""
    events = profile.host_events
    if events is None or not np.isfinite(events.time).any():
        return
    starts = events.starts()
    whole = float(np.nanmax(events.time) - np.nanmin(starts))
    if whole > 0:
        yield from _wall(events, whole)
    yield from _pause(events)


def _wall(events: HostEvents, whole: float) -> Iterator[Detail]:
    seconds = compile_seconds(events)
    rows = np.flatnonzero(np.isfinite(seconds) & np.isfinite(events.time))
    ends = events.time[rows]
    compiling = float(union_lengths(ends - seconds[rows], ends, np.zeros(len(rows), np.int64), 1)[0])
    runs = np.flatnonzero((events.type == EXECUTE) & np.isfinite(events.time))
    running = float(np.ptp(events.time[runs])) if len(runs) else 0.0
    longest = int(rows[seconds[rows].argmax()]) if len(rows) else -1
    text = tr(
        "Wall time {whole}: compiling {compiling} ({share}), from the first to the last execution {running} ({part})",
        whole=Amount(whole, "s"),
        compiling=Amount(compiling, "s"),
        share=Amount(100 * compiling / whole, "%"),
        running=Amount(running, "s"),
        part=Amount(100 * running / whole, "%"),
    )
    yield Detail(sentence(text), selected_item("host_event", longest))
    again = int(np.count_nonzero(events.type == COMPILE_END)) - len(distinct(events.module[events.type == COMPILE_END]))
    if again > 0:
        repeated = plural(
            "{count:,} compilation repeats an earlier one", "{count:,} compilations repeat earlier ones", count=again
        )
        yield Detail((repeated,))


def _pause(events: HostEvents) -> Iterator[Detail]:
    """The usual and the longest time from one execution to the next of any module."""
    runs = np.flatnonzero((events.type == EXECUTE) & np.isfinite(events.time))
    if len(runs) < _FEWEST:
        return
    runs = runs[np.argsort(events.time[runs], kind="stable")]
    gaps = np.diff(events.time[runs])
    place = int(gaps.argmax())
    text = tr(
        "An execution every {usual} (median); the longest interval is {longest}",
        usual=Amount(float(np.median(gaps)), "s"),
        longest=Amount(float(gaps[place]), "s"),
    )
    yield Detail(sentence(text), Selection("host_event", (int(runs[place + 1]),)))
