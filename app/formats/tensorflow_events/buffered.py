"""A file read in blocks, so that many small reads cost one."""

from __future__ import annotations

from app.formats.source import Source

BLOCK = 256 * 1024


class Buffered(Source):
    """The bytes of ``source`` at the same offsets; caches the block that was read last. Reads that do not fit into a
    block bypass it."""

    def __init__(self, source: Source) -> None:
        self.path = source.path
        self.size = source.size
        self._source = source
        self._base = 0
        self._block = b""

    def read(self, offset: int, length: int) -> bytes:
        if length > BLOCK or offset < 0 or length < 0 or offset + length > self.size:
            return self._source.read(offset, length)
        begin = offset - self._base
        if begin < 0 or begin + length > len(self._block):
            self._block = self._source.read(offset, min(BLOCK, self.size - offset))
            self._base, begin = offset, 0
        return self._block[begin : begin + length]

    def close(self) -> None:
        """Leaves the underlying source open."""
