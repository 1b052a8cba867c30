"""Programs and what they run as a graph, with sums over everything below a program that count shared parts once."""

from __future__ import annotations

import itertools
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.dominators import Dominators, dominators
from app.analysis.poplar.heights import Heights, heights, reaching, rows
from app.analysis.poplar.trees import edges
from app.profile.arrays import I32, I64, Bool, Ragged, combine_at, distinct, numbered, reverse
from app.profile.poplar import Programs

LARGEST: Final = float(1 << 62)


class ProgramGraph(Struct, frozen=True, eq=False):
    """Programs, and as further nodes below them the compute sets and exchanges that several programs run. ``users``:
    int64, the programs that run a shared one; ``shared``: int64, the node that each of them runs."""

    below: Ragged
    heights: Heights
    dominators: Dominators
    users: I64
    shared: I64


def program_graph(programs: Programs, resource: I64, without: Bool | None = None) -> ProgramGraph:
    """``resource``: int64[programs], the number of the set or exchange that each runs, -1 for none. ``without``:
    bool[programs], those that have nothing below them, because they did not run."""
    below = edges(programs)
    count = len(programs)
    if without is not None:
        below = Ragged.of(np.where(without, 0, below.lengths), below.items[~without[below.owner]])
        resource = np.where(without, -1, resource)
    users = np.flatnonzero(resource >= 0)
    times = np.bincount(resource[users])
    users = users[times[resource[users]] > 1]
    parts, place = numbered(resource[users])
    nodes = count + len(parts)
    target = count + place
    full = _with_leaves(below, users, target, nodes)
    above = reverse(full)
    levels = heights(full, above)
    roots = programs.control[(programs.control >= 0) & (programs.control < count)].astype(np.int64)
    if without is not None:
        roots = roots[~without[roots]]
    return ProgramGraph(full, levels, dominators(full, above, levels, roots), users, target)


def _with_leaves(below: Ragged, users: I64, leaves: I64, nodes: int) -> Ragged:
    """The graph with further nodes at its end, one below each of ``users`` (ascending)."""
    lengths = np.zeros(nodes, np.int64)
    lengths[: len(below)] = below.lengths
    lengths[users] += 1
    items = np.insert(below.items.astype(np.int64), below.first[users + 1], leaves) if len(users) else below.items
    return Ragged.of(lengths, items)


def total_bytes(graph: ProgramGraph, own: I64) -> I64:
    """int64[programs]: the bytes (-1: unknown) of each and of all below, each set and exchange once; -1 if unknown."""
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
    """int64[programs]: the cycles (-1: none) of each and of all below; -1 if something below is also run by others,
    because the file does not say whose runs they were."""
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
    """Whether no sum of them can overflow."""
    return bool(weights.sum(dtype=np.float64) < LARGEST)


U64: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint64]]

MOST_WORK: Final = 40_000_000
"""Limit of edge visits for the sums of open nodes (some hundred ms); beyond it they stay unknown."""
BITS: Final = 64
MISSING: Final = -1
UNKNOWN: Final = -(1 << 62)


def distinct_sums(below: Ragged, tree: Dominators, weights: I64) -> I64:
    """int64[nodes]: the sum of ``weights`` (int64[nodes], not negative) over each node and all below it, each counted
    once; MISSING for nodes on or above a cycle. Exact: what a node dominates is added up along the dominator tree;
    nodes that share parts with others carry sets of these parts, and are MISSING too if that is too much work."""
    sums = tree.sums(weights).astype(np.int64)
    shares = tree.open_to(below, np.ones(len(below), np.bool_))
    if bool(shares.any()):
        own = _without_shared(tree, shares, sums, weights)
        sums[shares] = (own + _shared_sums(below, tree, shares, own))[shares]
    sums[(sums < 0) | ~tree.heights.ends] = MISSING
    return sums


def _without_shared(tree: Dominators, shares: Bool, sums: I64, weights: I64) -> I64:
    """int64[nodes]: for closed nodes their sum; for open ones the sum of what is reached without passing a join."""
    own = np.append(np.where(shares, weights, sums), 0)
    above_open = np.append(shares, False)[tree.of]
    for height in range(tree.heights.levels):
        level = tree.heights.level(height)
        level = level[above_open[level] & ~tree.joins[level]]
        combine_at(np.add, own, tree.of[level], own[level])
    return own[:-1]


