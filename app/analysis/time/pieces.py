"""Slices cut so that each moment of a lane belongs to the innermost slice that holds it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.timeline.statistics import holders
from app.analysis.timeline.times import slice_lanes
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.orders import by_groups
from app.profile.timeline import Timeline

NEAR = 1e-9
"""Share of the length of the timeline below which times are the same."""


class Pieces(Struct, frozen=True, eq=False):
    """``slice``: int64, the slice that each is a part of; ``lane``: int32; ``start``, ``end``: float64. Pieces of a
    lane do not overlap, unless its slices cross."""

    slice: I64
    lane: I32
    start: F64
    end: F64

    def __len__(self) -> int:
        return len(self.slice)


def cut(timeline: Timeline, held_in: Bool) -> Pieces:
    """The pieces of the slices in ``held_in`` (bool[slices]; others hold no lane), in no order. Slices of lanes in
    which some cross without one containing the other stay whole. Costs O(n log n)."""
    lane, start = slice_lanes(timeline), timeline.slices.start
    end, parent = _nested(timeline, held_in)
    nested = held_in & ~_crossing(timeline, held_in, parent, end)[lane] & (end > start)
    inner = np.flatnonzero(nested & (parent >= 0))
    owner, begin, until = _left_of(start, end, parent, inner)
    whole = held_in.copy()
    whole[parent[inner]] = False
    alone = np.flatnonzero(whole)
    index = np.concatenate((alone, owner))
    begin, until = np.concatenate((start[alone], begin)), np.concatenate((end[alone], until))
    return Pieces(index, lane[index], begin, until)


def _nested(timeline: Timeline, held_in: Bool) -> tuple[F64, I64]:
    """(float64[slices]: ends, none behind the next start of its row or the end of what contains it, which only rounding
    makes; int64[slices]: the innermost slice of ``held_in`` that contains each, -1 for none)."""
    slices = timeline.slices
    end = slices.start + slices.duration
    same_row = np.ones(max(len(end) - 1, 0), np.bool_)
    borders = slices.first[(slices.first > 0) & (slices.first < len(end))]
    same_row[borders - 1] = False
    end[:-1] = np.where(same_row, np.minimum(end[:-1], slices.start[1:]), end[:-1])
    near = NEAR * float(end.max() - slices.start.min()) if len(end) else 0.0
    parent = np.full(len(held_in), -1, np.int64)
    held, holder = holders(timeline, end, near)
    parent[held] = holder
    while len(over := held[end[held] > end[parent[held]]]):
        end[over] = end[parent[over]]
    out = (parent >= 0) & ~held_in[parent]
    while out.any():  # past remarks
        parent[out] = parent[parent[out]]
        out = (parent >= 0) & ~held_in[parent]
    return end, parent


def _crossing(timeline: Timeline, held_in: Bool, parent: I64, end: F64) -> Bool:
    """bool[lanes]: those in which a slice begins within another one and ends after it. There the lengths of slices,
    each without those directly inside it, add up to more than the time that they cover."""
    slices, lane = timeline.slices, slice_lanes(timeline)
    lanes = len(timeline.lanes.thread)
    several = np.diff(timeline.lanes.first_row) > 1
    index = np.flatnonzero(held_in & (end > slices.start) & several[lane])
    top = index[parent[index] < 0]
    crossing = np.zeros(lanes, np.bool_)
    for group, key in ((top, lane[top]), (index[parent[index] >= 0], parent[index[parent[index] >= 0]])):
        order = by_groups(key, slices.start[group])
        members, keys = group[order], key[order]
        if len(members) < 2:
            continue
        near = NEAR * max(float(end[members].max() - slices.start[members].min()), 1e-300)
        over = (keys[1:] == keys[:-1]) & (slices.start[members[1:]] < end[members[:-1]] - near)
        crossing[lane[members[1:][over]]] = True
    return crossing


def _left_of(start: F64, end: F64, parent: I64, inner: I64) -> tuple[I64, F64, F64]:
    """(owner, start, end of each piece): what slices in ``inner`` leave of those that contain them."""
    inner = inner[by_groups(parent[inner], start[inner])]
    holder = parent[inner]
    border = np.flatnonzero(holder[1:] != holder[:-1]) + 1
    first, last = np.concatenate(([0], border)), np.concatenate((border - 1, [len(holder) - 1]))
    if not len(holder):
        return holder, np.empty(0), np.empty(0)
    begin = np.concatenate(([0.0], end[inner][:-1]))
    begin[first] = start[holder[first]]
    owner = np.concatenate((holder, holder[last]))
    begin, until = np.concatenate((begin, end[inner[last]])), np.concatenate((start[inner], end[holder[last]]))
    kept = until > begin
    return owner[kept], begin[kept], until[kept]
