"""Which tensors the rows of the map stand for, by a filter that names tensors of either map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.language import tr
from app.profile.arrays import I64, Bool, among
from app.profile.tensorflow import TensorMap

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
        return np.flatnonzero((self.tensors >= 0) & among(self.tensors, tensors)).astype(np.int64)


class Filter(Struct, frozen=True):
    """``computation``: names of a module ("" none) and a computation, None for all; ``text``: part of the name of an
    instruction or a TensorFlow operation."""

    computation: tuple[str, str] | None = None
    text: str = ""

    def wanted(self, own: TensorMap) -> Bool:
        """bool[tensors]: those that pass."""
        tensors = own.tensors
        wanted = np.ones(len(own), np.bool_)
        if self.computation is not None:
            for ids, name in zip((tensors.module, tensors.computation), self.computation, strict=True):
                wanted &= among(ids, own.strings.find(name)) | ((ids < 0) & (not name))
        if self.text:
            hits = np.append(matching_texts(own.strings, self.text), False)  # last: tensors without a name
            wanted &= hits[tensors.instruction] | hits[tensors.name]
        return wanted

    def rows(self, own: TensorMap) -> I64:
        """The tensors that pass, ascending."""
        return np.flatnonzero(self.wanted(own)).astype(np.int64)
