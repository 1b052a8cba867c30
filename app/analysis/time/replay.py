"""Another schedule of the same work: with durations scaled, or without the gaps that nothing explains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.time.graph import Graph, nothing
from app.profile.arrays import F64, Bool

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
    scaled = graph.end - graph.start if length is None else length
    scaled = scaled if factor is None else scaled * factor
    origin = float(graph.arrival.min())
    measured = _latest_release(graph, origin)
    lag = np.maximum(graph.start - measured, 0.0) if lags else np.zeros(count)
    part, whole = _shares(graph, graph.release if lags else graph.early)
    start, end = [0.0] * count, [0.0] * count
    first, source = graph.first.tolist(), graph.source.tolist()
    shares, wholes = part.tolist(), whole.tolist()
    rows = zip(graph.before.tolist(), lag.tolist(), scaled.tolist(), strict=True)
    limit = 0
    for node, (before, wait, work) in enumerate(rows):
        if not node % AT_ONCE:
            look()
        begin = origin if before < 0 else end[before]
        edge, limit = limit, first[node + 1]
        while edge < limit:
            other = source[edge]
            free = end[other] if wholes[edge] else start[other] + shares[edge] * (end[other] - start[other])
            if free > begin:
                begin = free
            edge += 1
        begin += wait
        start[node] = begin
        end[node] = begin + work
    ends = np.array(end)
    return Schedule(np.array(start), ends, float(ends.max()) - origin)


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
