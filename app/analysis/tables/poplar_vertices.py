"""Vertices of a Poplar graph: cycles as measured for each, and how full the threads are."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.poplar.columns import masked, optional
from app.analysis.poplar.names import compute_set_names, vertex_type_names
from app.analysis.poplar.numbers import ipu_of_tiles
from app.analysis.poplar.threads import FORMULA, ThreadUse, thread_use
from app.analysis.poplar.vertices import VertexGroups, by_type, by_type_and_set
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I32, I64
from app.profile.profile import Profile
from app.profile.strings import Strings

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
