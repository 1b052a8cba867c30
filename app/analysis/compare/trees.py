"""Differences of two trees: both merged into one (rows that belong together are one item, others stand in their place),
figures before and after item by item, and a flame graph of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.alignment import Check, never
from app.analysis.compare.as_table import STATUS, as_table, merged_column
from app.analysis.compare.codes import inverse, pairs
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matched import NAME
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE, STATUS_TITLES, ComparedColumn, ComparedTable
from app.analysis.poplar.graph import heights, reaching
from app.analysis.table import AMOUNTS, Coded, Column, Table, emptied
from app.analysis.trees import Hierarchy
from app.language import tr
from app.profile.arrays import F64, I64, U8, Array, Bool, Ragged, combine_at, reverse, sealed
from app.profile.strings import Strings


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

    def sorted_by(self, size: F64) -> MergedTree:
        """The same with the largest ``size`` (float64[rows], NaN last) first at every level."""
        descending = -np.where(np.isnan(size), -1.0, size)
        owner, items = self.below.owner, self.below.items.astype(np.int64)
        order = np.lexsort((np.arange(len(items)), descending[items], owner))
        below = Ragged.of(self.below.lengths, items[order])
        return self._arranged(below, np.argsort(descending[self.roots], kind="stable"))

    def only(self, rows: Bool) -> MergedTree:
        """The same with these rows only."""
        items, owner = self.below.items.astype(np.int64), self.below.owner
        there = rows[items] & rows[owner]
        lengths = np.bincount(owner[there], minlength=len(self.below)).astype(np.int64)
        return self._arranged(Ragged.of(lengths, items[there]), np.flatnonzero(rows[self.roots]))

    def _arranged(self, below: Ragged, roots: I64) -> MergedTree:
        titles = tuple(self.titles[number] for number in roots.tolist())
        return replace(self, below=below, roots=self.roots[roots], titles=titles)

    def with_paths(self, rows: Bool) -> Bool:
        """bool[rows]: those rows and all above them; those on cycles of a broken file as well."""
        levels = heights(self.below, reverse(self.below))
        return reaching(self.below, levels, rows) | ~levels.ends


def merged_tree(compared: ComparedTable, before: Hierarchy, after: Hierarchy) -> MergedTree:
    """Children are those of the tree after, in its order. A child that only the tree before has follows the one that it
    follows there; so do all children of such a row."""
    count = compared.rows
    of_before = inverse(compared.rows_before, len(before.below))
    of_after = inverse(compared.rows_after, len(after.below))
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
    named = (column for column in compared.columns if column.shown.role in ("name", "kind"))
    return np.asarray((merged.status != BOTH) | compared.any_differs((*named, *compared.figures)))


STATUS_HELP: Final = tr(
    "Whether both trees have the row, and whether it moved or was renamed. A row on one side only counts with its "
    "whole value."
)
SIDES: Final = ("difference", "percent", "before", "after")
"""The columns of a figure, in their order."""


class Measure(Struct, frozen=True):
    """A figure of the tree; ``key``: that of its column."""

    key: str
    title: str


class TreeDifferences(Struct, frozen=True, eq=False, dict=True):
    """``merged``: both trees as one, whose items are the rows of ``compared``; ``before``, ``after``: the trees."""

    compared: ComparedTable
    merged: MergedTree
    before: Hierarchy
    after: Hierarchy

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The figures, those that are summed up the tree first (cached)."""
        figures = sorted(self.compared.figures, key=lambda column: not column.shown.inclusive)
        return tuple(Measure(column.key, column.title) for column in figures)

    @cached_property
    def main(self) -> str:
        """The first amount that differs anywhere, else the first figure; "" without any (cached)."""
        amounts = {column.key for column in self.compared.figures if column.unit in AMOUNTS}
        differing = (
            one.key
            for one in self.measures
            if one.key in amounts and bool(np.nan_to_num(self.difference(one.key)).any())
        )
        return next(differing, self.measures[0].key if self.measures else "")

    @cached_property
    def changed(self) -> Bool:
        """bool[items]: those that differ in anything, or have such below them (cached)."""
        return self.merged.with_paths(changed_rows(self.compared, self.merged))

    @property
    def keys(self) -> I64:
        """int64[items]: the item of the tree after, -1 for those that are only in the tree before."""
        return self.compared.rows_after

    def difference(self, key: str) -> F64:
        """float64[items]: after minus before, NaN for no data. An item of one tree alone counts with its figure."""
        column = self.compared.column(key)
        assert column is not None
        before, after = (self.compared.cells(column, after=side) for side in (False, True))
        status = self.merged.status
        known = np.where(status == BOTH, before.known & after.known, before.known | after.known)
        amounts = np.where(status == ONLY_BEFORE, 0, after.values) - np.where(status == ONLY_AFTER, 0, before.values)
        return np.where(known, amounts.astype(np.float64), np.nan)

    def tree(self, measure: str, *, by_difference: bool, changed_only: bool) -> Hierarchy:
        """The tree with the columns of ``measure`` beside the names. ``by_difference``: the largest first at every
        level; ``changed_only``: only what differs, and what is above that."""
        made = self.merged.only(self.changed) if changed_only else self.merged
        made = made.sorted_by(np.abs(self.difference(measure))) if by_difference and measure else made
        return Hierarchy(self.table(measure), made.roots, made.titles, made.below)

    def table(self, measure: str) -> Table:
        """One row per item: its name, which side has it, the figures of ``measure``, its kind, and all others."""
        columns = {column.key: column for column in self.table_of_all.columns}
        first = self.shown(measure)
        ordered = [*(key for key in first if key in columns), *(key for key in columns if key not in first)]
        return replace(self.table_of_all, columns=tuple(columns[key] for key in ordered))

    @cached_property
    def table_of_all(self) -> Table:
        """The table with all columns (cached)."""
        plain = as_table(self.compared)
        figures = {f"{column.key}_{side}" for column in self.compared.figures for side in SIDES}
        shown = {column.key for role in ("name", "kind") for column in self._of_role(role)}
        rest = [column for column in plain.columns if column.key not in {STATUS, *figures, *shown}]
        columns = [self._text("name"), self._status(), self._text("kind"), *self._figure_columns(plain), *rest]
        table = replace(
            plain, columns=tuple(column for column in columns if column is not None), title=self.after.table.title
        )
        return replace(table, note=tr("Differences are after minus before."))

    def shown(self, measure: str) -> tuple[str, ...]:
        """The keys of the columns that are seen, those first that a narrow panel has room for."""
        first, *others = (f"{measure}_{side}" for side in SIDES)
        return ("name", first, STATUS, *others, "type")

    def _figure_columns(self, plain: Table) -> Iterator[Column]:
        made = {column.key: column for column in plain.columns}
        one, other = self.merged.status == ONLY_AFTER, self.merged.status == ONLY_BEFORE
        lacking = {"before": one, "after": other, "percent": one | other, "difference": one & other}
        for column in self.compared.figures:
            difference = self.difference(column.key)
            for side in SIDES:
                own = made[f"{column.key}_{side}"]
                if lacking[side].any():
                    missing = lacking[side] if own.missing is None else own.missing | lacking[side]
                    own = replace(own, missing=missing)
                if side == "difference":
                    values = np.nan_to_num(difference)
                    whole = values.astype(np.int64) if _integers(column) else values
                    help_ = tr(
                        "After minus before; for a row on one side only, its whole value. {help}",
                        help=column.shown.help,
                    )
                    own = replace(own, values=whole, missing=np.isnan(difference), help=help_)
                yield own

    def _status(self) -> Column:
        """Which tree has a row; of rows of both, whether they were renamed or moved."""
        ids = self.merged.status.astype(np.int32)
        name = next(iter(self._of_role("name")), None)
        other = np.zeros(len(ids), np.bool_) if name is None else self.compared.differs(name)
        both = ids == BOTH
        ids[both & (self.compared.rule == NAME)] = len(STATUS_TITLES)
        ids[both & other] = len(STATUS_TITLES) + 1
        texts = Strings.of((*STATUS_TITLES, tr("moved"), tr("renamed")))
        return Column(STATUS, tr("Status"), Coded(ids, texts), help=STATUS_HELP)

    def _of_role(self, role: str) -> list[ComparedColumn]:
        return [column for column in self.compared.columns if column.shown.role == role]

    def _text(self, role: str) -> Column | None:
        """The name or kind of each item, after where it is there."""
        column = next(iter(self._of_role(role)), None)
        if column is None:
            return None
        rows = np.arange(self.compared.rows, dtype=np.int64)
        return replace(merged_column(self.compared, column, rows), key="name" if role == "name" else "type")


