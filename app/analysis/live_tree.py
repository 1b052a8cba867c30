"""The nodes of live-ness as a tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.analysis.hierarchy import Hierarchy, tree_columns
from app.analysis.poplar.live import below
from app.analysis.tables.poplar_live import liveness
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile


def hierarchy(profile: Profile) -> Hierarchy | None:
    """The nodes as they contain one another; None without any."""
    tree, table = profile.liveness, liveness(profile)
    if tree is None or table is None or not len(tree):
        return None
    roots = np.flatnonzero(tree.parent < 0).astype(np.int64)
    titles = _titles(profile, roots)
    return Hierarchy(replace(table, columns=tree_columns(table.columns)), roots, titles, below(tree))


def _titles(profile: Profile, roots: I64) -> tuple[str, ...]:
    control = profile.programs is not None and len(profile.programs.control) == len(roots)
    what = tr("control program") if control else "node"
    return tuple(f"{what} {number if control else root}" for number, root in enumerate(roots.tolist()))
