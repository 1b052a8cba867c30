"""Positional reads of a file, with every length checked; sources of other bytes (the first of a file, several files
one after the other, a file that cannot be opened); and how much memory a file may take while it is decoded."""

from __future__ import annotations

import errno
import os
import stat
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.formats import unpacked
from app.formats.errors import FormatError
from app.formats.parts import holder, stretch_of
from app.language import plural, tr

MOST_OPEN: Final = 256
"""Of more files that are read together, each is open only while it is read: systems often allow a program 1,024."""
READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class Origin(Struct, frozen=True):
    """``size`` bytes from ``begin`` of the source that ``path`` (in the encoding of the file system) opens, if it has
    this ``identity``."""

    path: bytes
    identity: tuple[int, ...]
    begin: int
    size: int


class Source:
    """A regular file (or a part of one: see ``parts.inside``) opened for positional reads. It is never mapped, because
    truncating a mapped file kills the process. A gzip-compressed file is read decompressed."""

    _base = 0
    _resting: tuple[int, ...] | None = None

    def __init__(self, path: Path, *, rests: bool = False) -> None:
        """Opens ``path``. Raises FormatError when it is not a readable regular file (a FIFO would block forever).
        ``rests``: it is open only while it is read (one of very many files); it must not change meanwhile."""
        self.path = path
        outer = holder(path)
        self._fd = _opened(outer or path, path)
        packed = unpacked.is_packed(self._fd)
        if packed:
            self._fd = _copy_in_place_of(outer or path, self._fd)
        self.size = os.fstat(self._fd).st_size
        if outer is not None:
            whole = self.size
            self._base, self.size = stretch_of(path)
            if self._base + self.size > whole:
                os.close(self._fd)
                raise FormatError(tr("the file that contains this part has become shorter"), path=str(path))
        if rests and not packed:
            resting = self.identity()
            self.close()
            self._resting = resting

    def read(self, offset: int, length: int) -> bytes:
        """Exactly ``length`` bytes from ``offset``. Raises FormatError where the file ends earlier."""
        if offset < 0 or length < 0 or offset + length > self.size:
            raise FormatError(
                plural(
                    "needs {count:,} byte, but the file ends at {size:,}",
                    "needs {count:,} bytes, but the file ends at {size:,}",
                    count=length,
                    size=self.size,
                ),
                path=str(self.path),
                offset=offset,
            )
        parts = []
        done = 0
        while done < length:
            part = self._read_at(offset + done, length - done)
            if not part:
                raise FormatError(tr("the file shrank while it was read"), path=str(self.path), offset=offset + done)
            parts.append(part)
            done += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def head(self, length: int = 65536) -> bytes:
        """The first ``length`` bytes, or all of a shorter file."""
        return self.read(0, min(length, self.size))

    def chunks(self, size: int, start: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(offset, bytes) pieces of ``start``..``end``, each ``size`` bytes long except the last."""
        stop = self.size if end is None else end
        for offset in range(start, stop, size):
            yield offset, self.read(offset, min(size, stop - offset))

    def identity(self) -> tuple[int, ...]:
        """What another process compares to be sure that it has opened the same file by its path."""
        if self._resting is not None:
            return self._resting
        status = os.fstat(self._fd)
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, self._base, self.size

    def origins(self) -> tuple[Origin, ...]:
        """The parts of files that make up these bytes, for another process; () where there are no such files."""
        return (Origin(os.fsencode(self.path), self.identity(), 0, self.size),) if type(self) is Source else ()

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Source:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _read_at(self, offset: int, length: int) -> bytes:
        if self._resting is not None:
            with Source(self.path) as source:
                if source.identity() != self._resting:
                    raise FormatError(tr("the file changed while it was read"), path=str(self.path), offset=offset)
                return source._read_at(offset, length)
        try:
            if hasattr(os, "pread"):
                return os.pread(self._fd, min(length, 1 << 30), self._base + offset)
            os.lseek(self._fd, self._base + offset, os.SEEK_SET)
            return os.read(self._fd, min(length, 1 << 30))
        except OSError as error:
            raise FormatError(_reason(error), path=str(self.path), offset=offset) from error


def peek(path: Path, length: int) -> bytes:
    """At most the first ``length`` bytes of a file; the rest of a compressed file is not decompressed. Raises
    FormatError as ``Source`` does."""
    if holder(path) is None:
        descriptor = _opened(path, path)
        try:
            if unpacked.is_packed(descriptor):
                return unpacked.head(path, descriptor, length)
        finally:
            os.close(descriptor)
    with Source(path) as source:
        return source.head(length)


def unpack(path: Path, report: unpacked.ReportBytes) -> None:
    """Writes the decompressed copy that ``Source`` reads of a compressed file, which can take long; does nothing for
    other files. ``report``: see ``unpacked.ReportBytes``. Raises FormatError where the copy cannot be written."""
    outer = holder(path) or path
    descriptor = _opened(outer, path)
    try:
        if unpacked.is_packed(descriptor):
            unpacked.copy_of(outer, descriptor, report)
    finally:
        os.close(descriptor)


def is_long_to_unpack(path: Path, least: int) -> bool:
    """Whether ``path`` is a compressed file of ``least`` bytes or more that was not unpacked yet; not if it cannot be
    read."""
    try:
        descriptor = _opened(path, path)
    except FormatError:
        return False
    try:
        return os.fstat(descriptor).st_size >= least and unpacked.is_waiting(path, descriptor)
    finally:
        os.close(descriptor)


def _opened(path: Path, named: Path) -> int:
    """A descriptor of a regular file. Raises FormatError about ``named`` where it is not one or cannot be read."""
    try:
        descriptor = os.open(path, READING)
    except OSError as error:
        raise FormatError(_reason(error), path=str(named)) from error
    except ValueError as error:  # a null character in the name
        raise FormatError(tr("a file cannot have this name"), path=str(named)) from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        kind = tr("a folder") if stat.S_ISDIR(status.st_mode) else tr("not a regular file")
        raise FormatError(tr("this is {kind}", kind=kind), path=str(named))
    return descriptor


def _copy_in_place_of(path: Path, descriptor: int) -> int:
    """A descriptor of the decompressed copy; closes that of the compressed file."""
    try:
        return _opened(unpacked.copy_of(path, descriptor), path)
    finally:
        os.close(descriptor)


class Stretch(Source):
    """The bytes of another source up to ``end``, at the same offsets."""

    def __init__(self, source: Source, end: int) -> None:
        self.path = source.path
        self.size = min(end, source.size)
        self._source = source

    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0 or offset + length > self.size:
            text = plural(
                "needs {count:,} byte, but the data ends at {size:,}",
                "needs {count:,} bytes, but the data ends at {size:,}",
                count=length,
                size=self.size,
            )
            raise FormatError(text, path=str(self.path), offset=offset)
        return self._source.read(offset, length)

    def origins(self) -> tuple[Origin, ...]:
        return _part_of(self._source.origins(), 0, self.size)

    def close(self) -> None:
        """Does nothing: the other source stays open."""


class Excerpt(Source):
    """``size`` bytes of another source from ``begin``, with offsets counted from 0. They must exist in that source."""

    def __init__(self, source: Source, begin: int, size: int) -> None:
        self.path = source.path
        self.size = size
        self._source = source
        self._begin = begin

    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0 or offset + length > self.size:
            text = plural(
                "needs {count:,} byte, but the data ends at {size:,}",
                "needs {count:,} bytes, but the data ends at {size:,}",
                count=length,
                size=self.size,
            )
            raise FormatError(text, path=str(self.path), offset=offset)
        return self._source.read(self._begin + offset, length)

    def origins(self) -> tuple[Origin, ...]:
        return _part_of(self._source.origins(), self._begin, self.size)

    def close(self) -> None:
        """Does nothing: the other source stays open."""


def _part_of(origins: tuple[Origin, ...], begin: int, size: int) -> tuple[Origin, ...]:
    """The origins of a part of a source with these origins; () for one that is not in a single file."""
    return (replace(origins[0], begin=origins[0].begin + begin, size=size),) if len(origins) == 1 else ()


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return tr("no such file")
    if isinstance(error, PermissionError):
        return tr("no permission to read it")
    if isinstance(error, IsADirectoryError):
        return tr("this is a folder")
    if error.errno == errno.ENAMETOOLONG:
        return tr("the name is too long for this system")
    return tr("cannot be read: {error}", error=error.strerror or error)


class Head(Source):
    """A source that reads ``data`` as if it were the whole file: for sniffing, and for previews of compressed
    files."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.size = len(data)
        self._fd = -1
        self._data = data

    def identity(self) -> tuple[int, ...]:
        """That of no file: another process cannot read these bytes."""
        return 0, 0, 0, 0, 0, self.size

    def _read_at(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


class Joined(Source):
    """The bytes of several sources, one after the other. A read stays inside one of them."""

    def __init__(self, parts: Sequence[Source]) -> None:
        """``parts``: at least one; they remain open when this is closed."""
        self._parts = tuple(parts)
        self.begins = (0, *accumulate(part.size for part in parts))
        """Where each part begins, and the end of the last."""
        self.path = parts[0].path
        self.size = self.begins[-1]

    def read(self, offset: int, length: int) -> bytes:
        """Exactly ``length`` bytes from ``offset``. Raises FormatError where they are not in one part."""
        if length == 0:
            return b""
        place = bisect_right(self.begins, offset) - 1
        if not 0 <= place < len(self._parts) or offset + length > self.begins[place + 1]:
            text = plural(
                "needs {count:,} byte, but the data ends at {size:,}",
                "needs {count:,} bytes, but the data ends at {size:,}",
                count=length,
                size=self.size,
            )
            raise FormatError(text, path=str(self.path), offset=offset)
        return self._parts[place].read(offset - self.begins[place], length)

    def origins(self) -> tuple[Origin, ...]:
        origins = [part.origins() for part in self._parts]
        return tuple(origin for (origin,) in origins) if all(len(one) == 1 for one in origins) else ()

    def close(self) -> None:
        """Does nothing: the parts stay open."""


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


FREE: Final = 200_000_000
TIMES: Final = 8


def allowed(file_size: int, each: int) -> int:
    """The largest number of entries of ``each`` bytes of memory that a file of ``file_size`` bytes may hold. Entries of
    real files take less than ``TIMES`` times their bytes in the file, so only lists of nearly empty entries reach this
    limit."""
    return (FREE + TIMES * file_size) // each
