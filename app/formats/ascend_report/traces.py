"""Which traces of a report are shown, their timeline, and the arguments of a slice that is selected in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from app.formats.ascend_report.members import Member
from app.formats.ascend_trace.read import read_ranges
from app.formats.json.problems import Problems
from app.formats.pool import Pool
from app.formats.source import Joined, Source
from app.profile.ascend_report import TIMELINE
from app.profile.profile import Profile
from app.profile.timeline import Timeline

_WHOLE: Final = tuple(re.compile(name) for name in (r"(simulator/)?trace(_\d+)?\.json", r"PipeTrace(_\d+)?\.json"))
"""Traces of the whole operator, the preferred ones first."""
_CORE: Final = re.compile(r"(simulator/)?core\d+\.[^/]+/trace\.json|core_.*_tracing_report_.*\.json")
"""The trace of one core (Ascend operator reports, sections 3 and 4)."""

_COMPARED: Final = 1 << 16
_PADDING: Final = 16
_FILL: Final = b"\0\r\n "


def chosen(traces: Sequence[Member]) -> list[Member]:
    """The traces that make the timeline: one of the whole operator, else those of all cores, else the first."""
    for pattern in _WHOLE:
        for member in traces:
            if pattern.fullmatch(member.name):
                return [member]
    cores = [member for member in traces if _CORE.fullmatch(member.name)]
    return sorted(cores, key=lambda member: _natural(member.name)) or list(traces[:1])


def of_core(member: Member) -> bool:
    """Whether a trace is that of a single core."""
    return _CORE.fullmatch(member.name) is not None


def timeline(members: Sequence[Member], problems: Problems, tick: Callable[[int], None], pool: Pool) -> Timeline | None:
    """The timeline of ``members`` (at least one); None where they hold nothing to show."""
    if len({member.file for member in members}) == 1:
        ranges = [(member.offset, member.end) for member in members]
        return read_ranges(members[0].source, ranges, problems, tick, members[0].file, pool)
    joined = Joined([member.window() for member in members])
    ranges = list(zip(joined.begins, joined.begins[1:], strict=False))
    return read_ranges(joined, ranges, problems, tick, members[0].file, pool)


def joined_files(profile: Profile) -> list[int]:
    """The files whose traces were read as one source, in their order; empty where there is only one."""
    entries = profile.entries
    if entries is None:
        return []
    rows = [row for row, use in enumerate(entries.use.tolist()) if use == TIMELINE]
    rows.sort(key=lambda row: _natural(entries.strings.get(int(entries.name[row]))))
    files = [int(entries.file[row]) for row in rows]
    return files if len(set(files)) > 1 else []


def same_bytes(one: Source, other: Source) -> bool:
    """Whether two texts are of one size and begin and end alike, but for bytes that fill their ends."""
    size = min(one.size, other.size)
    if max(one.size, other.size) - size > _PADDING:
        return False
    begin, length = max(size - _COMPARED, 0), min(size, _COMPARED)
    return all(one.read(at, length).rstrip(_FILL) == other.read(at, length).rstrip(_FILL) for at in {0, begin})


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts core2 before core10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
