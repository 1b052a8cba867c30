"""A file of a report that cannot be opened, so that the others can be read."""

from __future__ import annotations

from pathlib import Path

from app.formats.errors import FormatError
from app.formats.source import Source


class Unreadable(Source):
    """A source without bytes, for a file that is no longer there or must not be read. Reading it raises ``error``."""

    def __init__(self, path: Path, error: FormatError) -> None:
        self.path = path
        self.size = 0
        self.error = error

    def read(self, offset: int, length: int) -> bytes:
        """Raises ``error``, unless nothing is wanted."""
        if offset == 0 and length == 0:
            return b""
        raise self.error

    def close(self) -> None:
        """Does nothing: no file is open."""
