"""Sources that are no files: bytes in memory, and files so large that only their beginnings of blobs exist."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.formats.errors import FormatError
from app.formats.source import Source


class MemorySource(Source):
    """``content`` as a file called ``name``; ``reads`` are the (offset, length) asked for."""

    def __init__(self, content: bytes, name: str = "memory") -> None:
        self.path = Path(name)
        self.size = len(content)
        self.reads: list[tuple[int, int]] = []
        self._content = content

    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0 or offset + length > self.size:
            raise FormatError("the file is too short", path=str(self.path), offset=offset)
        self.reads.append((offset, length))
        return self._content[offset : offset + length]

    def close(self) -> None:
        """Nothing is open."""


class SparseSource(MemorySource):
    """A file of ``size`` bytes of which only ``parts`` (offset to bytes) exist; reading elsewhere fails the test."""

    def __init__(self, size: int, parts: Mapping[int, bytes], name: str = "sparse") -> None:
        super().__init__(b"", name)
        self.size = size
        self._parts = parts

    def read(self, offset: int, length: int) -> bytes:
        for start, content in self._parts.items():
            if start <= offset and offset + length <= start + len(content):
                self.reads.append((offset, length))
                return content[offset - start : offset - start + length]
        raise AssertionError(f"bytes {offset:,} to {offset + length:,} are none of a reader's business")
