"""Lower bounds of what remains after a change. Every real schedule that the change allows contains what a floor
counts, so "saves at most" (the span without the floor) always holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.time.classes import BARRIER, SET, WAIT
from app.analysis.time.classes import WORK as WORK_CLASS
from app.analysis.time.graph import Graph
from app.analysis.timeline.intervals import union
from app.profile.arrays import F64, I64, Bool

FORWARD: Final[Mapping[str, frozenset[str]]] = {
    "SCALAR": frozenset({"MTE2", "MTE1", "CUBE", "FIXP", "MTE3", "VECTOR"}),
    "MTE2": frozenset({"MTE1", "CUBE", "FIXP", "MTE3", "VECTOR"}),
    "MTE1": frozenset({"CUBE", "FIXP", "MTE3"}),
    "CUBE": frozenset({"FIXP", "MTE3"}),
    "FIXP": frozenset({"MTE3"}),
    "VECTOR": frozenset({"MTE3"}),
}
"""Where data go from each pipe, at once or later. A flag in the other direction releases a buffer."""


class Floor(Struct, frozen=True):
    """``value``: the least that remains; ``by``: what fills it (a pipe, "" for a chain); ``head``, ``own``, ``tail``:
    what has to come before its work, that work, what has to follow."""

    value: float
    by: str
    head: float = 0.0
    own: float = 0.0
    tail: float = 0.0


def overlap_floor(graph: Graph, pipe: Sequence[str]) -> Floor:
    """What remains of a core whose buffers never make a pipe wait (double buffering, earlier flags): for the busiest
    pipe what must come before its first work, its own work, and what must follow its last; or the longest chain.
    ``pipe``: the pipe of each node, "" for others."""
    names = sorted(set(pipe))
    number = {name: place for place, name in enumerate(names)}
    of_node = np.array([number[name] for name in pipe], np.int64)
    allowed = np.array([[two in FORWARD.get(one, ()) for two in names] for one in names], np.bool_)
    target = graph.target
    kept = allowed[of_node[graph.source], of_node[target]] if len(target) else np.zeros(0, np.bool_)
    head, tail = chains(graph, kept)
    length = graph.end - graph.start
    chain = Floor(float((head + length).max(initial=0.0)), "")
    floors = [chain]
    for place, name in enumerate(names):
        own = np.flatnonzero((graph.kind == WORK_CLASS) & (of_node == place))
        if name and len(own):
            before, work, after = float(head[own].min()), worked(graph, own), float(tail[own].min())
            floors.append(Floor(before + work + after, name, before, work, after))
    return max(floors, key=lambda floor: (floor.value, floor.by != ""))


def worked(graph: Graph, nodes: I64) -> float:
    """The time in which any of ``nodes`` works: a pipe may have several at once, and each moment counts once."""
    start, end = graph.start[nodes], graph.end[nodes]
    order = np.argsort(start, kind="stable")
    lasting = order[end[order] > start[order]]
    return union(start[lasting], end[lasting]).total


def chains(graph: Graph, kept: Bool) -> tuple[F64, F64]:
    """(float64[nodes]: the most work that must come before each node; float64[nodes]: that must follow it) over the
    edges in ``kept`` (bool[edges]). A flag is set after the work before it in its lane, and a wait holds the work after
    it. O(nodes + edges)."""
    count = len(graph)
    length = (graph.end - graph.start).tolist()
    head, tail = [0.0] * count, [0.0] * count
    pairs = _pairs(graph, kept)
    for source, target, share in pairs:
        head[target] = max(head[target], head[source] + share * length[source])
    for source, target, share in reversed(pairs):
        after = length[target] + tail[target] - (1.0 - share) * length[source]
        tail[source] = max(tail[source], after)
    return np.array(head), np.array(tail)


def _pairs(graph: Graph, kept: Bool) -> list[tuple[int, int, float]]:
    """Edges by rising target: (source, target, share of the source that must have run)."""
    edges = np.flatnonzero(kept)
    source, target = graph.source[edges], graph.target[edges]
    length = graph.end[source] - graph.start[source]
    passed = graph.release[edges] - graph.start[source]
    share = np.clip(np.divide(passed, length, out=np.ones(len(edges)), where=length > 0), 0.0, 1.0)
    near = _neighbours(graph)
    sources = np.concatenate((source, graph.before[near]))
    targets = np.concatenate((target, near))
    shares = np.concatenate((share, np.ones(len(near))))
    order = np.lexsort((sources, targets))
    return list(zip(sources[order].tolist(), targets[order].tolist(), shares[order].tolist(), strict=True))


def _neighbours(graph: Graph) -> I64:
    """int64: nodes bound to the one before in their lane: the setting of a flag to the work before it, work to the wait
    before it."""
    known = graph.before >= 0
    before = graph.kind[np.maximum(graph.before, 0)]
    return np.flatnonzero(known & ((graph.kind == SET) | (before == WAIT) | (before == BARRIER)))


def pool_floor(graph: Graph, group: Sequence[str], size: Mapping[str, int]) -> Floor:
    """What remains if tasks may run on any core of their kind: the longest chain of dependencies, or the work of a kind
    divided by its cores. ``group``: the kind of core of each node; ``size``: cores of each kind."""
    head, _ = chains(graph, np.ones(len(graph.source), np.bool_))
    length = graph.end - graph.start
    best = Floor(float((head + length).max(initial=0.0)), "")
    kinds = np.array(group)
    for name, cores in size.items():
        shared = float(length[kinds == name].sum()) / max(cores, 1)
        best = max(best, Floor(shared, name, own=shared), key=lambda floor: floor.value)
    return best


def best_chain(start: F64, end: F64, weight: F64) -> float:
    """The largest sum of ``weight`` over intervals of which no two overlap: a path cannot hold two that run at once, so
    no more than this can leave it. O(n log n)."""
    order = np.argsort(end, kind="stable")
    starts, ends, weights = start[order], end[order], weight[order]
    if bool((starts[1:] >= ends[:-1]).all()):
        return float(np.maximum(weights, 0.0).sum())
    place = np.searchsorted(ends, starts, "right")
    place = np.minimum(place, np.arange(len(order)))
    best = [0.0] * (len(order) + 1)
    for index, (before, own) in enumerate(zip(place.tolist(), weights.tolist(), strict=True)):
        best[index + 1] = max(best[index], best[before] + own)
    return best[-1]


SKEW: Final = 1e-3
"""Share of the cycles of steps by which the times of their tiles may differ (the delays of a sync alone do so)."""


class StepFloor(Struct, frozen=True):
    """``value``: the least that remains of a run; ``estimated``: whether tiles start the same step at different times
    (or the file does not say when), so that it is not known which steps overlap."""

    value: float
    estimated: bool = False


def shortened_floor(span: float, start: F64, end: F64, cycles: F64, saved: F64, other: float = 0.0) -> StepFloor:
    """What remains of a run of ``span`` cycles if each of these steps takes ``saved`` less (balanced, on all threads,
    removed). ``start``, ``end``: float64[steps], when any tile runs it, negative if unknown; ``cycles``:
    float64[steps], of the longest tile; ``other``: the largest work of one resource that stays."""
    if not len(cycles):
        return StepFloor(span)
    other = max(other, float((cycles - saved).max()))
    known = bool((start >= 0).all() and (end >= start).all())
    if not known or float(np.maximum(end - start - cycles, 0).sum()) > SKEW * float(cycles.sum()):
        return StepFloor(min(max(span - float(saved.sum()), other), span), True)
    chain = best_chain(start, np.minimum(end, start + cycles), saved)
    return StepFloor(min(max(span - chain, other), span))


def hidden_floor(works: Mapping[str, float]) -> Floor:
    """What remains if transfers or communication run while the rest works: the largest work of one resource, which does
    one thing at a time (the tiles of an IPU, a stream, a link). ``works``: by resource."""
    by = max(works, key=lambda name: works[name], default="")
    return Floor(works.get(by, 0.0), by, own=works.get(by, 0.0))


def even_floor(groups: Iterable[F64]) -> float:
    """What remains if the work of each group is spread evenly over its members: the largest mean."""
    return max((float(times.mean()) for times in groups if len(times)), default=0.0)


def at_most(span: float, floor: float) -> float:
    """What can be saved at most: never below zero."""
    return max(span - floor, 0.0)
