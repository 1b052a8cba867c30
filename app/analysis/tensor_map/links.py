"""Links between mapped tensors and tiles."""

from __future__ import annotations

import numpy as np

from app.analysis.tensor_map.sizes import owners
from app.analysis.tensor_map.tiles import tensors_on
from app.profile.arrays import I64
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)
MOST_TILES = 512
"""Selections of more tiles than this have nearly all tensors, so that a link says nothing."""


def tensor_tiles(profile: Profile, tensors: I64) -> I64:
    """The tiles that hold any of the tensors."""
    found = profile.tensor_map
    if found is None:
        return NONE
    return np.unique(found.tile[np.isin(owners(found), tensors) & (found.count > 0)]).astype(np.int64)


def tile_tensors(profile: Profile, tiles: I64) -> I64:
    """The tensors that have elements on the tiles; none for very many tiles."""
    found = profile.tensor_map
    return NONE if found is None or len(tiles) > MOST_TILES else tensors_on(found, tiles)
