"""The critical path: the chain of work and waits that fills the span of a timeline."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.time.graph import Graph
from app.profile.arrays import F64, I64, U8, Bool

WORK, DATA_WAIT, RESOURCE_WAIT, OUTSIDE = range(4)
PARTS: Final = ("work", "data_wait", "resource_wait", "outside")


class Path(Struct, frozen=True, eq=False):
    """From the first to the last moment; each piece begins where the one before ends. ``node``: int64, which works, or
    which waits for its start; -1 outside. ``part``: uint8, a place in PARTS; ``start``, ``end``: float64; ``cause``:
    int64, the node that was waited for, -1 if unknown; ``inferred``: bool, that the file does not state it."""

    node: I64
    part: U8
    start: F64
    end: F64
    cause: I64
    inferred: Bool

    def __len__(self) -> int:
        return len(self.node)

    @property
    def times(self) -> F64:
        """float64[pieces]"""
        return self.end - self.start

    def total(self, part: int) -> float:
        """The time of all pieces of a part."""
        return float(self.times[self.part == part].sum())


def critical_path(graph: Graph, scope: tuple[float, float] | None = None) -> Path:
    """Walks back from the last end: at a node its work, then what let it go last: a dependency (the gap is data wait),
    or the end of what the lane did before (resource wait). What neither explains is outside, as is all of ``scope``
    (None: from the first arrival to the last end) before the first and after the last node."""
    made: list[tuple[int, int, float, float, int, bool]] = []
    if not len(graph):
        return _path(made if scope is None else [(-1, OUTSIDE, *scope, -1, False)])
    first, last = (float(graph.arrival.min()), float(graph.end.max())) if scope is None else scope
    node = int(np.lexsort((np.arange(len(graph)), graph.end))[-1])
    at = float(graph.end[node])
    if last > at:
        made.append((-1, OUTSIDE, at, last, -1, False))
    start, end, before = graph.start, graph.end, graph.before
    while True:
        begun = min(float(start[node]), at)
        if at > begun:
            made.append((node, WORK, begun, at, -1, False))
        edge, release = _latest(graph, node)
        lane = int(before[node])
        ended = min(float(end[lane]), begun) if lane >= 0 else -np.inf
        if edge < 0 and lane < 0:
            at = begun
            break
        if edge >= 0 and release >= ended:
            gap = (node, DATA_WAIT, release, begun, int(graph.source[edge]), bool(graph.inferred[edge]))
            node, at = int(graph.source[edge]), release
        else:
            gap = (node, RESOURCE_WAIT, ended, begun, -1, False)
            node, at = lane, ended
        if gap[3] > gap[2]:
            made.append(gap)
    if at > first:
        made.append((-1, OUTSIDE, first, at, -1, False))
    return _path(made[::-1])


def _latest(graph: Graph, node: int) -> tuple[int, float]:
    """The edge that let a node go last, and when; (-1, -inf) without edges."""
    a, b = int(graph.first[node]), int(graph.first[node + 1])
    if a == b:
        return -1, -np.inf
    edge = a + int(np.argmax(graph.release[a:b]))
    return edge, float(graph.release[edge])


def _path(made: list[tuple[int, int, float, float, int, bool]]) -> Path:
    node, part, start, end, cause, inferred = zip(*made, strict=True) if made else ((),) * 6
    return Path(
        np.array(node, np.int64),
        np.array(part, np.uint8),
        np.array(start, np.float64),
        np.array(end, np.float64),
        np.array(cause, np.int64),
        np.array(inferred, np.bool_),
    )
