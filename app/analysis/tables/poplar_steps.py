"""The cost of the steps of a run (or of a range of it) by type, compute set, vertex type and name."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.poplar.inside import inside
from app.analysis.poplar.names import compute_set_names
from app.analysis.poplar.paths import Paths
from app.analysis.poplar.step_statistics import PathTotals, by_path, by_vertex_type, totals
from app.analysis.table import Coded, Column, Table
from app.analysis.tables.poplar_lists import measured_columns
from app.analysis.tables.poplar_step_columns import OWN, falling, figures, note, share
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Strings


def compute_sets(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per compute set that ran."""
    steps = profile.steps
    size = 0 if steps is None else int(steps.compute_set.max(initial=-1)) + 1
    size = min(size, profile.compute_sets.count if profile.compute_sets is not None else MOST_SETS)
    if steps is None or not size:
        return None
    sums = totals(steps, steps.compute_set, size, inside(profile, stretch))
    rows = falling(sums)
    names = compute_set_names(profile, size)
    columns = [
        Column("compute_set", tr("Compute set"), rows, role="key"),
        Column("name", tr("Name"), Coded(rows, names), role="name"),
        *figures(sums, rows, tr("all compute sets")),
        Column(
            "balance", tr("Tile balance"), sums.balance[rows], help=tr("Mean of its steps, weighted by their cycles.")
        ),
        *(_taken(column, rows) for column in measured_columns(profile, size)),
    ]
    title = tr("Steps by compute set")
    return Table("steps-by-compute-set", title, tuple(columns), "compute_set", rows, note(stretch))


def _taken(column: Column, rows: I64) -> Column:
    missing = None if column.missing is None else column.missing[rows]
    return replace(column, values=np.asarray(column.values)[rows], missing=missing)


MOST_SETS = 1 << 16
"""An execution without its graph may contain any number."""


def vertex_types(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per vertex type that ran."""
    sums, types = by_vertex_type(profile, stretch), profile.vertex_types
    if sums is None or types is None:
        return None
    amounts = sums.cycles if sums.active is None else sums.active
    if amounts is None:
        return None
    rows = np.argsort(-amounts, kind="stable")
    rows = rows[amounts[rows] > 0].astype(np.int64)
    columns = [Column("type", tr("Vertex type"), Coded(rows, types.names))]
    if sums.active is not None:
        help_ = tr("Estimate: active cycles of each compute set on all tiles x its runs.")
        columns.append(
            Column("active", tr("Active cycles (estimate)"), sums.active[rows], "cycles", help_, parallel=True)
        )
        columns.append(share("share", sums.active[rows], sums.active, tr("active cycles of all types")))
    if sums.vertices is not None:
        columns.append(
            Column("vertices", tr("Vertices run"), sums.vertices[rows], help=tr("Vertices of each set x its runs."))
        )
    if sums.steps is not None and sums.cycles is not None:
        help_ = tr("A step counts for each of its types.")
        columns.append(Column("steps", tr("Steps with it"), sums.steps[rows]))
        columns.append(Column("cycles", tr("Cycles of steps with it"), sums.cycles[rows], "cycles", help_))
    title = tr("Steps by vertex type")
    return Table("steps-by-vertex-type", title, tuple(columns), "vertex_type", rows, note(stretch))


def names(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per prefix of the steps' names, with all steps whose names begin with it."""
    sums = by_path(profile, stretch)
    return None if sums is None else names_table(sums, stretch)


def names_table(sums: PathTotals, stretch: TimeRange | None) -> Table:
    """The table of some totals, one row per node."""
    top = sums.paths.depth == 0
    whole = float(sums.cycles[top].sum())
    of_all = 100.0 * sums.cycles / whole if whole > 0 else np.full(len(sums.cycles), np.nan)
    columns = (
        Column("name", tr("Name"), Coded(sums.paths.text, sums.paths.strings), role="name"),
        Column("level", tr("Level"), sums.paths.depth, help=tr("Number of parts before it."), role="key"),
        Column("cycles", tr("Cycles"), sums.cycles, "cycles", OWN, missing=~sums.timed, inclusive=True),
        Column(
            *("share", tr("Share"), of_all, "%", tr("Share of the cycles of all steps.")),
            missing=~sums.timed,
            share_of=tr("cycles of all steps"),
            inclusive=True,
        ),
        Column("steps", tr("Steps"), sums.steps, help=tr("Steps whose names start with this path."), inclusive=True),
        Column(
            "own",
            tr("Own cycles"),
            sums.own,
            "cycles",
            tr("Cycles of the steps with exactly this name."),
            missing=~sums.own_timed,
        ),
        Column(
            "data",
            tr("Data"),
            sums.data,
            "B",
            tr("Data moved by its exchanges, as stated in the file."),
            missing=~sums.moving,
            inclusive=True,
        ),
        Column("path", tr("Path"), Coded(np.arange(len(sums.paths)), full_paths(sums.paths))),
    )
    return Table("steps-by-name", tr("Steps by name"), columns, note=note(stretch))


def full_paths(paths: Paths) -> Strings:
    """The full path of each node."""
    own = paths.strings.tolist()
    texts: list[str] = []
    for text, parent in zip(paths.text.tolist(), paths.parent.tolist(), strict=True):
        part = own[text]
        texts.append(part if parent < 0 else f"{texts[parent]}/{part}")
    return Strings.of(texts)
