"""The critical path: the chain of work and waits that fills the span of a timeline; and how far it rests on
registers, dependencies that no flag or arrow of the file states."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import numpy.typing as npt
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


def critical_path(graph: Graph, scope: tuple[float, float] | None = None) -> Path:
    """Walks back from the last end: at a node its work, then what let it go last: a dependency (the gap is data wait),
    or the end of what the lane did before (resource wait). What neither explains is outside, as is all of ``scope``
    (None: from the first arrival to the last end) before the first and after the last node."""
    if not len(graph):
        return _path(*((-1, OUTSIDE, *scope, -1, STATED) if scope is not None else ((),) * 6))
    first, last = (float(graph.arrival.min()), float(graph.end.max())) if scope is None else scope
    edge = latest_edges(graph)
    node, begun, left, data = _walk(graph, edge, int(np.flatnonzero(graph.end == graph.end.max())[-1]))
    following = np.append(node[1:], -1)
    wait, nothing = np.where(data, DATA_WAIT, RESOURCE_WAIT), np.full(len(node), -1)
    stated = np.full(len(node), STATED, np.uint8)
    origin = stated.copy()
    origin[data] = graph.origin[edge[node[data]]]
    # From the last moment back: outside, then work and gap of each node, of which the first has no gap, and outside.
    columns = (
        (-1, node, node, -1),
        (OUTSIDE, np.full(len(node), WORK), wait, OUTSIDE),
        (left[0], begun, np.append(left[1:], begun[-1]), first),
        (last, left, begun, begun[-1]),
        (-1, nothing, np.where(data, following, -1), -1),
        (STATED, stated, origin, STATED),
    )
    rows = [np.concatenate(([a], np.stack(pair, axis=1).ravel(), [b]))[::-1] for a, *pair, b in columns]
    lasting = rows[3] > rows[2]
    return _path(*(row[lasting] for row in rows))


def _walk(graph: Graph, edge: I64, node: int) -> tuple[I64, F64, F64, Bool]:
    """The nodes on the way back from the end of ``node``, when each began to work and when it was left, and whether the
    ``edge`` that let it go last leads on. No node is left before it began: an edge lets go within its source."""
    some = np.flatnonzero(edge >= 0)
    ended = np.where(graph.before >= 0, np.minimum(graph.end[graph.before], graph.start), -np.inf)
    by_edge = np.zeros(len(graph), np.bool_)
    by_edge[some] = graph.release[edge[some]] >= ended[some]
    along = np.flatnonzero(by_edge)
    following, left = graph.before.copy(), ended
    following[along], left[along] = graph.source[edge[along]], graph.release[edge[along]]
    after = following.tolist()
    nodes = []
    while node >= 0:
        nodes.append(node)
        node = after[node]
    way = np.array(nodes, np.int64)
    at = np.concatenate((graph.end[way[:1]], left[way[:-1]]))
    return way, np.minimum(graph.start[way], at), at, by_edge[way]


def no_path() -> Path:
    """A path without pieces."""
    return _path(*((),) * 6)


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


def _path(*columns: npt.ArrayLike) -> Path:
    kinds = (np.int64, np.uint8, np.float64, np.float64, np.int64, np.uint8)
    return Path(*(np.array(column, kind, ndmin=1) for column, kind in zip(columns, kinds, strict=True)))


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
