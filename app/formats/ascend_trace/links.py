"""Builds the flows between slices."""

from __future__ import annotations

import numpy as np

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.columns import ENCLOSING
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.flow_ends import Ends, holds, slices_at
from app.formats.ascend_trace.kinds import FLOW_END, FLOW_START, FLOW_STEP
from app.formats.ascend_trace.points import Points
from app.formats.sorting import by_times, ranks
from app.formats.timeline_build import Arrangement
from app.language import tr
from app.profile.arrays import I32, I64, sealed
from app.profile.timeline import Flows, Slices


def make(
    points: Points,
    of_place: I32,
    slices: Slices,
    arrangement: Arrangement,
    set_by: I64,
    waited_by: I64,
    dropped: Dropped,
) -> Flows:
    """Flows, sorted by start. ``of_place``: lanes by place; ``set_by``, ``waited_by``:
    int64[keys], the slice that sets the flag of that id or waits for it, -1 none (a flow has the id of its flag)."""
    ends = np.flatnonzero(points.has_kind(FLOW_START, FLOW_STEP, FLOW_END))
    keyed = ends[points.key[ends] >= 0]
    kind = points.kind[keyed]
    paired = pairs.flows(points.key[keyed], points.category[keyed], kind == FLOW_START, kind == FLOW_END)
    alone = np.concatenate((ends[points.key[ends] < 0], keyed[paired.alone]))
    dropped.add(tr("flow end without exactly one partner"), points.phase[alone])
    a, b = keyed[paired.first], keyed[paired.second]
    order = by_times(points.time[a], points.time[b])
    a, b = a[order], b[order]
    category = np.where(points.category[a] >= 0, points.category[a], points.name[a])
    both = np.concatenate((a, b))
    flags = np.concatenate((set_by[points.key[a]], waited_by[points.key[b]]))
    index = _slices_at(points, both, of_place, np.tile(category, 2), flags, slices, arrangement)
    return Flows(
        category=sealed(category),
        from_time=sealed(points.time[a]),
        from_lane=sealed(of_place[points.place[a]]),
        from_slice=sealed(index[: len(a)]),
        to_time=sealed(points.time[b]),
        to_lane=sealed(of_place[points.place[b]]),
        to_slice=sealed(index[len(a) :]),
    )


def _slices_at(
    points: Points, which: I64, of_place: I32, category: I32, flag: I64, slices: Slices, arrangement: Arrangement
) -> I64:
    """int64[n]: the slice of each flow end: that of the same id (``flag``) if it contains the point, else the slice
    that begins, ends or runs there; -1 none."""
    lane, time, leaves = of_place[points.place[which]], points.time[which], points.kind[which] == FLOW_START
    index = flag.copy()
    known = np.flatnonzero(index >= 0)
    index[known[arrangement.lane[index[known]] != lane[known]]] = -1
    index = holds(slices, index, time, arrangement.rounding)
    left = np.flatnonzero(index < 0)
    next_slice = (points.kind[which] == FLOW_END) & (points.mark[which] != ENCLOSING)
    kind = ranks(2 * (category.astype(np.int64) + 1) + leaves)
    ends = Ends(lane[left], time[left], kind[left], leaves[left], next_slice[left])
    index[left] = slices_at(slices, arrangement.first_row, ends, arrangement.rounding)
    return index
