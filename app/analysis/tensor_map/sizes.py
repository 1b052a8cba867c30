"""How large mapped tensors are, and how evenly they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import F64, I64
from app.profile.tensor_map import ELEMENT_BYTES, TensorMap


def owners(found: TensorMap) -> I64:
    """int64[places]: the tensor of each place."""
    return np.repeat(np.arange(len(found), dtype=np.int64), np.diff(found.first))


def element_bytes(found: TensorMap) -> I64:
    """int64[tensors]: bytes of an element, -1 for a type whose size is not known."""
    types, of = np.unique(found.tensors.type, return_inverse=True)
    width = np.array([ELEMENT_BYTES.get(found.strings.get(number), -1) for number in types.tolist()], np.int64)
    return width[of.reshape(-1)] if len(types) else np.empty(0, np.int64)


def sums(found: TensorMap, values: I64) -> I64:
    """int64[tensors]: what the places of each tensor add up to."""
    running = np.concatenate((np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)))
    return running[found.first[1:]] - running[found.first[:-1]]


def place_bytes(found: TensorMap) -> I64:
    """int64[places]: elements x bytes of one, 0 where the type's size is not known."""
    return found.count.astype(np.int64) * np.maximum(element_bytes(found), 0)[owners(found)]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """By tensor: ``elements``: int64, mapped ones; ``bytes``: int64, -1 where the type's size is not known; ``tiles``:
    int64 that hold any; ``largest``: int64, most elements on one tile; ``at``: int32, the first tile with so many, -1
    none; ``imbalance``: float64, largest / mean over the tiles that hold any, NaN without."""

    elements: I64
    bytes: I64
    tiles: I64
    largest: I64
    at: I64
    imbalance: F64


def spread(found: TensorMap) -> Spread:
    """Of all tensors."""
    tensors, owner = len(found), owners(found)
    count = found.count.astype(np.int64)
    elements, tiles = sums(found, count), sums(found, (count > 0).astype(np.int64))
    largest, at = np.zeros(tensors, np.int64), np.full(tensors, -1, np.int64)
    filled = np.flatnonzero(np.diff(found.first))
    if len(filled):
        largest[filled] = np.maximum.reduceat(count, found.first[filled])
        hits = np.flatnonzero((count == largest[owner]) & (count > 0))
        first = hits[np.flatnonzero(np.diff(owner[hits], prepend=-1))]
        at[owner[first]] = found.tile[first]
    width = element_bytes(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        imbalance = np.where(tiles > 0, largest * tiles / np.maximum(elements, 1), np.nan)
    return Spread(elements, np.where(width >= 0, elements * width, -1), tiles, largest, at, imbalance)