def _shared_sums(below: Ragged, tree: Dominators, shares: Bool, own: I64) -> I64:
    """int64[nodes]: for open nodes (``shares``) the sum over the joins that each reaches; UNKNOWN (far below zero) if
    that is too much work. Open nodes without an open child refer to all of their joins directly."""
    owner, item = rows(below, np.flatnonzero(shares))
    joined, inner = tree.joins[item], shares[item]
    high = np.zeros(len(below), np.bool_)
    high[owner[inner]] = True
    out = np.zeros(len(below), np.int64)
    low = joined & ~high[owner]
    key = distinct(owner[low] * len(below) + item[low])
    combine_at(np.add, out, key // len(below), own[key % len(below)])
    wanted = np.flatnonzero(high)
    if not len(wanted):
        return out
    place = np.full(len(below), -1, np.int64)
    place[wanted] = np.arange(len(wanted))
    users, parts = _seeds(below, tree, owner[high[owner]], item[high[owner]], shares & ~high)
    inner &= high[item]
    upward = _Upward.of(place[owner[inner]], place[item[inner]], tree.heights.height[owner[inner]])
    added = _by_chunks(place[users], parts, upward, own, len(wanted))
    out[wanted] = UNKNOWN if added is None else added
    return out


def _seeds(below: Ragged, tree: Dominators, owner: I64, item: I64, low: Bool) -> tuple[I64, I64]:
    """(node, join) pairs: the joins that each node refers to, directly or through one of the ``low`` nodes."""
    joined, onto_low = tree.joins[item], low[item]
    under = below.gather(item[onto_low])
    through, beyond = np.repeat(owner[onto_low], under.lengths), under.items.astype(np.int64)
    joins = tree.joins[beyond]
    return np.append(owner[joined], through[joins]), np.append(item[joined], beyond[joins])


def _by_chunks(users: I64, joins: I64, upward: _Upward, own: I64, count: int) -> I64 | None:
    """int64[count]: the sum over all joins that reach each node, 64 joins at a time; None if that is too much work."""
    parts, number = numbered(joins)
    if -(-len(parts) // BITS) * (len(upward.owner) + count) > MOST_WORK:
        return None
    order = np.argsort(number, kind="stable")
    number, users = number[order], users[order]
    cuts = np.searchsorted(number, np.arange(0, len(parts) + BITS, BITS)).tolist()
    out = np.zeros(count, np.int64)
    for chunk, (start, stop) in enumerate(itertools.pairwise(cuts)):
        bits = np.left_shift(np.uint64(1), (number[start:stop] % BITS).astype(np.uint64))
        masks = np.zeros(count, np.uint64)
        combine_at(np.bitwise_or, masks, users[start:stop], bits)
        upward.spread(masks)
        out += _weighed(masks, own[parts[chunk * BITS : (chunk + 1) * BITS]])
    return out


class _Upward(Struct, frozen=True, eq=False):
    """Edges among open nodes, grouped by the height of the upper one: group g is ``first[g]`` .. ``first[g + 1]``."""

    owner: I64
    item: I64
    first: list[int]

    @classmethod
    def of(cls, owner: I64, item: I64, height: I32) -> _Upward:
        order = np.argsort(height, kind="stable")
        first = np.append(np.flatnonzero(np.diff(height[order], prepend=-1)), len(owner))
        return cls(owner[order], item[order], first.tolist())

    def spread(self, masks: U64) -> None:
        """Propagates the bits of each node to those above it."""
        for start, stop in itertools.pairwise(self.first):
            combine_at(np.bitwise_or, masks, self.owner[start:stop], masks[self.item[start:stop]])


def _weighed(masks: U64, weights: I64) -> I64:
    """int64: the sum of the weights of each mask's bits, by a table lookup per byte."""
    out = np.zeros(len(masks), np.int64)
    padded = np.zeros(BITS, np.int64)
    padded[: len(weights)] = weights
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    for byte in range(BITS // 8):
        sums = bits @ padded[8 * byte : 8 * byte + 8]
        out += sums[(masks >> np.uint64(8 * byte) & np.uint64(255)).astype(np.intp)]
    return out
