"""Peak memory, in the two ways that Graphcore's own tools compute it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.profile import Profile

PER_TILE = tr(
    "Sum over tiles of the always-live bytes plus the tile's own maximum. Tiles peak at different times, so this is "
    "an upper bound."
)
PROGRAM = tr(
    "Bytes that are always live on all tiles, plus the most temporarily live bytes at any one node of the program tree."
)


class Peaks(Struct, frozen=True):
    """Bytes; None if the file lacks the data. ``program`` never exceeds ``tiles``. ``worst_tile`` is the tile with the
    most live bytes, ``node`` the node of the program peak."""

    always_live: int | None
    tiles: int | None
    program: int | None
    worst_tile: int | None
    worst_tile_bytes: int | None
    node: int | None


def peaks(profile: Profile) -> Peaks | None:
    """The peaks; None for a profile without liveness."""
    memory, tree = profile.tile_memory, profile.liveness
    always = None if memory is None else memory.always_live
    temporary = None if memory is None else memory.temporary_max
    if always is None and temporary is None and tree is None:
        return None
    base = None if always is None else int(always.sum(dtype=np.int64))
    top = int(np.argmax(tree.bytes)) if tree is not None and len(tree) else None
    highest = int(tree.bytes[top]) if tree is not None and top is not None else -1
    live = None if always is None or temporary is None else always.astype(np.int64) + temporary
    worst = int(np.argmax(live)) if live is not None and len(live) else None
    return Peaks(
        always_live=base,
        tiles=None if live is None else int(live.sum()),
        program=None if base is None or highest < 0 else base + highest,
        worst_tile=worst,
        worst_tile_bytes=int(live[worst]) if live is not None and worst is not None else None,
        node=top if highest >= 0 else None,
    )
