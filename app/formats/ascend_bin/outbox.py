"""Holds back what is told of a file until there is something to show of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.sink import Sink
from app.profile.issue import Severity
from app.profile.profile import Section


class Outbox:
    """A sink that begins its profile with the first section, so that a file of which nothing can be read leaves
    no empty profile behind. ``name`` may be changed until then."""

    def __init__(self, sink: Sink, name: str, paths: Sequence[Path]) -> None:
        self.name = name
        self.begun = False
        self._sink = sink
        self._paths = tuple(paths)
        self._held: list[tuple[Severity, str, str]] = []

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        """Begins the profile now, and tells what was held back."""
        self.begun = True
        self._sink.begin(name, paths, writer=writer)
        for severity, where, text in self._held:
            self._sink.issue(severity, where, text)
        self._held.clear()

    def section(self, section: Section) -> None:
        if not self.begun:
            self.begin(self.name, self._paths)
        self._sink.section(section)

    def issue(self, severity: Severity, where: str, text: str) -> None:
        if self.begun:
            self._sink.issue(severity, where, text)
        else:
            self._held.append((severity, where, text))

    def progress(self, done: int, total: int, phase: str) -> None:
        self._sink.progress(done, total, phase)
