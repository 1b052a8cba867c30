"""Statistics of the steps in a range of the run: by compute set, by vertex type, by the path of their names
(components separated by "/", common prefixes stored once)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.amounts import Spread, spread
from app.analysis.poplar.runs import Inside, inside
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, Ragged, combine_at, sealed
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Interner, Strings

MOST_LEVELS: Final = 24
"""Components deeper than this stay together in the last one."""
MOST_SPLIT: Final = 200_000
"""At most this many distinct names are split; further ones stay whole."""
WITHOUT: Final = tr("without name")


class Paths(Struct, frozen=True, eq=False):
    """A prefix tree of names. ``text``: int32[nodes] ids into ``strings``, the last component; ``parent``:
    int32[nodes], -1 for first components, always less than the node's own number; ``depth``: int32[nodes], 0 for first
    components; ``of_step``: int32[steps], the node of the step's whole name (of its type's if it has none)."""

    strings: Strings
    text: I32
    parent: I32
    depth: I32
    of_step: I32

    def __len__(self) -> int:
        return len(self.text)

    @property
    def levels(self) -> int:
        return int(self.depth.max(initial=-1)) + 1

    def at_depth(self, depth: int) -> I32:
        """int32[nodes]: the ancestor of each node at that depth (or itself); -1 for nodes that are less deep."""
        ancestors = np.where(self.depth == depth, np.arange(len(self), dtype=np.int32), -1).astype(np.int32)
        for level in range(depth + 1, self.levels):
            nodes = np.flatnonzero(self.depth == level)
            ancestors[nodes] = ancestors[self.parent[nodes]]
        return ancestors

    def full(self, node: int) -> str:
        """The path from the first component to this node's."""
        parts = []
        while node >= 0:
            parts.append(self.strings.get(int(self.text[node])))
            node = int(self.parent[node])
        return "/".join(reversed(parts))


def paths(steps: Steps) -> Paths:
    """The paths of all steps."""
    key = np.where(steps.name >= 0, steps.name, steps.type) + 1
    there = np.zeros(int(key.max(initial=0)) + 1, np.bool_)
    there[key] = True
    used = np.flatnonzero(there) - 1
    ids = Interner()
    nodes: dict[tuple[int, int], int] = {}
    text: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    leaf = np.empty(len(used), np.int32)
    for number, name in enumerate(used.tolist()):
        above = -1
        for part in _parts(steps.strings.get(name, WITHOUT), split=number < MOST_SPLIT):
            entry = above, ids(part)
            if entry not in nodes:
                nodes[entry] = len(text)
                text.append(entry[1])
                parent.append(above)
                depth.append(0 if above < 0 else depth[above] + 1)
            above = nodes[entry]
        leaf[number] = above
    columns = [sealed(np.array(column, np.int32)) for column in (text, parent, depth)]
    return Paths(ids.strings(), columns[0], columns[1], columns[2], sealed(leaf[(np.cumsum(there) - 1)[key]]))


def _parts(name: str, *, split: bool) -> list[str]:
    parts = [part for part in name.split("/") if part] if split else []
    if len(parts) > MOST_LEVELS:
        parts = [*parts[: MOST_LEVELS - 1], "/".join(parts[MOST_LEVELS - 1 :])]
    return parts or [name]


def below(tree: Paths, amounts: I64) -> I64:
    """int64[nodes]: the sum of the amounts of each node and of all below it."""
    sums = amounts.astype(np.int64)
    for level in range(tree.levels - 1, 0, -1):
        nodes = np.flatnonzero(tree.depth == level)
        combine_at(np.add, sums, tree.parent[nodes], sums[nodes])
    return sums


class Totals(Struct, frozen=True, eq=False):
    """Per thing: ``steps``: int64; ``cut``: int64, those of them that are not whole; ``cycles``: float64, sum of the
    steps' cycles (of the part inside); ``timed``: bool, whether any step states cycles; ``each``: statistics of the
    cycles of whole steps; ``most_step``: int64, the longest whole step (-1 none); ``data``: float64, bytes, NaN if no
    step states any; ``balance``: float64, mean of the steps' tile balances weighted by their cycles, NaN without."""

    steps: I64
    cut: I64
    cycles: F64
    timed: Bool
    each: Spread
    most_step: I64
    data: F64
    balance: F64


def totals(steps: Steps, index: I32 | I64, size: int, part: Inside) -> Totals:
    """The totals of the steps by index 0 .. size - 1; steps with another index are ignored."""
    known = (index[part.steps] >= 0) & (index[part.steps] < size)
    rows, share, whole = part.steps[known], part.share[known], part.whole[known]
    of = index[rows].astype(np.int64)
    own = steps.cycles[rows]
    cycles = np.where(own >= 0, own * share, 0.0)
    data = np.where(steps.data[rows] >= 0, steps.data[rows] * share, 0.0)
    balance = steps.tile_balance[rows]
    weight = np.where(np.isnan(balance), 0.0, cycles)
    weighted = _sums(of, weight * np.nan_to_num(balance), size)
    weights = _sums(of, weight, size)
    stated = whole & (own >= 0)
    each = spread(of[stated], own[stated], size)
    return Totals(
        steps=np.bincount(of, minlength=size).astype(np.int64),
        cut=np.bincount(of[~whole], minlength=size).astype(np.int64),
        cycles=_sums(of, cycles, size),
        timed=np.bincount(of[own >= 0], minlength=size) > 0,
        each=each,
        most_step=_longest(of[stated], own[stated], rows[stated], each),
        data=np.where(_sums(of, (steps.data[rows] >= 0).astype(np.float64), size) > 0, _sums(of, data, size), np.nan),
        balance=np.divide(weighted, weights, out=np.full(size, np.nan), where=weights > 0),
    )


