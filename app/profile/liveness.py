"""Live bytes at each node of the program tree."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from msgspec import Struct

from app.profile.arrays import I32, I64, combine_at
from app.profile.strings import Strings


class Liveness(Struct, frozen=True, eq=False, kw_only=True):
    """Nodes in preorder (each before its children, in file order).

    ``bytes``: int64, live at that node in addition to what is always live (-1 if not stated); it is not documented
    whether a parent includes its children, so use maxima, never sums. ``depth``: int32, 0 for roots; ``parent``: int32,
    -1 for roots; ``end``: int32, one past the last descendant (the first child of node n is n + 1 if end[n] > n + 1,
    the next child is at the end of the previous one). ``name``: int32 text ids and ``program``: int32, each -1 if not
    stated.
    """

    SECTION: ClassVar[str] = "liveness"
    strings: Strings
    bytes: I64
    depth: I32
    parent: I32
    end: I32
    name: I32
    program: I32

    def __len__(self) -> int:
        return len(self.bytes)


def program_steps(tree: Liveness) -> I64:
    """int64, ascending: the nodes that are the steps of the program, in execution order. These are the leaves, and
    nodes with more bytes than any descendant: it is not documented whether a node includes its descendants, and this
    way the maximum is among the steps in either case."""
    leaves = tree.end == np.arange(len(tree)) + 1
    return np.flatnonzero(leaves | (tree.bytes > most_below(tree))).astype(np.int64)


def most_below(tree: Liveness) -> I64:
    """int64[nodes]: the maximum of the bytes of all descendants, -1 where there are none."""
    most = np.full(len(tree), -1, np.int64)
    order = np.argsort(-tree.depth, kind="stable")
    starts = np.flatnonzero(np.diff(tree.depth[order], prepend=-1))
    for level in np.split(order, starts[1:]):
        inner = level[tree.parent[level] >= 0]
        combine_at(np.maximum, most, tree.parent[inner], np.maximum(tree.bytes[inner], most[inner]))
    return most
