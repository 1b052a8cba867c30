"""What waits for what: pieces of work and waits as nodes, and what had to end before each could begin; and another
schedule of the same work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.time.classes import BARRIER, REMARK, WAIT, classes
from app.analysis.time.links import REGISTERS, STATED, Links, links, split_waits
from app.analysis.time.pieces import NEAR, Pieces, cut
from app.analysis.timeline.statistics import before
from app.profile.arrays import F64, I32, I64, U8, Bool, among
from app.profile.ascend import Instructions
from app.profile.orders import by_groups, by_values, stable_order
from app.profile.timeline import Timeline


def nothing() -> None:
    """What looks for a reason to stop, where there is none."""


class Graph(Struct, frozen=True, eq=False):
    """Nodes in an order in which every node follows what it depends on (by start, end, arrival).

    ``slice``: int64, the slice that a node is a part of; ``lane``: int32; ``kind``: uint8, its class; ``arrival``:
    float64, when its lane reached it; ``start``, ``end``: of its work (a wait begins and ends at its end), in the unit
    of the timeline; ``before``: int64, the node of the lane that ended last before the arrival, -1 for none.
    Edges are sorted by target: those of node n are ``first[n]`` .. ``first[n + 1]`` - 1. ``source``: int64 node;
    ``release``: float64, when it let the target go; ``early``: float64, when it could have done so at the earliest (a
    kernel may start before its launch returns); ``origin``: uint8, STATED, INFERRED or REGISTERS. ``contradicting``:
    how many stated dependencies are left out because their times contradict them; ``unsure``: int64 nodes that read a
    register, once for each register whose last writer is uncertain or had not ended. ``near``: times that differ by
    less are the same. ``least``: float64, the work of each node that every schedule has, None for all of it (a task of
    several blocks counts the gaps between them).
    """

    slice: I64
    lane: I32
    kind: U8
    arrival: F64
    start: F64
    end: F64
    before: I64
    first: I64
    source: I64
    release: F64
    early: F64
    origin: U8
    contradicting: int
    unsure: I64
    near: float
    least: F64 | None = None

    def __len__(self) -> int:
        return len(self.slice)

    @property
    def inferred(self) -> Bool:
        """bool[edges]: what the file does not state."""
        inferred: Bool = self.origin != STATED
        return inferred

    @property
    def target(self) -> I64:
        """int64[edges]: the node at the other end of each edge."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.first))

    @property
    def works(self) -> Bool:
        """bool[nodes]: which have work, and are not only waited in."""
        works: Bool = (self.kind != WAIT) & (self.kind != BARRIER)
        return works


def graph(timeline: Timeline, look: Callable[[], None] = nothing, instructions: Instructions | None = None) -> Graph:
    """The graph of all lanes. ``instructions``: those with register states, of the same file. O(n log n). ``look`` is
    called at times, and may raise to stop."""
    kinds = classes(timeline)
    held = kinds != REMARK
    look()
    pieces = cut(timeline, held)
    look()
    pieces, kind = split_waits(timeline, pieces, kinds[pieces.slice])
    waits = (kind == WAIT) | (kind == BARRIER)
    start = np.where(waits, pieces.end, pieces.start)
    order = by_values(start, pieces.end, pieces.start)
    pieces = Pieces(pieces.slice[order], pieces.lane[order], pieces.start[order], pieces.end[order])
    kind, start = kind[order], start[order]
    span = float(pieces.end.max() - pieces.start.min()) if len(pieces) else 0.0
    near = NEAR * span
    previous = predecessors(pieces.lane, pieces.start, pieces.end)
    look()
    found = links(timeline, pieces, kind, instructions, look)
    look()
    edges, contradicting = _edges(found, pieces, start, near)
    first = np.searchsorted(edges.target, np.arange(len(pieces) + 1))
    return Graph(
        pieces.slice,
        pieces.lane,
        kind,
        pieces.start,
        start,
        pieces.end,
        previous,
        first,
        edges.source,
        edges.release,
        edges.early,
        edges.origin,
        contradicting,
        edges.unsure,
        near,
    )


