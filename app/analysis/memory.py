"""Memory of tiles: its breakdowns, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.names import meaning
from app.analysis.poplar.numbers import ipu_of_tiles
from app.language import tr
from app.profile.arrays import I64, Integers
from app.profile.poplar import REGIONS, TileMemory
from app.profile.profile import Profile

Breakdown: TypeAlias = Literal["none", "region", "category", "liveness", "overlap"]
BREAKDOWNS: Final[tuple[Breakdown, ...]] = ("none", "region", "category", "liveness", "overlap")

WITH_GAPS = tr("Includes the gaps due to alignment and memory regions: this amount must fit on the tile.")
GAPS: Final = "gaps"
"""Key of the part that belongs to no category."""
GAPS_HELP = tr("Memory including gaps, minus all categories: lost to alignment and unused between the regions.")
NO_GAPS = tr("Without gaps: interleaved, non-interleaved and overflowed bytes together.")
SHARED = tr(
    "Bytes shared between variables that are never live at the same time; several categories may count the same byte."
)
OWN = tr("Bytes of a single variable.")
REGION_TITLES: Final = (tr("Interleaved"), tr("Non-interleaved"), tr("Overflowed"))


class Part(Struct, frozen=True, eq=False):
    """One part of the memory of every tile: ``values`` int64[tiles], bytes."""

    key: str
    title: str
    values: I64
    help: str = ""


class TileSeries(Struct, frozen=True, eq=False):
    """``parts`` are stacked in order; ``total`` (int64[tiles], bytes) is their sum. ``limit``: bytes per tile, None if
    unknown. ``note`` states what the figure leaves out."""

    parts: tuple[Part, ...]
    total: I64
    limit: int | None
    note: str = ""


def series(
    profile: Profile, by: Breakdown = "none", *, gaps: bool = True, overlapped: bool = False
) -> TileSeries | None:
    """Bytes per tile with a breakdown; None if the file lacks the data.

    ``gaps`` applies to "none", "region" and "category". Categories count bytes that are never shared, which add up to
    the bytes without gaps, or (``overlapped``) bytes shared between variables that are not live together, which several
    categories may count and which have no gaps.
    """
    memory = profile.tile_memory
    if memory is None:
        return None
    parts, note = _MAKERS[by](memory, gaps, overlapped)
    if not parts:
        return None
    total = np.zeros(memory.tiles, np.int64)
    for part in parts:
        total += part.values
    return TileSeries(tuple(parts), total, profile.target.bytes_per_tile if profile.target else None, note)


def used(memory: TileMemory) -> Integers | None:
    """What must fit: bytes including gaps, or without them if the file has no others."""
    return memory.total if memory.total_with_gaps is None else memory.total_with_gaps


def _plain(memory: TileMemory, gaps: bool, _: bool) -> tuple[list[Part], str]:
    values = memory.total_with_gaps if gaps else memory.total
    if values is None:
        return [], ""
    return [Part("total", tr("Memory"), values.astype(np.int64), WITH_GAPS if gaps else NO_GAPS)], ""


def _regions(memory: TileMemory, gaps: bool, _: bool) -> tuple[list[Part], str]:
    """With gaps, the space between the regions is a part of its own, so that the parts add up to the total."""
    plain = (memory.interleaved, memory.non_interleaved, memory.overflowed)
    wide = (memory.interleaved_with_gaps, memory.non_interleaved_with_gaps, memory.overflowed_with_gaps)
    parts = [
        Part(key, title, values.astype(np.int64), WITH_GAPS if gaps else NO_GAPS)
        for key, title, values in zip(REGIONS, REGION_TITLES, wide if gaps else plain, strict=True)
        if values is not None
    ]
    if gaps and len(parts) == len(REGIONS) and memory.total_with_gaps is not None:
        between = memory.total_with_gaps - np.sum([part.values for part in parts], axis=0)
        if bool(np.all(between >= 0)):
            parts.append(Part("between", tr("Between the regions"), between, tr("Total minus the three regions.")))
    return parts, ""


def _categories(memory: TileMemory, gaps: bool, overlapped: bool) -> tuple[list[Part], str]:
    table = memory.categories
    if table is None:
        return [], ""
    parts = []
    for number, name in enumerate(table.names):
        rows = np.flatnonzero((table.category == number) & (table.overlapped == overlapped))
        if len(rows) >= len(REGIONS):  # with fewer rows, the category's bytes are unknown
            parts.append(Part(name, name, _added(table.bytes, rows), meaning(name)))
    if overlapped:
        return parts, SHARED
    if len(parts) == len(table.names) and gaps and memory.total_with_gaps is not None:
        rest = memory.total_with_gaps.astype(np.int64)
        for part in parts:  # one after the other: with many tiles, all of them side by side are large
            rest -= part.values
        if bool(np.all(rest >= 0)):
            parts.append(Part(GAPS, tr("Gaps"), rest, GAPS_HELP))
    return parts, tr("Only bytes that are not shared between variables.")


def _liveness(memory: TileMemory, _: bool, __: bool) -> tuple[list[Part], str]:
    parts = []
    if memory.always_live is not None:
        parts.append(Part("always", tr("Always live"), memory.always_live.astype(np.int64), tr("Live all the time.")))
    if memory.temporary_max is not None:
        help_ = tr("Maximum over the program of the temporarily live bytes on this tile.")
        parts.append(
            Part("temporary_max", tr("Maximum temporarily live"), memory.temporary_max.astype(np.int64), help_)
        )
    return parts, tr("Tiles reach their maximum at different times.")


def _added(matrix: Integers, rows: I64) -> I64:
    """Those rows (``matrix``: [rows, tiles]) added up, one after the other: with many tiles a copy of them is large."""
    total = np.zeros(matrix.shape[1], np.int64)
    for row in rows.tolist():
        total += matrix[row]
    return total


def _overlap(memory: TileMemory, _: bool, __: bool) -> tuple[list[Part], str]:
    table = memory.categories
    if table is None:
        return [], ""
    parts = []
    for key, title, overlapped, help_ in (
        ("own", tr("Not overlapped"), False, OWN),
        ("shared", tr("Overlapped"), True, SHARED),
    ):
        rows = np.flatnonzero(table.overlapped == overlapped)
        if len(rows) and len(rows) >= len(REGIONS) * len(table.names):
            parts.append(Part(key, title, _added(table.bytes, rows), help_))
    return parts, SHARED


_MAKERS: Final[dict[Breakdown, Callable[[TileMemory, bool, bool], tuple[list[Part], str]]]] = {
    "none": _plain,
    "region": _regions,
    "category": _categories,
    "liveness": _liveness,
    "overlap": _overlap,
}


def replicas(profile: Profile) -> int | None:
    """The number of replicas that share the arrays per tile: for a replicated graph these are those of one replica."""
    memory, target = profile.tile_memory, profile.target
    if memory is None or target is None or not target.tiles or not memory.tiles or target.tiles % memory.tiles:
        return None
    return target.tiles // memory.tiles


class WorstTile(Struct, frozen=True):
    """``ipu`` is None if the number of tiles per IPU is unknown."""

    tile: int
    ipu: int | None
    with_gaps: int


class Verdict(Struct, frozen=True):
    """Whether the graph fits: on every tile, bytes including gaps must not exceed its capacity, and nothing may
    overflow (Poplar profiling data format, 7.1.8). ``tiles_over``: tiles over their capacity; ``headroom``: bytes left
    on the fullest tile, negative if it does not fit; ``share``: used share of the fullest tile, 0..1; ``total_share``:
    of the memory of all tiles."""

    fits: bool
    tiles: int
    tiles_over: int
    worst: tuple[WorstTile, ...]
    headroom: int
    share: float
    total_share: float


def verdict(profile: Profile, worst: int = 5) -> Verdict | None:
    """The verdict; None if the file has no memory per tile, or does not state the capacity of a tile."""
    memory, target = profile.tile_memory, profile.target
    values = used(memory) if memory is not None else None
    limit = target.bytes_per_tile if target is not None else None
    if memory is None or target is None or values is None or not limit or limit < 0 or not len(values):
        return None
    over = values > limit
    overflows = memory.overflowed is not None and bool(np.any(memory.overflowed > 0))
    order = np.argsort(-values.astype(np.int64), kind="stable")[:worst]
    ipu = ipu_of_tiles(target, len(values))
    places = tuple(
        WorstTile(
            tile,
            None if ipu is None else int(ipu[tile]),
            int(values[tile]),
        )
        for tile in order.tolist()
    )
    largest = int(values.max())
    total = int(values.sum(dtype=np.int64))
    return Verdict(
        fits=not overflows and not bool(np.any(over)),
        tiles=len(values),
        tiles_over=int(np.count_nonzero(over)),
        worst=places,
        headroom=limit - largest,
        share=largest / limit,
        total_share=total / (limit * len(values)),
    )
