"""A growable array."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from app.profile.arrays import Array

_FIRST = 4096


class Growing:
    """A growable array of one dtype. Its capacity stays below 1.5 times its content."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._room: Array = np.empty(_FIRST, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, values: npt.ArrayLike) -> None:
        """Appends ``values`` (a list or an array)."""
        added: npt.NDArray[Any] = np.asarray(values, self._room.dtype)
        end = self._count + len(added)
        if end > len(self._room):
            room = np.empty(max(end, len(self._room) * 3 // 2), self._room.dtype)
            room[: self._count] = self._room[: self._count]
            self._room = room
        self._room[self._count : end] = added
        self._count = end

    def expect(self, count: int) -> None:
        """Takes room for about ``count`` values. What remains empty takes no memory."""
        if count > len(self._room):
            room = np.empty(count, self._room.dtype)
            room[: self._count] = self._room[: self._count]
            self._room = room

    def replace(self, values: Array) -> None:
        """Replaces the content by ``values``, an array that the column may keep."""
        self._room, self._count = values.astype(self._room.dtype, copy=False), len(values)

    def taken(self, which: Array) -> Array:
        """The values that an index or mask array selects; the column is empty afterwards."""
        taken: Array = self.array()[which]
        self._room, self._count = self._room[:0].copy(), 0
        return taken

    def array(self) -> Array:
        """The content as a view, which is invalid once the column grows."""
        return self._room[: self._count]


class Sparse(Growing):
    """A column in which few events have a value, ``blank`` for the others: it takes no memory until one has. Its arrays
    are read-only while ``is_blank``, which means that none has."""

    def __init__(self, dtype: npt.DTypeLike, blank: int) -> None:
        super().__init__(dtype)
        self._blank = np.array(blank, dtype)
        self._clear()

    def _clear(self) -> None:
        self._room, self._count = np.empty(0, self._blank.dtype), 0
        self.is_blank = True

    def extend_blank(self, count: int) -> None:
        """Appends ``count`` events without a value."""
        if self.is_blank:
            self._count += count
        else:
            super().extend(np.broadcast_to(self._blank, count))

    def extend(self, values: npt.ArrayLike) -> None:
        if self.is_blank:
            self._room = np.full(self._count, self._blank)
            self.is_blank = False
        super().extend(values)

    def expect(self, count: int) -> None:
        if not self.is_blank:
            super().expect(count)

    def append(self, other: Sparse) -> None:
        """Appends the content of ``other``."""
        if other.is_blank:
            self.extend_blank(len(other))
        else:
            self.extend(other.array())

    def replace(self, values: Array) -> None:
        super().replace(values)
        self.is_blank = False

    def taken(self, which: Array) -> Array:
        taken: Array = self.array()[which]
        self._clear()
        return taken

    def array(self) -> Array:
        return np.broadcast_to(self._blank, self._count) if self.is_blank else super().array()
