"""Trees of rows: one representation for all, and those of a Poplar report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.poplar.graph import edges
from app.analysis.poplar.liveness import below
from app.analysis.poplar.program_figures import ProgramFigures
from app.analysis.poplar.step_statistics import PathTotals, by_path
from app.analysis.table import Column, Table
from app.analysis.tables.poplar_live import liveness
from app.analysis.tables.poplar_programs import with_figures
from app.analysis.tables.poplar_steps import names_table
from app.language import tr
from app.profile.arrays import I64, Ragged, others
from app.profile.profile import Profile
from app.profile.selection import TimeRange

MOST_LEVELS = 2000
"""Deeper items are shown when their parent is expanded, but cannot be jumped to."""


class Hierarchy(Struct, frozen=True, eq=False, dict=True):
    """A tree whose item i is row i of ``table`` (the first column is the name). ``roots``: int64, the items at the top,
    ``root_titles`` their headings; ``below``: the children of each item, which several items may share and which, in a
    broken file, may form cycles."""

    table: Table
    roots: I64
    root_titles: tuple[str, ...]
    below: Ragged

    @cached_property
    def walk(self) -> Walk:
        """Where each item is first met, from the top down (cached)."""
        return walk(self.roots, self.below)

    def with_table(self, table: Table) -> Hierarchy:
        """The same tree with other figures for the same items; its walk is reused."""
        made = replace(self, table=table)
        if "walk" in self.__dict__:
            made.__dict__["walk"] = self.walk
        return made

    def path(self, item: int) -> list[int]:
        """The items from a root to ``item``; empty if no root reaches it."""
        parent = self.walk.parent
        if not 0 <= item < len(parent) or parent[item] == UNREACHED:
            return []
        path = [item]
        while parent[path[-1]] >= 0:
            path.append(int(parent[path[-1]]))
        return path[::-1]

    def in_order(self, items: I64) -> I64:
        """``items`` in the reading order of the fully expanded tree; unreached ones are left out."""
        place = self.walk.place[items]
        reached = items[place >= 0]
        return reached[np.argsort(place[place >= 0], kind="stable")]


UNREACHED = -2


def tree_columns(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns of a table in the order of a tree: the name, the first total (which a narrow panel still shows; marks
    at the names tell the kinds), the kind, all other figures as in the table, each beside its total, and last the
    numbers by which other lists refer to it."""
    columns = tuple(columns)
    first = next((column for column in columns if column.inclusive), None)
    ranks = {"name": 0, "kind": 2, "key": 4}
    return tuple(sorted(columns, key=lambda column: 1 if column is first else ranks.get(column.role, 3)))


class Walk(Struct, frozen=True, eq=False):
    """A traversal of a hierarchy. ``parent``: int64[items], the item under which each is first met (-1 for roots,
    UNREACHED); ``place``: int64[items], its position in reading order (-1 unreached)."""

    parent: I64
    place: I64


def walk(roots: I64, below: Ragged) -> Walk:
    """Traverses level by level over arrays: a million items take some tens of milliseconds."""
    count = len(below)
    parent = np.full(count, UNREACHED, np.int64)
    place = np.full(count, -1, np.int64)
    level = _first_ones(roots[(roots >= 0) & (roots < count)])
    parent[level] = -1
    levels = [level]
    slot = np.empty(count, np.int64)
    while len(levels[-1]) and len(levels) < MOST_LEVELS:
        level = levels[-1]
        owners, kids = _children(level, below)
        fresh = parent[kids] == UNREACHED
        owners, kids = owners[fresh], kids[fresh]
        number = np.arange(len(kids))
        slot[kids[::-1]] = number[::-1]  # written last: the first of several edges to one item
        first = slot[kids] == number
        owners, kids = owners[first], kids[first]
        parent[kids] = owners
        levels.append(kids)
    sizes = np.ones(count, np.int64)
    for level in levels[:0:-1]:
        if len(level):  # children of one parent are adjacent
            starts = _starts(parent[level])
            sizes[parent[level][starts]] += np.add.reduceat(sizes[level], starts)
    for level in levels:
        if len(level):
            place[level] = _places(level, parent[level], sizes[level], place)
    return Walk(parent, place)


def _children(level: I64, below: Ragged) -> tuple[I64, I64]:
    """(owner, child) of every edge below ``level``, in order."""
    edges = below.gather(level)
    return np.repeat(level, edges.lengths), edges.items.astype(np.int64)


