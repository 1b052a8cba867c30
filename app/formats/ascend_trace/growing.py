"""A column that grows as pieces come in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from app.profile.arrays import Array

_FIRST = 4096


class Growing:
    """Values of one dtype; memory stays below one and a half times what is in it (and twice that while it grows)."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._room: Array = np.empty(_FIRST, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, values: npt.ArrayLike) -> None:
        """Adds ``values`` (a list or an array) at the end."""
        added: npt.NDArray[Any] = np.asarray(values, self._room.dtype)
        end = self._count + len(added)
        if end > len(self._room):
            room = np.empty(max(end, len(self._room) * 3 // 2), self._room.dtype)
            room[: self._count] = self._room[: self._count]
            self._room = room
        self._room[self._count : end] = added
        self._count = end

    def taken(self, which: Array) -> Array:
        """The values that an index or mask array picks; the column is empty afterwards."""
        taken: Array = self.array()[which]
        self._room, self._count = self._room[:0].copy(), 0
        return taken

    def array(self) -> Array:
        """What is in it, as a view that must not be kept while it grows."""
        return self._room[: self._count]
