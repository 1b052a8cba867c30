"""Metric tables (CSV) and JSON files of a report as sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.formats.ascend_report.members import Member
from app.formats.json.problems import Problems
from app.profile.profile import Section


def sections(
    members: Sequence[Member],
    problems: Problems,
    known: Mapping[str, Section],
    tick: Callable[[int], None],
) -> tuple[list[Section], frozenset[str]]:
    """(the sections that the CSV and JSON ``members`` fill, the names of the members that were read). ``known``: the
    sections that visualize_data.bin filled, by SECTION; they are compared and never replaced. ``tick`` is called with
    the bytes done and may raise Cancelled. A damaged member is reported to ``problems``; no FormatError."""
    del members, problems, known, tick
    return [], frozenset()
