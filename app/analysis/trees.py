"""The trees of a Poplar report: programs, liveness nodes, and step names with the cost of all steps below."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.hierarchy import Hierarchy, tree_columns
from app.analysis.poplar.graph import edges
from app.analysis.poplar.liveness import below
from app.analysis.poplar.program_figures import ProgramFigures
from app.analysis.poplar.step_statistics import PathTotals, by_path
from app.analysis.table import Table
from app.analysis.tables.poplar_live import liveness
from app.analysis.tables.poplar_programs import with_figures
from app.analysis.tables.poplar_steps import names_table
from app.language import tr
from app.profile.arrays import I64, Ragged, others
from app.profile.profile import Profile
from app.profile.selection import TimeRange


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
