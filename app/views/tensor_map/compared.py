"""The tensors of two maps side by side: which belong together, and their bytes on the tiles."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.alignment import Check, never
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tiles import NO_ITEM, Lines, MatrixPair
from app.analysis.matrix import Matrix
from app.analysis.tensor_map import element_bytes, histogram, per_tile, tile_count
from app.profile.arrays import F64, I64, Bool
from app.profile.profile import Profile
from app.profile.tensorflow import TensorMap

TABLE = "mapped-tensors"


class MatchedTensors(Struct, frozen=True, eq=False):
    """``before``, ``after``: int64, the tensor of either side at each place, NO_ITEM none."""

    before: I64
    after: I64

    def before_of(self, tensor: int) -> int:
        """The tensor before that belongs to one after; NO_ITEM without one."""
        places = np.flatnonzero(self.after == tensor)
        return int(self.before[places[0]]) if len(places) else NO_ITEM


def matched_tensors(comparison: Comparison, check: Check = never) -> MatchedTensors | None:
    """All tensors of both sides; None if one side has no map."""
    table = comparison.table(TABLE, check)
    if table is None or table.before is None or table.after is None:
        return None
    return MatchedTensors(table.rows_before, table.rows_after)


def tensor_pair(matched: MatchedTensors, before: Matrix, after: Matrix) -> MatrixPair:
    """The matrices of both sides over the tensors that either of them has, and all tiles."""
    rows = [_rows_of(matrix, tensors) for matrix, tensors in ((before, matched.before), (after, matched.after))]
    there = (rows[0] >= 0) | (rows[1] >= 0)
    places = np.arange(max(before.values.shape[1], after.values.shape[1]), dtype=np.int64)
    numbers = (np.where(places < side.values.shape[1], places, NO_ITEM) for side in (before, after))
    return MatrixPair(before, after, Lines(rows[0][there], rows[1][there]), Lines(*numbers))


def _rows_of(matrix: Matrix, tensors: I64) -> I64:
    """int64: the row of the matrix that stands for each of ``tensors``, NO_ITEM without one."""
    keys = np.arange(len(matrix.values)) if matrix.keys is None else matrix.keys
    rows = np.full(max(int(keys.max(initial=-1)), int(tensors.max(initial=-1))) + 2, NO_ITEM, np.int64)
    rows[keys] = np.arange(len(keys))
    return rows[tensors]  # NO_ITEM takes the last, which stands for none


class TilesCompared(Struct, frozen=True, eq=False):
    """Amounts on the tiles of either side: float64[tiles], NaN beyond the last tile of a side, of which
    ``only_before`` and ``only_after`` (bool[tiles]) are those that the other side lacks."""

    before: F64
    after: F64
    only_before: Bool
    only_after: Bool


def tiles_compared(before: Profile, after: Profile, tensors: tuple[int, int] | None) -> TilesCompared | None:
    """Bytes of all tensors, or of one and the one that belongs to it (before, after; elements where the size of an
    element is not known). None if a side has no map."""
    if before.tensor_map is None or after.tensor_map is None:
        return None
    known = [
        _amounts(own, None if tensors is None else tensors[side])
        for side, own in enumerate((before.tensor_map, after.tensor_map))
    ]
    count = max(map(len, known))
    padded = [np.concatenate((own, np.full(count - len(own), np.nan))) for own in known]
    there = [np.arange(count) < len(own) for own in known]
    return TilesCompared(padded[0], padded[1], there[0] & ~there[1], there[1] & ~there[0])


def _amounts(own: TensorMap, tensor: int | None) -> F64:
    if tensor is None:
        return per_tile(own).bytes.astype(np.float64)
    if tensor == NO_ITEM:
        return np.zeros(tile_count(own))
    width = int(element_bytes(own)[tensor])
    return histogram(own, tensor).astype(np.float64) * (width if width >= 0 else 1)
