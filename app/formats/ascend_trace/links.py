"""Builds the flows between slices, whose ends it finds."""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.columns import ENCLOSING, Dropped
from app.formats.ascend_trace.event import FLOW_END, FLOW_START, FLOW_STEP
from app.formats.ascend_trace.slices import Points, flows
from app.formats.numbering import ranks
from app.formats.timeline_build import Arrangement, Rounding
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, sealed
from app.profile.orders import by_values
from app.profile.timeline import Flows, Slices


def make_links(
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
    paired = flows(points.key[keyed], points.category[keyed], kind == FLOW_START, kind == FLOW_END)
    alone = np.concatenate((ends[points.key[ends] < 0], keyed[paired.alone]))
    dropped.add(tr("flow end without exactly one partner"), points.phase[alone])
    a, b = keyed[paired.first], keyed[paired.second]
    order = by_values(points.time[a], points.time[b])
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


_FEW_ROWS = 32


class Ends(Struct, frozen=True, eq=False):
    """Ends of flows. ``lane``: int32, -1 for none; ``time``: float64; ``kind``: int64, ends of one kind touch slices on
    the same side; ``leaves``: bool, the start of a flow; ``next_slice``: bool, bound to the slice that begins next and
    not to the enclosing one (an ``f`` without ``"bp":"e"``: Trace Event Format, "Flow events").
    """

    lane: I32
    time: F64
    kind: I64
    leaves: Bool
    next_slice: Bool


def slices_at(slices: Slices, first_row: I32, ends: Ends, rounding: Rounding) -> I64:
    """int64[n]: the slice each flow end belongs to, -1 where there is none. A slice that begins or ends at that time is
    preferred to one that covers it, and the shortest of several. Where one slice ends as another begins, the side that
    most ends of the same kind touch is chosen; in a tie, flows leave the ending slice and reach the beginning one."""
    begun, ended, covered, following = (np.full(len(ends.time), -1, np.int64) for _ in range(4))
    order = np.argsort(ends.lane, kind="stable")
    lanes, begins = np.unique(ends.lane[order], return_index=True)
    for number, points in zip(lanes.tolist(), np.split(order, begins[1:]), strict=len(order) > 0):
        if number < 0:
            continue
        rows = range(first_row[number], first_row[number + 1])
        time = ends.time[points]
        lane = _Lane(slices, rows, rounding)
        begun[points], ended[points] = lane.begun(time), lane.ended(time)
        in_lane = row_by_row if len(rows) <= _FEW_ROWS else by_sweep
        covered[points] = in_lane(slices, rows, time, rounding)
        wanted = points[ends.next_slice[points]]
        following[wanted] = lane.following(ends.time[wanted])
    begin_first = _sides(ends, (begun >= 0) & (ended < 0), (ended >= 0) & (begun < 0))
    touching = np.where(begin_first, _first_of(begun, ended), _first_of(ended, begun))
    return _first_of(touching, following, covered)


def _first_of(*choices: I64) -> I64:
    """int64[n]: element by element, the first choice that is not -1."""
    result = choices[-1]
    for choice in reversed(choices[:-1]):
        result = np.where(choice >= 0, choice, result)
    return result


def _sides(ends: Ends, only_begins: Bool, only_ends: Bool) -> Bool:
    """bool[n]: whether a slice that begins is preferred to one that ends, by the other flow ends of the same kind."""
    kinds = int(ends.kind.max(initial=0)) + 1
    votes = np.bincount(ends.kind, only_begins, kinds) - np.bincount(ends.kind, only_ends, kinds)
    vote = votes[ends.kind]
    sides: Bool = (vote > 0) | ((vote == 0) & ~ends.leaves)
    return sides


class _Lane:
    """The slices of one lane, by start and by end."""

    def __init__(self, slices: Slices, rows: range, rounding: Rounding) -> None:
        self._first = int(slices.first[rows.start])
        last = int(slices.first[rows.stop])
        start, duration = slices.start[self._first : last], slices.duration[self._first : last]
        self._duration = duration
        self._starts, self._ends = (np.argsort(moments, kind="stable") for moments in (start, start + duration))
        self._begins, self._stops = start[self._starts], (start + duration)[self._ends]
        self._rounding = rounding

    @cached_property
    def _rank(self) -> I64:
        """int64[slices]: the shortest first; of equal ones the innermost row."""
        place = np.arange(len(self._duration))
        rank = np.empty(len(place), np.int64)
        rank[np.lexsort((-place, self._duration))] = place
        return rank

    def begun(self, time: F64) -> I64:
        """int64[n]: the shortest slice that begins at each time, -1 none."""
        return self._shortest(self._begins, self._starts, time)

    def ended(self, time: F64) -> I64:
        """int64[n]: the shortest slice that ends at each time, -1 none."""
        return self._shortest(self._stops, self._ends, time)

    def following(self, time: F64) -> I64:
        """int64[n]: the shortest of the slices that begin next after each time, -1 none."""
        place = np.searchsorted(self._begins, time, "right")
        some = np.flatnonzero(place < len(self._begins))
        result = np.full(len(time), -1, np.int64)
        result[some] = self.begun(self._begins[place[some]])
        return result

    def _shortest(self, moments: F64, order: I64, time: F64) -> I64:
        slack = self._rounding.slack(time, time)
        low = np.searchsorted(moments, time - slack, "left")
        count = np.searchsorted(moments, time + slack, "right") - low
        result = np.full(len(time), -1, np.int64)
        one, several = np.flatnonzero(count == 1), np.flatnonzero(count > 1)
        result[one] = self._first + order[low[one]]
        if len(several):  # only then the durations are sorted
            rank = self._rank[order]
            least = _least(rank, low[several], low[several] + count[several])
            of_rank = np.empty(len(rank), np.int64)
            of_rank[rank] = order
            result[several] = self._first + of_rank[least]
        return result


def _least(values: I64, low: I64, high: I64) -> I64:
    """int64[n]: the minimum of ``values`` in each range [low, high), -1 for an empty one. A sparse table: each range is
    covered by two ranges whose length is a power of two."""
    least = np.full(len(low), -1, np.int64)
    length = high - low
    level = 1
    while len(values) and bool(np.any(length >= level)):
        these = np.flatnonzero((length >= level) & (length < 2 * level))
        least[these] = np.minimum(values[low[these]], values[high[these] - level])
        values = np.minimum(values[:-level], values[level:])
        level *= 2
    return least


def holds(slices: Slices, index: I64, time: F64, rounding: Rounding) -> I64:
    """int64[n]: ``index`` where that slice contains ``time`` (its end included), -1 elsewhere."""
    known = np.flatnonzero(index >= 0)
    start = slices.start[index[known]]
    slack = rounding.slack(time[known], time[known])
    inside = (start <= time[known]) & (start + slices.duration[index[known]] >= time[known] - slack)
    result = np.full(len(index), -1, np.int64)
    result[known[inside]] = index[known[inside]]
    return result


def row_by_row(slices: Slices, rows: range, time: F64, rounding: Rounding) -> I64:
    """int64[n]: the shortest slice that contains each time (of equal ones the last to begin), -1 none. Of each row only
    the last slice that has begun counts. Vectorised over times, row by row: fast for lanes with few rows."""
    covering = np.full(len(time), -1, np.int64)
    best, latest = np.full(len(time), np.inf), np.full(len(time), -np.inf)
    for row in rows:
        a, b = int(slices.first[row]), int(slices.first[row + 1])
        index = a + np.searchsorted(slices.start[a:b], time, "right") - 1
        index = holds(slices, np.where(index >= a, index, -1), time, rounding)
        span = np.where(index >= 0, slices.duration[index], np.inf)
        start = slices.start[index]
        better = (index >= 0) & ((span < best) | ((span == best) & (start > latest)))
        best[better], latest[better] = span[better], start[better]
        covering[better] = index[better]
    return covering


def by_sweep(slices: Slices, rows: range, time: F64, rounding: Rounding) -> I64:
    """The result of ``row_by_row`` by a sweep over time with a heap of the running slices, ordered by duration:
    O(n log n) for any number of rows."""
    a, b = int(slices.first[rows.start]), int(slices.first[rows.stop])
    row_of = np.repeat(np.arange(len(rows)), np.diff(slices.first[rows.start : rows.stop + 1])).tolist()
    spans, starts = slices.duration[a:b].tolist(), slices.start[a:b].tolist()
    ends = (slices.start[a:b] + slices.duration[a:b]).tolist()
    began = np.argsort(slices.start[a:b], kind="stable")
    counts = np.searchsorted(slices.start[a:b][began], time, "right").tolist()  # slices begun by each time
    by_start, limits = began.tolist(), (time - rounding.slack(time, time)).tolist()
    running: list[tuple[float, float, int, int]] = []  # (duration, -start, row, slice)
    last = [-1] * len(rows)
    covering = np.full(len(time), -1, np.int64)
    done = 0
    for point in np.argsort(time, kind="stable").tolist():
        for index in by_start[done : counts[point]]:
            last[row_of[index]] = index
            heappush(running, (spans[index], -starts[index], row_of[index], index))
        done = counts[point]
        while running and (last[running[0][2]] != running[0][3] or ends[running[0][3]] < limits[point]):
            heappop(running)  # another slice began in its row, or it has ended for good: limits only increase
        if running:
            covering[point] = a + running[0][3]
    return covering
