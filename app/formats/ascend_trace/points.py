"""Events with a time but no duration, whose numbers are ids of texts."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.columns import GLOBAL, PointColumns
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.kinds import INSTANT
from app.formats.ascend_trace.places import NOWHERE
from app.profile.arrays import F64, I32, I64, U8, Array, Bool


class Points(Struct, frozen=True, eq=False):
    """Columns as in PointColumns, with text ids as ``name`` and ``category``; ``key``: int32, numbers of ids, -1
    none."""

    time: F64
    key: I32
    mark: U8
    record: I64
    address: I64
    kind: U8
    phase: U8
    name: I32
    category: I32
    place: I32

    @classmethod
    def of(cls, columns: PointColumns, name: I32, category: I32, key: I32, dropped: Dropped) -> Points:
        """The points with a time and a place (global instants need no place); others are counted in ``dropped``.
        ``name``, ``category``: int32, the text ids of the numbers in the columns, the last for -1; ``key``:
        int32[points], the numbers of their ids."""
        time, mark, kind = columns.time.array(), columns.mark.array(), columns.kind.array()
        place, phase = columns.place.array(), columns.phase.array()
        timed = np.isfinite(time)
        free = (place == NOWHERE) & (kind == INSTANT) & (mark == GLOBAL)
        dropped.unplaced(timed, np.where(free, 0, place), phase)
        good = timed & ((place >= 0) | free)
        which: Array | slice = slice(None) if bool(np.all(good)) else good  # usually nothing is copied
        return cls(
            time=time[which],
            key=key[which],
            mark=mark[which],
            record=columns.record.array()[which],
            address=columns.address.array()[which],
            kind=kind[which],
            phase=phase[which],
            name=name[columns.name.array()[which]],
            category=category[columns.category.array()[which]],
            place=place[which],
        )

    def some(self, which: I64) -> Points:
        """The points ``which``."""
        return Points(*(getattr(self, name)[which] for name in self.__struct_fields__))

    def has_kind(self, *kinds: int) -> Bool:
        """bool[points]: whether each is of one of ``kinds``."""
        wanted = np.zeros(1 << 8, np.bool_)
        wanted[list(kinds)] = True
        return wanted[self.kind]

    def is_named(self, which: I64, names: list[int]) -> Bool:
        """bool[n]: whether each of the points ``which`` (int64[n]) has one of the ``names`` (text ids)."""
        return np.isin(self.name[which], names) if names else np.zeros(len(which), np.bool_)
