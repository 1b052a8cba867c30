"""The memory of a rank as counters of its timeline, so that its curves share the range and the zoom of all lanes."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.profile.arrays import sealed
from app.profile.ascend_capture import MemoryRecord
from app.profile.strings import Interner, joined
from app.profile.timeline import Counters, Timeline

PROCESS: Final = "Memory"
_SUM: Final = "PTA+GE"
"""A component that is the sum of two others."""
_SERIES: Final = ("allocated", "reserved", "active")
_NS: Final = Decimal(1_000_000_000)


def with_memory(timeline: Timeline, record: MemoryRecord) -> Timeline:
    """``timeline`` of one rank with a track for each component of its memory and each amount, in bytes. A timeline
    without a clock stays as it is: records have times of day."""
    if timeline.seconds_per_unit is None:
        return timeline
    per_unit = float(Decimal(repr(timeline.seconds_per_unit)) * _NS)
    origin = int(timeline.origin * Decimal(repr(timeline.seconds_per_unit)) * _NS)
    own = Interner()
    tracks, times, values = [], [], []
    for component in np.flatnonzero(np.bincount(record.component, minlength=1)).tolist():
        name = record.strings.get(component)
        if name == _SUM:
            continue
        rows = np.flatnonzero((record.component == component) & (record.time >= 0))
        for series in _SERIES:
            amount = getattr(record, series)
            known = rows[amount[rows] >= 0]
            if len(known) and int(amount[known].max()):
                order = known[np.argsort(record.time[known], kind="stable")]
                tracks.append((own(PROCESS), own(f"{name} {series}"), own("B")))
                times.append((record.time[order] - origin) / per_unit)
                values.append(amount[order].astype(np.float64))
    if not tracks:
        return timeline
    before, shift = timeline.counters, len(timeline.strings)
    ids = np.array(tracks, np.int32).T + np.int32(shift)
    ends = len(before.time) + np.cumsum([len(time) for time in times])
    made = Counters(
        process=sealed(np.append(before.process, ids[0])),
        name=sealed(np.append(before.name, ids[1])),
        series=sealed(np.append(before.series, ids[2])),
        first=sealed(np.append(before.first, ends)),
        time=sealed(np.concatenate([before.time, *times])),
        value=sealed(np.concatenate([before.value, *values])),
    )
    return replace(timeline, strings=joined(timeline.strings, own.strings()), counters=made)
