"""Who waits for whom, and how long: the waits of a timeline one by one, and those of a core by pipe."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.pipes import NO_PIPES
from app.analysis.time.classes import SET, WORK
from app.analysis.time.graph import Graph
from app.analysis.time.links import INFERRED as INFERRED_LINK
from app.analysis.time.links import STATED, core_of_lane, pipe_lanes
from app.analysis.time.model import CoreTime, TimeModel
from app.analysis.time.path import DATA_WAIT, RESOURCE_WAIT, Path, latest_edges
from app.analysis.timeline.intervals import union
from app.analysis.timeline.statistics import before
from app.language import tr
from app.profile.arrays import F64, I64, U8, Bool
from app.profile.pipes import PIPES, STATES
from app.profile.timeline import Timeline

INFERRED: Final = " (inferred)"
"""Behind causes that the file does not state. The same in every language, as all that programs read."""
BY_REGISTERS: Final = " (inferred from registers)"
"""The same where what was waited for wrote a register."""
MARKS: Final = ("", INFERRED, BY_REGISTERS)
"""By origin."""


class Waits(Struct, frozen=True, eq=False):
    """``node``: int64, what waits: waits and barriers, and work that the critical path waits for before its start;
    ``held``: bool, whether it is a wait or a barrier; ``cause``: int64, the node that was waited for, -1 if unknown;
    ``time``, ``on_path``: float64, how long, and how much of it on the critical path; ``origin``: uint8, how the cause
    is known (as in a graph)."""

    node: I64
    held: Bool
    cause: I64
    time: F64
    on_path: F64
    origin: U8


def all_waits(model: TimeModel) -> Waits:
    """All waits of a timeline, in the order of the nodes."""
    graph, path = model.graph, model.path
    gaps = np.flatnonzero((path.part == DATA_WAIT) | (path.part == RESOURCE_WAIT))
    on_path = np.bincount(path.node[gaps], path.times[gaps], minlength=len(graph)).astype(np.float64)
    held = _held(graph)
    edge = np.where(held, latest_edges(graph), -1)
    node = np.flatnonzero(held | (on_path > 0))
    cause, origin = np.full(len(graph), -1, np.int64), np.full(len(graph), STATED, np.uint8)
    known = np.flatnonzero(edge >= 0)
    cause[known], origin[known] = graph.source[edge[known]], graph.origin[edge[known]]
    of_gaps, likely = path_causes(model.timeline, graph, path)
    own = gaps[~held[path.node[gaps]]]
    cause[path.node[own]], origin[path.node[own]] = of_gaps[own], likely[own]
    time = np.where(held, graph.end - graph.arrival, on_path)
    return Waits(node, held[node], cause[node], time[node], on_path[node], origin[node])


def _held(graph: Graph) -> Bool:
    """bool[nodes]: waits and barriers that last."""
    held: Bool = ~graph.works & (graph.end > graph.arrival)
    return held


def path_causes(timeline: Timeline, graph: Graph, path: Path) -> tuple[I64, U8]:
    """(int64[pieces]: the node that each piece waited for, a likely one where the file states none, -1 if unknown;
    uint8[pieces]: how it is known, as in a graph)."""
    cause, origin = path.cause.copy(), path.origin.copy()
    gaps = np.flatnonzero((path.part == RESOURCE_WAIT) & (cause < 0))
    cause[gaps] = _likely_causes(timeline, graph, path.node[gaps])
    origin[gaps[cause[gaps] >= 0]] = INFERRED_LINK
    return cause, origin


def _likely_causes(timeline: Timeline, graph: Graph, nodes: I64) -> I64:
    """int64: for each node whose wait nothing explains, the work of another pipe of its core that ended in the tick in
    which it began; -1 for none, and for lanes that are no pipes."""
    core = np.where(pipe_lanes(timeline), core_of_lane(timeline), -1)[graph.lane]
    works = np.flatnonzero((core >= 0) & ((graph.kind == WORK) | (graph.kind == SET)))
    works = works[np.lexsort((graph.end[works], core[works]))]
    if not len(works):
        return np.full(len(nodes), -1, np.int64)
    at = graph.start[nodes]
    near = np.maximum(graph.near, 2 * np.spacing(np.abs(at)))
    low, high = (np.searchsorted(core[works], core[nodes], side) for side in ("left", "right"))
    place = before(graph.end[works], low, high, at + near)
    found = works[np.maximum(place, 0)]
    good = (place >= low) & (graph.end[found] >= at - near) & (graph.lane[found] != graph.lane[nodes])
    return np.where(good & (core[nodes] >= 0), found, -1)


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
    """Those of the pipes of a core, the longest first."""
    graph = core.graph
    pipe_of = {lane: pipe for pipe, lanes in core.lanes.lanes.items() for lane in lanes}
    nodes = np.flatnonzero(_held(graph))
    cause = latest_edges(graph)[nodes]
    groups: dict[tuple[str, str], list[int]] = {}
    for place, (node, edge) in enumerate(zip(nodes.tolist(), cause.tolist(), strict=True)):
        waiting = pipe_of[int(graph.lane[node])]
        awaited = pipe_of[int(graph.lane[graph.source[edge]])] if edge >= 0 else named_pipe(timeline, graph, node)
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


def named_pipe(timeline: Timeline, graph: Graph, node: int) -> str:
    """The pipe that sets the flag of a wait, as the slice calls it: MTE2 of ``WAIT_FLAG.MTE2.V``; "" if it does not."""
    parts = timeline.strings.get(int(timeline.slices.name[graph.slice[node]])).split(".")
    setter = parts[1].upper() if len(parts) > 2 else ""
    return setter if setter in PIPES else STATES.get(setter, "")
