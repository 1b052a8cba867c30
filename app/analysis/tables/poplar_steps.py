"""What the steps of a run (or of a stretch of it) took, by kind, compute set, vertex type and name."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.columns import given
from app.analysis.poplar.inside import inside
from app.analysis.poplar.names import compute_set_names
from app.analysis.poplar.paths import Paths
from app.analysis.poplar.step_statistics import PathTotals, Totals, by_path, by_vertex_type, totals
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Strings

OWN = "Sum of the steps' own cycles (those of the longest tile each); steps overlap, so sums may exceed the run."
CUT = "Of a step that the range cuts, the part inside counts."


def kinds(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row a type of step."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    found = totals(steps, steps.type, len(steps.strings), inside(profile, stretch))
    rows = _falling(found)
    columns = [Column("type", "Type", Coded(rows, steps.strings)), *_figures(found, rows, "all steps")]
    return Table("steps-by-type", "Steps by type", tuple(columns), note=_note(stretch))


def compute_sets(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row a compute set that ran."""
    steps = profile.steps
    size = 0 if steps is None else int(steps.compute_set.max(initial=-1)) + 1
    size = min(size, profile.compute_sets.count if profile.compute_sets is not None else MOST_SETS)
    if steps is None or not size:
        return None
    found = totals(steps, steps.compute_set, size, inside(profile, stretch))
    rows = _falling(found)
    names = compute_set_names(profile, size)
    columns = [
        Column("compute_set", "Compute set", rows),
        Column("name", "Name", Coded(rows, names)),
        *_figures(found, rows, "all compute sets"),
        Column("balance", "Tile balance", found.balance[rows], help="Mean of its steps, weighted by their cycles."),
    ]
    title = "Steps by compute set"
    return Table("steps-by-compute-set", title, tuple(columns), "compute_set", rows, _note(stretch))


MOST_SETS = 1 << 16
"""An execution without its graph may name any number."""


def vertex_types(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row a vertex type that ran."""
    found, types = by_vertex_type(profile, stretch), profile.vertex_types
    if found is None or types is None:
        return None
    amounts = found.cycles if found.active is None else found.active
    rows = np.argsort(-amounts, kind="stable")
    rows = rows[amounts[rows] > 0].astype(np.int64)
    columns = [Column("type", "Vertex type", Coded(rows, types.names))]
    if found.active is not None:
        help_ = "Estimate: active cycles of each compute set on all tiles x its runs."
        columns.append(Column("active", "Active cycles (estimate)", found.active[rows], "cycles", help_))
        columns.append(_share("share", found.active[rows], found.active, "active cycles of all types"))
    if found.vertices is not None:
        columns.append(
            Column("vertices", "Vertices run", found.vertices[rows], help="Vertices of each set x its runs.")
        )
    columns += [
        Column("steps", "Steps with it", found.steps[rows]),
        Column(
            "cycles", "Cycles of steps with it", found.cycles[rows], "cycles", "A step counts for each of its types."
        ),
    ]
    title = "Steps by vertex type"
    return Table("steps-by-vertex-type", title, tuple(columns), "vertex_type", rows, _note(stretch))


def names(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row a beginning of the steps' names, with all steps whose names begin so."""
    found = by_path(profile, stretch)
    return None if found is None else names_table(found, stretch)


def names_table(found: PathTotals, stretch: TimeRange | None) -> Table:
    """The table of some totals, a row a node."""
    top = found.paths.depth == 0
    whole = float(found.cycles[top].sum())
    share = 100.0 * found.cycles / whole if whole > 0 else np.full(len(found.cycles), np.nan)
    columns = (
        Column("name", "Name", Coded(found.paths.text, found.paths.strings)),
        Column("level", "Level", found.paths.depth, help="How many parts stand before it."),
        Column("steps", "Steps", found.steps, help="Whose names begin so."),
        Column("cycles", "Cycles", found.cycles, "cycles", OWN),
        Column("share", "Share", share, "%", "Of the cycles of all steps.", share_of="cycles of all steps"),
        Column("own", "Own cycles", found.own, "cycles", "Of the steps with this very name."),
        Column("data", "Data", found.data, "B", "Moved by its exchanges, by the file."),
        Column("path", "Path", Coded(np.arange(len(found.paths)), full_paths(found.paths))),
    )
    return Table("steps-by-name", "Steps by name", columns, note=_note(stretch))


def full_paths(found: Paths) -> Strings:
    """The whole path of each node."""
    own = found.strings.tolist()
    texts: list[str] = []
    for text, parent in zip(found.text.tolist(), found.parent.tolist(), strict=True):
        part = own[text]
        texts.append(part if parent < 0 else f"{texts[parent]}/{part}")
    return Strings.of(texts)


def _figures(found: Totals, rows: I64, of: str) -> list[Column]:
    steps = np.maximum(found.steps[rows], 1)
    columns = [
        Column("steps", "Steps", found.steps[rows]),
        Column("cycles", "Cycles", found.cycles[rows], "cycles", OWN),
        _share("share", found.cycles[rows], found.cycles, f"cycles of {of}"),
        Column("mean", "Mean", found.cycles[rows] / steps, "cycles", "Cycles / steps."),
        given("least", "Least", found.least[rows], "cycles", "Of one step, all of it."),
        given("most", "Most", found.most[rows], "cycles", "Of one step, all of it."),
        given("most_step", "Longest step", found.most_step[rows], help_="The first of several."),
    ]
    if bool(np.any(found.data[rows] > 0)):
        columns.append(Column("data", "Data", found.data[rows], "B", "Moved by the exchanges, by the file."))
    return columns


def _share(key: str, part: F64, whole: F64, of: str) -> Column:
    total = float(whole.sum())
    values = 100.0 * part / total if total > 0 else np.full(len(part), np.nan)
    return Column(key, "Share", values, "%", f"Of the {of}.", share_of=of)


def _falling(found: Totals) -> I64:
    """Those that have steps, by falling cycles."""
    rows = np.argsort(-found.cycles, kind="stable")
    return rows[found.steps[rows] > 0].astype(np.int64)


def _note(stretch: TimeRange | None) -> str:
    return CUT if stretch is not None else ""
