"""The first bytes of a file, as if they were all of it."""

from __future__ import annotations

from pathlib import Path

from app.formats.source import Source


class Head(Source):
    """A source over ``data``, for telling what a file is."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.size = len(data)
        self._fd = -1
        self._data = data

    def _read_at(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]