def _longest(of: I64, own: I64, rows: I64, each: Spread) -> I64:
    """The first step of each index with the maximum; -1 without one."""
    step = np.full(len(each.count), -1, np.int64)
    longest = np.flatnonzero(own == each.most[of])[::-1]  # written last: the first of several
    step[of[longest]] = rows[longest]
    return step


class PathTotals(Struct, frozen=True, eq=False):
    """By the nodes of ``paths``, each including all below it: ``steps``: int64; ``cycles``, ``data``: float64; ``own``:
    float64, cycles of the steps with exactly that name. bool: ``timed``, ``own_timed``, ``moving``: whether any of
    these steps states cycles or data (or there are none)."""

    paths: Paths
    steps: I64
    cycles: F64
    own: F64
    data: F64
    timed: Bool
    own_timed: Bool
    moving: Bool


def by_path(profile: Profile, stretch: TimeRange | None) -> PathTotals | None:
    """The totals by path; None without steps."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    tree = paths(steps)
    own = totals(steps, tree.of_step, len(tree), inside(profile, stretch))
    count, timed, moving = below(tree, own.steps), own.timed, ~np.isnan(own.data)
    return PathTotals(
        tree,
        count,
        _below(tree, own.cycles),
        own.cycles,
        _below(tree, np.nan_to_num(own.data)),
        (count == 0) | (below(tree, timed.astype(np.int64)) > 0),
        (own.steps == 0) | timed,
        (count == 0) | (below(tree, moving.astype(np.int64)) > 0),
    )


def _below(tree: Paths, amounts: F64) -> F64:
    sums = amounts.copy()
    for level in range(tree.levels - 1, 0, -1):
        nodes = np.flatnonzero(tree.depth == level)
        combine_at(np.add, sums, tree.parent[nodes], sums[nodes])
    return sums


class TypeTotals(Struct, frozen=True, eq=False):
    """By vertex type: ``steps``: int64, those whose compute set has it; ``cycles``: float64, of these steps (a step
    counts for each of its types), both None if the sets do not list their types; ``active``: float64, estimated active
    cycles of all tiles, None without estimates; ``vertices``: float64, vertices that ran, None if the sets do not list
    them."""

    steps: I64 | None
    cycles: F64 | None
    active: F64 | None
    vertices: F64 | None


def by_vertex_type(profile: Profile, stretch: TimeRange | None) -> TypeTotals | None:
    """The totals by vertex type; None if steps, compute sets or their vertex types are unknown."""
    steps, sets, types = profile.steps, profile.compute_sets, profile.vertex_types
    if steps is None or sets is None or types is None or not len(types):
        return None
    part = inside(profile, stretch)
    own = totals(steps, steps.compute_set, sets.count, part)
    runs = _runs(steps, sets.count, part)
    count = len(types)
    kinds = sets.vertex_types
    listed = None if kinds is None else _listed(kinds, count)
    active = None
    if sets.active_cycles_by_type is not None and sets.active_cycles_by_type.shape == (sets.count, count):
        active = runs @ sets.active_cycles_by_type.astype(np.float64)
    if listed is None and active is None:
        return None
    ran = cycles = vertices = None
    if listed is not None and kinds is not None:
        owner, items = listed
        ran = _sums(items, own.steps[owner], count).astype(np.int64)
        timed = _sums(items, own.timed[owner].astype(np.float64), count) > 0
        cycles = np.where(timed | (ran == 0), _sums(items, own.cycles[owner], count), np.nan)
        if sets.vertex_counts is not None:
            numbers = sets.vertex_counts.items[_inside(kinds, count)].astype(np.float64)
            vertices = _sums(items, runs[owner] * numbers, count)
    return TypeTotals(ran, cycles, active, vertices)


def _runs(steps: Steps, sets: int, part: Inside) -> F64:
    """float64[sets]: how often each ran in the range; a step that it cuts counts as a fraction."""
    index = steps.compute_set[part.steps]
    known = (index >= 0) & (index < sets)
    return _sums(index[known], part.share[known], sets)


def _inside(kinds: Ragged, count: int) -> I64:
    return np.flatnonzero((kinds.items >= 0) & (kinds.items < count))


def _listed(kinds: Ragged, count: int) -> tuple[I64, I64]:
    """(compute set, vertex type) of every entry whose type exists."""
    known = _inside(kinds, count)
    return kinds.owner[known], kinds.items[known].astype(np.int64)


def _sums(index: I64 | I32, amounts: F64 | I64, size: int) -> F64:
    return np.bincount(index, amounts, size).astype(np.float64)
