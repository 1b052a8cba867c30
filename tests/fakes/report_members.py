"""Members of a report whose bytes are in memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.formats.ascend_report import metrics
from app.formats.ascend_report.members import Member, kind_of
from app.formats.errors import FormatError
from app.formats.events import Event
from app.formats.source import Source
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile, Section


class Bytes(Source):
    """A source over bytes."""

    def __init__(self, content: bytes, name: str = "table.csv") -> None:
        self.path = Path(name)
        self.size = len(content)
        self._content = content

    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0 or offset + length > self.size:
            raise FormatError("beyond the end", offset=offset)
        return self._content[offset : offset + length]

    def close(self) -> None:
        """Nothing is open."""


def members(files: Mapping[str, bytes]) -> list[Member]:
    """A member for each file, by name."""
    return [
        Member(name, kind_of(name, content[:65536]), Bytes(content, name), 0, 0, len(content))
        for name, content in files.items()
    ]


def read_metrics(
    files: Mapping[str, bytes], known: Mapping[str, Section] | None = None
) -> tuple[Profile, list[Issue], frozenset[str]]:
    """(profile of the sections that the files fill, issues, names of the files that were read)."""
    issues: list[Issue] = []

    def sink(event: Event) -> None:
        assert isinstance(event, Issue)
        issues.append(event)

    made, names = metrics.sections_of_tables(members(files), sink, known or {}, lambda _: None)
    profile = Profile(name="report", origin=Origin("ascend-report", ()))
    for section in made:
        profile = profile.with_section(section)
    return profile, issues, names
