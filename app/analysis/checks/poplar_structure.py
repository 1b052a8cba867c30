"""Whether the references between the lists of a Poplar graph are valid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.poplar.findings import entries, graph_place, outside
from app.analysis.poplar.trees import on_cycles
from app.language import plural, tr
from app.profile.arrays import distinct
from app.profile.issue import Issue
from app.profile.poplar import EXCHANGE_OF_TYPE, ComputeSets, ExchangeKind, Programs
from app.profile.profile import Profile


def compute_sets(profile: Profile) -> list[Issue]:
    """Counts, vertex types and estimates of the compute sets."""
    sets = profile.compute_sets
    return [] if sets is None else [*_counts(profile, sets), *_types(profile, sets), *_estimates(profile, sets)]


def programs(profile: Profile) -> list[Issue]:
    """Compute sets, exchanges and functions that programs refer to, and cycles in their tree."""
    own = profile.programs
    return [] if own is None else [*_references(profile, own), *_exchanges(profile, own), *_cycles(profile, own)]


def _counts(profile: Profile, sets: ComputeSets) -> Iterator[Issue]:
    graph = profile.graph
    if graph is not None and graph.compute_sets is not None and graph.compute_sets != sets.count:
        text = plural(
            "{count:,} compute set, but graph.numComputeSets is {compute_sets:,}",
            "{count:,} compute sets, but graph.numComputeSets is {compute_sets:,}",
            count=sets.count,
            compute_sets=graph.compute_sets,
        )
        yield Issue("error", graph_place(profile, "computeSets"), text)
    matrices = profile.compute_set_bytes.matrices.values() if profile.compute_set_bytes is not None else ()
    rows = next((len(matrix) for matrix in matrices), sets.count)
    if rows != sets.count:
        text = plural(
            "{count:,} row for {number:,} compute sets",
            "{count:,} rows for {number:,} compute sets",
            count=rows,
            number=sets.count,
        )
        yield Issue("error", graph_place(profile, "memory.byComputeSet"), text)
    if graph is not None and graph.vertices is not None and sets.vertex_counts is not None:
        total = int(sets.vertex_counts.items.sum(dtype=np.int64))
        if total != graph.vertices:
            text = plural(
                "{count:,} vertex in all compute sets, but graph.numVertices is {vertices:,}",
                "{count:,} vertices in all compute sets, but graph.numVertices is {vertices:,}",
                count=total,
                vertices=graph.vertices,
            )
            yield Issue("warning", graph_place(profile, "computeSets.vertexCounts"), text)


def _types(profile: Profile, sets: ComputeSets) -> Iterator[Issue]:
    types = len(profile.vertex_types) if profile.vertex_types is not None else None
    if sets.vertex_types is not None:
        rows = distinct(sets.vertex_types.owner[outside(sets.vertex_types.items, types)])
        text = tr("names a vertex type that does not exist")
        yield from entries(profile, "computeSets.vertexTypes[{}]", rows, sets.count, text, "error")
    matrices = profile.vertex_type_bytes.matrices.values() if profile.vertex_type_bytes is not None else ()
    rows_of_types = next((len(matrix) for matrix in matrices), types)
    if types is not None and rows_of_types != types:
        text = plural(
            "{count:,} row for {types:,} vertex types",
            "{count:,} rows for {types:,} vertex types",
            count=rows_of_types,
            types=types,
        )
        yield Issue("error", graph_place(profile, "memory.byVertexType"), text)


def _estimates(profile: Profile, sets: ComputeSets) -> Iterator[Issue]:
    path = "computeSets.cycleEstimates"
    if sets.cycles is not None and sets.active_cycles is not None:
        rows = np.flatnonzero([bool(np.any(a > c)) for a, c in zip(sets.active_cycles, sets.cycles, strict=True)])
        text = tr("more active cycles than cycles on a tile")
        yield from entries(profile, f"{path}.activeCyclesByTile[{{}}]", rows, sets.count, text)
    if sets.active_cycles is not None and sets.active_cycles_by_type is not None:
        by_tile = sets.active_cycles.sum(axis=1, dtype=np.int64)
        rows = np.flatnonzero(by_tile != sets.active_cycles_by_type.sum(axis=1, dtype=np.int64))
        text = tr("the active cycles of all vertex types do not add up to those of all tiles")
        yield from entries(profile, f"{path}.activeCyclesByVertexType[{{}}]", rows, sets.count, text)


def _references(profile: Profile, own: Programs) -> Iterator[Issue]:
    sets = profile.compute_sets.count if profile.compute_sets is not None else None
    lists = (
        ("computeSet", own.compute_set, sets, tr("a compute set")),
        ("target", own.call, len(own.functions), tr("a function")),
    )
    for key, column, count, what in lists:
        rows = np.flatnonzero(outside(column, count))
        yield from entries(
            profile, f"programs[{{}}].{key}", rows, len(own), tr("names {what} that does not exist", what=what), "error"
        )


_NO_EXCHANGE: Final[dict[ExchangeKind, str]] = {
    "internal": tr("names an internal exchange that does not exist"),
    "external": tr("names an external exchange that does not exist"),
    "host": tr("names a host exchange that does not exist"),
}


def _exchanges(profile: Profile, own: Programs) -> Iterator[Issue]:
    for name, kind in EXCHANGE_OF_TYPE.items():
        listed = profile.exchanges.of(kind) if profile.exchanges is not None else None
        rows = own.of_type(name)
        rows = rows[outside(own.exchange[rows], None if listed is None else len(listed))]
        yield from entries(profile, "programs[{}].exchange", rows, len(own), _NO_EXCHANGE[kind], "error")


def _cycles(profile: Profile, own: Programs) -> Iterator[Issue]:
    rows = np.flatnonzero(on_cycles(own))
    text = tr("a program contains or calls itself, directly or indirectly")
    yield from entries(profile, "programs[{}].children", rows, len(own), text, "error")
