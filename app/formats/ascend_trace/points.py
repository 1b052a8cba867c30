"""Events with a time but no duration of their own, with what their labels say of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from app.formats.ascend_trace.columns import PointColumns
from app.formats.ascend_trace.labels import BEYOND, MAX_LANES, NOWHERE, Labels
from app.profile.arrays import F64, I32, I64, U8, Bool


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Columns as in PointColumns; ``kind``: uint8, ``name``, ``category``: int32 text ids, ``lane``: int32."""

    label: I32
    time: F64
    key: I32
    record: I64
    kind: U8
    name: I32
    category: I32
    lane: I32

    @classmethod
    def of(cls, columns: PointColumns, labels: Labels, lane_of: I32, dropped: Counter[str]) -> Points:
        """The points that have a time and a place; the others are counted. ``lane_of``: lanes by label."""
        label, time = columns.label.array(), columns.time.array()
        timed = np.isfinite(time)
        lane = lane_of[label]
        count_unplaced(timed, lane, dropped)
        good = np.flatnonzero(timed & (lane >= 0))
        label = label[good]
        return cls(
            label=label,
            time=time[good],
            key=columns.key.array()[good],
            record=columns.record.array()[good],
            kind=labels.kind[label],
            name=labels.name[label],
            category=labels.category[label],
            lane=lane[good],
        )

    def has_kind(self, *kinds: int) -> Bool:
        """Which are of one of ``kinds``."""
        return np.isin(self.kind, kinds)


def count_unplaced(timed: Bool, lane: I32, dropped: Counter[str]) -> None:
    """Counts the events that are not ``timed``, and of the others those without a lane."""
    dropped["without a time"] += int(np.count_nonzero(~timed))
    dropped["without process and thread"] += int(np.count_nonzero(timed & (lane == NOWHERE)))
    dropped[f"on lanes past the first {MAX_LANES:,}"] += int(np.count_nonzero(timed & (lane == BEYOND)))
