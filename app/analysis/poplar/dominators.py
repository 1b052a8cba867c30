"""Dominators of programs: the program that all paths to another one pass through. Costs can only be attributed to a
program for what it dominates (a function that is also called from elsewhere runs for others too)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.heights import Heights
from app.profile.arrays import I32, I64, Bool, Ragged, combine_at, distinct

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
