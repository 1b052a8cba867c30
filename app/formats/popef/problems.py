"""What is wrong with a PopEF file, told with file, blob and byte, and not without end."""

from __future__ import annotations

from app.formats.events import Sink
from app.profile.issue import Issue, Severity

MOST = 100


class Problems:
    """Passes issues on to a sink; after MOST of them only their number."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._told = 0

    def tell(self, severity: Severity, where: str, text: str) -> None:
        self._told += 1
        if self._told <= MOST:
            self._sink(Issue(severity, where, text))

    def close(self) -> None:
        """Says how many were not listed."""
        if self._told > MOST:
            text = f"{self._told - MOST:,} more problems were found and are not listed"
            self._sink(Issue("warning", "PopEF", text))


def place(name: str, number: int, offset: int) -> str:
    """The ``where`` of an issue about a blob."""
    return f"{name}: blob {number} at byte {offset:,}"
