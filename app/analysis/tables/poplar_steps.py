"""The cost of the steps of a run, or of a range of it: by type, compute set, vertex type and name, and on tiles."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.poplar.columns import masked, optional
from app.analysis.poplar.names import compute_set_names
from app.analysis.poplar.numbers import blocks, ipu_of_tiles
from app.analysis.poplar.overlaps import overlaps
from app.analysis.poplar.runs import FORMULA, Spent, inside, spent
from app.analysis.poplar.step_statistics import Paths, PathTotals, Totals, by_path, by_vertex_type, totals
from app.analysis.poplar.tile_time import Part, tile_time
from app.analysis.table import Coded, Column, Table
from app.analysis.tables.poplar_lists import measured_columns
from app.language import tr
from app.profile.arrays import F64, I64, Bool
from app.profile.poplar import TILE_CYCLE_KINDS
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Strings

OWN = tr("Sum of the steps' own cycles (cycles of the longest tile); steps overlap, so sums may exceed the run.")
CUT = tr(
    "For a step that the range cuts, only the part inside counts. Mean, median, minimum and maximum are those of "
    "whole steps."
)
CUT_STEPS = tr(
    "Steps that the range cuts, and those that end after the run. Sums include the part inside; mean, median, minimum "
    "and maximum exclude these steps."
)
EACH = tr("Cycles of one step, over the whole steps (excluding cut steps).")
WHOLE = tr("Cycles of one step, over all steps of the run.")


def figures(sums: Totals, rows: I64, of: str) -> list[Column]:
    """Steps, cycles and data of the items in ``rows``; ``of``: what shares refer to."""
    each = sums.each
    cycles = np.where(sums.timed[rows], sums.cycles[rows], np.nan)
    columns = [
        Column("steps", tr("Steps"), sums.steps[rows]),
        Column("cut", tr("Cut steps"), sums.cut[rows], help=CUT_STEPS),
        Column("cycles", tr("Cycles"), cycles, "cycles", OWN),
        share("share", cycles, sums.cycles, tr("cycles of {of}", of=of)),
        Column("mean", tr("Mean"), each.mean[rows], "cycles", EACH, compared=EACH, adds_up=False),
        Column("median", tr("Median"), each.median[rows], "cycles", EACH, compared=EACH, adds_up=False),
        masked("least", tr("Minimum"), _whole(each.least[rows]), "cycles", EACH, compared=EACH, adds_up=False),
        masked("most", tr("Maximum"), _whole(each.most[rows]), "cycles", EACH, compared=EACH, adds_up=False),
        masked(
            "most_step",
            tr("Longest step"),
            sums.most_step[rows],
            help_=tr("The longest whole step; the first of several."),
            role="key",
        ),
    ]
    if bool(np.any(np.nan_to_num(sums.data[rows]) > 0)):
        columns.append(
            Column("data", tr("Data"), sums.data[rows], "B", tr("Data moved by the exchanges, as stated in the file."))
        )
    return columns


def _whole(values: F64) -> I64:
    """Integers, -1 for no data."""
    return np.nan_to_num(values, nan=-1.0).astype(np.int64)


def share(key: str, part: F64, whole: F64, of: str) -> Column:
    """``part`` in percent of the sum of ``whole``."""
    total = float(whole.sum())
    values = 100.0 * part / total if total > 0 else np.full(len(part), np.nan)
    return Column(key, tr("Share"), values, "%", tr("Share of the {of}.", of=of), share_of=of)


def falling(sums: Totals) -> I64:
    """Rows that have steps, by falling cycles."""
    rows = np.argsort(-sums.cycles, kind="stable")
    return rows[sums.steps[rows] > 0].astype(np.int64)


def note(stretch: TimeRange | None) -> str:
    """Which steps the figures refer to."""
    return (
        WHOLE
        if stretch is None
        else tr(
            "Steps of the range, cycles {start} to {end}. {cut}",
            start=f"{stretch.start:,.0f}",
            end=f"{stretch.end:,.0f}",
            cut=CUT,
        )
    )


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


BESIDE = tr(
    "Length of the intersection of these spans with those of OnTileExecute (for OnTileExecute: with those of all "
    "other types)."
)


def kinds(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per type of step."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    sums = totals(steps, steps.type, len(steps.strings), inside(profile, stretch))
    rows = falling(sums)
    columns = [Column("type", tr("Type"), Coded(rows, steps.strings)), *figures(sums, rows, tr("all steps"))]
    columns += _at_once(profile, rows, ~sums.timed[rows], stretch)
    return Table("steps-by-type", tr("Steps by type"), tuple(columns), note=note(stretch))


def _at_once(profile: Profile, rows: I64, without: Bool, stretch: TimeRange | None) -> list[Column]:
    """How long each type is at work, and for how much of that others are too; no figures for types ``without``
    cycles."""
    steps, spans = profile.steps, overlaps(profile, stretch)
    if steps is None or spans is None:
        return []
    part = inside(profile, stretch)
    stated = np.bincount(steps.type[part.steps] + 1, np.maximum(steps.overlapped[part.steps], 0) * part.share)
    given_at_all = np.bincount(steps.type[part.steps] + 1, steps.overlapped[part.steps] >= 0) > 0
    busy, beneath = (np.where(without, np.nan, values[rows]) for values in (spans.busy, spans.beneath))
    of = tr("the range") if stretch is not None else tr("the run")
    share = 100.0 * busy / spans.length if spans.length > 0 else np.full(len(rows), np.nan)
    return [
        Column("busy", tr("Busy"), busy, "cycles", tr("Length of the union of their spans, from first to last cycle.")),
        Column("busy_share", tr("Busy share"), share, "%", tr("Busy / cycles of {of}.", of=of), share_of=of),
        Column("beneath", tr("Overlap with compute"), beneath, "cycles", BESIDE),
        Column(
            "overlapped",
            tr("Overlapped"),
            stated[rows + 1],
            "cycles",
            tr("Sum of cyclesOverlapped, as stated in the file: cycles overlapped by earlier steps."),
            missing=~given_at_all[rows + 1],
        ),
    ]


def tiles(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per tile; None if no step has cycles per tile."""
    times = tile_time(profile)
    if times is None or profile.steps is None:
        return None
    share = np.zeros(len(profile.steps))
    part_of = inside(profile, stretch)
    share[part_of.steps] = part_of.share
    columns = [Column("tile", tr("Tile"), np.arange(times.tiles, dtype=np.int64), role="key")]
    columns += optional("ipu", "IPU", ipu_of_tiles(profile.target, times.tiles), times.tiles, role="key")
    length = times.end - times.start if stretch is None else stretch.end - stretch.start
    every = np.zeros(times.tiles)
    for part in times.parts:
        cycles = _cycles(part, share)
        every += cycles
        columns.append(Column(part.type, part.type, cycles, "cycles", f"{part.words[:1].upper()}{part.words[1:]}."))
    at_work = 100.0 * every / length if length > 0 else np.full(times.tiles, np.nan)
    help_ = tr("Cycles in these steps / cycles of the range or run. The rest is waiting, or was not measured.")
    remark = note(stretch)
    if times.without:
        at_work = np.where(every > 0, at_work, np.nan)
        absent = ", ".join(times.without)
        remark = tr("{remark} The file has no cycles per tile for {absent}.", remark=remark, absent=absent)
    columns.append(Column("at_work", tr("Busy share"), at_work, "%", help_, share_of=tr("the run or range")))
    return Table("tile-time", tr("Busy tiles"), tuple(columns), "tile", note=remark)


