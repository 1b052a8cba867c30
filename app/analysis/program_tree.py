"""The programs of a graph as a tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.analysis.hierarchy import Hierarchy, tree_columns
from app.analysis.poplar.program_figures import ProgramFigures
from app.analysis.poplar.trees import edges
from app.analysis.table import Table
from app.analysis.tables.poplar_programs import with_figures
from app.language import tr
from app.profile.profile import Profile


def programs(profile: Profile, figures: ProgramFigures) -> Hierarchy | None:
    """The programs from the control programs and functions down, calls resolved, with those figures that are known
    by now; None without programs."""
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
    if not len(roots):  # nothing is said to be at the top: what nobody contains, else the first
        roots = np.setdiff1d(np.arange(len(own), dtype=np.int64), below.items.astype(np.int64))
        roots = roots if len(roots) else np.zeros(1, np.int64)
        names = (tr("program"),) * len(roots)
    return Hierarchy(table, roots, names, below)


def programs_table(profile: Profile, figures: ProgramFigures) -> Table | None:
    """The table of programs with the columns in the order of a tree: what a sub-tree costs stands by its name."""
    table = with_figures(profile, figures)
    if table is None:
        return None
    return replace(table, columns=tree_columns(table.columns))
