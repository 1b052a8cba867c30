"""The filter of the panel, which names tensors of either map."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.profile.arrays import I64, Bool
from app.profile.tensorflow import TensorMap


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
                wanted &= np.isin(ids, own.strings.find(name)) | ((ids < 0) & (not name))
        if self.text:
            hits = np.append(matching_texts(own.strings, self.text), False)  # last: tensors without a name
            wanted &= hits[tensors.instruction] | hits[tensors.name]
        return wanted

    def rows(self, own: TensorMap) -> I64:
        """The tensors that pass, ascending."""
        return np.flatnonzero(self.wanted(own)).astype(np.int64)
