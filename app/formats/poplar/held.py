"""Sinks that keep issues until it is known which profile they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.formats.sink import Sink
from app.profile.issue import Issue, Severity
from app.profile.profile import Section


class Held:
    """Takes issues; progress goes on to ``on_progress``, sections nowhere."""

    def __init__(self, on_progress: Callable[[int, int, str], None] = lambda *_: None) -> None:
        self.issues: list[Issue] = []
        self._on_progress = on_progress

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        pass

    def section(self, section: Section) -> None:
        pass

    def issue(self, severity: Severity, where: str, text: str) -> None:
        self.issues.append(Issue(severity, where, text))

    def progress(self, done: int, total: int, phase: str) -> None:
        self._on_progress(done, total, phase)

    def release(self, sink: Sink) -> None:
        """Hands all issues on."""
        for issue in self.issues:
            sink.issue(issue.severity, issue.where, issue.text)
        self.issues.clear()


class Deferred:
    """Begins a profile only when its first section comes; issues told before wait for that."""

    def __init__(self, sink: Sink) -> None:
        self.waiting = Held()
        self._sink = sink
        self._next: tuple[str, Sequence[Path], str] | None = None

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        self._next = (name, paths, writer)

    def section(self, section: Section) -> None:
        if self._next is not None:
            name, paths, writer = self._next
            self._next = None
            self._sink.begin(name, paths, writer=writer)
            self.waiting.release(self._sink)
        self._sink.section(section)

    def issue(self, severity: Severity, where: str, text: str) -> None:
        (self.waiting if self._next is not None else self._sink).issue(severity, where, text)

    def progress(self, done: int, total: int, phase: str) -> None:
        self._sink.progress(done, total, phase)
