"""Mapped tensors by tile."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.tensor_map.sizes import owners, place_bytes
from app.profile.arrays import I64, combine_at
from app.profile.profile import Profile
from app.profile.tensorflow import TensorMap

MK2_TILES = 1472
MK1_TILES = 1216


class PerTile(Struct, frozen=True, eq=False):
    """By tile, 0 to the last with any element. ``tensors``, ``elements``, ``bytes``: int64."""

    tensors: I64
    elements: I64
    bytes: I64

    def __len__(self) -> int:
        return len(self.tensors)


def tile_count(tensor_map: TensorMap) -> int:
    """The number of tiles, up to the last with any element."""
    return int(tensor_map.tile.max()) + 1 if len(tensor_map.tile) else 0


def tiles_of_ipu(profile: Profile) -> int:
    """Tiles per IPU: as stated by a graph profile, else assumed if all tiles fit on one; 0 if unknown (IpuTraceEvent,
    section 3)."""
    if profile.target is not None and profile.target.tiles_per_ipu:
        return profile.target.tiles_per_ipu
    count = 0 if profile.tensor_map is None else tile_count(profile.tensor_map)
    return MK1_TILES if 0 < count <= MK1_TILES else MK2_TILES if 0 < count <= MK2_TILES else 0


def per_tile(tensor_map: TensorMap, tensors: I64 | None = None) -> PerTile:
    """Sums over all tensors, or over the given ones."""
    tile, count, size = tensor_map.tile, tensor_map.count.astype(np.int64), place_bytes(tensor_map)
    places = tile_count(tensor_map)
    if tensors is not None:
        inside = np.isin(owners(tensor_map), tensors)
        tile, count, size = tile[inside], count[inside], size[inside]
    elements, bytes_ = (np.bincount(tile, amounts, minlength=places).astype(np.int64) for amounts in (count, size))
    return PerTile(np.bincount(tile, minlength=places).astype(np.int64), elements, bytes_)


def histogram(tensor_map: TensorMap, tensor: int) -> I64:
    """int64[tiles]: elements of one tensor on each tile."""
    counts = np.zeros(tile_count(tensor_map), np.int64)
    if 0 <= tensor < len(tensor_map):
        part = slice(int(tensor_map.first[tensor]), int(tensor_map.first[tensor + 1]))
        combine_at(np.add, counts, tensor_map.tile[part], tensor_map.count[part].astype(np.int64))
    return counts