def _cycles(part: Part, share: F64) -> F64:
    """float64[tiles]: cycles of each tile in all steps of the part, each weighted by the share that counts."""
    weights = np.bincount(part.row, share[part.step], len(part.matrix)) / part.runs
    out = np.zeros(part.matrix.shape[1])
    for rows in blocks(*part.matrix.shape):
        if weights[rows].any():
            out += weights[rows] @ part.matrix[rows]
    return out


_TITLES = (tr("Cycles"), tr("Per tile"), tr("Share"))
_OF_STEPS = (tr("Cycles from steps"), tr("Per tile from steps"), tr("Share from steps"))
ADDS_UP = tr("activeCompute is a part of compute. All other kinds add up to the cycles of the run x tiles.")
RANGED = tr("Cycles of the range, from the balances of its steps. The file's own figures cover only the whole run.")


def tile_cycles(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per kind: figures of the file and of the steps; of a range, only the latter."""
    cycles = spent(profile, stretch)
    if cycles is None:
        return None
    kinds = kinds_of(cycles)
    columns = [Column("kind", tr("Kind"), tuple(kinds), role="kind")]
    if cycles.stated:
        columns += _figures(cycles, kinds, cycles.stated, "", _TITLES, tr("Sum over all tiles, as stated in the file."))
    if cycles.of_steps:
        columns += _figures(cycles, kinds, cycles.of_steps, "steps_", _OF_STEPS if cycles.stated else _TITLES, FORMULA)
    return Table("tile-cycles", tr("Cycles of all tiles"), tuple(columns), note=_note(cycles, stretch))


def kinds_of(cycles: Spent) -> list[str]:
    """The known kinds in their order, then those that only this file has."""
    known = [kind for kind in TILE_CYCLE_KINDS if kind in cycles.stated or kind in cycles.of_steps]
    return known + [kind for kind in cycles.stated if kind not in known]


def _figures(
    cycles: Spent,
    kinds: list[str],
    values: dict[str, int] | dict[str, float],
    key: str,
    titles: tuple[str, str, str],
    help_: str,
) -> list[Column]:
    amounts = np.array([values.get(kind, np.nan) for kind in kinds], np.float64)
    columns = [Column(f"{key}cycles", titles[0], amounts, "cycles", help_, parallel=True)]
    if cycles.whole and cycles.tiles:
        columns += [
            Column(
                f"{key}average",
                titles[1],
                amounts / cycles.tiles,
                "cycles",
                tr("Cycles / tiles."),
            ),
            Column(
                f"{key}share",
                titles[2],
                100.0 * amounts / cycles.whole,
                "%",
                tr("Cycles / (cycles of the run or range x tiles)."),
                share_of=tr("all tiles' cycles"),
            ),
        ]
    return columns


def _note(cycles: Spent, stretch: TimeRange | None) -> str:
    if stretch is not None:
        return RANGED
    absent = [kind for kind in TILE_CYCLE_KINDS if kind not in cycles.stated]
    if not (cycles.stated and absent):
        return ADDS_UP
    return tr("{adds_up} Not measured: {absent}.", adds_up=ADDS_UP, absent=", ".join(absent))
