"""Arrows between slices."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.flow_ends import enclosing, holds
from app.formats.ascend_trace.labels import FLOW_END, FLOW_START
from app.formats.ascend_trace.points import Points
from app.formats.timeline_build import Arrangement
from app.profile.arrays import I64, sealed
from app.profile.timeline import Flows, Slices


def make(
    points: Points, slices: Slices, arrangement: Arrangement, set_by: I64, waited_by: I64, dropped: Counter[str]
) -> Flows:
    """Flows with exactly two ends, by start. ``set_by``, ``waited_by``: int64 by key, the slice that sets the flag
    of that id or waits for it, -1 none (a flow carries the id of its flag)."""
    ends = np.flatnonzero(points.has_kind(FLOW_START, FLOW_END))
    keyed = ends[points.key[ends] >= 0]
    found = pairs.flows(points.key[keyed], points.category[keyed], points.kind[keyed] == FLOW_START)
    dropped["that are flow ends without exactly one partner"] += len(ends) - 2 * len(found.first)
    a, b = keyed[found.first], keyed[found.second]
    order = np.lexsort((points.time[b], points.time[a]))
    a, b = a[order], b[order]
    category = points.category[a]
    return Flows(
        category=sealed(np.where(category >= 0, category, points.name[a])),
        from_time=sealed(points.time[a]),
        from_lane=sealed(points.lane[a]),
        from_slice=sealed(_slices_at(points, a, set_by, slices, arrangement)),
        to_time=sealed(points.time[b]),
        to_lane=sealed(points.lane[b]),
        to_slice=sealed(_slices_at(points, b, waited_by, slices, arrangement)),
    )


def _slices_at(points: Points, which: I64, by_key: I64, slices: Slices, arrangement: Arrangement) -> I64:
    """The slice of the same id, if it lies there; else the innermost that does."""
    lane, time = points.lane[which], points.time[which]
    index = by_key[points.key[which]]
    known = np.flatnonzero(index >= 0)
    index[known[arrangement.lane[index[known]] != lane[known]]] = -1
    index = holds(slices, index, time)
    left = np.flatnonzero(index < 0)
    index[left] = enclosing(slices, arrangement.first_row, lane[left], time[left])
    return index
