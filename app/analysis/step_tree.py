"""The names of steps as a tree, with what the steps below each part took."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.analysis.hierarchy import Hierarchy, tree_columns
from app.analysis.poplar.step_statistics import PathTotals, by_path
from app.analysis.tables.poplar_steps import names_table
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.ragged import Ragged
from app.profile.selection import TimeRange


@dataclass(frozen=True, slots=True, eq=False)
class StepTree:
    """``hierarchy``: item n is node n of ``totals.paths``."""

    hierarchy: Hierarchy
    totals: PathTotals

    def steps_of(self, nodes: I64) -> I64:
        """int64, rising: the steps of these nodes and of all below them."""
        found = self.totals.paths
        chosen = np.zeros(len(found), np.bool_)
        chosen[nodes[(nodes >= 0) & (nodes < len(found))]] = True
        for depth in range(1, found.levels):
            level = np.flatnonzero(found.depth == depth)
            chosen[level] |= chosen[found.parent[level]]
        return np.flatnonzero(chosen[found.of_step]).astype(np.int64)


def step_tree(profile: Profile, stretch: TimeRange | None = None) -> StepTree | None:
    """The largest first at every level; None without steps."""
    found = by_path(profile, stretch)
    if found is None:
        return None
    table = names_table(found, stretch)
    order = np.lexsort((-found.cycles, found.paths.parent))
    parent = found.paths.parent[order]
    inner = order[parent >= 0].astype(np.int64)
    below = Ragged.of(np.bincount(found.paths.parent[inner], minlength=len(found.paths)).astype(np.int64), inner)
    roots = order[parent < 0].astype(np.int64)
    made = replace(table, title=tr("Names of steps"), columns=tree_columns(table.columns))
    return StepTree(Hierarchy(made, roots, ("",) * len(roots), below), found)
