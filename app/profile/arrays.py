"""Type aliases for columns, and how a finished column is sealed."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

F64: TypeAlias = npt.NDArray[np.float64]
F32: TypeAlias = npt.NDArray[np.float32]
I64: TypeAlias = npt.NDArray[np.int64]
I32: TypeAlias = npt.NDArray[np.int32]
U32: TypeAlias = npt.NDArray[np.uint32]
U64: TypeAlias = npt.NDArray[np.uint64]
U8: TypeAlias = npt.NDArray[np.uint8]
Bool: TypeAlias = npt.NDArray[np.bool_]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
"""Integers of any width (the store narrows large matrices)."""
Array: TypeAlias = npt.NDArray[Any]

ArrayT = TypeVar("ArrayT", bound=npt.NDArray[Any])


def different(values: Array) -> Array:
    """The different ``values`` (none of them NaN), ascending. `np.unique` imports numpy.ma, which takes a twentieth of
    the time of a command that prints figures."""
    ascending: Array = np.sort(values, axis=None)
    first = np.ones(len(ascending), np.bool_)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]


def middle(values: F64) -> float:
    """The median of ``values``, of which there is at least one and none is NaN. `np.median` imports numpy.ma, too."""
    ascending = np.sort(values, axis=None)
    return float(ascending[(len(ascending) - 1) // 2] + ascending[len(ascending) // 2]) / 2


def sealed(array: ArrayT) -> ArrayT:
    """The array, contiguous and read-only, as sections require."""
    array = np.ascontiguousarray(array)  # type: ignore[assignment]
    array.flags.writeable = False
    return array
