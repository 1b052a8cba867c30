"""The matrix of tensors by tiles for the heat map."""

from __future__ import annotations

import numpy as np

from app.analysis.matrix import Matrix
from app.analysis.tensor_map.sizes import owners, place_bytes, sums
from app.analysis.tensor_map.tiles import tile_count
from app.language import tr
from app.profile.arrays import I64, Integers, combine_at
from app.profile.strings import Strings
from app.profile.tensorflow import TensorMap

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
