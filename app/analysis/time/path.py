"""The critical path: the chain of work and waits that fills the span of a timeline; and how far it rests on
registers, dependencies that no flag or arrow of the file states."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.time.graph import Graph
from app.analysis.time.links import REGISTERS, STATED
from app.language import Message, joined, plural
from app.profile.arrays import F64, I64, U8, Bool

WORK, DATA_WAIT, RESOURCE_WAIT, OUTSIDE = range(4)
PARTS: Final[tuple[Literal["work", "data_wait", "resource_wait", "outside"], ...]] = (
    "work",
    "data_wait",
    "resource_wait",
    "outside",
)


class Path(Struct, frozen=True, eq=False):
    """From the first to the last moment; each piece begins where the one before ends. ``node``: int64, which works, or
    which waits for its start; -1 outside. ``part``: uint8, a place in PARTS; ``start``, ``end``: float64; ``cause``:
    int64, the node that was waited for, -1 if unknown; ``origin``: uint8, how that is known (as in a graph)."""

    node: I64
    part: U8
    start: F64
    end: F64
    cause: I64
    origin: U8

    @property
    def inferred(self) -> Bool:
        """bool[pieces]: that the file does not state the cause."""
        inferred: Bool = self.origin != STATED
        return inferred

    def __len__(self) -> int:
        return len(self.node)

    @property
    def times(self) -> F64:
        """float64[pieces]"""
        return self.end - self.start

    def total(self, part: int) -> float:
        """The time of all pieces of a part."""
        return float(self.times[self.part == part].sum())


_Piece: TypeAlias = tuple[int, int, float, float, int, int]


def critical_path(graph: Graph, scope: tuple[float, float] | None = None) -> Path:
    """Walks back from the last end: at a node its work, then what let it go last: a dependency (the gap is data wait),
    or the end of what the lane did before (resource wait). What neither explains is outside, as is all of ``scope``
    (None: from the first arrival to the last end) before the first and after the last node."""
    made: list[_Piece] = []
    if not len(graph):
        return _path(made if scope is None else [(-1, OUTSIDE, *scope, -1, STATED)])
    first, last = (float(graph.arrival.min()), float(graph.end.max())) if scope is None else scope
    node = int(np.lexsort((np.arange(len(graph)), graph.end))[-1])
    at = float(graph.end[node])
    if last > at:
        made.append((-1, OUTSIDE, at, last, -1, STATED))
    edges = latest_edges(graph)
    start, end, before, latest = graph.start.tolist(), graph.end.tolist(), graph.before.tolist(), edges.tolist()
    while True:
        begun = min(start[node], at)
        if at > begun:
            made.append((node, WORK, begun, at, -1, STATED))
        edge, lane = latest[node], before[node]
        release = float(graph.release[edge]) if edge >= 0 else -np.inf
        ended = min(end[lane], begun) if lane >= 0 else -np.inf
        if edge < 0 and lane < 0:
            at = begun
            break
        if edge >= 0 and release >= ended:
            gap = (node, DATA_WAIT, release, begun, int(graph.source[edge]), int(graph.origin[edge]))
            node, at = int(graph.source[edge]), release
        else:
            gap = (node, RESOURCE_WAIT, ended, begun, -1, STATED)
            node, at = lane, ended
        if gap[3] > gap[2]:
            made.append(gap)
    if at > first:
        made.append((-1, OUTSIDE, first, at, -1, STATED))
    return _path(made[::-1])


def no_path() -> Path:
    """A path without pieces."""
    return _path([])


def latest_edges(graph: Graph) -> I64:
    """int64[nodes]: of the edges that let each node go the last (the first of equals), -1 without edges."""
    found = np.full(len(graph), -1, np.int64)
    some = np.flatnonzero(np.diff(graph.first))
    if len(some):
        first = graph.first[some]
        number = np.repeat(np.arange(len(some)), np.diff(graph.first)[some])
        last = np.flatnonzero(graph.release == np.maximum.reduceat(graph.release, first)[number])[::-1]
        found[some[number[last]]] = last
    return found


def _path(made: list[_Piece]) -> Path:
    node, part, start, end, cause, origin = zip(*made, strict=True) if made else ((),) * 6
    return Path(
        np.array(node, np.int64),
        np.array(part, np.uint8),
        np.array(start, np.float64),
        np.array(end, np.float64),
        np.array(cause, np.int64),
        np.array(origin, np.uint8),
    )


class RegisterTrust(Struct, frozen=True):
    """``dependencies`` by registers; ``unsure``: registers that something reads of which the last writer is uncertain
    or had not ended, which are skipped; ``share``: of the span, 0..1, that is gaps with such a cause."""

    dependencies: int
    unsure: int
    share: float


def register_trust(graph: Graph, path: Path) -> RegisterTrust | None:
    """None for a graph in which registers play no part."""
    own = graph.origin == REGISTERS
    if not own.any() and not len(graph.unsure):
        return None
    times = path.times
    span, waited = float(times.sum()), float(times[path.origin == REGISTERS].sum())
    return RegisterTrust(int(own.sum()), len(graph.unsure), waited / span if span > 0 else 0.0)


def register_note(trust: RegisterTrust) -> Message:
    """The same as sentences."""
    text = plural(
        "No flags or arrows in the file: {count:,} dependency is inferred from registers. It explains gaps of "
        "{share} % of the critical path.",
        "No flags or arrows in the file: {count:,} dependencies are inferred from registers. They explain gaps of "
        "{share} % of the critical path.",
        count=trust.dependencies,
        share=f"{100 * trust.share:.1f}",
    )
    if not trust.unsure:
        return text
    skipped = plural(
        "{count:,} read of a register is skipped: its writer is uncertain.",
        "{count:,} reads of registers are skipped: their writers are uncertain.",
        count=trust.unsure,
    )
    return joined(" ", (text, skipped))
