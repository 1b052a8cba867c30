"""Mapped tensors: their sizes, how evenly they are spread, what is on each tile, and the matrix of tensors by tiles."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.matrix import Matrix
from app.language import tr
from app.profile.arrays import F64, I64, Integers, among, combine_at
from app.profile.profile import Profile
from app.profile.strings import Strings
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
        inside = among(owners(tensor_map), tensors)
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


CELLS = 8_000_000
"""A larger matrix is reduced to its largest tensors; the table lists all of them."""
FEW = 4_000_000
HELP = tr("Distinct elements on the tile x bytes of one element.")


def tensor_matrix(tensor_map: TensorMap, rows: I64 | None = None, cells: int = CELLS) -> Matrix | None:
    """Bytes of each tensor on each tile, for ``rows`` in their order or for all tensors in file order; the largest
    tensors if there are too many. None if there is nothing to show. Tensors of a type of unknown size have only
    zeros."""
    tiles, wanted = tile_count(tensor_map), np.arange(len(tensor_map), dtype=np.int64) if rows is None else rows
    if not tiles or not len(wanted):
        return None
    help_: str = HELP
    most = max(1, cells // tiles)
    if len(wanted) > most:
        size = sums(tensor_map, place_bytes(tensor_map))[wanted]
        largest = np.sort(np.argsort(-size, kind="stable")[:most])
        help_ = tr("{help} The {most:,} largest of {count:,} tensors.", help=help_, most=most, count=len(wanted))
        wanted = wanted[largest]
    values = _dense(tensor_map, wanted, tiles)
    names = Strings.of(tensor_name(tensor_map, row) for row in wanted.tolist())
    return Matrix(
        "tensor-map",
        tr("Bytes on each tile"),
        tr("Mapped tensors"),
        values,
        "B",
        help_,
        "mapped_tensor",
        names,
        keys=wanted,
    )


def tensor_name(tensor_map: TensorMap, row: int) -> str:
    """The instruction, with the output index if it has several."""
    name = tensor_map.strings.get(int(tensor_map.tensors.instruction[row]))
    output = int(tensor_map.tensors.output[row])
    return f"{name}:{output}" if output > 0 else name


def _dense(tensor_map: TensorMap, wanted: I64, tiles: int) -> Integers:
    row_of = np.full(len(tensor_map), -1, np.int64)
    row_of[wanted] = np.arange(len(wanted))
    row = row_of[owners(tensor_map)]
    inside = row >= 0
    size = place_bytes(tensor_map)[inside]
    largest = np.bincount(row[inside], size).max(initial=0)  # of the whole tensor, even if tiles are listed twice
    kind = np.uint16 if largest < 1 << 15 else np.uint32 if largest < 1 << 31 else np.int64
    values = np.zeros((len(wanted), tiles), kind)
    place = row[inside] * tiles + tensor_map.tile[inside]
    cells = values.reshape(-1)
    if rising(tensor_map):
        cells[place] = size
    else:  # a tile may be listed twice
        combine_at(np.add, cells, place, size.astype(kind))
    return values


def rising(tensor_map: TensorMap) -> bool:
    """Whether the tiles of every tensor ascend, so that none is listed twice."""
    falls = np.diff(tensor_map.tile) <= 0
    borders = tensor_map.first[1:-1]
    borders = borders[(borders > 0) & (borders < len(tensor_map.tile))]
    falls[borders - 1] = False
    return not falls.any()
