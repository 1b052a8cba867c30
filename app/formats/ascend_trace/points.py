"""Events with a time but no duration, joined with the fields of their labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.formats.ascend_trace.columns import GLOBAL, PointColumns
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.labels import INSTANT, NOWHERE, Labels
from app.profile.arrays import F64, I32, I64, U8, Bool


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Columns as in PointColumns; ``kind``, ``phase``: uint8, ``name``, ``category``: int32 text ids, ``place``: int32
    as in Labels."""

    label: I32
    time: F64
    key: I32
    mark: U8
    record: I64
    kind: U8
    phase: U8
    name: I32
    category: I32
    place: I32

    @classmethod
    def of(cls, columns: PointColumns, labels: Labels, dropped: Dropped) -> Points:
        """The points with a time and a place (global instants need no place); others are counted in ``dropped``."""
        label, time, mark = columns.label.array(), columns.time.array(), columns.mark.array()
        timed = np.isfinite(time)
        place, kind, phase = labels.place[label], labels.kind[label], labels.phase[label]
        free = (place == NOWHERE) & (kind == INSTANT) & (mark == GLOBAL)
        dropped.unplaced(timed, np.where(free, 0, place), phase)
        good = np.flatnonzero(timed & ((place >= 0) | free))
        label = label[good]
        return cls(
            label=label,
            time=time[good],
            key=columns.key.array()[good],
            mark=mark[good],
            record=columns.record.array()[good],
            kind=kind[good],
            phase=phase[good],
            name=labels.name[label],
            category=labels.category[label],
            place=place[good],
        )

    def has_kind(self, *kinds: int) -> Bool:
        """bool[points]: whether each is of one of ``kinds``."""
        return np.isin(self.kind, kinds)
