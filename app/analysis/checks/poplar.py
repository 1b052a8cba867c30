"""Whether the numbers of a Poplar graph add up, and the references between its lists are valid (Poplar profiling data
format, 7.1, and what real reports comply with). Equal findings become one issue, with their number and first place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.poplar.graph import on_cycles
from app.analysis.poplar.numbers import blocks
from app.language import plural, tr
from app.profile.arrays import Array, Bool, Integers, distinct
from app.profile.issue import Issue, Severity
from app.profile.poplar import (
    BYTE_KINDS,
    EXCHANGE_OF_TYPE,
    REGIONS,
    TOTAL_BYTES,
    Categories,
    ComputeSets,
    ExchangeKind,
    Programs,
    TileMemory,
)
from app.profile.profile import Profile, Target


def graph_place(profile: Profile, path: str) -> str:
    """The place of a key in the graph file (the first of a pair)."""
    return _place(profile, path, "graph", 0)


def run_place(profile: Profile, path: str) -> str:
    """The place of a key in the execution file (the last of a pair)."""
    return _place(profile, path, "execution", -1)


def _place(profile: Profile, path: str, kind: str, number: int) -> str:
    named = profile.report_files.of_kind(kind, "both") if profile.report_files is not None else None
    if named is None and profile.origin.paths:
        named = profile.origin.paths[number].name
    return path if named is None else f"{named}: {path}"


def cells(profile: Profile, path: str, wrong: Bool, text: str, severity: Severity = "warning") -> list[Issue]:
    """At most one issue about the entries of an array; ``{}`` in ``path`` stands for the number of the entry."""
    return entries(profile, path, np.flatnonzero(wrong), len(wrong), text, severity)


def entries(
    profile: Profile,
    path: str,
    numbers: Integers,
    of: int,
    text: str,
    severity: Severity = "warning",
    *,
    run: bool = False,
) -> list[Issue]:
    """As ``cells``, for the entries ``numbers`` out of ``of``."""
    if not len(numbers):
        return []
    before, _, behind = path.rpartition("{}")
    place = (run_place if run else graph_place)(profile, f"{before}{numbers[0]}{behind}")
    if len(numbers) > 1:
        text = tr("{text} (in {count:,} of {of:,})", text=text, count=len(numbers), of=of)
    return [Issue(severity, place, text)]


def outside(values: Array, count: int | None) -> Array:
    """The indices beyond the end of a list of ``count`` things (none if that is unknown)."""
    if count is None:
        return np.zeros(len(values), np.bool_)
    return np.asarray(values >= count)


def target(profile: Profile) -> list[Issue]:
    """The products that the target states besides their factors."""
    return [] if profile.target is None else list(_target(profile, profile.target))


def tile_memory(profile: Profile) -> list[Issue]:
    """Totals, gaps, categories and lengths of the arrays per tile."""
    memory = profile.tile_memory
    if memory is None:
        return []
    return [
        *_totals(profile, memory),
        *_gaps(profile, memory),
        *_categories(profile, memory),
        *_length(profile, memory),
    ]


def byte_matrices(profile: Profile) -> list[Issue]:
    """Bytes by compute set and by vertex type: the total is the sum of the six kinds."""
    issues: list[Issue] = []
    if profile.compute_set_bytes is not None:
        issues += _six_kinds(profile, profile.compute_set_bytes.matrices, "memory.byComputeSet")
    if profile.vertex_type_bytes is not None:
        issues += _six_kinds(profile, profile.vertex_type_bytes.matrices, "memory.byVertexType")
    return issues


def instructions(profile: Profile) -> list[Issue]:
    """Bytes of exchange instructions: the total is the sum of the other kinds."""
    table = profile.programs.instructions if profile.programs is not None else None
    if table is None or "total" not in table.kinds:
        return []
    total = table.bytes[:, table.kinds.index("total")]
    others = np.delete(table.bytes, table.kinds.index("total"), axis=1)
    wrong = (total >= 0) & (np.where(others < 0, 0, others).sum(axis=1) != total)
    path = "programs[{}].memoryByInstruction.total"
    return entries(profile, path, table.program[wrong], len(total), tr("total is not the sum of the other kinds"))


def _target(profile: Profile, own: Target) -> Iterator[Issue]:
    products = (
        ("target.numTiles", own.tiles, own.ipus, own.tiles_per_ipu, tr("numIPUs x tilesPerIPU")),
        ("target.totalMemory", own.total_bytes, own.bytes_per_tile, own.tiles, tr("bytesPerTile x numTiles")),
        (
            "target.bytesPerIPU",
            own.bytes_per_ipu,
            own.bytes_per_tile,
            own.tiles_per_ipu,
            tr("bytesPerTile x tilesPerIPU"),
        ),
    )
    for path, stated, one, other, formula in products:
        if stated is not None and one is not None and other is not None and stated != one * other:
            text = tr("{stated:,} is not {formula} = {one:,}", stated=stated, formula=formula, one=one * other)
            yield Issue("warning", graph_place(profile, path), text)
    delays = own.relative_sync_delay
    if delays is not None and own.tiles_per_ipu is not None and len(delays) != own.tiles_per_ipu:
        text = tr(
            "{count:,} entries for {tiles_per_ipu:,} tiles of an IPU",
            count=len(delays),
            tiles_per_ipu=own.tiles_per_ipu,
        )
        yield Issue("warning", graph_place(profile, "target.relativeSyncDelayByTile"), text)


def _totals(profile: Profile, memory: TileMemory) -> Iterator[Issue]:
    regions = (memory.interleaved, memory.non_interleaved, memory.overflowed)
    if memory.total is not None and all(region is not None for region in regions):
        expected = sum(region.astype(np.int64) for region in regions if region is not None)
        text = tr("total is not interleaved + nonInterleaved + overflowed")
        yield from cells(profile, "memory.byTile.total[{}]", memory.total != expected, text)
    for name, values in _arrays(memory).items():
        yield from cells(profile, f"memory.byTile.{name}[{{}}]", values < 0, tr("negative number of bytes"))


def _gaps(profile: Profile, memory: TileMemory) -> Iterator[Issue]:
    arrays = _arrays(memory)
    for name in ("interleaved", "nonInterleaved", "overflowed", "total"):
        plain, wide = arrays.get(name), arrays.get(f"{name}IncludingGaps")
        if plain is not None and wide is not None:
            text = tr("less than {name}, which has no gaps", name=name)
            yield from cells(profile, f"memory.byTile.{name}IncludingGaps[{{}}]", wide < plain, text)

    wide_regions = [arrays.get(f"{region}IncludingGaps") for region in REGIONS]
    total = arrays.get("totalIncludingGaps")
    if total is not None and all(region is not None for region in wide_regions):
        least = sum(region.astype(np.int64) for region in wide_regions if region is not None)
        text = tr("less than the sum of its three regions including gaps")
        yield from cells(profile, "memory.byTile.totalIncludingGaps[{}]", total < least, text)


def _arrays(memory: TileMemory) -> dict[str, Integers]:
    named = {
        "interleaved": memory.interleaved,
        "interleavedIncludingGaps": memory.interleaved_with_gaps,
        "nonInterleaved": memory.non_interleaved,
        "nonInterleavedIncludingGaps": memory.non_interleaved_with_gaps,
        "overflowed": memory.overflowed,
        "overflowedIncludingGaps": memory.overflowed_with_gaps,
        "total": memory.total,
        "totalIncludingGaps": memory.total_with_gaps,
    }
    return {name: values for name, values in named.items() if values is not None}


def _categories(profile: Profile, memory: TileMemory) -> Iterator[Issue]:
    categories = memory.categories
    if categories is None:
        return
    yield from _category_totals(profile, categories)
    regions = (memory.interleaved, memory.non_interleaved, memory.overflowed)
    for number, (name, stated) in enumerate(zip(REGIONS, regions, strict=True)):
        rows = np.flatnonzero((categories.region == number) & ~categories.overlapped)
        if stated is not None and len(rows):
            sums = categories.bytes[rows].sum(axis=0, dtype=np.int64)
            text = tr("the non-overlapped bytes of all categories exceed memory.byTile.{name}", name=name)
            yield from cells(profile, tr("memory.byCategory, {name}, tile {{}}", name=name), sums > stated, text)


def _category_totals(profile: Profile, categories: Categories) -> Iterator[Issue]:
    """Only for categories that have all six parts."""
    for row, number in enumerate(categories.total_of.tolist()):
        parts = np.flatnonzero(categories.category == number)
        if len(parts) == 6:
            wrong = categories.bytes[parts].sum(axis=0, dtype=np.int64) != categories.totals[row]
            path = f"memory.byCategory.{categories.names[number]}.total[{{}}]"
            yield from cells(profile, path, wrong, tr("total is not the sum of the six parts"))


def _length(profile: Profile, memory: TileMemory) -> Iterator[Issue]:
    tiles = profile.target.tiles if profile.target is not None else None
    if tiles and (not memory.tiles or tiles % memory.tiles):
        text = tr(
            "{entries:,} entries match neither the {tiles:,} tiles of the target nor those of one replica",
            entries=memory.tiles,
            tiles=tiles,
        )
        yield Issue("warning", graph_place(profile, "memory.byTile"), text)


def _six_kinds(profile: Profile, matrices: dict[str, Integers], path: str) -> Iterator[Issue]:
    total = matrices.get(TOTAL_BYTES)
    kinds = [matrices.get(kind) for kind in BYTE_KINDS]
    if total is None or any(kind is None for kind in kinds):
        return
    count, place = 0, ""
    for part in blocks(*total.shape):
        sums = np.zeros(total[part].shape, np.int64)
        for kind in kinds:
            if kind is not None:
                sums += kind[part]
        wrong: Bool = sums != total[part]
        if not count and wrong.any():
            row, column = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
            place = f"{path}.{TOTAL_BYTES}[{part.start + row}][{column}]"
        count += int(np.count_nonzero(wrong))
    if count:
        text = tr("total is not the sum of the six kinds")
        if count > 1:
            text = tr("{text} (in {count:,} of {size:,} cells)", text=text, count=count, size=total.size)
        yield Issue("warning", graph_place(profile, place), text)


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
