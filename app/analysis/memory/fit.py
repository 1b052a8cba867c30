"""Whether the graph fits into the memory of the tiles."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.memory.series import used
from app.analysis.poplar.numbers import ipu_of_tiles
from app.profile.profile import Profile


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