def predecessors(lane: I32, arrival: F64, end: F64) -> I64:
    """int64[nodes]: the node of the same lane with the latest end that is not after the arrival, -1 for none."""
    latest = np.full(len(lane), -1, np.int64)
    order = by_groups(lane, arrival, end)
    one, two = order[:-1], order[1:]
    same = lane[one] == lane[two]
    latest[two[same]] = one[same]
    overlaps = same & (end[one] > arrival[two])
    if overlaps.any():
        crossing = np.zeros(int(lane.max()) + 1, np.bool_)
        crossing[lane[two[overlaps]]] = True
        own = order[crossing[lane[order]]]
        found = _latest_ends(lane[own], arrival[own], end[own])
        latest[own] = np.where(found >= 0, own[found], -1)
    return latest


def _latest_ends(lane: I32, arrival: F64, end: F64) -> I64:
    """The same for nodes that may overlap, sorted by lane, arrival, end."""
    node = np.arange(len(lane), dtype=np.int64)
    by_end = by_groups(lane, end)
    new = np.concatenate(([True], lane[1:] != lane[:-1]))
    low = np.flatnonzero(new)
    high = np.append(low[1:], len(lane))
    of_lane = np.cumsum(new) - 1
    place = before(end[by_end], low[of_lane], high[of_lane], arrival)
    found = np.where(place >= low[of_lane], by_end[place], -1)
    # Of nodes without a length at one time, each follows the one before, and those behind it do not count.
    late = np.flatnonzero(found >= node)
    if len(late):
        unlike = (arrival[1:] != arrival[:-1]) | (end[1:] != end[:-1]) | new[1:]
        last = np.flatnonzero(np.append(unlike, True))
        place = place[late] + late - 1 - last[np.searchsorted(last, late)]
        found[late] = np.where(place >= low[of_lane[late]], by_end[place], -1)
    return found


def part(whole: Graph, lanes: Sequence[int]) -> Graph:
    """Some lanes by themselves, with the edges between them. O(nodes + edges)."""
    inside = among(whole.lane, lanes)
    nodes, target = np.flatnonzero(inside), whole.target
    edges = np.flatnonzero(inside[whole.source] & inside[target])
    number = np.full(len(whole) + 1, -1, np.int64)  # the last one stands for no node
    number[nodes] = np.arange(len(nodes))
    return Graph(
        whole.slice[nodes],
        whole.lane[nodes],
        whole.kind[nodes],
        whole.arrival[nodes],
        whole.start[nodes],
        whole.end[nodes],
        number[whole.before[nodes]],
        np.searchsorted(number[target[edges]], np.arange(len(nodes) + 1)),
        number[whole.source[edges]],
        whole.release[edges],
        whole.early[edges],
        whole.origin[edges],
        0,
        number[whole.unsure[inside[whole.unsure]]],
        whole.near,
    )


def _edges(found: Links, pieces: Pieces, start: F64, near: float) -> tuple[Links, int]:
    """The links as edges sorted by target: an edge lets go at the end of its source, or at the time of its arrow where
    the source still runs. Those whose source comes later than their target contradict the times."""
    source, target = found.source, found.target
    ended = pieces.end[source] <= start[target] + near
    release = np.where(ended, pieces.end[source], np.clip(found.release, start[source], pieces.end[source]))
    release = np.where(release <= start[target] + near, np.minimum(release, start[target]), np.inf)
    possible = (source < target) & np.isfinite(release)
    order = np.flatnonzero(possible)
    order = order[np.argsort(target[order] * len(pieces) + source[order], kind="stable")]
    early = np.clip(found.early[order], start[source[order]], release[order])
    unsure = np.concatenate((found.unsure, target[~possible & (found.origin == REGISTERS)]))
    kept = Links(source[order], target[order], release[order], early, found.origin[order], unsure)
    wrong = int(np.count_nonzero(~possible & (source != target) & (found.origin == STATED)))
    return kept, wrong


AT_ONCE: Final = 1 << 16
"""Nodes between two looks for a reason to stop."""


class Schedule(Struct, frozen=True, eq=False):
    """``start``, ``end``: float64[nodes]; ``span``: from the first arrival to the last end."""

    start: F64
    end: F64
    span: float

    def graph(self, measured: Graph) -> Graph:
        """The graph with the times of this schedule."""
        origin = float(measured.arrival.min()) if len(measured) else 0.0
        part, whole = _shares(measured, measured.release)
        begin, end = self.start[measured.source], self.end[measured.source]
        release = np.where(whole, end, begin + part * (end - begin))
        arrival = np.where(measured.before >= 0, self.end[measured.before], origin)
        return replace(
            measured, arrival=np.minimum(arrival, self.start), start=self.start, end=self.end, release=release
        )


