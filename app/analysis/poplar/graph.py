"""The programs as a graph, and sums over everything below a program that count shared parts once.

The order of heights visits all nodes below another one first. Costs can only be attributed to a program for what it
dominates: what all paths to it pass through (a function that is also called from elsewhere runs for others, too).
"""

from __future__ import annotations

import itertools
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.profile.arrays import I32, I64, Bool, Ragged, combine_at, distinct, numbered, reverse
from app.profile.poplar import EXCHANGE_OF_TYPE, Programs, Steps
from app.profile.profile import Profile


def edges(programs: Programs) -> Ragged:
    """Rows of the programs directly below each: its children, and for a Call the function that it calls."""
    targets = call_targets(programs)
    calls = np.flatnonzero(targets >= 0)
    children = programs.children
    if not len(calls):
        return children
    lengths = children.lengths
    lengths[calls] += 1
    return Ragged.of(lengths, np.insert(children.items.astype(np.int64), children.first[calls + 1], targets[calls]))


def call_targets(programs: Programs) -> I64:
    """int64[programs]: the program that a Call runs (through the list of functions), -1 for none."""
    out = np.full(len(programs), -1, np.int64)
    known = np.flatnonzero((programs.call >= 0) & (programs.call < len(programs.functions)))
    out[known] = programs.functions[programs.call[known]]
    return out


def descendants(programs: Programs, roots: I64) -> I64:
    """The programs ``roots`` and all below them, ascending; safe for the cycles of a broken file."""
    below = edges(programs)
    first, items = below.first.tolist(), below.items.tolist()
    stack = [root for root in roots.tolist() if 0 <= root < len(programs)]
    seen = bytearray(len(programs))
    while stack:
        node = stack.pop()
        if not seen[node]:
            seen[node] = 1
            stack.extend(items[first[node] : first[node + 1]])
    return np.flatnonzero(np.frombuffer(seen, np.uint8)).astype(np.int64)


def on_cycles(programs: Programs) -> Bool:
    """bool[programs]: those from which a cycle is reached (recursion is not allowed, so the file is broken)."""
    below = edges(programs)
    waiting = below.lengths.tolist()
    above = reverse(below)
    parents, first = above.items.tolist(), above.first.tolist()
    stack = [node for node, count in enumerate(waiting) if not count]
    open_ = np.ones(len(programs), np.bool_)
    while stack:
        node = stack.pop()
        open_[node] = False
        for parent in parents[first[node] : first[node + 1]]:
            waiting[parent] -= 1
            if not waiting[parent]:
                stack.append(parent)
    return open_


def exchange_numbers(profile: Profile, of: Programs | Steps) -> I64:
    """int64: the exchange of each program or step, numbered over all kinds; -1 none."""
    out = np.full(len(of), -1, np.int64)
    exchanges = profile.exchanges
    if exchanges is None:
        return out
    for name, kind in EXCHANGE_OF_TYPE.items():
        if (listed := exchanges.of(kind)) is not None:
            rows = of.of_type(name)
            rows = rows[(of.exchange[rows] >= 0) & (of.exchange[rows] < len(listed))]
            out[rows] = exchanges.first(kind) + of.exchange[rows]
    return out


MOST_LEVELS: Final = 10_000
"""Nodes higher than this count as cyclic: no compiler nests so deep, and each level costs some microseconds."""


class Heights(Struct, frozen=True, eq=False):
    """``height``: int32[nodes], the longest path down (0 for leaves; -1 for nodes from which a cycle is reached, or
    which are too high); ``order``: int64, the nodes with a height, lowest first; ``first``: int64[levels + 1], where
    each height begins in ``order``."""

    height: I32
    order: I64
    first: I64

    @property
    def levels(self) -> int:
        return len(self.first) - 1

    def level(self, height: int) -> I64:
        """int64: the nodes of that height."""
        return self.order[self.first[height] : self.first[height + 1]]

    @property
    def ends(self) -> Bool:
        """bool[nodes]: those from which no cycle is reached."""
        return np.asarray(self.height >= 0)


def heights(below: Ragged, above: Ragged) -> Heights:
    """The heights of the graph ``below`` (children of each node); ``above`` is its reverse."""
    height = np.full(len(below), -1, np.int32)
    waiting = below.lengths
    level = np.flatnonzero(waiting == 0).astype(np.int64)
    levels: list[I64] = []
    while len(level) and len(levels) < MOST_LEVELS:
        height[level] = len(levels)
        levels.append(level)
        _, parents = rows(above, level)
        combine_at(np.subtract, waiting, parents, 1)
        level = distinct(parents[waiting[parents] == 0])
    sizes = np.array([0, *(len(level) for level in levels)], np.int64)
    return Heights(height, np.concatenate([*levels, np.empty(0, np.int64)]), np.cumsum(sizes))


def rows(of: Ragged, wanted: I64) -> tuple[I64, I64]:
    """(owner, item) for all items of the rows ``wanted``, row by row."""
    part = of.gather(wanted)
    return np.repeat(wanted, part.lengths), part.items.astype(np.int64)


