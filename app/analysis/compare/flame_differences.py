"""Two trees with a figure that is summed up them, as one flame graph: widths of one side, differences as values."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.compared import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.analysis.compare.tree_differences import TreeDifferences
from app.profile.arrays import F64, I64, U8, Array, Bool, combine_at, sealed

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


SWAPPED: Final[U8] = np.zeros(3, np.uint8)
SWAPPED[[BOTH, ONLY_BEFORE, ONLY_AFTER]] = BOTH, ONLY_AFTER, ONLY_BEFORE


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