def replay(
    graph: Graph,
    factor: F64 | None = None,
    *,
    length: F64 | None = None,
    lags: bool = True,
    look: Callable[[], None] = nothing,
) -> Schedule:
    """Every node begins when the last of what it waits for lets it go, plus the lag that it had when measured.
    ``factor``: float64[nodes], what durations are multiplied by, or ``length``: other durations; without ``lags`` the
    schedule is the longest path: no schedule that keeps dependencies and the order of lanes can be shorter. O(nodes +
    edges). ``look`` is called at times, and may raise to stop."""
    count = len(graph)
    if not count:
        return Schedule(np.empty(0), np.empty(0), 0.0)
    measured_work = graph.end - graph.start if lags or graph.least is None else graph.least
    scaled = measured_work if length is None else length
    scaled = scaled if factor is None else scaled * factor
    origin = float(graph.arrival.min())
    measured = _latest_release(graph, origin)
    lag = np.maximum(graph.start - measured, 0.0) if lags else np.zeros(count)
    part, _ = _shares(graph, graph.release if lags else graph.early)
    chains = _chains(graph, lag + scaled)
    passed = chains.after[graph.source] - (1.0 - part) * scaled[graph.source]
    ends = chains.ends(graph, origin, lag + scaled, passed, look)
    return Schedule(ends - scaled, ends, float(ends.max()) - origin)


class _Chains(Struct, frozen=True, eq=False):
    """Nodes that wait for nothing but the one before them on their lane follow at once: their times need no step of
    their own. ``heads``: int64[chains], the first node of each, in order; ``chain``: int64[nodes]; ``after``:
    float64[nodes], the time from the end of the head to that of each node."""

    heads: I64
    chain: I64
    after: F64

    def ends(self, graph: Graph, origin: float, step: F64, passed: F64, look: Callable[[], None]) -> F64:
        """float64[nodes]: when each ends. ``step``: float64[nodes], its lag and work; ``passed``: float64[edges], the
        time from the end of the head of the source to when the edge lets go."""
        before = graph.before[self.heads]
        rows = zip(
            np.where(before >= 0, self.chain[before], -1).tolist(),
            self.after[before].tolist(),
            step[self.heads].tolist(),
            graph.first[self.heads + 1].tolist(),
            strict=True,
        )
        source, later = self.chain[graph.source].tolist(), passed.tolist()
        ends: list[float] = []
        edge = 0
        for number, (chain, after, work, limit) in enumerate(rows):
            if not number % AT_ONCE:
                look()
            begin = origin if chain < 0 else ends[chain] + after
            while edge < limit:
                free = ends[source[edge]] + later[edge]
                if free > begin:
                    begin = free
                edge += 1
            ends.append(begin + work)
        result: F64 = np.array(ends)[self.chain] + self.after
        return result


def _chains(graph: Graph, step: F64) -> _Chains:
    """``step``: float64[nodes], the lag and the work of each."""
    order = stable_order(graph.lane, int(graph.lane.max(initial=-1)) + 1)
    follows = np.zeros(len(graph), np.bool_)
    follows[order[1:]] = graph.before[order[1:]] == order[:-1]
    follows &= graph.first[1:] == graph.first[:-1]
    head = np.maximum.accumulate(np.where(follows[order], 0, np.arange(len(order))))
    passed = np.cumsum(step[order])
    chain, after = np.empty(len(graph), np.int64), np.empty(len(graph))
    chain[order] = (np.cumsum(~follows) - 1)[order[head]]
    after[order] = passed - passed[head]
    return _Chains(np.flatnonzero(~follows), chain, after)


def _latest_release(graph: Graph, origin: float) -> F64:
    """float64[nodes]: when the last of what each node waits for let it go."""
    latest = np.where(graph.before >= 0, graph.end[graph.before], origin)
    some = np.flatnonzero(np.diff(graph.first))
    if len(some):
        latest[some] = np.maximum(latest[some], np.maximum.reduceat(graph.release, graph.first[some]))
    return latest


def _shares(graph: Graph, release: F64) -> tuple[F64, Bool]:
    """(float64[edges]: the share of its source that runs before an edge lets go; bool[edges]: whether that is all)."""
    length = graph.end[graph.source] - graph.start[graph.source]
    passed = release - graph.start[graph.source]
    share = np.divide(passed, length, out=np.ones(len(length)), where=length > 0)
    return np.clip(share, 0.0, 1.0), release >= graph.end[graph.source]
