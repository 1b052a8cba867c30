"""The trees of two profiles as one: rows that belong together are one item, others stand in their place."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.compared import BOTH, ONLY_AFTER, ONLY_BEFORE, ComparedTable
from app.analysis.compare.in_order import pairs
from app.analysis.hierarchy import Hierarchy
from app.analysis.poplar.graph import heights, reaching
from app.profile.arrays import I64, U8, Bool
from app.profile.ragged import Ragged, reverse


class MergedTree(Struct, frozen=True, eq=False):
    """Item r is row r of a compared table. ``below``: the children of each; ``roots`` with their ``titles``.
    ``in_before``, ``in_after``: bool[rows], whether a root of each tree reaches it."""

    below: Ragged
    roots: I64
    titles: tuple[str, ...]
    in_before: Bool
    in_after: Bool

    @property
    def status(self) -> U8:
        """uint8[rows]: BOTH, ONLY_BEFORE or ONLY_AFTER, by which tree has it."""
        one_sided = np.where(self.in_before, ONLY_BEFORE, ONLY_AFTER)
        return np.where(self.in_before == self.in_after, BOTH, one_sided).astype(np.uint8)

    def sorted_by(self, size: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> MergedTree:
        """The same with the largest ``size`` (float64[rows], NaN last) first at every level."""
        falling = -np.where(np.isnan(size), -1.0, size)
        owner, items = self.below.owner, self.below.items.astype(np.int64)
        order = np.lexsort((np.arange(len(items)), falling[items], owner))
        roots = np.argsort(falling[self.roots], kind="stable")
        titles = tuple(self.titles[place] for place in roots.tolist())
        return replace(self, below=Ragged.of(self.below.lengths, items[order]), roots=self.roots[roots], titles=titles)

    def only(self, rows: Bool) -> MergedTree:
        """The same with these rows only."""
        items, owner = self.below.items.astype(np.int64), self.below.owner
        there = rows[items] & rows[owner]
        lengths = np.bincount(owner[there], minlength=len(self.below)).astype(np.int64)
        roots = np.flatnonzero(rows[self.roots])
        titles = tuple(self.titles[place] for place in roots.tolist())
        return replace(self, below=Ragged.of(lengths, items[there]), roots=self.roots[roots], titles=titles)

    def with_paths(self, rows: Bool) -> Bool:
        """bool[rows]: those rows and all above them; those on cycles of a broken file as well."""
        levels = heights(self.below, reverse(self.below))
        return reaching(self.below, levels, rows) | ~levels.ends


def merged_tree(compared: ComparedTable, before: Hierarchy, after: Hierarchy) -> MergedTree:
    """Children are those of the tree after, in its order. A child that only the tree before has follows the one that it
    follows there; so do all children of such a row."""
    count = compared.rows
    of_before = _rows_of(compared.rows_before, len(before.below))
    of_after = _rows_of(compared.rows_after, len(after.below))
    first, second = _edges(before, of_before, count), _edges(after, of_after, count)
    in_before, in_after = _reached(before, compared.rows_before), _reached(after, compared.rows_after)
    only_before = in_before & ~in_after
    kept = np.append(only_before, False)[first.owner] | only_before[first.item]
    anchor = _anchors(first, second)
    owner = np.concatenate((second.owner, first.owner[kept]))
    item = np.concatenate((second.item, first.item[kept]))
    place = np.concatenate((np.arange(len(second.item)), anchor[kept]))
    late = np.repeat([0, 1], [len(second.item), int(kept.sum())])
    order = np.lexsort((np.arange(len(item)), late, place, owner))
    owner, item = owner[order], item[order]
    inside = owner < count
    lengths = np.bincount(owner[inside], minlength=count).astype(np.int64)
    titles = dict(zip(of_before[before.roots].tolist(), before.root_titles, strict=True))
    titles |= dict(zip(of_after[after.roots].tolist(), after.root_titles, strict=True))
    roots = item[~inside]
    named = tuple(titles.get(row, "") for row in roots.tolist())
    return MergedTree(Ragged.of(lengths, item[inside]), roots, named, in_before, in_after)


def _reached(tree: Hierarchy, rows: I64) -> Bool:
    """bool[rows]: whether a root reaches the item of each row (-1: none)."""
    return np.append(tree.walk.place >= 0, False)[rows]


class _Edges(Struct, frozen=True, eq=False):
    """int64[edges] each, by owner: rows of the compared table; the owner of roots is the number of rows."""

    owner: I64
    item: I64


def _edges(tree: Hierarchy, row_of: I64, count: int) -> _Edges:
    items = np.concatenate((tree.below.items.astype(np.int64), tree.roots))
    owners = np.concatenate((row_of[tree.below.owner], np.full(len(tree.roots), count, np.int64)))
    order = np.argsort(owners, kind="stable")
    return _Edges(owners[order], row_of[items][order])


def _rows_of(own: I64, count: int) -> I64:
    """int64[items]: the row of the compared table of each item of one side."""
    rows = np.full(count, -1, np.int64)
    there = np.flatnonzero(own >= 0)
    rows[own[there]] = there
    return rows


def _anchors(first: _Edges, second: _Edges) -> I64:
    """int64[edges before]: the edge after of the nearest sibling up to each that both sides have, -1 for none."""
    size = int(max(first.item.max(initial=0), second.item.max(initial=0))) + 1
    same, other = pairs(first.owner * size + first.item, second.owner * size + second.item)
    matched = np.full(len(first.item), -1, np.int64)
    matched[same] = other
    places = np.arange(len(matched))
    begin = np.maximum.accumulate(np.where(np.diff(first.owner, prepend=-1) != 0, places, 0))
    last = np.maximum.accumulate(np.where(matched >= 0, places, -1)) if len(matched) else places
    return np.where(last >= begin, matched[np.maximum(last, 0)] if len(matched) else -1, -1)


def changed_rows(compared: ComparedTable, merged: MergedTree) -> Bool:
    """bool[rows]: rows that only one tree has, that have another name or kind, or any other figure; numbers that only
    identify them do not count."""
    changed: Bool = np.asarray(merged.status != BOTH)
    for column in compared.columns:
        named = column.shown.role in ("name", "kind")
        if named or (column.subtracts and not column.share):
            changed = changed | compared.differs(column)
    return changed
