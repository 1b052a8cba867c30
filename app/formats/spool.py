"""Numbers that are too many for the memory, in files without a name: where temporary files lie, and for a worker in the
column store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from io import FileIO
from typing import Any

import numpy as np

from app.language import tr
from app.profile.arrays import Integers

BLOCK_BYTES = 4 << 20


class Spool:
    """Parts one behind the other, each in its own type. Plain writes: an OSError when the disk is full ends the read
    (what is missing then must not pass for a matter of the file). The file has no name, so nobody makes it shorter
    while it is mapped, and it goes with its last user."""

    def __init__(self) -> None:
        self._file = _nameless()
        self._runs: list[tuple[np.dtype[Any], int]] = []

    def add(self, values: Integers) -> None:
        _write(self._file, values)
        if self._runs and self._runs[-1][0] == values.dtype:
            self._runs[-1] = (values.dtype, self._runs[-1][1] + len(values))
        else:
            self._runs.append((values.dtype, len(values)))

    def done(self) -> Integers:
        """All numbers in the one type that holds them, mapped read-only."""
        kind = np.result_type(*{kind for kind, _ in self._runs})
        if len(self._runs) > 1:
            same = _nameless()
            for part in self._parts():
                _write(same, part.astype(kind))
            self._file.close()
            self._file = same
        count = sum(count for _, count in self._runs)
        mapped: Integers = np.asarray(np.memmap(self._file, kind, "r", shape=(count,)))
        self._file.close()
        return mapped

    def _parts(self) -> Iterator[Integers]:
        self._file.seek(0)
        for kind, count in self._runs:
            left = count * kind.itemsize
            while left:
                size = min(left, BLOCK_BYTES)
                yield np.frombuffer(_read(self._file, size), kind)
                left -= size


def _nameless() -> FileIO:
    return tempfile.TemporaryFile(buffering=0)


def _write(file: FileIO, values: Integers) -> None:
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