def reaching(below: Ragged, levels: Heights, nodes: Bool) -> Bool:
    """bool[nodes]: those that are one of ``nodes`` or have one below them (False for nodes on or above a cycle)."""
    out = nodes & levels.ends[: len(nodes)]
    for height in range(1, levels.levels):
        level = levels.level(height)
        owner, item = rows(below, level[level < len(nodes)])
        out[owner[out[item]]] = True
    return out


MOST_ROUNDS: Final = 20_000
"""Limit of rounds that follow paths upward. Nodes unresolved by then count as having no dominator, which leaves some
figures unknown but makes none wrong."""


class Dominators(Struct, frozen=True, eq=False):
    """``of``: int64[nodes], the immediate dominator of each; ``outside`` (= number of nodes) if there is none, and for
    nodes on or above a cycle. ``joins``: bool[nodes], those that a node other than their dominator refers to.
    ``heights``: of the graph."""

    of: I64
    joins: Bool
    heights: Heights

    @property
    def outside(self) -> int:
        return len(self.of)

    def sums(self, weights: I64) -> I64:
        """int64[nodes]: the sum of the weights of each node and of all that it dominates, each once; for nodes that are
        not open, of everything below."""
        sums = np.append(weights, 0)
        for height in range(self.heights.levels):
            level = self.heights.level(height)
            combine_at(np.add, sums, self.of[level], sums[level])
        return sums[:-1]

    def open_to(self, below: Ragged, kind: Bool) -> Bool:
        """bool[nodes]: open nodes, that is those above a node with ``kind`` (bool[nodes]) that can also be reached
        without passing them. ``below`` is the graph. A mark propagates upward from each node that refers to one it does
        not dominate, up to the dominator of that one."""
        owner, item = below.owner, below.items.astype(np.int64)
        ends = self.heights.ends
        past = (self.of[item] != owner) & ends[owner] & kind[item]
        marks = (
            np.bincount(owner[past], minlength=self.outside)
            - np.bincount(self.of[item[past]], minlength=self.outside + 1)[:-1]
        )
        return np.asarray(self.sums(marks) > 0)


def dominators(below: Ragged, above: Ragged, heights: Heights, roots: I64) -> Dominators:
    """The dominators of a graph. ``roots``: nodes that also run by themselves; nodes without a parent always do."""
    count = len(below)
    owner, item = below.owner, below.items.astype(np.int64)
    ends = heights.ends
    entered = np.zeros(count, np.bool_)
    entered[roots] = True
    entered[item[~ends[owner]]] = True
    of = np.full(count, count, np.int64)
    inside = ends[owner] & ~entered[item]  # a node entered from outside has no dominator
    owner, item = owner[inside], item[inside]
    of[item] = owner
    joins = distinct(item[of[item] != owner])
    of[joins] = count
    _find(of, joins, above, heights)
    joined = np.zeros(count, np.bool_)
    joined[below.items[ends[below.owner] & (of[below.items] != below.owner)]] = True
    return Dominators(of, joined, heights)


def _find(of: I64, joins: I64, above: Ragged, heights: Heights) -> None:
    """Fills in the nodes with several parents, the highest first, so that everything above them is resolved."""
    outside = len(of)
    height = np.append(heights.height, np.int32(np.iinfo(np.int32).max))
    upward = np.append(of, outside)
    joins = joins[np.argsort(-heights.height[joins], kind="stable")]
    groups = np.append(np.flatnonzero(np.diff(heights.height[joins], prepend=-1)), len(joins))
    rounds = 0
    for start, stop in zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True):
        part = joins[start:stop]
        uppers = above.gather(part)
        number, node = uppers.owner, uppers.items.astype(np.int64)
        common, rounds = _meet(number, node, len(part), upward, height, rounds)
        upward[part] = common
        if rounds >= MOST_ROUNDS:
            break
    of[joins] = upward[joins]


def _meet(number: I64, node: I64, count: int, upward: I64, height: I32, rounds: int) -> tuple[I64, int]:
    """The common dominator of the nodes of each number: the lowest nodes move up until one is left."""
    outside = len(upward) - 1
    common = np.full(count, outside, np.int64)
    while len(node) and rounds < MOST_ROUNDS:
        rounds += 1
        key = distinct(number * (outside + 1) + node)
        number, node = np.divmod(key, outside + 1)
        first = np.flatnonzero(np.diff(number, prepend=-1))
        sizes = np.diff(np.append(first, len(number)))
        alone = sizes == 1
        common[number[first[alone]]] = node[first[alone]]
        left = np.repeat(~alone, sizes)
        number, node = number[left], node[left]
        if not len(node):
            break
        first = np.flatnonzero(np.diff(number, prepend=-1))
        lowest = np.minimum.reduceat(height[node], first)
        lowest = np.repeat(lowest, np.diff(np.append(first, len(number))))
        node = np.where(height[node] == lowest, upward[node], node)
    return common, rounds


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
