"""A sink that keeps issues until it is known which profile they belong to."""

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
