"""Which tensors the rows of the map stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import I64

if TYPE_CHECKING:
    from app.analysis.compare.tiles import Shown


SIDES: Final[dict[Shown, str]] = {
    "difference": tr("Difference"),
    "after": tr("Comparison"),
    "before": tr("Baseline"),
}
"""What the map shows of two profiles."""


class ShownRows(Struct, frozen=True, eq=False):
    """``tensors``: int64[rows], the tensor that each row stands for, -1 for one that only the baseline has; ``tiles``:
    how many columns there are."""

    tensors: I64
    tiles: int

    def item(self, row: int) -> int:
        """The tensor of a row; -1 for none."""
        return int(self.tensors[row])

    def rows_of(self, tensors: I64) -> I64:
        """The rows that stand for any of ``tensors``, ascending."""
        return np.flatnonzero((self.tensors >= 0) & np.isin(self.tensors, tensors)).astype(np.int64)
