"""Stretches of time as parts of a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.analysis.parts import host_events, timelines
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import taken_rows
from app.analysis.timeline.rows import extent
from app.language import tr
from app.profile.arrays import F64, I64, sealed
from app.profile.file_state import TimeNote
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.tensorflow import GRAIN
from app.profile.timeline import Timeline


def ranges(profile: Profile, chosen: TimeRange | None = None, notes: Sequence[TimeNote] = ()) -> PartList:
    """``chosen`` and what lies around it, and what lies before, in and after each note."""
    line = profile.timeline
    whole = None if line is None else extent(line)
    about = tr("The range of the timeline and the time around it; the time before, in and after each note.")
    if line is None or whole is None:
        return PartList("range", (), about)
    pairs = [*_around(whole, chosen), *(pair for note in notes for pair in _of_note(whole, note))]
    parts: dict[str, ProfilePart] = {}
    for label, start, end in pairs:
        low, high = max(start, whole[0]), min(end, _beyond(whole[1]))
        if high > low:
            part = named(line, f"{low!r}..{high!r}", label)
            parts.setdefault(part.id, part)
    return PartList("range", tuple(parts.values()), about)


def named(line: Timeline, text: str, label: str = "") -> ProfilePart:
    """The part of the times ``START..END``, of which one may be left out. ValueError for other texts."""
    first, dots, last = text.partition("..")
    whole = extent(line)
    if not dots or whole is None:
        raise ValueError(text)
    start = float(first) if first.strip() else whole[0]
    end = float(last) if last.strip() else _beyond(whole[1])
    if not (np.isfinite(start) and np.isfinite(end) and start < end):
        raise ValueError(text)
    shown = label or tr("{start} to {end} {unit}", start=f"{start:,.6g}", end=f"{end:,.6g}", unit=line.unit)
    return ProfilePart("range", text, shown, min(end, whole[1]) - start, line.unit, TimeRange(start, end))


def sections(profile: Profile, stretch: TimeRange) -> dict[str, Any]:
    """The sections of a stretch of time. Slices are cut at its ends; a step or an event belongs to the stretch in which
    it starts."""
    line = profile.timeline
    if line is None:
        return {}
    part = timelines.of_stretch(line, stretch)
    made: dict[str, Any] = {"timeline": part}
    if profile.steps is not None:
        starts = step_starts(line, len(profile.steps))
        rows = np.flatnonzero((starts >= stretch.start) & (starts < stretch.end)).astype(np.int64)
        made["steps"] = _steps(profile.steps, rows, stretch.start)
        made["timeline"] = host_events.renumbered(part, rows)
        if profile.execution is not None:
            made["execution"] = replace(
                profile.execution, cycles=_length(part), tile_cycles={}, trace=None, runs=None, vertices=None
            )
        for name in ("programs", "compute_sets", "vertex_types", "exchanges"):
            made[name] = profile.section(name)
    events = profile.host_events
    if events is not None:
        start = np.round(events.starts() - events.zero, GRAIN)
        rows = np.flatnonzero((start >= stretch.start) & (start < stretch.end)).astype(np.int64)
        made["host_events"] = host_events.of_rows(events, rows)
        made["timeline"] = host_events.renumbered(part, rows)
    return made


def step_starts(line: Timeline, steps: int) -> F64:
    """float64[steps]: where each step is on the timeline, NaN for those that are not."""
    record = line.slices.record
    starts = np.full(steps, np.nan)
    known = (record >= 0) & (record < steps)
    starts[record[known]] = line.slices.start[known]
    return starts


def _length(line: Timeline) -> int | None:
    whole = extent(line)
    return None if whole is None else round(whole[1])


def _steps(steps: Steps, rows: I64, start: float) -> Steps:
    part, shift = taken_rows(steps, rows), round(start)
    moved = {"number": sealed(rows)} if steps.number is None else {}
    for name in ("cycles_from", "cycles_to"):
        own = getattr(part, name)
        moved[name] = sealed(np.where(own >= 0, own - shift, own))
    return replace(part, **moved)


def _beyond(end: float) -> float:
    """The first time behind ``end``, so that what has no length there belongs to the last stretch."""
    return float(np.nextafter(end, np.inf))


def _around(whole: tuple[float, float], chosen: TimeRange | None) -> Iterator[tuple[str, float, float]]:
    if chosen is None:
        return
    length = chosen.end - chosen.start
    yield tr("the selected range"), chosen.start, chosen.end
    if chosen.start - length >= whole[0]:
        yield tr("same length before it"), chosen.start - length, chosen.start
    yield tr("everything before it"), whole[0], chosen.start
    if chosen.end + length <= whole[1]:
        yield tr("same length after it"), chosen.end, chosen.end + length
    yield tr("everything after it"), chosen.end, _beyond(whole[1])


def _of_note(whole: tuple[float, float], note: TimeNote) -> Iterator[tuple[str, float, float]]:
    name = note.text or f"{note.start:,.6g}"
    if not note.moment:
        yield tr("note {name}", name=name), note.start, note.end
    yield tr("before note {name}", name=name), whole[0], note.start
    yield tr("after note {name}", name=name), note.end, _beyond(whole[1])
