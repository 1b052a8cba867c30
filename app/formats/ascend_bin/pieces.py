"""Reads binary content in pieces, into columns in memory or, if large, on disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from app.formats.ascend_bin.part import Part
from app.formats.spool import Spool
from app.profile.arrays import Array, sealed

PIECE_BYTES = 1 << 20
HELD_BYTES = 8 << 20
"""Memory that one column may take before it is spooled to disk."""


def pieces(part: Part, begin: int, size: int, kind: npt.DTypeLike) -> Iterator[Array]:
    """Yields the complete records of type ``kind`` in ``size`` bytes from ``begin`` of the payload, some at a time."""
    dtype: np.dtype[Any] = np.dtype(kind)
    at = part.block.payload + begin
    end = at + size // dtype.itemsize * dtype.itemsize
    step = max(PIECE_BYTES // dtype.itemsize, 1) * dtype.itemsize
    for here in range(at, end, step):
        yield np.frombuffer(part.source.read(here, min(step, end - here)), dtype)
        part.tick(here)


class Column:
    """A column of one type that is built from parts."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self._kind: np.dtype[Any] = np.dtype(kind)
        self._parts: list[Array] = []
        self._spool: Spool | None = None
        self._held = 0

    def add(self, values: Array) -> None:
        """Appends ``values``. Raises OSError when the disk is full."""
        part = values.astype(self._kind)
        self._parts.append(part)
        self._held += part.nbytes
        if self._held > HELD_BYTES:
            self._spool_parts()

    def done(self) -> Any:
        """All values, sealed."""
        if self._spool is not None:
            self._spool_parts()
            return self._spool.done()
        return sealed(np.concatenate([np.empty(0, self._kind), *self._parts]))

    def _spool_parts(self) -> None:
        self._spool = self._spool or Spool()
        for part in self._parts:
            self._spool.add(part)
        self._parts.clear()
        self._held = 0
