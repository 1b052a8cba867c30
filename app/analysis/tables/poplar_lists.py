"""Compute sets and vertex types of a Poplar graph."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.columns import masked, max_over_tiles, number, optional, over_tiles, texts
from app.analysis.poplar.counting import Measured, counted
from app.analysis.poplar.matrices import BYTE_IDS, BYTE_TITLES, SHARED
from app.analysis.poplar.names import compute_set_names, vertex_type_names
from app.analysis.poplar.numbers import active_columns, row_maxima, row_sums
from app.analysis.poplar.runs import counts, knows_compute_sets, sums_of_steps
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.arrays import F64, I64, Integers, Ragged, combine_at
from app.profile.poplar import SHARED_KINDS
from app.profile.profile import Profile


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
