"""Rule 1 in trees (the same path and call index), and rule 4 (the lowest common ancestor)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare import in_order, sequences
from app.analysis.compare.codes import Codes
from app.analysis.compare.partners import NONE, Partners
from app.analysis.compare.polling import Check
from app.analysis.compare.rule import Rule
from app.language import tr
from app.profile.arrays import I32, I64

PATH: Final = Rule(
    "path",
    tr("same path"),
    tr("Both rows have the same path of names from the root and the same call index."),
)
RULE: Final = Rule(
    "ancestor",
    tr("same ancestor"),
    tr(
        "The name differs, but both rows are below the same row of the tree, between the same neighbours, and there "
        "are equally many of their kind."
    ),
)
MOST_LEVELS: Final = 1000


class Tree(Struct, frozen=True, eq=False):
    """``parent``: int64[rows], the row above, negative for roots and for rows that are in no tree. ``order``:
    int64[rows], sorts siblings as they run."""

    parent: I64
    order: I64


class Trees(Struct, frozen=True, eq=False):
    before: Tree
    after: Tree


def by_path(names: Codes, trees: Trees, partners: Partners, rules: tuple[int, int], check: Check) -> bool:
    """Match rows below rows that are matched with one another, from the roots down: siblings are a sequence. Returns
    whether all were aligned exactly. ``rules``: of siblings that are the same on both sides, and of others."""
    exact = True
    for _ in range(MOST_LEVELS):
        before, after, above = _ready(trees, partners)
        count = partners.count
        exact = sequences.match(names, above, partners, (before, after), rules, check) and exact
        if partners.count == count:
            break
    return exact


def by_ancestor(kinds: Codes, trees: Trees, partners: Partners, rule: int) -> bool:
    """Match rows whose parents and nearest matched siblings are matched with one another, if both sides have equally
    many rows of their kind there. Returns whether there were any."""
    gaps = Codes(
        _neighbours(trees.before, np.where(partners.of_before >= 0, np.arange(len(partners.of_before)), NONE)),
        _neighbours(trees.after, _of_after(partners, len(trees.after.parent))),
    )
    before, after, above = _ready(trees, partners)
    codes = above.beside(kinds.beside(gaps).taken(before, after))
    first, second = in_order.pairs(codes.before, codes.after)
    high = max(int(codes.before.max(initial=0)), int(codes.after.max(initial=0))) + 1
    even = np.bincount(codes.before, minlength=high) == np.bincount(codes.after, minlength=high)
    whole = even[codes.before[first]]
    partners.pair(before[first[whole]], after[second[whole]], rule)
    return bool(whole.any())


def _ready(trees: Trees, partners: Partners) -> tuple[I64, I64, Codes]:
    """Open rows of each side whose parent is matched, in the order in which they run, and what they are below."""
    before, after = partners.open
    above = _matched(trees.before.parent[before], partners.of_before)
    of_after = _of_after(partners, len(trees.after.parent))
    below = trees.after.parent[after]
    there = (below < 0) | (of_after[np.maximum(below, 0)] >= 0) if len(below) else np.empty(0, np.bool_)
    below = np.maximum(below[there], NONE)
    before, above, after = before[above > BLOCKED], above[above > BLOCKED], after[there]
    order, other = np.argsort(trees.before.order[before]), np.argsort(trees.after.order[after])
    return before[order], after[other], Codes(above[order] + 1, below[other] + 1)


BLOCKED: Final = -2


def _matched(parent: I64, of_before: I32) -> I64:
    """The row after that each parent is matched with, NONE for roots, BLOCKED where it is not matched."""
    if not len(parent):
        return parent
    place = of_before[np.maximum(parent, 0)].astype(np.int64)
    return np.where(parent < 0, NONE, np.where(place < 0, BLOCKED, place))


def _of_after(partners: Partners, count: int) -> I64:
    """int64[rows after]: the row before that each is matched with, NONE."""
    of_after = np.full(count, NONE, np.int64)
    rows = np.flatnonzero(partners.of_before >= 0)
    of_after[partners.of_before[rows]] = rows
    return of_after


def _neighbours(tree: Tree, name: I64) -> I64:
    """int64[rows]: 1 + ``name`` of the nearest sibling before each row that has one (not NONE), 0 without."""
    made = np.zeros(len(name), np.int64)
    if not len(name):
        return made
    parent = np.maximum(tree.parent, NONE)
    order = np.lexsort((tree.order, parent))
    places = np.arange(len(order))
    first = np.concatenate(([True], np.diff(parent[order]) != 0))
    begin = np.maximum.accumulate(np.where(first, places, 0))
    last = np.maximum.accumulate(np.where(name[order] >= 0, places, -1))
    inside = last >= begin
    made[order[inside]] = name[order[last[inside]]] + 1
    return made
