"""Compute sets and vertex types of a Poplar graph; vertices with their cycles, and how full the threads are."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.poplar.columns import masked, max_over_tiles, number, optional, over_tiles, texts
from app.analysis.poplar.matrices import BYTE_IDS, BYTE_TITLES, SHARED
from app.analysis.poplar.names import compute_set_names, vertex_type_names
from app.analysis.poplar.numbers import Measured, active_columns, counted, ipu_of_tiles, row_maxima, row_sums
from app.analysis.poplar.runs import counts, knows_compute_sets, sums_of_steps
from app.analysis.poplar.vertices import FORMULA, ThreadUse, VertexGroups, by_type, by_type_and_set, thread_use
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I32, I64, Integers, Ragged, combine_at
from app.profile.poplar import SHARED_KINDS
from app.profile.profile import Profile
from app.profile.strings import Strings


def compute_sets(profile: Profile) -> Table | None:
    """One row per compute set."""
    sets = profile.compute_sets
    if sets is None:
        return None
    count = sets.count
    columns = [number(count), texts("name", tr("Name"), compute_set_names(profile, count), count)]
    columns += optional("vertices", tr("Vertices"), _row_totals(sets.vertex_counts), count)
    kinds = None if sets.vertex_types is None else sets.vertex_types.lengths
    columns += optional("types", tr("Vertex types"), kinds, count, help_=tr("Number of different ones."))
    columns += _bytes(profile.compute_set_bytes.matrices if profile.compute_set_bytes else {}, count)
    columns += _estimates(sets.cycles, sets.active_cycles, count)
    columns += measured_columns(profile, count)
    if profile.steps is not None and knows_compute_sets(profile.steps):
        index, cycles = profile.steps.compute_set, profile.steps.cycles
        columns += optional("runs", tr("Runs"), counts(index, count), count, help_=tr("Steps that ran it."))
        help_ = tr("Sum of the cycles of its steps (cycles of the longest tile).")
        columns.append(
            masked("run_cycles", tr("Cycles, all runs"), sums_of_steps(index, cycles, count), "cycles", help_)
        )
    return Table("compute-sets", tr("Compute sets"), tuple(columns), "compute_set")


def _row_totals(rows: Ragged | None) -> I64 | None:
    if rows is None:
        return None
    out = np.zeros(len(rows), np.int64)
    combine_at(np.add, out, rows.owner, rows.items)
    return out


def _bytes(matrices: dict[str, Integers], count: int) -> list[Column]:
    """Sums over tiles, with the maximum on a tile, which cannot be added over rows."""
    columns: list[Column] = []
    for kind, matrix in matrices.items():
        key, title = BYTE_IDS.get(kind, kind).replace("-", "_"), BYTE_TITLES.get(kind, kind)
        if kind in SHARED_KINDS:
            columns += over_tiles(key, title, matrix, count, "B", SHARED)
        else:
            columns += optional(key, title, row_sums(matrix), count, "B", tr("Sum over tiles."))
    return columns


def _estimates(cycles: Integers | None, active: Integers | None, count: int) -> list[Column]:
    columns: list[Column] = []
    if cycles is not None:
        longest, total = row_maxima(cycles), row_sums(cycles)
        help_ = tr("Estimate for the IPU model: the compute set takes as long as its longest tile.")
        columns += max_over_tiles("cycles", tr("Cycles (estimate)"), cycles, count, "cycles", help_)
        columns += optional(
            "tiles", tr("Busy tiles"), active_columns(cycles), count, help_=tr("Number of tiles with cycles.")
        )
        help_ = tr("Sum of cycles / (longest x tiles).")
        columns += optional("balance", tr("Tile balance"), _ratio(total, longest * cycles.shape[1]), count, help_=help_)
    if active is not None:
        help_ = tr("Estimate: cycles in which a thread ran, sum over tiles.")
        columns += optional(
            "active", tr("Active cycles (estimate)"), row_sums(active), count, "cycles", help_, parallel=True
        )
        if cycles is not None:
            share = 100.0 * _ratio(row_sums(active), row_sums(cycles))
            help_ = tr("Active cycles / cycles, over all tiles: how well the threads are used.")
            column = Column("thread_use", tr("Thread use"), share, "%", help_, share_of=tr("cycles of all tiles"))
            columns.append(column)
    return columns


def _ratio(part: I64, whole: I64) -> F64:
    out = np.full(len(part), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


def measured_columns(profile: Profile, count: int) -> list[Column]:
    """The measured cycles of each compute set: on its longest tile, or (single-tile mode) of all tiles together."""
    measured = profile.measured_cycles
    if measured is None:
        return []
    columns: list[Column] = []
    if measured.compute_sets is not None:
        help_ = _counted(profile, "compute_sets")
        columns += max_over_tiles("measured", tr("Measured cycles"), measured.compute_sets, count, "cycles", help_)
    if measured.compute_sets_single is not None:
        values, help_ = measured.compute_sets_single.astype(np.int64), _counted(profile, "compute_sets_single")
        columns += optional(
            "measured_single", tr("Measured cycles, all tiles"), values, count, "cycles", help_, parallel=True
        )
    return columns


def _counted(profile: Profile, measured: Measured) -> str:
    cycles = counted(profile, measured)
    words = "" if cycles is None else cycles.words
    return tr("As counted by the hardware. {words}", words=words)


def vertex_types(profile: Profile) -> Table | None:
    """One row per vertex type."""
    types = profile.vertex_types
    if types is None:
        return None
    count = len(types)
    columns = [number(count), texts("name", tr("Name"), vertex_type_names(profile, count), count)]
    columns += optional("size", tr("State"), types.sizes, count, "B", tr("Bytes of the state of one vertex."))
    columns += optional(
        "vertices", tr("Vertices"), _vertices_of_types(profile, count), count, help_=tr("Number in all compute sets.")
    )
    columns += _bytes(profile.vertex_type_bytes.matrices if profile.vertex_type_bytes else {}, count)
    active = profile.compute_sets.active_cycles_by_type if profile.compute_sets is not None else None
    if active is not None:
        help_ = tr("Estimate: active cycles in all compute sets, each run once.")
        once = active.sum(axis=0, dtype=np.int64)
        columns += optional("active", tr("Active cycles (estimate)"), once, count, "cycles", help_, parallel=True)
        if profile.steps is not None and knows_compute_sets(profile.steps):
            runs = counts(profile.steps.compute_set, len(active))
            help_ = tr("Estimate: active cycles of each compute set x its runs.")
            columns += optional(
                "run_active", tr("Active cycles, all runs"), runs @ active, count, "cycles", help_, parallel=True
            )
    return Table("vertex-types", tr("Vertex types"), tuple(columns), "vertex_type")


def _vertices_of_types(profile: Profile, count: int) -> I64 | None:
    sets = profile.compute_sets
    if sets is None or sets.vertex_counts is None or sets.vertex_types is None:
        return None
    kinds, numbers = sets.vertex_types.items, sets.vertex_counts.items
    inside = (kinds >= 0) & (kinds < count)
    out = np.zeros(count, np.int64)
    combine_at(np.add, out, kinds[inside].astype(np.int64), numbers[inside])
    return out


NOTE = tr("Cycles of each vertex in its last run, as counted by the hardware (profiler mode VERTICES).")


def vertex_cycles(profile: Profile) -> Table | None:
    """One row per vertex type in a compute set."""
    return groups(profile, sets=True)


def groups(profile: Profile, *, sets: bool) -> Table | None:
    """One row per vertex type, or per vertex type in a compute set."""
    vertices = profile.execution.vertices if profile.execution is not None else None
    if vertices is None or not len(vertices.cycles):
        return None
    sums = by_type_and_set(vertices) if sets else by_type(vertices)
    columns = [
        _type(profile, sums.type),
        *([_set(profile, sums.compute_set)] if sets else []),
        Column("vertices", tr("Vertices"), sums.count),
        *_figures(sums),
    ]
    if not sets:
        columns.append(_set(profile, sums.compute_set, tr("Compute set of the slowest")))
    columns.append(
        Column(
            "worst",
            tr("Slowest"),
            sums.worst,
            help=tr("Index of the slowest vertex; the first of several."),
            role="key",
        )
    )
    order = np.argsort(-sums.total, kind="stable")
    ordered = tuple(_taken(column, order) for column in columns)
    return Table("vertex-cycles", tr("Cycles of vertices"), ordered, "vertex_type", sums.type[order], NOTE)


def _figures(sums: VertexGroups) -> list[Column]:
    return [
        Column(
            "total",
            tr("Total"),
            sums.total,
            "cycles",
            tr("Sum over the vertices; vertices of one tile share its threads."),
            parallel=True,
        ),
        Column("least", tr("Minimum"), sums.least, "cycles", adds_up=False),
        Column("median", tr("Median"), sums.median, "cycles", adds_up=False),
        Column("mean", tr("Mean"), sums.mean, "cycles", adds_up=False),
        Column("most", tr("Maximum"), sums.most, "cycles", adds_up=False),
        Column("ratio", tr("Max / mean"), sums.ratio, help=tr("1 means that all take the same time.")),
    ]


def vertices(profile: Profile) -> Table | None:
    """One row per measured vertex, in the file's order."""
    own = profile.execution.vertices if profile.execution is not None else None
    if own is None or not len(own.cycles):
        return None
    columns = (
        Column("vertex", tr("Vertex"), np.arange(len(own.cycles), dtype=np.int64), role="key"),
        _type(profile, own.type),
        _set(profile, own.compute_set),
        masked("cycles", tr("Cycles"), own.cycles, "cycles"),
    )
    return Table("vertices", tr("Vertices"), columns, "vertex_type", own.type.astype(np.int64), NOTE)


