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


def sealed(array: ArrayT) -> ArrayT:
    """The array, contiguous and read-only, as sections require."""
    array = np.ascontiguousarray(array)  # type: ignore[assignment]
    array.flags.writeable = False
    return array
