"""Reports problems of a PopEF file with file, blob and byte, up to a limit."""

from __future__ import annotations

from app.formats.events import Sink
from app.language import tr
from app.profile.issue import Issue, Severity

MOST = 100


class Problems:
    """Passes issues to a sink; after MOST of them it only counts."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._reported = 0

    def add(self, severity: Severity, where: str, text: str) -> None:
        self._reported += 1
        if self._reported <= MOST:
            self._sink(Issue(severity, where, text))

    def close(self) -> None:
        """Reports how many were not listed."""
        if self._reported > MOST:
            text = tr("{more:,} more problems were found and are not listed", more=self._reported - MOST)
            self._sink(Issue("warning", "PopEF", text))


def place(name: str, number: int, offset: int) -> str:
    """The ``where`` of an issue about a blob."""
    return tr("{name}: blob {number} at byte {offset:,}", name=name, number=number, offset=offset)
