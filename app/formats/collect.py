"""A sink that keeps what a reader gives in profiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.format import Format
from app.formats.source import Source
from app.profile.issue import Issue, Severity
from app.profile.profile import Origin, Profile, Section


class Collector:
    """Builds ``profiles`` in memory. ``on_progress`` may raise Cancelled."""

    def __init__(self, format_id: str, on_progress: Callable[[int, int, str], None] = lambda *_: None) -> None:
        self.profiles: list[Profile] = []
        self._format_id = format_id
        self._on_progress = on_progress

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        self.profiles.append(Profile(name=name, origin=Origin(self._format_id, tuple(paths), writer)))

    def section(self, section: Section) -> None:
        self.profiles[-1] = self.profiles[-1].with_section(section)

    def issue(self, severity: Severity, where: str, text: str) -> None:
        self.profiles[-1] = self.profiles[-1].with_issue(Issue(severity, where, text))

    def progress(self, done: int, total: int, phase: str) -> None:
        self._on_progress(done, total, phase)


def read(format_: Format, paths: Sequence[Path]) -> list[Profile]:
    """Reads ``paths`` in this thread; FormatError where they are not of the format."""
    sources: list[Source] = []
    try:
        sources.extend(Source(path) for path in paths)
        sink = Collector(format_.id)
        format_.read(sources, sink)
        return sink.profiles
    finally:
        for source in sources:
            source.close()
