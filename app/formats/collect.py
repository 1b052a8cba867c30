"""Builds profiles in memory from the events of a reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Began, Event, SectionReady
from app.formats.format import Format
from app.formats.source import Source
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile


class Collector:
    """A sink that builds ``profiles``."""

    def __init__(self, format_id: str) -> None:
        self.profiles: list[Profile] = []
        self._format_id = format_id

    def __call__(self, event: Event) -> None:
        match event:
            case Began(name, paths, writer):
                self.profiles.append(Profile(name=name, origin=Origin(self._format_id, paths, writer)))
            case SectionReady(section):
                self.profiles[-1] = self.profiles[-1].with_section(section)
            case Issue():
                self.profiles[-1] = self.profiles[-1].with_issue(event)
            case _:
                pass


def read(format_: Format, paths: Sequence[Path]) -> list[Profile]:
    """The profiles in ``paths``, read in this thread. Raises FormatError where the files are not of the format."""
    sources: list[Source] = []
    try:
        sources.extend(Source(path) for path in paths)
        sink = Collector(format_.id)
        format_.read(sources, sink)
        return sink.profiles
    finally:
        for source in sources:
            source.close()
