"""Whether the numbers of a Poplar graph add up (Poplar profiling data format, 7.1, and what real reports comply
with)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.poplar.findings import cells, entries, graph_place
from app.analysis.poplar.numbers import blocks
from app.language import tr
from app.profile.arrays import Bool, Integers
from app.profile.issue import Issue
from app.profile.poplar import BYTE_KINDS, REGIONS, TOTAL_BYTES, Categories, TileMemory
from app.profile.profile import Profile, Target


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
