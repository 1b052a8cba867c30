"""What holds kernels of an Ascend capture up from outside: collections of Python's memory on the host, and a clock of
the AI Cores that falls while they work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from app.analysis.capture.ranks import SECOND, of_rank, origin, rank_name, sums
from app.analysis.capture.slices import rank_of_process
from app.analysis.capture.steps import step_times
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.timeline.times import slice_lanes
from app.language import plural, tr
from app.profile.arrays import F64, I64, among
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.timeline import Timeline

_COLLECTION: Final = "GC"
_PYTHON: Final = "Python"
_LONG: Final = 1e-3
"""Seconds from which a collection delays launches (the vendor's advisor)."""
_LISTED: Final = 3


def _collecting(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    line = profile.timeline
    slices, ranks = (np.empty(0, np.int64),) * 2 if line is None else _collections(profile, line)
    if line is None or not len(slices):
        return NotChecked(tr("the capture has no collections of Python's memory"))
    length = line.slices.duration[slices] * (line.seconds_per_unit or 1.0)
    long = np.flatnonzero(length > _LONG)
    if not len(long):
        return ()
    count = 0 if profile.capture is None else len(profile.capture)
    total = sums(ranks[long], length[long], count)
    rank = int(total.argmax())
    long = long[ranks[long] == rank]
    long = long[np.argsort(-length[long], kind="stable")]
    text = plural(
        "{where}: Python collects memory for more than 1 ms {count:,} time, {time} together, and launches nothing "
        "then. Collect between steps (gc.freeze, gc.disable), or create fewer objects.",
        "{where}: Python collects memory for more than 1 ms {count:,} times, {time} together, and launches nothing "
        "then. Collect between steps (gc.freeze, gc.disable), or create fewer objects.",
        count=len(long),
        where=of_rank(profile, rank),
        time=Amount(float(total[rank]), "s"),
    )
    evidence = tuple(
        Evidence(
            "slices", _COLLECTION, tr("duration"), float(length[place]), "s", Selection("slice", (int(slices[place]),))
        )
        for place in long[:_LISTED].tolist()
    )
    saving = Saving(float(total[rank]), "s", rank_name(profile, rank), tr("sum of their durations"))
    return (Finding("info", tr("Python collects memory between launches"), sentence(text), evidence, saving),)


def _collections(profile: Profile, line: Timeline) -> tuple[I64, I64]:
    """(the slices of collections, the rank of each)."""
    rows = np.flatnonzero(among(line.slices.name, line.strings.find(_COLLECTION)))
    known = {}
    for lane, process in enumerate(line.lanes.process.tolist()):
        rank, name = rank_of_process(profile, line.strings.get(process))
        known[lane] = rank if name.startswith(_PYTHON) else -1
    of_lane = np.array([*known.values(), -1], np.int64)
    ranks = of_lane[slice_lanes(line)[rows]]
    return rows[ranks >= 0], ranks[ranks >= 0]


_FALL: Final = 0.05
_NAME: Final = "AI Core Freq"


def _frequency(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    line, steps = profile.timeline, step_times(profile)
    tracks = [] if line is None else list(_tracks(profile, line))
    if line is None or not tracks:
        return NotChecked(tr("the capture has no frequency of the AI Cores"))
    worst: tuple[float, int, float, float] = (1.0, -1, 0.0, 0.0)
    for track, rank in tracks:
        rows = np.flatnonzero((steps.rank == rank) & (steps.begin >= 0))
        high, lowest = _lowest(profile, line, track, steps.begin[rows], steps.end[rows])
        if len(rows) and high > 0:
            place = int(lowest.argmin())
            worst = min(worst, (float(lowest[place]) / high, int(rows[place]), float(lowest[place]), high))
    ratio, row, low, high = worst
    if ratio > 1 - _FALL:
        return ()
    rank, step = int(steps.rank[row]), int(steps.step[row])
    text = tr(
        "{where}: the clock of the AI Cores falls from {high} MHz to {low} MHz. Heat or power may limit it.",
        where=of_rank(profile, rank, step),
        low=f"{low:,.0f}",
        high=f"{high:,.0f}",
    )
    evidence = (
        Evidence("counter-values", _NAME, tr("lowest frequency"), low, "MHz"),
        Evidence("counter-values", _NAME, tr("highest frequency"), high, "MHz"),
    )
    formula = tr("time of the step × (1 - lowest / highest frequency)")
    saving = Saving(float(steps.span[row]) * (1 - ratio), "s", rank_name(profile, rank), formula)
    return (Finding("warning", tr("The clock of the AI Cores falls"), sentence(text), evidence, saving),)


def _tracks(profile: Profile, line: Timeline) -> Iterator[tuple[int, int]]:
    """(track, rank) of the counters of the clock."""
    counters = line.counters
    for track, (process, name) in enumerate(zip(counters.process.tolist(), counters.name.tolist(), strict=True)):
        rank, _ = rank_of_process(profile, line.strings.get(process))
        if rank >= 0 and line.strings.get(name).startswith(_NAME) and counters.first[track + 1] > counters.first[track]:
            yield track, rank


def _lowest(profile: Profile, line: Timeline, track: int, begin: I64, end: I64) -> tuple[float, F64]:
    """(the highest value of a counter; its lowest while each step runs: a value holds until the next one)."""
    first, last = (int(line.counters.first[place]) for place in (track, track + 1))
    zero = int(origin(profile))
    time = line.counters.time[first:last] * (line.seconds_per_unit or 1.0)
    value = line.counters.value[first:last]
    held = np.maximum(np.searchsorted(time, (begin - zero) / SECOND, "right") - 1, 0)
    after = np.maximum(np.searchsorted(time, (end - zero) / SECOND), held + 1)
    bounds = np.column_stack((held, after)).reshape(-1)
    return float(value.max()), np.minimum.reduceat(np.append(value, np.inf), bounds)[::2]


RULES: Final = (
    Rule(
        "ascend.capture.gc",
        tr("Collections of Python's memory"),
        tr("Collections by Python's garbage collector that take more than 1 ms."),
        ("capture",),
        _collecting,
    ),
    Rule(
        "ascend.capture.frequency",
        tr("Clock of the AI Cores"),
        tr("Lowest frequency of the AI Cores during a step, if it is 5 % below the highest of the capture."),
        ("capture",),
        _frequency,
    ),
)
