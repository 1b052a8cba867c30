"""Builds profiles in memory from the events of a reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Began, Event, SectionReady
from app.formats.format import Format
from app.formats.source import MOST_OPEN, Source
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile


class Collector:
    """A sink that builds ``profiles``. ``preview``: whether the last one has only what a preview shows."""

    def __init__(self, format_id: str) -> None:
        self.profiles: list[Profile] = []
        self.preview = False
        self._format_id = format_id

    def __call__(self, event: Event) -> None:
        match event:
            case Began():
                self._begin(event)
            case SectionReady(section, _, portion):
                self.profiles[-1] = self.profiles[-1].with_section(section, portion)
            case Issue():
                self.profiles[-1] = self.profiles[-1].with_issue(event)
            case _:
                pass

    def _begin(self, event: Began) -> None:
        began = Profile(name=event.name, origin=Origin(self._format_id, event.paths, event.writer))
        if not self.preview:
            self.profiles.append(began)
        elif (began.name, began.origin) != (self.profiles[-1].name, self.profiles[-1].origin):
            self.profiles[-1] = began
        self.preview = event.preview


def read(format_: Format, paths: Sequence[Path]) -> list[Profile]:
    """The profiles in ``paths``, read in this thread. Raises FormatError where the files are not of the format."""
    sources: list[Source] = []
    try:
        sources.extend(Source(path, rests=len(paths) > MOST_OPEN) for path in paths)
        sink = Collector(format_.id)
        format_.read(sources, sink)
        return sink.profiles
    finally:
        for source in sources:
            source.close()
