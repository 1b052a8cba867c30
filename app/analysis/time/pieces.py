"""Slices cut so that each moment of a lane belongs to the innermost slice that holds it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.timeline.rows import slice_lanes
from app.analysis.timeline.statistics import holders
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.timeline import Timeline

NEAR = 1e-9
"""Share of the length of the timeline below which times are the same."""


class Pieces(Struct, frozen=True, eq=False):
    """Sorted by lane, start, end. ``slice``: int64, the slice that each is a part of; ``lane``: int32; ``start``,
    ``end``: float64. Pieces of a lane do not overlap, unless its slices cross."""

    slice: I64
    lane: I32
    start: F64
    end: F64

    def __len__(self) -> int:
        return len(self.slice)


def cut(timeline: Timeline, held_in: Bool) -> Pieces:
    """The pieces of the slices in ``held_in`` (bool[slices]; others hold no lane). Slices of lanes in which some cross
    without one containing the other stay whole. Costs O(n log n)."""
    slices, lane = timeline.slices, slice_lanes(timeline)
    start, end = slices.start, slices.start + slices.duration
    parent = _parents(timeline, held_in)
    whole = ~held_in | _crossing(timeline, held_in, parent)[lane] | (slices.duration <= 0)
    nested = np.flatnonzero(~whole)
    owner, begin, until = _swept(lane, start, end, parent, nested)
    alone = np.flatnonzero(whole & held_in)
    index = np.concatenate((owner, alone))
    begin, until = np.concatenate((begin, start[alone])), np.concatenate((until, end[alone]))
    order = np.lexsort((until, begin, lane[index]))
    return Pieces(index[order], lane[index[order]], begin[order], until[order])


def _parents(timeline: Timeline, held_in: Bool) -> I64:
    """int64[slices]: the innermost slice of ``held_in`` that contains each, -1 for none."""
    parent = np.full(len(held_in), -1, np.int64)
    held, holder = holders(timeline)
    parent[held] = holder
    out = (parent >= 0) & ~held_in[parent]
    while out.any():  # past remarks
        parent[out] = parent[parent[out]]
        out = (parent >= 0) & ~held_in[parent]
    return parent


def _crossing(timeline: Timeline, held_in: Bool, parent: I64) -> Bool:
    """bool[lanes]: those in which a slice begins within another one and ends after it. There the lengths of slices,
    each without those directly inside it, add up to more than the time that they cover."""
    slices, lane = timeline.slices, slice_lanes(timeline)
    end = slices.start + slices.duration
    lanes = len(timeline.lanes.thread)
    index = np.flatnonzero(held_in & (slices.duration > 0))
    top = index[parent[index] < 0]
    crossing = np.zeros(lanes, np.bool_)
    for group, key in ((top, lane[top]), (index[parent[index] >= 0], parent[index[parent[index] >= 0]])):
        order = np.lexsort((slices.start[group], key))
        members, keys = group[order], key[order]
        if len(members) < 2:
            continue
        near = NEAR * max(float(end[members].max() - slices.start[members].min()), 1e-300)
        over = (keys[1:] == keys[:-1]) & (slices.start[members[1:]] < end[members[:-1]] - near)
        crossing[lane[members[1:][over]]] = True
    return crossing


def _swept(lane: I32, start: F64, end: F64, parent: I64, nested: I64) -> tuple[I64, F64, F64]:
    """Walks through starts and ends of properly nested slices of each lane: (owner, start, end of each piece)."""
    count = len(nested)
    which = np.concatenate((nested, nested))
    opens = np.zeros(2 * count, np.bool_)
    opens[:count] = True
    time = np.concatenate((start[nested], end[nested]))
    length = np.concatenate((-end[nested], -start[nested]))  # the longest opens first and closes last
    equal = np.concatenate((nested, -nested))  # of two equal slices the outer one, whose row is above, holds the other
    order = np.lexsort((equal, length, opens, time, lane[which]))
    which, opens, time = which[order], opens[order], time[order]
    owner = np.where(opens, which, parent[which])
    if not count:
        return owner, time, time
    same = lane[which[1:]] == lane[which[:-1]]
    piece = np.flatnonzero(same & (owner[:-1] >= 0) & (time[1:] > time[:-1]))
    return owner[piece], time[piece], time[piece + 1]
