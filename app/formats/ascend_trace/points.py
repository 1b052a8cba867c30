"""Events with a time but no duration, whose numbers are ids of texts."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.columns import GLOBAL, PointColumns
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.labels import INSTANT, NOWHERE
from app.profile.arrays import F64, I32, I64, U8, Bool


class Points(Struct, frozen=True, eq=False):
    """Columns as in PointColumns, with text ids as ``name`` and ``category``."""

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
    def of(cls, columns: PointColumns, name: I32, category: I32, dropped: Dropped) -> Points:
        """The points with a time and a place (global instants need no place); others are counted in ``dropped``.
        ``name``, ``category``: int32, the text ids of the numbers in the columns, the last for -1."""
        time, mark, kind = columns.time.array(), columns.mark.array(), columns.kind.array()
        place, phase = columns.place.array(), columns.phase.array()
        timed = np.isfinite(time)
        free = (place == NOWHERE) & (kind == INSTANT) & (mark == GLOBAL)
        dropped.unplaced(timed, np.where(free, 0, place), phase)
        good = np.flatnonzero(timed & ((place >= 0) | free))
        return cls(
            time=time[good],
            key=columns.key.array()[good],
            mark=mark[good],
            record=columns.record.array()[good],
            address=columns.address.array()[good],
            kind=kind[good],
            phase=phase[good],
            name=name[columns.name.array()[good]],
            category=category[columns.category.array()[good]],
            place=place[good],
        )

    def has_kind(self, *kinds: int) -> Bool:
        """bool[points]: whether each is of one of ``kinds``."""
        return np.isin(self.kind, kinds)
