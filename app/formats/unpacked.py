"""Decompressed copies of gzip files (RFC 1952). Readers need random access, so they read a copy in the cache folder,
which is reused as long as the compressed file does not change."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from app.atomic import atomic_file
from app.formats.errors import FormatError
from app.language import tr
from app.places import cache_folder, private_folder

MAGIC: Final = b"\x1f\x8b\x08"
PIECE: Final = 1 << 20
FIRST: Final = 1 << 12
"""Bytes of a new member that are decompressed first, then twice as many: zlib copies what it was given too much."""
GZIP_WINDOW: Final = 31
"""The ``wbits`` of zlib for a gzip stream with the largest window."""
LARGEST_RATIO: Final = 200
SMALLEST_LIMIT: Final = 64 << 20
"""A copy may have LARGEST_RATIO times the bytes of its file (traces compress to a tenth or a thirtieth), or
SMALLEST_LIMIT bytes if that is more."""

ReportBytes: TypeAlias = Callable[[int, int], None]
"""Called with the bytes of the compressed file read so far and its size; may raise to stop."""


def is_packed(descriptor: int) -> bool:
    """Whether an open file begins with the gzip magic number."""
    try:
        return _read_at(descriptor, 0, len(MAGIC)) == MAGIC
    except OSError:  # the next reader reports it
        return False


def folder() -> Path:
    """The folder of the copies."""
    return cache_folder() / "unpacked"


def copy_of(path: Path, descriptor: int, report: ReportBytes = lambda _done, _of: None) -> Path:
    """The path of the decompressed copy of an open gzip file; written if it does not exist. Raises FormatError where
    the file is damaged, the content too large, or the copy cannot be written."""
    copy = _place(path, descriptor)
    try:
        if not private_folder(folder()):
            raise FormatError(
                tr("compressed, and {folder} belongs to another user; unpack it first", folder=folder()), path=str(path)
            )
        with contextlib.suppress(FileNotFoundError):
            os.utime(copy)  # marks it as used
            return copy
        _write(copy, path, descriptor, os.fstat(descriptor).st_size, report)
    except OSError as error:
        reason = tr(
            "compressed, and cannot be unpacked into {folder}: {error}", folder=folder(), error=error.strerror or error
        )
        raise FormatError(reason, path=str(path)) from error
    return copy


def is_waiting(path: Path, descriptor: int) -> bool:
    """Whether an open file is compressed and has no copy yet."""
    return is_packed(descriptor) and not _place(path, descriptor).exists()


def head(path: Path, descriptor: int, length: int) -> bytes:
    """At most the first ``length`` decompressed bytes. Raises FormatError where they are damaged."""
    begin = b""
    for piece in _unpacked(path, descriptor, length):
        begin += piece
        if len(begin) >= length:
            break
    return begin[:length]


def sweep(unused_seconds: float, limit: int) -> None:
    """Deletes copies not used for ``unused_seconds``, and the least recently used ones while all take more than
    ``limit`` bytes. A copy that is open can still be read; it is written again when next needed."""
    total = 0
    for status, copy in sorted(_copies(), key=lambda one: one[0].st_mtime, reverse=True):
        total += status.st_size
        if total > limit or time.time() - status.st_mtime > unused_seconds:
            with contextlib.suppress(OSError):
                copy.unlink()


def size() -> int:
    """The size of all copies in bytes."""
    return sum(status.st_size for status, _ in _copies())


def _place(path: Path, descriptor: int) -> Path:
    """Where the copy of an open file is, or will be."""
    status = os.fstat(descriptor)
    known = f"{path.absolute()}\0{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
    return folder() / hashlib.blake2b(os.fsencode(known), digest_size=16).hexdigest()


def _copies() -> Iterator[tuple[os.stat_result, Path]]:
    with contextlib.suppress(OSError), os.scandir(folder()) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                yield entry.stat(follow_symlinks=False), Path(entry.path)


def _write(copy: Path, path: Path, descriptor: int, packed: int, report: ReportBytes) -> None:
    limit = max(SMALLEST_LIMIT, LARGEST_RATIO * packed)
    room = shutil.disk_usage(copy.parent).free // 2
    done = 0
    with atomic_file(copy) as scratch, scratch.open("wb") as file:
        for piece in _unpacked(path, descriptor, PIECE, lambda read: report(read, packed)):
            done += len(piece)
            if done > min(limit, room):
                raise FormatError(_too_large(packed, limit, room), path=str(path))
            file.write(piece)


def _too_large(packed: int, limit: int, room: int) -> str:
    if room < limit:
        return tr(
            "compressed, and needs more than half of the {room:,} free bytes of this disk; unpack it elsewhere",
            room=2 * room,
        )
    return tr(
        "compressed: its {packed:,} bytes expand to more than {limit:,}; if that is correct, unpack it first",
        packed=packed,
        limit=limit,
    )


def _unpacked(
    path: Path, descriptor: int, piece: int, report: Callable[[int], None] = lambda _read: None
) -> Iterator[bytes]:
    """The decompressed bytes, up to ``piece`` at a time. A truncated file ends where it was cut (the reader of the copy
    notices); raises FormatError for a damaged one."""
    offset, begun = 0, 0
    packed = zlib.decompressobj(GZIP_WINDOW)
    waiting, most = memoryview(b""), PIECE
    while True:
        if not waiting:
            waiting = memoryview(_read_at(descriptor, offset, PIECE))
            offset += len(waiting)
            report(offset)
            if not waiting:
                return
        if packed.eof:  # another member follows, or zero padding
            first = bytes(waiting[:FIRST])
            if first[0] == 0:
                waiting = waiting[len(first) - len(first.lstrip(b"\0")) :]
                continue
            packed, most = zlib.decompressobj(GZIP_WINDOW), FIRST
            begun = offset - len(waiting)
        try:
            given = waiting[:most]
            plain = packed.decompress(given, piece)
        except zlib.error as error:
            at = offset - len(waiting)
            text = tr(
                "compressed, and damaged: {plain_words} in the part that starts at {begun:,}",
                plain_words=_plain_words(error),
                begun=begun,
            )
            raise FormatError(text, path=str(path), offset=at) from error
        left = packed.unused_data if packed.eof else packed.unconsumed_tail
        waiting, most = waiting[len(given) - len(left) :], min(2 * most, PIECE)
        if plain:
            yield plain


def _read_at(descriptor: int, offset: int, length: int) -> bytes:
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, length)


def _plain_words(error: zlib.error) -> str:
    """The last part of a message such as ``Error -3 while decompressing data: incorrect data check``."""
    return str(error).rpartition(": ")[2]
