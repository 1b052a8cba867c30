"""What is read of one rank, from its text files or its databases, before the ranks of a run are joined."""

from __future__ import annotations

from msgspec import Struct

from app.profile.ascend_report import ReportTable
from app.profile.profile import Section
from app.profile.timeline import Timeline


class RankFacts(Struct, frozen=True, kw_only=True):
    """Who a rank is, as its files state it: numbers are -1 and texts "" where they do not. ``groups``: (name, role,
    numbers of its ranks) of each communication group."""

    rank: int = -1
    device: int = -1
    host: str = ""
    producer: str = ""
    level: str = ""
    metric: str = ""
    version: str = ""
    groups: tuple[tuple[str, str, str], ...] = ()


class RankData(Struct, frozen=True, eq=False, kw_only=True):
    """``sections``: those of ``app/profile/ascend_capture.py`` but Capture, each at most once, for this rank alone:
    their ``rank`` column is 0, and each has texts of its own; ``timeline``: of its trace or database; ``tables``: other
    tables of its files, unchanged."""

    facts: RankFacts
    sections: tuple[Section, ...] = ()
    timeline: Timeline | None = None
    tables: tuple[ReportTable, ...] = ()
