"""Where the time of a TensorFlow application goes, by its log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.host_events import compile_seconds, modules
from app.analysis.part import Amount, sentence
from app.analysis.timeline.intervals import union_lengths
from app.language import Message, plural, tr
from app.profile.arrays import I64, among, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.tensorflow import COMPILE_END, EXECUTE, FROM_DEVICE, TO_DEVICE, HostEvents

_MOST_LISTED: Final = 5
_FEWEST: Final = 5
"""Executions of a module, below which there is no usual time between them."""


def _events(profile: Profile) -> HostEvents | NotChecked:
    events = profile.host_events
    if events is None or not len(events):
        return NotChecked(tr("the log has no events"))
    return events


def _again(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    events = _events(profile)
    if isinstance(events, NotChecked):
        return events
    own = modules(events)
    rows = np.flatnonzero(own.compilations > 1)
    if not len(rows):
        return ()
    seconds = _repeated_seconds(events)
    title = plural(
        "{count:,} module is compiled more than once",
        "{count:,} modules are compiled more than once",
        count=len(rows),
    )
    text = sentence(_repeated_text(seconds))
    evidence = tuple(
        Evidence(
            "modules",
            events.strings.get(int(own.module[row])),
            tr("compilations"),
            int(own.compilations[row]),
            "",
            Selection("host_event", tuple(_compilations(events, own.device[row], own.module[row])[:1])),
        )
        for row in rows[np.argsort(-own.compilations[rows], kind="stable")][:_MOST_LISTED].tolist()
    )
    formula = tr("all compilations but the first of each module, overlaps counted once")
    saving = Saving(seconds, "s", tr("the log"), formula) if seconds > 0 else None
    return (Finding("warning" if saving is not None else "info", title, text, evidence, saving),)


def _compilations(events: HostEvents, device: int, module: int) -> list[int]:
    own = (events.type == COMPILE_END) & (events.ordinal == device) & (events.module == module)
    return [int(row) for row in np.flatnonzero(own)]


def _repeated_text(seconds: float) -> Message:
    """``seconds``: 0 if the log does not say how long they take."""
    if not seconds:
        return tr("To avoid repeated compilations, use constant shapes or a cache of executables.")
    return tr(
        "The repeated compilations take {time}. To avoid them, use constant shapes or a cache of executables.",
        time=Amount(seconds, "s"),
    )


def _repeated_seconds(events: HostEvents) -> float:
    """Time with a compilation of a module that was compiled on that device before."""
    rows = np.flatnonzero((events.type == COMPILE_END) & (events.module >= 0) & np.isfinite(events.time))
    rows = rows[np.lexsort((events.time[rows], events.module[rows], events.ordinal[rows]))]
    module, devices = events.module[rows], events.ordinal[rows]
    again = (module[1:] == module[:-1]) & (devices[1:] == devices[:-1])
    return _covered(events, rows[1:][again])


def _covered(events: HostEvents, rows: I64) -> float:
    """Time covered by those of the compilations ``rows`` that have a time and a length."""
    seconds = compile_seconds(events)
    rows = rows[np.isfinite(seconds[rows]) & np.isfinite(events.time[rows])]
    ends = events.time[rows]
    return float(union_lengths(ends - seconds[rows], ends, np.zeros(len(rows), np.int64), 1)[0])


def _compiling(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    events = _events(profile)
    if isinstance(events, NotChecked):
        return events
    times = events.time[np.isfinite(events.time)]
    seconds = compile_seconds(events)
    rows = np.flatnonzero(np.isfinite(seconds) & np.isfinite(events.time))
    spent = _covered(events, rows)
    times = np.concatenate((times, events.time[rows] - seconds[rows]))
    whole = float(times.max() - times.min()) if len(times) else 0.0
    if whole <= 0:
        return NotChecked(tr("the events have no times"))
    share = 100 * spent / whole
    if share < thresholds.compiling:
        return ()
    text = sentence(
        tr(
            "Compilations take {compiling} of {whole}, {share}.",
            compiling=Amount(spent, "s"),
            whole=Amount(whole, "s"),
            share=Amount(share, "%"),
        )
    )
    evidence = (
        Evidence("modules", "", tr("seconds with a compilation"), spent, "s"),
        Evidence("events", "", tr("from the first to the last event"), whole, "s"),
    )
    saving = Saving(spent, "s", tr("the log"), tr("seconds with a compilation, overlaps counted once"))
    return (Finding("info", tr("Large share of compilation time"), text, evidence, saving),)


def _idle(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    events = _events(profile)
    if isinstance(events, NotChecked):
        return events
    made = []
    for module in distinct(events.module[events.type == EXECUTE]).tolist():
        rows = np.flatnonzero((events.type == EXECUTE) & (events.module == module) & np.isfinite(events.time))
        if len(rows) < _FEWEST:
            continue
        rows = rows[np.argsort(events.time[rows], kind="stable")]
        gaps = np.diff(events.time[rows])
        usual = float(np.median(gaps))
        over = gaps[gaps > thresholds.idle * usual] - usual
        if not len(over) or usual <= 0:
            continue
        longest = int(gaps.argmax())
        name = events.strings.get(module)
        title = plural(
            "{count:,} pause between executions of {name} is unusually long",
            "{count:,} pauses between executions of {name} are unusually long",
            count=len(over),
            name=name,
        )
        text = sentence(
            tr(
                "Executions usually start {usual} apart. These pauses, {longer} longer in total, are waits for input "
                "or for the host.",
                usual=Amount(usual, "s"),
                longer=Amount(float(over.sum()), "s"),
            )
        )
        evidence = (
            Evidence(
                "events",
                name,
                tr("longest time between two executions"),
                float(gaps[longest]),
                "s",
                Selection("host_event", (int(rows[longest + 1]),)),
            ),
            Evidence("modules", name, tr("median time between executions"), usual, "s"),
        )
        formula = tr("sum over long pauses of pause - median")
        saving = Saving(float(over.sum()), "s", tr("the executions"), formula)
        made.append(Finding("warning", title, text, evidence, saving, "estimated"))
    return made


def _input(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    events = _events(profile)
    if isinstance(events, NotChecked):
        return events
    timed = np.isfinite(events.time)
    runs = events.time[timed & (events.type == EXECUTE)]
    if len(runs) < _FEWEST or not (timed & (events.type == TO_DEVICE)).any():
        return NotChecked(tr("the log has too few executions, or no timed transfers to the device"))
    rows = np.flatnonzero(timed)
    rows = rows[np.lexsort((events.time[rows], events.ordinal[rows]))]
    before, after = rows[:-1], rows[1:]
    waits = among(events.type[before], (EXECUTE, FROM_DEVICE)) & (events.type[after] == TO_DEVICE)
    waits &= events.ordinal[before] == events.ordinal[after]
    start, end = events.time[before[waits]], events.time[after[waits]]
    whole = float(runs.max() - runs.min())
    spent = float(union_lengths(start, end, np.zeros(len(start), np.int64), 1)[0])
    if whole <= 0 or 100 * spent < thresholds.input_bound * whole:
        return ()
    longest = int(after[waits][(end - start).argmax()])
    text = sentence(
        plural(
            "{count:,} execution is followed directly by a transfer to the device, after {time} in "
            "total, {share} of the time of the executions. In that time, the device still computes or "
            "the host prepares the input. Prefetching the input overlaps it with the executions.",
            "{count:,} executions are followed directly by a transfer to the device, after {time} in "
            "total, {share} of the time of the executions. In that time, the device still computes or "
            "the host prepares the input. Prefetching the input overlaps it with the executions.",
            count=len(start),
            time=Amount(spent, "s"),
            share=Amount(100 * spent / whole, "%"),
        )
    )
    evidence = (
        Evidence(
            "events",
            str(longest),
            tr("longest time until a transfer to the device"),
            float((end - start).max()),
            "s",
            Selection("host_event", (longest,)),
        ),
        Evidence("events", "", tr("from the first to the last execution"), whole, "s"),
    )
    formula = tr("time from an execution (or its outputs) to the next transfer to the device, overlaps counted once")
    saving = Saving(min(spent, whole), "s", tr("the executions"), formula)
    return (Finding("warning", tr("Executions wait for input"), text, evidence, saving, "estimated"),)


_EVENTS: Final = ("host_events",)
RULES: Final = (
    Rule(
        "tensorflow.recompilation",
        tr("Modules that are compiled more than once"),
        tr("Compilations of each module of a device after its first one, overlaps counted once."),
        _EVENTS,
        _again,
    ),
    Rule(
        "tensorflow.compiling",
        tr("Compilation time (share)"),
        tr("Seconds with a compilation, overlaps counted once, as a share of the time of the log."),
        _EVENTS,
        _compiling,
        ("compiling",),
    ),
    Rule(
        "tensorflow.idle",
        tr("Pauses between executions (idle host, waiting for input)"),
        tr("Times from one execution of a module to the next, compared with their median."),
        _EVENTS,
        _idle,
        ("idle",),
    ),
    Rule(
        "tensorflow.input-bound",
        tr("Time before the next input arrives"),
        tr(
            "Times from an execution or a transfer from the device to the next event, if it is a transfer to the "
            "device. Overlaps count once, as a share of the time from the first to the last execution."
        ),
        _EVENTS,
        _input,
        ("input_bound",),
    ),
)
