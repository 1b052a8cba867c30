"""How long slices run without those that they hold."""

from __future__ import annotations

import numpy as np

from app.analysis.timeline.rows import row_lanes
from app.profile.arrays import F64, I64
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

ROUNDS = 64
"""Rows above a slice that are looked at one by one; where more overlap, a tree finds the one that holds it."""
LOWEST = -np.inf


def self_time(timeline: Timeline, stretch: TimeRange | None = None) -> F64:
    """float64[slices]: the duration without what slices of the rows below, that lie inside it, take; never below
    zero (such slices may overlap one another). A slice belongs to the innermost one above that holds it. With
    ``stretch`` only what lies inside of it counts, of the slice and of those that it holds."""
    slices = timeline.slices
    inside = slices.duration
    if stretch is not None:
        end = slices.start + slices.duration
        inside = np.clip(end, stretch.start, stretch.end) - np.clip(slices.start, stretch.start, stretch.end)
    own = inside.copy()
    held, holder = holders(timeline)
    np.subtract.at(own, holder, inside[held])
    return np.maximum(own, 0.0)


def holders(timeline: Timeline) -> tuple[I64, I64]:
    """(slices that lie in another one of their lane, the innermost that holds each): int64, all lanes together, one row
    further up in each round."""
    slices, lanes = timeline.slices, row_lanes(timeline)
    end = slices.start + slices.duration
    rows = np.flatnonzero(lanes[1:] == lanes[:-1]) + 1
    counts = slices.first[rows + 1] - slices.first[rows]
    left = np.repeat(slices.first[rows] - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
    above = np.repeat(rows - 1, counts)
    lane = np.repeat(lanes[rows], counts)
    held: list[I64] = []
    holding: list[I64] = []
    for _ in range(ROUNDS):
        if not len(left):
            break
        holder = before(slices.start, slices.first[above], slices.first[above + 1], slices.start[left])
        inside = holder >= slices.first[above]
        inside[inside] = end[holder[inside]] >= end[left[inside]]
        held.append(left[inside])
        holding.append(holder[inside])
        on = ~inside & (above > 0)
        on[on] = lanes[above[on] - 1] == lane[on]
        left, above, lane = left[on], above[on] - 1, lane[on]
    for one in np.unique(lane).tolist():
        deep, deep_holder = _deep(timeline, one, left[lane == one], above[lane == one], end)
        held.append(deep)
        holding.append(deep_holder)
    none = np.empty(0, np.int64)
    return np.concatenate([none, *held]), np.concatenate([none, *holding])


def before(values: F64, low: I64, high: I64, wanted: F64) -> I64:
    """int64: in each stretch low .. high of rising values the place of the last that is not above ``wanted``; low - 1
    where there is none. Neighbours in one stretch are looked for together."""
    place = np.empty(len(low), np.int64)
    edges = np.flatnonzero(np.concatenate(([True], low[1:] != low[:-1])))
    many = np.diff(np.append(edges, len(low))) > ROUNDS
    alone = np.repeat(~many, np.diff(np.append(edges, len(low))))
    for edge in np.flatnonzero(many).tolist():
        first, last = int(edges[edge]), int(edges[edge + 1]) if edge + 1 < len(edges) else len(low)
        begin, end = int(low[first]), int(high[first])
        place[first:last] = begin + np.searchsorted(values[begin:end], wanted[first:last], "right") - 1
    a, b, sought = low[alone].copy(), high[alone].copy(), wanted[alone]
    while (a < b).any():
        middle = (a + b) // 2
        right = (a < b) & (values[np.minimum(middle, len(values) - 1)] <= sought)
        b = np.where((a < b) & ~right, middle, b)
        a = np.where(right, middle + 1, a)
    place[alone] = a - 1
    return place


def _deep(timeline: Timeline, lane: int, left: I64, above: I64, end: F64) -> tuple[I64, I64]:
    """``holders`` of what is left of a lane of very many rows: by rising start, with the last slice of each row in a
    tree of latest ends, in which the nearest row above that reaches far enough is found in a few steps."""
    slices, first_row = timeline.slices, timeline.lanes.first_row
    low, high = int(first_row[lane]), int(first_row[lane + 1])
    size = 1 << max(high - low - 1, 1).bit_length()
    tree = [LOWEST] * (2 * size)
    last = [-1] * size
    a, b = int(slices.first[low]), int(slices.first[high])
    row_of = np.repeat(np.arange(high - low), np.diff(slices.first[low : high + 1]))
    highest = np.full(b - a, -1, np.int64)
    highest[left - a] = above - low
    order = np.lexsort((row_of, slices.start[a:b]))
    held, holding = [], []
    ends, rows, tops = end[a:b].tolist(), row_of.tolist(), highest.tolist()
    for one in order.tolist():
        if tops[one] >= 0:
            row = _nearest(tree, size, tops[one], ends[one])
            if row >= 0:
                held.append(a + one)
                holding.append(a + last[row])
        last[rows[one]] = one
        node = size + rows[one]
        tree[node] = ends[one]
        node //= 2
        while node:
            tree[node] = max(tree[2 * node], tree[2 * node + 1])
            node //= 2
    return np.array(held, np.int64), np.array(holding, np.int64)


def _nearest(tree: list[float], size: int, row: int, end: float) -> int:
    """The last row up to ``row`` whose slice ends at ``end`` or later; -1 none."""
    node = size + row
    if tree[node] < end:
        while node > 1 and (node % 2 == 0 or tree[node - 1] < end):
            node //= 2
        if node <= 1:
            return -1
        node -= 1
        while node < size:
            node = 2 * node + 1 if tree[2 * node + 1] >= end else 2 * node
    return node - size