def tree_differences(
    comparison: Comparison, before: Hierarchy, after: Hierarchy, check: Check = never
) -> TreeDifferences:
    """How the trees of two profiles differ; their tables have the same id."""
    compared = comparison.compare(after.table.id, before.table, after.table, check)
    check()
    return TreeDifferences(compared, merged_tree(compared, before, after), before, after)


def without_items(tree: Hierarchy) -> Hierarchy:
    """A tree without items, for a profile that has none like ``tree``."""
    none = np.empty(0, np.int64)
    table = Table(tree.table.id, tree.table.title, emptied(tree.table).columns)
    return Hierarchy(table, none, (), Ragged.of(none, none))


def _integers(column: ComparedColumn) -> bool:
    sides = (side for side in (column.before, column.after) if side is not None)
    return all(np.asarray(side.values).dtype.kind in "iu" for side in sides) and column.factor == 1.0


MOST_LEVELS: Final = 64


class FlameDifferences(Struct, frozen=True, eq=False):
    """Frames level by level, from the left in each: level l has frames ``first[l]`` to ``first[l + 1]`` (int64). Per
    frame: ``item``: int64, of the tree of both sides; ``left``, ``width``: float64; ``before``, ``after``: float64, the
    figure of each side, NaN where it has none; ``status``: uint8, BOTH, ONLY_BEFORE, ONLY_AFTER. ``elided``: bool,
    frames that the side whose widths these are does not have; they are as wide as on the other side."""

    first: I64
    item: I64
    left: F64
    width: F64
    before: F64
    after: F64
    status: U8
    elided: Bool

    def __len__(self) -> int:
        return len(self.item)

    @property
    def difference(self) -> F64:
        """float64: after minus before; of a frame that only one side has, its whole figure. NaN without data."""
        one, other = np.nan_to_num(self.before), np.nan_to_num(self.after)
        known = np.where(self.status == BOTH, ~np.isnan(self.before) & ~np.isnan(self.after), (one != 0) | (other != 0))
        return np.where(known, other - one, np.nan)


