"""Some of the events of the host."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.parts.rows import taken_rows
from app.profile.arrays import I64, Integers, sealed
from app.profile.tensorflow import HostEvents
from app.profile.timeline import Timeline


def of_rows(events: HostEvents, rows: I64) -> HostEvents:
    """Only the events ``rows`` (ascending), with what belongs to them."""
    number = np.full(len(events) + 1, -1, np.int64)  # the last one stands for no event
    number[rows] = np.arange(len(rows))
    lists = ("attached", "tensors", "ml_types", "skipped_names", "skipped_counts")
    part = taken_rows(events, rows, lists)
    made = {}
    for name in lists[:3]:
        own = getattr(events, name)
        few = taken_rows(own, np.flatnonzero(number[own.event] >= 0).astype(np.int64))
        made[name] = replace(few, event=sealed(number[few.event].astype(np.int32)))
    return replace(part, begin=sealed(number[part.begin].astype(np.int32)), skipped_names=(), skipped_counts=(), **made)


def renumbered(timeline: Timeline, rows: Integers) -> Timeline:
    """``timeline`` whose slices name records by their place in ``rows`` (ascending), -1 for others."""
    record = timeline.slices.record
    place = np.minimum(np.searchsorted(rows, record), max(len(rows) - 1, 0))
    there = (record >= 0) & (rows[place] == record) if len(rows) else np.zeros(len(record), np.bool_)
    return replace(timeline, slices=replace(timeline.slices, record=sealed(np.where(there, place, -1))))
