"""Arrays that are too large for memory, in unnamed files of the temporary folder (in a worker, of the column store)."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable, Iterator
from io import FileIO
from typing import Any, Final

import numpy as np

from app.language import tr
from app.profile.arrays import Array, ArrayT, sealed

BLOCK_BYTES = 4 << 20
_ALIGNMENT = 64
KEPT_BYTES: Final = 256 << 10
_MOST_KEPT: Final = 256
"""Each mapped file holds a descriptor, of which a process often has 1,024."""
_kept: set[int] = set()
"""The identities of the arrays of ``kept`` that are in use."""


def kept(values: ArrayT) -> ArrayT:
    """The array, sealed; one of more than KEPT_BYTES is moved to an unnamed file and mapped from there, so that it
    takes no memory (the system drops and reads its pages as it likes). Where the disk is full it stays in memory."""
    if values.nbytes <= KEPT_BYTES or len(_kept) >= _MOST_KEPT:
        return sealed(values)
    spool = None
    try:
        spool = Spool()
        spool.add(np.ascontiguousarray(values).reshape(-1))
        mapped = spool.done(values.dtype)  # views of it refer to it
    except OSError:
        if spool is not None:
            spool.close()
        return sealed(values)
    _kept.add(id(mapped))
    weakref.finalize(mapped, _kept.discard, id(mapped))
    return mapped.reshape(values.shape)  # type: ignore[return-value]


class Spool:
    """Consecutive parts of an array in an unnamed file, each in its own type. Written with plain writes, so that a full
    disk raises OSError and ends the read (a disk error must not look like a fault of the file). Because the file has no
    name, nobody can truncate it while it is mapped, and it is deleted when its last user closes it."""

    def __init__(self) -> None:
        self._file = _nameless()
        self._runs: list[tuple[np.dtype[Any], int]] = []

    def add(self, values: Array) -> None:
        _write(self._file, values)
        if self._runs and self._runs[-1][0] == values.dtype:
            self._runs[-1] = (values.dtype, self._runs[-1][1] + len(values))
        else:
            self._runs.append((values.dtype, len(values)))

    def done(self, kind: np.dtype[Any] | None = None, look: Callable[[], None] = lambda: None) -> Array:
        """All numbers in one type that holds them, mapped read-only. ``kind``: this type, if it is known; ``look`` is
        called at times, and may raise to stop."""
        kind = kind or np.result_type(*{kind for kind, _ in self._runs})
        if {own for own, _ in self._runs} != {kind}:
            same = _nameless()
            for part in self._parts():
                _write(same, part.astype(kind))
                look()
            self._file.close()
            self._file = same
        count = sum(count for _, count in self._runs)
        mapped: Array = np.asarray(np.memmap(self._file, kind, "r", shape=(count,)))
        self._file.close()
        return mapped

    def close(self) -> None:
        """Ends it where it cannot be done."""
        self._file.close()

    def _parts(self) -> Iterator[Array]:
        self._file.seek(0)
        for kind, count in self._runs:
            left = count * kind.itemsize
            while left:
                size = min(left, BLOCK_BYTES)
                yield np.frombuffer(_read(self._file, size), kind)
                left -= size


class SpooledArrays:
    """Arrays of any types, one after another in one unnamed file."""

    def __init__(self) -> None:
        self._file = _nameless()
        self._places: list[tuple[int, np.dtype[Any], int]] = []
        self._end = 0

    def add(self, values: Array) -> None:
        """Appends a one-dimensional array. Raises OSError when the disk is full."""
        _write(self._file, values)
        self._places.append((self._end, values.dtype, len(values)))
        padding = -values.nbytes % _ALIGNMENT
        _write(self._file, np.zeros(padding, np.uint8))
        self._end += values.nbytes + padding

    def done(self) -> list[Array]:
        """All arrays, mapped read-only."""
        mapped = np.asarray(np.memmap(self._file, np.uint8, "r")) if self._end else np.empty(0, np.uint8)
        self._file.close()
        return [mapped[at : at + count * kind.itemsize].view(kind) for at, kind, count in self._places]


def _nameless() -> FileIO:
    return tempfile.TemporaryFile(buffering=0)


def _write(file: FileIO, values: Array) -> None:
    left = np.ascontiguousarray(values).view(np.uint8).data
    while left:
        left = left[file.write(left[:BLOCK_BYTES]) :]


def _read(file: FileIO, size: int) -> bytes:
    parts = []
    while size:
        part = file.read(size)
        if not part:
            raise OSError(tr("a temporary file ends too early"))
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