def threads(profile: Profile) -> Table | None:
    """One row per tile: how full its threads are in all compute sets."""
    use = thread_use(profile)
    return None if use is None else threads_table(profile, use)


def threads_table(profile: Profile, use: ThreadUse) -> Table:
    count = len(use.cycles)
    columns = [Column("tile", tr("Tile"), np.arange(count, dtype=np.int64), role="key")]
    columns += optional("ipu", "IPU", ipu_of_tiles(profile.target, count), count, role="key")
    columns += [
        Column("share", tr("Thread use"), use.share, "%", FORMULA, share_of=tr("the tile's cycles")),
        Column(
            "cycles",
            tr("Cycles (estimate)"),
            use.cycles,
            "cycles",
            tr("Number in the compute sets, multiplied by their runs."),
        ),
        Column(
            "active",
            tr("Active cycles (estimate)"),
            use.active,
            "cycles",
            tr("Cycles in which a thread runs."),
            parallel=True,
        ),
    ]
    return Table("thread-use", tr("Thread use per tile"), tuple(columns), "tile", note=FORMULA)


def _type(profile: Profile, ids: I64 | I32) -> Column:
    count = len(profile.vertex_types or ())
    return _named("type", tr("Vertex type"), ids, vertex_type_names(profile, count))


def _set(profile: Profile, ids: I64 | I32, title: str = tr("Compute set")) -> Column:
    count = profile.compute_sets.count if profile.compute_sets is not None else 0
    return _named("compute_set", title, ids, compute_set_names(profile, count))


def _named(key: str, title: str, ids: I64 | I32, names: Strings) -> Column:
    """The names of ``ids``; the numbers themselves if there is no graph to name them."""
    if not len(names):
        return masked(key, title, ids)
    return Column(key, title, Coded(np.where(ids < len(names), ids, -1), names))


def _taken(column: Column, order: I64) -> Column:
    values = column.values
    if isinstance(values, Coded):
        return replace(column, values=Coded(values.ids[order], values.strings))
    assert not isinstance(values, tuple)
    missing = None if column.missing is None else column.missing[order]
    return replace(column, values=values[order], missing=missing)
