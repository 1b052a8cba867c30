"""A source of the first bytes of a file."""

from __future__ import annotations

from pathlib import Path

from app.formats.source import Source


class Head(Source):
    """A source that reads ``data`` as if it were the whole file: for sniffing, and for previews of compressed
    files."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.size = len(data)
        self._fd = -1
        self._data = data

    def _read_at(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]
