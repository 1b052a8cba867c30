"""Processes of a timeline (ranks, devices, replays) as parts of a profile."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from app.analysis.parts import host_events, timelines
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import I32, among
from app.profile.profile import Profile
from app.profile.timeline import Timeline

MOST: Final = 4096
_DEVICE: Final = re.compile(r"Device (\d{1,9})")
"""What processes of a timeline of host events are called."""


def processes(profile: Profile) -> PartList:
    """The processes of the timeline that have slices, with the time from the first start to the last end of each."""
    line = profile.timeline
    about = tr("Processes of the timeline, with the time from their first start to their last end.")
    if line is None:
        return PartList("process", (), about)
    unit: Unit = line.unit
    spans = _spans(line)
    parts = tuple(ProfilePart("process", name, name, end - start, unit) for name, (start, end) in spans.items() if name)
    return PartList("process", parts if len(parts) <= MOST else (), about)


def sections(profile: Profile, name: str) -> dict[str, Any]:
    """The sections of the process called ``name``."""
    line, events = profile.timeline, profile.host_events
    if line is None:
        return {}
    known = among(line.lanes.process, line.strings.find(name))
    part = timelines.of_lanes(line, known)
    device = _DEVICE.fullmatch(name)
    if events is None or device is None:
        return {"timeline": part}
    rows = np.flatnonzero(events.ordinal == int(device[1])).astype(np.int64)
    return {"timeline": host_events.renumbered(part, rows), "host_events": host_events.of_rows(events, rows)}


def _spans(line: Timeline) -> dict[str, tuple[float, float]]:
    slices, lanes = line.slices, line.lanes
    first = slices.first[lanes.first_row]
    full = np.flatnonzero(np.diff(first) > 0)
    spans: dict[str, tuple[float, float]] = {}
    if not len(full):
        return spans
    start = np.minimum.reduceat(slices.start, first[full])
    end = np.maximum.reduceat(slices.start + slices.duration, first[full])
    process: I32 = lanes.process[full]
    for number, low, high in zip(process.tolist(), start.tolist(), end.tolist(), strict=True):
        name = line.strings.get(number)
        known = spans.get(name, (low, high))
        spans[name] = min(known[0], low), max(known[1], high)
    return spans
