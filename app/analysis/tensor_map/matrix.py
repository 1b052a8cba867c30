"""The matrix of tensors by tiles for the heat map."""

from __future__ import annotations

import numpy as np

from app.analysis.matrix import Matrix
from app.analysis.tensor_map.sizes import owners, place_bytes, sums
from app.analysis.tensor_map.tiles import tile_count
from app.language import tr
from app.profile.arrays import I64, Integers
from app.profile.strings import Strings
from app.profile.tensor_map import TensorMap

CELLS = 8_000_000
"""A larger matrix is reduced to its largest tensors; the table lists all of them."""
FEW = 4_000_000
HELP = tr("Distinct elements on the tile x bytes of one.")


def tensor_matrix(found: TensorMap, rows: I64 | None = None, cells: int = CELLS) -> Matrix | None:
    """Bytes of each tensor on each tile, for ``rows`` in their order or for all tensors in file order; the largest
    tensors if there are too many. None if there is nothing to show. Tensors of a type of unknown size have only
    zeros."""
    tiles, wanted = tile_count(found), np.arange(len(found), dtype=np.int64) if rows is None else rows
    if not tiles or not len(wanted):
        return None
    help_: str = HELP
    most = max(1, cells // tiles)
    if len(wanted) > most:
        size = sums(found, place_bytes(found))[wanted]
        kept = np.sort(np.argsort(-size, kind="stable")[:most])
        help_ = tr("{help} The {most:,} largest of {count:,} tensors.", help=help_, most=most, count=len(wanted))
        wanted = wanted[kept]
    values = _dense(found, wanted, tiles)
    names = Strings.of(tensor_name(found, row) for row in wanted.tolist())
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


def tensor_name(found: TensorMap, row: int) -> str:
    """The instruction, with the output index if it has several."""
    name = found.strings.get(int(found.tensors.instruction[row]))
    output = int(found.tensors.output[row])
    return f"{name}:{output}" if output > 0 else name


def _dense(found: TensorMap, wanted: I64, tiles: int) -> Integers:
    row_of = np.full(len(found), -1, np.int64)
    row_of[wanted] = np.arange(len(wanted))
    row = row_of[owners(found)]
    inside = row >= 0
    size = place_bytes(found)[inside]
    largest = np.bincount(row[inside], size).max(initial=0)  # of the whole tensor, even if tiles are listed twice
    kind = np.uint16 if largest < 1 << 15 else np.uint32 if largest < 1 << 31 else np.int64
    values = np.zeros((len(wanted), tiles), kind)
    place = row[inside], found.tile[inside]
    if rising(found):
        values[place] = size
    else:  # a tile may be listed twice
        np.add.at(values, place, size.astype(kind))
    return values


def rising(found: TensorMap) -> bool:
    """Whether the tiles of every tensor ascend, so that none is listed twice."""
    falls = np.diff(found.tile) <= 0
    borders = found.first[1:-1]
    borders = borders[(borders > 0) & (borders < len(found.tile))]
    falls[borders - 1] = False
    return not falls.any()
