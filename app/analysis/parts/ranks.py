"""Ranks of an Ascend capture as parts of a profile."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from app.analysis.capture.ranks import SECTIONS, rank_key, rank_name
from app.analysis.capture.slices import rank_of_process
from app.analysis.capture.steps import step_times
from app.analysis.parts import timelines
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import taken_rows, typed_rows
from app.language import tr
from app.profile.arrays import I64, distinct, sealed
from app.profile.ascend_capture import Capture, Kernels
from app.profile.profile import Profile
from app.profile.strings import Strings, joined
from app.profile.timeline import Timeline

MOST: Final = 4096


def ranks(profile: Profile) -> PartList:
    """The ranks of the capture, with the time of their training steps on the device."""
    about = tr("Ranks of the run, with the time of their training steps on the device.")
    own = profile.capture
    if own is None or not 1 < len(own) <= MOST:
        return PartList("rank", (), about)
    spans = step_times(profile).sums(step_times(profile).span, len(own)).tolist()
    parts = tuple(
        ProfilePart("rank", rank_key(profile, row), rank_name(profile, row), span if span == span else None, "s")
        for row, span in enumerate(spans)
    )
    return PartList("rank", parts, about)


def sections(profile: Profile, name: str) -> dict[str, Any]:
    """The sections of the rank that is called ``name``."""
    own = profile.capture
    row = next((row for row in range(0 if own is None else len(own)) if rank_key(profile, row) == name), -1)
    if own is None or row < 0:
        return {}
    made: dict[str, Any] = {"capture": _capture(own, row)}
    for section_name in SECTIONS:
        section: Any = profile.section(section_name)
        if section is not None:
            rows = np.flatnonzero(section.rank == row).astype(np.int64)
            if len(rows):
                made[section_name] = _section(section, rows)
    if profile.timeline is not None:
        line = _timeline(profile, profile.timeline, row)
        if len(line.lanes.process):
            made["timeline"] = line
    return made


def _capture(own: Capture, row: int) -> Capture:
    return taken_rows(own, np.array([row], np.int64), ("groups", "strings"))


def _section(section: Any, rows: I64) -> Any:
    if isinstance(section, Kernels):
        pmu = tuple(typed_rows(column, rows) for column in section.pmu)
        section = replace(taken_rows(section, rows, ("pmu",)), pmu=pmu)
    else:
        section = taken_rows(section, rows)
    return replace(section, rank=sealed(np.zeros(len(rows), np.int32)))


def _timeline(profile: Profile, line: Timeline, row: int) -> Timeline:
    """The lanes and counters of one rank, without its number in the names of their processes."""
    processes = distinct(np.concatenate((line.lanes.process, line.counters.process))).tolist()
    known = {process: rank_of_process(profile, line.strings.get(process)) for process in processes}
    own = [process for process, (rank, _) in known.items() if rank == row]
    mine = np.zeros(len(line.strings) + 1, np.bool_)
    mine[own] = True
    part = timelines.of_lanes(line, mine[line.lanes.process])
    number = np.arange(len(line.strings), dtype=np.int32)
    number[own] = len(line.strings) + np.arange(len(own), dtype=np.int32)
    return replace(
        part,
        strings=joined(line.strings, Strings.of([known[process][1] for process in own])),
        lanes=replace(part.lanes, process=sealed(number[part.lanes.process])),
        counters=replace(part.counters, process=sealed(number[part.counters.process])),
    )
