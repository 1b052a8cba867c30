"""Builds the columns of a tensor map, tensor by tensor."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from app.formats.integers import Flat
from app.formats.rows import Rows
from app.formats.tensor_map.tensor import RawTensor
from app.profile.arrays import I32, Integers, sealed
from app.profile.strings import Interner
from app.profile.tensorflow import MappedTensors, TensorMap


class MapColumns:
    """Builds ``TensorMap``; several maps (of the modules of a log) can be added one after another."""

    def __init__(self) -> None:
        self._text = Interner()
        self._tensors = Rows(MappedTensors)
        self._lengths = array("q")
        self._tiles: list[I32] = []
        self._counts = Flat()
        self._intervals = Flat()
        self._stated = False

    def __len__(self) -> int:
        return len(self._tensors)

    def add(self, module: str, computation: str, tensors: Iterable[RawTensor]) -> None:
        """Adds the tensors of one computation; ``module`` is "" for a separate map file."""
        places = []
        for tensor in tensors:
            self._tensors.add(
                self._text(module) if module else -1,
                self._text(computation),
                self._text(tensor.instruction),
                tensor.output,
                array("q", tensor.shape),
                self._id(tensor.type),
                tensor.constant,
                tensor.aliases,
                tensor.elements,
                self._id(tensor.name),
                tensor.generation,
            )
            self._lengths.append(len(tensor.places))
            places.append(tensor.places)
        if places:
            tile, intervals, count = np.concatenate(places).T
            self._tiles.append(tile.astype(np.int32))
            self._counts.add(count)
            self._intervals.add(intervals)
            self._stated = self._stated or bool(np.any(intervals >= 0))

    def finish(self) -> TensorMap:
        lengths = np.array(self._lengths, np.int64)
        intervals: Integers = self._intervals.done() if self._stated else np.empty(0, np.uint8)
        return TensorMap(
            strings=self._text.strings(),
            tensors=self._tensors.finish(),
            first=sealed(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))),
            tile=sealed(np.concatenate(self._tiles) if self._tiles else np.empty(0, np.int32)),
            count=sealed(self._counts.done()),
            intervals=sealed(intervals),
        )

    def _id(self, text: str | None) -> int:
        return -1 if text is None else self._text(text)
