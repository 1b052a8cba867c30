"""The trees that the rows of some tables form."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.ancestors import Tree
from app.analysis.poplar.program_figures import ProgramFigures
from app.analysis.poplar.step_statistics import by_path
from app.analysis.table import Table
from app.analysis.trees import program_tree
from app.profile.profile import Profile


def programs(profile: Profile, _: Table) -> Tree | None:
    """Programs below the control programs and functions that contain them."""
    tree = program_tree(profile, ProgramFigures())
    return None if tree is None else Tree(tree.walk.parent, tree.walk.place)


def liveness(profile: Profile, _: Table) -> Tree | None:
    """The nodes of the liveness tree."""
    own = profile.liveness
    return None if own is None else Tree(own.parent.astype(np.int64), np.arange(len(own), dtype=np.int64))


def step_names(profile: Profile, _: Table) -> Tree | None:
    """Prefixes of the names of steps."""
    sums = by_path(profile, None)
    if sums is None:
        return None
    return Tree(sums.paths.parent.astype(np.int64), np.arange(len(sums.paths), dtype=np.int64))
