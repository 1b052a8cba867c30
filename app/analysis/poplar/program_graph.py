"""Programs with what they run, as a graph: sums over all that lies below a program, nothing twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.poplar.dominators import Dominators, dominators
from app.analysis.poplar.heights import Heights, heights, numbered, reaching, reverse
from app.analysis.poplar.reach import distinct_sums
from app.analysis.poplar.trees import edges
from app.profile.arrays import I64
from app.profile.programs import Programs
from app.profile.ragged import Ragged

LARGEST: Final = float(1 << 62)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramGraph:
    """Programs, and below them (as further nodes) the compute sets and exchanges that several programs run.
    ``users``: int64, the programs that share one; ``shared``: int64, the node of what each of them runs."""

    below: Ragged
    heights: Heights
    dominators: Dominators
    users: I64
    shared: I64


def program_graph(programs: Programs, resource: I64) -> ProgramGraph:
    """``resource``: int64[programs], the number of the set or exchange that each runs, -1 for none."""
    below = edges(programs)
    count = len(programs)
    users = np.flatnonzero(resource >= 0)
    times = np.bincount(resource[users])
    users = users[times[resource[users]] > 1]
    parts, place = numbered(resource[users], len(times))
    nodes = count + len(parts)
    target = count + place
    full = _with_leaves(below, users, target, nodes)
    above = reverse(full)
    found = heights(full, above)
    roots = programs.control[(programs.control >= 0) & (programs.control < count)].astype(np.int64)
    return ProgramGraph(full, found, dominators(full, above, found, roots), users, target)


def _with_leaves(below: Ragged, users: I64, leaves: I64, nodes: int) -> Ragged:
    """The graph with further nodes at its end, one below each of ``users`` (rising)."""
    lengths = np.zeros(nodes, np.int64)
    lengths[: len(below)] = below.lengths
    lengths[users] += 1
    items = np.insert(below.items.astype(np.int64), below.first[users + 1], leaves) if len(users) else below.items
    return Ragged.of(lengths, items)


def total_bytes(graph: ProgramGraph, own: I64) -> I64:
    """int64[programs]: the bytes (-1: not known) of each and of all below, each set and exchange once; -1 where that is
    not known."""
    count, nodes = len(own), len(graph.below)
    weights, known = np.zeros(nodes, np.int64), np.zeros(nodes, np.bool_)
    weights[:count], known[:count] = np.maximum(own, 0), own >= 0
    weights[graph.shared], known[graph.shared] = weights[graph.users], known[graph.users]  # the same for all users
    weights[graph.users], known[graph.users] = 0, False
    if not _addable(weights):
        return np.full(count, -1, np.int64)
    totals = distinct_sums(graph.below, graph.dominators, weights)
    some = reaching(graph.below, graph.heights, known)
    return np.where(some, totals, -1)[:count]


def total_cycles(graph: ProgramGraph, cycles: I64) -> I64:
    """int64[programs]: the cycles (-1: none) of each and of all below; -1 where something lies below that others run
    as well, for nobody says whose those runs were."""
    count, nodes = len(cycles), len(graph.below)
    timed = np.zeros(nodes, np.bool_)
    timed[:count] = cycles >= 0
    weights = np.where(timed, np.append(cycles, np.zeros(nodes - count, np.int64)), 0)
    if not _addable(weights):
        return np.full(count, -1, np.int64)
    programs = np.arange(nodes) < count
    shared = graph.dominators.open_to(graph.below, programs & reaching(graph.below, graph.heights, timed))
    has = graph.dominators.sums(timed.astype(np.int64)) > 0
    return np.where(~shared & graph.heights.ends & has, graph.dominators.sums(weights), -1)[:count]


def _addable(weights: I64) -> bool:
    """Whether no sum of them can be too large."""
    return bool(weights.sum(dtype=np.float64) < LARGEST)
