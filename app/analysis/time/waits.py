"""The waits of a core: who waits for whom, and how long."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.ascend.pipes import NO_PIPES
from app.analysis.time.classes import BARRIER, WAIT
from app.analysis.time.graph import Graph
from app.analysis.time.model import CoreTime
from app.analysis.timeline.intervals import union
from app.language import tr
from app.profile.arrays import I64, expand
from app.profile.pipes import PIPES, STATES
from app.profile.timeline import Timeline


class Wait(Struct, frozen=True):
    """``time`` in which ``waiting`` is held by flags, barriers or events of ``awaited`` ("" unknown), each moment
    counted once, in the unit of the timeline; ``count`` waits, the longest of which is the slice ``longest``;
    ``inferred``: whether the file names none of those that let it go."""

    waiting: str
    awaited: str
    time: float
    count: int
    longest: int
    inferred: bool

    @property
    def pair(self) -> str:
        if not self.awaited:
            return self.waiting
        return tr("{waiting} for {awaited}", waiting=self.waiting, awaited=self.awaited)


def waits_of(timeline: Timeline, core: CoreTime) -> list[Wait]:
    """The longest first."""
    graph = core.graph
    pipe_of = {lane: pipe for pipe, lanes in core.lanes.lanes.items() for lane in lanes}
    nodes = np.flatnonzero(((graph.kind == WAIT) | (graph.kind == BARRIER)) & (graph.end > graph.arrival))
    cause = _causes(graph, nodes)
    groups: dict[tuple[str, str], list[int]] = {}
    for place, (node, edge) in enumerate(zip(nodes.tolist(), cause.tolist(), strict=True)):
        waiting = pipe_of[int(graph.lane[node])]
        awaited = pipe_of[int(graph.lane[graph.source[edge]])] if edge >= 0 else _named(timeline, graph, node)
        if waiting not in NO_PIPES:
            groups.setdefault((waiting, awaited if awaited != waiting else ""), []).append(place)
    made = []
    for (waiting, awaited), places in groups.items():
        own, edges = nodes[places], cause[places]
        start, end = graph.arrival[own], graph.end[own]
        order = np.argsort(start, kind="stable")
        time = union(start[order], end[order]).total
        longest = int(graph.slice[own[(end - start).argmax()]])
        inferred = not awaited or bool((edges < 0).all() or graph.inferred[edges[edges >= 0]].all())
        made.append(Wait(waiting, awaited, time, len(own), longest, inferred))
    return sorted(made, key=lambda wait: -wait.time)


def _causes(graph: Graph, nodes: I64) -> I64:
    """int64[nodes]: the edge that let each go last, -1 without edges."""
    first, end = graph.first[nodes], graph.first[nodes + 1]
    edges = expand(first, end)
    owner = np.repeat(np.arange(len(nodes)), end - first)
    order = np.lexsort((graph.release[edges], owner))
    cause = np.full(len(nodes), -1, np.int64)
    cause[owner[order]] = edges[order]
    return cause


def _named(timeline: Timeline, graph: Graph, node: int) -> str:
    """The pipe that sets the flag, as the slice calls it: MTE2 of ``WAIT_FLAG.MTE2.V``."""
    parts = timeline.strings.get(int(timeline.slices.name[graph.slice[node]])).split(".")
    setter = parts[1].upper() if len(parts) > 2 else ""
    return setter if setter in PIPES else STATES.get(setter, "")