def _first_ones(items: I64) -> I64:
    _, first = np.unique(items, return_index=True)
    first.sort()
    return items[first].astype(np.int64)


def _places(level: I64, owners: I64, sizes: I64, place: I64) -> I64:
    """Positions in reading order of one level: the parent's, plus the sizes of earlier siblings."""
    before = np.cumsum(sizes) - sizes
    if owners[0] == -1:
        return before
    starts = _starts(owners)
    lengths = np.diff(np.append(starts, len(level)))
    places: I64 = place[owners] + 1 + before - np.repeat(before[starts], lengths)
    return places


def _starts(owners: I64) -> I64:
    """The start of each run of equal owners."""
    return np.flatnonzero(np.concatenate(([True], owners[1:] != owners[:-1])))


class StepTree(Struct, frozen=True, eq=False):
    """``hierarchy``: item n is node n of ``totals.paths``."""

    hierarchy: Hierarchy
    totals: PathTotals

    def steps_of(self, nodes: I64) -> I64:
        """int64, ascending: the steps of these nodes and of all below them."""
        paths = self.totals.paths
        chosen = np.zeros(len(paths), np.bool_)
        chosen[nodes[(nodes >= 0) & (nodes < len(paths))]] = True
        for depth in range(1, paths.levels):
            level = np.flatnonzero(paths.depth == depth)
            chosen[level] |= chosen[paths.parent[level]]
        return np.flatnonzero(chosen[paths.of_step]).astype(np.int64)


def step_tree(profile: Profile, stretch: TimeRange | None = None) -> StepTree | None:
    """The tree of step names, the most expensive first at every level; None without steps."""
    totals = by_path(profile, stretch)
    if totals is None:
        return None
    table = names_table(totals, stretch)
    order = np.lexsort((-totals.cycles, totals.paths.parent))
    parent = totals.paths.parent[order]
    inner = order[parent >= 0].astype(np.int64)
    children = Ragged.of(np.bincount(totals.paths.parent[inner], minlength=len(totals.paths)).astype(np.int64), inner)
    roots = order[parent < 0].astype(np.int64)
    made = replace(table, title=tr("Names of steps"), columns=tree_columns(table.columns))
    return StepTree(Hierarchy(made, roots, ("",) * len(roots), children), totals)


def program_tree(profile: Profile, figures: ProgramFigures) -> Hierarchy | None:
    """The programs from the control programs and functions down, calls resolved, with the given ``figures``; None
    without programs."""
    own = profile.programs
    table = programs_table(profile, figures)
    if own is None or table is None or not len(own):
        return None
    below = edges(own)
    roots = np.concatenate((own.control, own.functions)).astype(np.int64)
    titles = [tr("control program {number}", number=number) for number in range(len(own.control))]
    titles += [tr("function {number}", number=number) for number in range(len(own.functions))]
    inside = (roots >= 0) & (roots < len(own))
    names: tuple[str, ...] = tuple(title for title, good in zip(titles, inside.tolist(), strict=True) if good)
    roots = roots[inside]
    if not len(roots):  # the file names no valid roots: programs without a parent, else the first
        roots = others(len(own), below.items)
        roots = roots if len(roots) else np.zeros(1, np.int64)
        names = (tr("program"),) * len(roots)
    return Hierarchy(table, roots, names, below)


def programs_table(profile: Profile, figures: ProgramFigures) -> Table | None:
    """The table of programs with the columns in the order of a tree: the cycles of a sub-tree next to the name."""
    table = with_figures(profile, figures)
    if table is None:
        return None
    return replace(table, columns=tree_columns(table.columns))


def live_tree(profile: Profile) -> Hierarchy | None:
    """The liveness nodes as a tree; None without any."""
    tree, table = profile.liveness, liveness(profile)
    if tree is None or table is None or not len(tree):
        return None
    roots = np.flatnonzero(tree.parent < 0).astype(np.int64)
    titles = _titles(profile, roots)
    return Hierarchy(replace(table, columns=tree_columns(table.columns)), roots, titles, below(tree))


def _titles(profile: Profile, roots: I64) -> tuple[str, ...]:
    control = profile.programs is not None and len(profile.programs.control) == len(roots)
    what = tr("control program") if control else tr("node")
    return tuple(f"{what} {number if control else root}" for number, root in enumerate(roots.tolist()))
