"""Cores of an Ascend operator, and the sub-cores in them, as parts of its profile."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from app.analysis.parts import timelines
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import taken_rows, typed_cores
from app.analysis.sorting import natural_order
from app.language import tr
from app.profile.arrays import distinct
from app.profile.ascend import Instructions, Lines
from app.profile.profile import Profile
from app.profile.timeline import Timeline

THIS_SUB_CORE: Final = tr("this sub-core")
THIS_CORE: Final = tr("this core")
_NAME: Final = re.compile(r"(?P<before>warp\.)?core(?P<core>\d{1,6})(?:\.(?P<part>.+))?", re.DOTALL)
"""Names of cores in traces and source tables (Ascend operator files, sections 2.4 and 4.4)."""


def cores(profile: Profile) -> PartList:
    """The cores that tables, source lines or the trace name, with the cycles of each where the file has them."""
    numbers = {match["core"] for match in map(_NAME.fullmatch, _core_names(profile)) if match}
    load = profile.core_load
    cycles: dict[str, float] = {}
    if load is not None:
        for core, value in zip(load.core.tolist(), load.cycles.tolist(), strict=True):
            if core >= 0:
                numbers.add(str(core))
                if value == value:
                    cycles[str(core)] = max(value, cycles.get(str(core), value))
    if profile.memory_accesses is not None:
        numbers |= {str(core) for core in distinct(profile.memory_accesses.core).tolist() if core >= 0}
    parts = tuple(
        ProfilePart("core", name, tr("core {name}", name=name), cycles.get(name), "cycles" if name in cycles else "")
        for name in natural_order(list(numbers))
    )
    return PartList("core", parts, tr("Cores of the chip, with the cycles of their longest sub-core."))


def sub_cores(profile: Profile) -> PartList:
    """The sub-cores that source lines or the trace name."""
    names = dict.fromkeys(name for name in _core_names(profile) if (match := _NAME.fullmatch(name)) and match["part"])
    parts = tuple(ProfilePart("sub-core", name, name) for name in natural_order(list(names)))
    return PartList("sub-core", parts, tr("Cube and vector cores, as named in traces and source lines."))


def core_sections(profile: Profile, number: str) -> dict[str, Any]:
    """The sections of core ``number``."""
    names = {}
    for name in _core_names(profile):
        match = _NAME.fullmatch(name)
        if match and match["core"] == number:
            names[name] = f"{match['before'] or ''}{match['part'] or THIS_CORE}"
    made = _of_names(profile, names)
    load, accesses = profile.core_load, profile.memory_accesses
    if load is not None:
        made["core_load"] = taken_rows(load, np.flatnonzero(load.core == int(number)).astype(np.int64))
    if accesses is not None:
        rows = np.flatnonzero(accesses.core == int(number)).astype(np.int64)
        made["memory_accesses"] = taken_rows(accesses, rows)
    return made


def sub_core_sections(profile: Profile, name: str) -> dict[str, Any]:
    """The sections of the sub-core called ``name``."""
    return _of_names(profile, {name: THIS_SUB_CORE})


def _of_names(profile: Profile, names: dict[str, str]) -> dict[str, Any]:
    """What there is of the cores ``names``. Columns of lines and instructions have their new names: those of two cores
    are the same columns."""
    return {
        "sources": profile.sources,
        "lines": None if profile.lines is None else _lines(profile.lines, names),
        "instructions": None if profile.instructions is None else _instructions(profile.instructions, names),
        "timeline": None if profile.timeline is None else _timeline(profile.timeline, names),
    }


def _core_names(profile: Profile) -> list[str]:
    names: list[str] = []
    for section in (profile.lines, profile.instructions):
        names += section.cores if section is not None else ()
    line = profile.timeline
    if line is not None:
        names += [line.strings.get(number) for number in distinct(line.lanes.process).tolist()]
    return list(dict.fromkeys(names))


def _lines(lines: Lines, names: dict[str, str]) -> Lines | None:
    own = _places(lines.cores, names)
    if not len(own):
        return None
    columns = tuple(typed_cores(column, own) for column in lines.columns)
    return replace(lines, cores=tuple(names[lines.cores[place]] for place in own.tolist()), columns=columns)


def _instructions(instructions: Instructions, names: dict[str, str]) -> Instructions | None:
    own = _places(instructions.cores, names)
    if not len(own):
        return None
    columns = tuple(typed_cores(column, own) for column in instructions.columns)
    renamed = tuple(names[instructions.cores[place]] for place in own.tolist())
    return replace(instructions, cores=renamed, columns=columns)


def _places(cores: tuple[str, ...], names: Iterable[str]) -> Any:
    wanted = set(names)
    return np.array([place for place, core in enumerate(cores) if core in wanted], np.int64)


def _timeline(timeline: Timeline, names: dict[str, str]) -> Timeline | None:
    known = np.array([timeline.strings.get(number) in names for number in timeline.lanes.process.tolist()], np.bool_)
    return timelines.of_lanes(timeline, known) if known.any() else None
