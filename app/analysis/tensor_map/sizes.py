"""Sizes of mapped tensors, and how evenly they are spread."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64
from app.profile.tensorflow import ELEMENT_BYTES, TensorMap


def owners(tensor_map: TensorMap) -> I64:
    """int64[entries]: the tensor of each entry of the map."""
    return np.repeat(np.arange(len(tensor_map), dtype=np.int64), np.diff(tensor_map.first))


def element_bytes(tensor_map: TensorMap) -> I64:
    """int64[tensors]: bytes per element, -1 for a type of unknown size."""
    types, of = np.unique(tensor_map.tensors.type, return_inverse=True)
    width = np.array([ELEMENT_BYTES.get(tensor_map.strings.get(number), -1) for number in types.tolist()], np.int64)
    return width[of.reshape(-1)] if len(types) else np.empty(0, np.int64)


def sums(tensor_map: TensorMap, values: I64) -> I64:
    """int64[tensors]: the sum of ``values`` over the entries of each tensor."""
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)))
    return running[tensor_map.first[1:]] - running[tensor_map.first[:-1]]


def place_bytes(tensor_map: TensorMap) -> I64:
    """int64[entries]: elements x bytes per element, 0 if the type's size is unknown."""
    return tensor_map.count.astype(np.int64) * np.maximum(element_bytes(tensor_map), 0)[owners(tensor_map)]


class Spread(Struct, frozen=True, eq=False):
    """By tensor: ``elements``: int64, mapped ones; ``bytes``: int64, -1 if the type's size is unknown; ``tiles``:
    int64, tiles with any; ``largest``: int64, most elements on one tile; ``at``: int32, the first tile with that many,
    -1 none; ``imbalance``: float64, largest / mean over the tiles that have any, NaN without."""

    elements: I64
    bytes: I64
    tiles: I64
    largest: I64
    at: I64
    imbalance: F64


def spread(tensor_map: TensorMap) -> Spread:
    """The spread of all tensors."""
    tensors, owner = len(tensor_map), owners(tensor_map)
    count = tensor_map.count.astype(np.int64)
    elements, tiles = sums(tensor_map, count), sums(tensor_map, (count > 0).astype(np.int64))
    largest, at = np.zeros(tensors, np.int64), np.full(tensors, -1, np.int64)
    filled = np.flatnonzero(np.diff(tensor_map.first))
    if len(filled):
        largest[filled] = np.maximum.reduceat(count, tensor_map.first[filled])
        hits = np.flatnonzero((count == largest[owner]) & (count > 0))
        first = hits[np.flatnonzero(np.diff(owner[hits], prepend=-1))]
        at[owner[first]] = tensor_map.tile[first]
    width = element_bytes(tensor_map)
    with np.errstate(divide="ignore", invalid="ignore"):
        imbalance = np.where(tiles > 0, largest * tiles / np.maximum(elements, 1), np.nan)
    return Spread(elements, np.where(width >= 0, elements * width, -1), tiles, largest, at, imbalance)
