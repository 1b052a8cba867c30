"""Links between mapped tensors and tiles."""

from __future__ import annotations

import numpy as np

from app.analysis.tensor_map.sizes import owners
from app.analysis.tensor_map.tiles import tensors_on
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)
MOST_TILES = 512
"""Selections of more tiles than this have nearly all tensors, so that a link says nothing."""


def tensor_tiles(profile: Profile, tensors: I64) -> I64:
    """The tiles that hold any of the tensors."""
    tensor_map = profile.tensor_map
    if tensor_map is None:
        return NONE
    return distinct(tensor_map.tile[np.isin(owners(tensor_map), tensors) & (tensor_map.count > 0)]).astype(np.int64)


def tile_tensors(profile: Profile, tiles: I64) -> I64:
    """The tensors that have elements on the tiles; none for very many tiles."""
    tensor_map = profile.tensor_map
    return NONE if tensor_map is None or len(tiles) > MOST_TILES else tensors_on(tensor_map, tiles)
