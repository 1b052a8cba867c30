"""Decoding parts of a CBOR file, within bounds."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import IO, Any, NoReturn, cast

import cbor2

from app.formats.errors import FormatError
from app.formats.source import Source, allowed
from app.language import tr

READ = 16 * 1024
MAX_DEPTH = 900
_OBJECT_BYTES = 90
"""Memory of a small object: an empty list, and its place in another."""
_SEEN = 1 << 20
"""Bytes of a value before which its objects are not counted."""

_TAGS = (0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 43000, 100, 256, 258, 260, 261, 1004)


class TooLarge(FormatError):
    """A value exceeds the limit of bytes."""


def head(major: int, count: int) -> bytes:
    """The header of an item with this major type and argument (RFC 8949, section 3)."""
    if count < 24:
        return bytes([major << 5 | count])
    size = next(size for size in (1, 2, 4, 8) if count < 1 << 8 * size)
    return bytes([major << 5 | 23 + size.bit_length()]) + count.to_bytes(size, "big")


class Decoder:
    """Decodes items anywhere in ``source``. Tags are rejected: profiles have none, and what they encode (shared
    references, numbers of any size, patterns) does not belong into one. ``moved`` is called with the byte that was
    reached."""

    def __init__(
        self, source: Source, moved: Callable[[int], None], repeated: Callable[[int], None] = lambda _: None
    ) -> None:
        """``repeated`` is called with the position of an item with a duplicate key; the last one counts."""
        self._stream = _Stream(source)
        self._moved = moved
        self._repeated = repeated

    def item(self, at: int, limit: int) -> tuple[Any, int]:
        """(the item at byte ``at``, the byte after it). FormatError if it is invalid, TooLarge beyond ``limit``."""
        return self._decode(b"", at, limit)

    def items(self, count: int, at: int, limit: int) -> tuple[list[Any], int]:
        """(``count`` consecutive items from byte ``at``, the byte after them)."""
        return self._decode(head(4, count), at, limit)

    def plain(self, count: int, at: int, limit: int) -> tuple[list[Any], int]:
        """As ``items``. FormatError for a duplicate key, too."""
        return cast("tuple[list[Any], int]", self._try(head(4, count), at, limit, repeated=False))

    def _decode(self, prefix: bytes, at: int, limit: int) -> tuple[Any, int]:
        try:
            return self._try(prefix, at, limit, repeated=False)
        except TooLarge:
            raise
        except FormatError:
            result = self._try(prefix, at, limit, repeated=True)
            self._repeated(at)
            return result

    def _try(self, prefix: bytes, at: int, limit: int, *, repeated: bool) -> tuple[Any, int]:
        """The same, with or without duplicate keys."""
        stream = self._stream
        stream.rewind(prefix, at, limit)
        decoder = cbor2.CBORDecoder(
            cast("IO[bytes]", stream),
            str_errors="replace",
            read_size=READ,
            max_depth=MAX_DEPTH,
            semantic_decoders=_REFUSED,
            allow_duplicate_keys=repeated,
        )
        try:
            value = decoder.decode()
        except cbor2.CBORDecodeEOF as error:
            if stream.crowded:
                raise TooLarge(tr("this value consists of too many small parts"), offset=at) from error
            if stream.limited:
                raise TooLarge(tr("this value takes more than {limit:,} bytes", limit=limit), offset=at) from error
            raise FormatError(tr("the file ends inside this value"), offset=at) from error
        except (cbor2.CBORError, ValueError, OverflowError, RecursionError, MemoryError, TypeError) as error:
            raise FormatError(tr("this value is not valid CBOR"), offset=at) from error
        end = at + stream.tell() - len(prefix)
        self._moved(end)
        return value, end


class _Stream(io.RawIOBase):
    """A stream of a few bytes that are not in the file, followed by the file from some position up to a limit. It ends
    early (``crowded``) where the objects made of it take too much memory: a byte of CBOR can be an empty list."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self._block = b""
        self._block_at = 0
        self._at = 0
        self._base = 0
        self._stop = 0
        self._prefix = b""
        self._most_objects = 0
        self.limited = self.crowded = False

    def rewind(self, prefix: bytes, base: int, limit: int) -> None:
        self._most_objects, self.crowded = 0, False
        self._prefix, self._base, self._at = prefix, base, 0
        self._stop = len(prefix) + min(limit, self._source.size - base)
        self.limited = limit < self._source.size - base

    def read(self, size: int = -1) -> bytes:
        size = min(self._stop - self._at, size if size >= 0 else self._stop)
        skip = len(self._prefix)
        if size <= 0:
            return b""
        begin = self._at
        if begin >= _SEEN and self._is_crowded():
            return b""
        self._at += size
        out = self._prefix[begin : begin + size]
        return out + self._bytes(self._base + begin + len(out) - skip, size - len(out))

    def _is_crowded(self) -> bool:
        """Whether too many objects were made since this was asked first (counting them takes some 0.1 ms)."""
        objects = sys.getallocatedblocks()
        self._most_objects = self._most_objects or objects + allowed(self._source.size, _OBJECT_BYTES)
        self.crowded = objects > self._most_objects
        return self.crowded

    def _bytes(self, offset: int, length: int) -> bytes:
        """Bytes of the file. The block that was read last is cached, because small items are frequent and adjacent."""
        begin = offset - self._block_at
        if begin < 0 or begin + length > len(self._block):
            if length > READ:
                return self._source.read(offset, length)
            self._block = self._source.read(offset, max(length, min(4 * READ, self._source.size - offset)))
            self._block_at, begin = offset, 0
        return self._block[begin : begin + length]

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._stop)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


def _refuse(*_: Any) -> NoReturn:
    raise ValueError(tr("a tag"))


_REFUSED = dict.fromkeys(_TAGS, _refuse)
