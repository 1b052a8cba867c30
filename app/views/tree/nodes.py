"""The nodes of an expanded tree, independent of any view.

An item may occur in many places (a function that is called twice), so a node is an occurrence: an index into growing
columns, created when its parent is expanded. Expanding everything in advance might never end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from app.analysis.trees import Hierarchy
from app.profile.arrays import I64, among

CROWD = 10_000
"""More children than this are shown in groups, since a view lays out every row of an expanded level."""
GROUP = 1000
TOP = 0
NO_ITEM = -1


class Range(Struct, frozen=True):
    """The children ``start`` .. ``stop`` - 1 of a node, which form a group."""

    start: int
    stop: int


class Nodes:
    """The nodes created so far. Node 0 is the parent of all roots. ``item``: the item of each node (-1 for groups and
    node 0)."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.item: I64 = np.full(1024, NO_ITEM, np.int64)
        self._parent: I64 = np.full(1024, -1, np.int64)
        self._row: I64 = np.zeros(1024, np.int64)
        self._level: I64 = np.full(1024, -1, np.int64)
        self._first: I64 = np.full(1024, -1, np.int64)  # first child, once children are created
        self._used = 1
        self._groups: dict[int, Range] = {}
        self._repeated: set[int] = set()

    def parent(self, node: int) -> int:
        return int(self._parent[node])

    def row(self, node: int) -> int:
        """The row of a node among its siblings."""
        return int(self._row[node])

    def level(self, node: int) -> int:
        """The number of ancestors of a node; 0 for a root."""
        return int(self._level[node])

    def above(self, node: int) -> Iterator[int]:
        """The ancestors of a node, the nearest first."""
        while (node := self.parent(node)) > TOP:
            yield node

    def count(self, node: int) -> int:
        """The number of children of a node."""
        group = self._groups.get(node)
        if group is not None:
            return group.stop - group.start
        if node in self._repeated:
            return 0
        size = self._size(node)
        return -(-size // _group_size(size)) if size > CROWD else size

    def child(self, node: int, row: int) -> int:
        """The child at ``row``; all children of a node are created together, with consecutive numbers."""
        if self._first[node] < 0:
            self._make(node)
        return int(self._first[node]) + row

    def opened(self) -> list[int]:
        """The nodes that may be expanded: roots, and those whose children have been created; parents before
        children."""
        used = slice(1, self._used)
        return (np.flatnonzero((self._first[used] >= 0) | (self._parent[used] == TOP)) + 1).tolist()

    def group(self, node: int) -> Range | None:
        """The children that a group contains; None for a node that shows an item."""
        return self._groups.get(node)

    def repeats(self, node: int) -> bool:
        """Whether the node's item is one of its own ancestors (a broken file); it cannot be expanded again."""
        return node in self._repeated

    def reveal(self, item: int) -> int | None:
        """The node of the first occurrence of ``item``; None if no root reaches it."""
        node = TOP
        for step in self.hierarchy.path(item):
            places = np.flatnonzero(self._items(node) == step)
            if not len(places):
                return None
            node = self._descend(node, int(places[0]))
        return None if node == TOP else node

    def title(self, node: int) -> str:
        """The title of a root ("control program 0") or the extent of a group; "" for others."""
        group = self._groups.get(node)
        if group is not None:
            return f"{group.start:,} – {group.stop - 1:,}"
        parent = int(self._parent[node])
        if parent == TOP and self.item[node] >= 0:
            return self.hierarchy.root_titles[int(self._row[node])]
        return ""

    def _size(self, node: int) -> int:
        if node == TOP:
            return len(self.hierarchy.roots)
        item = int(self.item[node])
        below = self.hierarchy.below
        return 0 if item < 0 else int(below.first[item + 1] - below.first[item])

    def _items(self, node: int) -> I64:
        """All items directly below a node (int64), whatever groups they are shown in."""
        if node == TOP:
            return self.hierarchy.roots
        group = self._groups.get(node)
        if group is not None:
            return self._items(self.parent(node))[group.start : group.stop]
        below = self.hierarchy.below.row(int(self.item[node]))
        return below.astype(np.int64, copy=False)

    def _descend(self, node: int, place: int) -> int:
        size = self._size(node)
        if size <= CROWD:
            return self.child(node, place)
        step = _group_size(size)
        return self.child(self.child(node, place // step), place % step)

    def _make(self, node: int) -> None:
        count = self.count(node)
        first = self._room(count)
        self._first[node] = first
        self._parent[first : first + count] = node
        self._row[first : first + count] = np.arange(count)
        self._level[first : first + count] = self._level[node] + 1
        size = self._size(node)
        if node not in self._groups and size > CROWD:
            step = _group_size(size)
            for number in range(count):
                self._groups[first + number] = Range(number * step, min((number + 1) * step, size))
            return
        items = self._items(node)
        self.item[first : first + count] = items
        above = self._ancestors(node)
        if above:
            again = np.flatnonzero(among(items, np.array(above, np.int64)))
            self._repeated.update((first + again).tolist())

    def _ancestors(self, node: int) -> list[int]:
        items = []
        while node != TOP:
            if self.item[node] >= 0:
                items.append(int(self.item[node]))
            node = self.parent(node)
        return items

    def _room(self, count: int) -> int:
        first, self._used = self._used, self._used + count
        if self._used > len(self.item):
            size = max(self._used, 2 * len(self.item))
            self.item = _grown(self.item, size, NO_ITEM)
            self._parent = _grown(self._parent, size, -1)
            self._row = _grown(self._row, size, 0)
            self._level = _grown(self._level, size, -1)
            self._first = _grown(self._first, size, -1)
        return first


def _grown(values: I64, size: int, fill: int) -> I64:
    grown = np.full(size, fill, np.int64)
    grown[: len(values)] = values
    return grown


def _group_size(size: int) -> int:
    return max(GROUP, -(-size // CROWD))


STEP = 16
NARROWEST_STEP = 4
ARROW = 16
"""Width of the expand arrow in pixels."""
PART = 0.36
"""Largest share of the name column for indentation and arrow: never half of it."""


class Indents(Struct, frozen=True):
    """Rows of level ``first`` and above are not indented; each level below is indented by ``step`` more pixels."""

    first: int
    step: float

    def left(self, level: int) -> int:
        """Indentation of a row's arrow in pixels."""
        return max(0, round((level - self.first) * self.step))


def indents(levels: Sequence[int], column: int, step: int = STEP, before: Indents | None = None) -> Indents:
    """Indentation for the visible rows, whose levels are given, in a name column of ``column`` pixels: full steps from
    the top level if they fit; else relative to the visible levels, to the deepest ones if even these are too many.
    Keeps ``before`` while it is good enough, so that rows do not move on every expansion."""
    if not levels:
        return Indents(0, step)
    room = max(0, int(column * PART) - ARROW)
    deepest, highest = max(levels), min(levels)
    if deepest * step <= room:
        return Indents(0, step)
    if before is not None and before.first <= highest and room // 2 <= before.left(deepest) <= room:
        return before
    most = room // NARROWEST_STEP
    first = max(highest, deepest - most)
    return Indents(first, min(step, room / (deepest - first)) if deepest > first else step)
