"""Heights of nodes in a graph of programs, which give an order that visits all nodes below another one first."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I32, I64, Bool, Ragged, combine_at, distinct

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