def flame_differences(differences: TreeDifferences, measure: str, *, baseline: bool = False) -> FlameDifferences:
    """The flame graph of ``measure``, a figure that includes all below. Its widths are those of the tree after, and a
    frame is wider by what is elided in it. ``baseline``: ``differences`` are those of the swapped comparison, so that
    the widths are those of the baseline; figures and statuses are still of before and after."""
    compared, merged = differences.compared, differences.merged
    column = compared.column(measure)
    assert column is not None
    sides = [compared.cells(column, after=after) for after in (False, True)]
    one, other = (np.where(side.known, side.values, np.nan).astype(np.float64) for side in sides)
    elided: Bool = np.asarray(compared.status == ONLY_BEFORE)
    own = np.nan_to_num(np.where(elided, one, other))
    levels = _levels(merged.roots, differences, elided)
    widths = _widths(levels, own, elided)
    left: list[F64] = []
    for number, level in enumerate(levels):
        before = np.cumsum(widths[number]) - widths[number]
        if number:
            starts = np.searchsorted(level.parent, level.parent, "left")
            before = left[-1][level.parent] + before - before[starts]
        left.append(before)
    item = _joined([level.item for level in levels], np.int64)
    status = compared.status[item]
    figures = one[item], other[item]
    if baseline:
        figures = figures[1], figures[0]
        status = SWAPPED[status]
    return FlameDifferences(
        sealed(np.concatenate(([0], np.cumsum([len(level.item) for level in levels]))).astype(np.int64)),
        sealed(item),
        sealed(_joined(left, np.float64)),
        sealed(_joined(widths, np.float64)),
        sealed(figures[0]),
        sealed(figures[1]),
        sealed(status),
        sealed(elided[item]),
    )


SWAPPED: Final[U8] = np.array([BOTH, ONLY_AFTER, ONLY_BEFORE], np.uint8)  # by status


class _Level(Struct, frozen=True, eq=False):
    """``item``: int64; ``parent``: int64, the place of each in the level above, rising."""

    item: I64
    parent: I64


def _levels(roots: I64, differences: TreeDifferences, elided: Bool) -> list[_Level]:
    """Each item once, where it is first met; what both sides have is not below what one of them lacks."""
    met = np.zeros(differences.compared.rows, np.bool_)
    met[roots] = True
    levels = [_Level(roots, np.zeros(len(roots), np.int64))]
    while len(levels) < MOST_LEVELS:
        edges = differences.merged.below.gather(levels[-1].item)
        child, parent = edges.items.astype(np.int64), edges.owner
        keep = ~met[child] & (~elided[levels[-1].item][parent] | elided[child])
        child, parent = child[keep], parent[keep]
        _, once = np.unique(child, return_index=True)
        once.sort()
        if not len(once):
            break
        met[child[once]] = True
        levels.append(_Level(child[once], parent[once]))
    return levels


def _widths(levels: list[_Level], own: F64, elided: Bool) -> list[F64]:
    """float64 for each level: the figure of each frame and what is elided in it."""
    more = [np.zeros(len(level.item)) for level in levels]
    for number in range(len(levels) - 1, 0, -1):
        level = levels[number]
        extra = np.where(elided[level.item], own[level.item], more[number])
        inside = ~elided[levels[number - 1].item][level.parent]
        combine_at(np.add, more[number - 1], level.parent[inside], extra[inside])
    return [own[level.item] + extra for level, extra in zip(levels, more, strict=True)]


def _joined(parts: list[I64] | list[F64], kind: type[np.int64] | type[np.float64]) -> Array:
    return np.concatenate([np.empty(0, kind), *parts])
