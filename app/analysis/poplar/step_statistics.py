"""Statistics of the steps in a range of the run: by compute set, by vertex type, by the path of their names."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.inside import Inside, inside
from app.analysis.poplar.paths import Paths, below, paths
from app.analysis.spread import Spread, spread
from app.profile.arrays import F64, I32, I64, Bool, Ragged, combine_at
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange


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
