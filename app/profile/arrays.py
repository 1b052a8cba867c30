"""Type aliases for columns, how a finished column is sealed, and what is done with columns everywhere: distinct values,
unions, sums by group."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar

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


_DENSE: Final = 8
"""Values are counted where there are at most so many times as many as items."""
_FEW: Final = 1 << 16


def distinct(values: npt.ArrayLike) -> Array:
    """The distinct ``values``, ascending, NaN once and last: what `np.unique` returns, which takes 40 times as long (it
    hashes a million numbers in 0.8 s), and imports numpy.ma. A new array."""
    ascending: Array = np.ravel(np.asarray(values)).copy()
    if not (ascending[1:] > ascending[:-1]).all():  # links of links are often in order already
        ascending.sort()
        first = np.ones(len(ascending), np.bool_)
        first[1:] = ascending[1:] != ascending[:-1]
        if ascending.dtype.kind == "f":
            first[1:] &= ~np.isnan(ascending[:-1])
        ascending = ascending[first]
    return ascending


def union(one: npt.ArrayLike, other: npt.ArrayLike) -> Array:
    """The distinct values of both, ascending."""
    return distinct(np.concatenate((np.ravel(one), np.ravel(other))))


def others(count: int, items: Integers) -> I64:
    """int64, ascending: those of 0..``count``-1 that are not among ``items``."""
    left = np.ones(count, np.bool_)
    left[items[(items >= 0) & (items < count)]] = False
    return np.flatnonzero(left)


def numbered(values: Integers) -> tuple[I64, I64]:
    """(int64: the distinct values (0 or above), ascending; int64[n]: the place of each of ``values`` among them)."""
    highest = int(values.max(initial=0))
    if highest > max(_DENSE * len(values), _FEW):
        known, place = np.unique(values, return_inverse=True)
        return known.astype(np.int64), place.reshape(-1).astype(np.int64)
    occurs = np.zeros(highest + 1, np.bool_)
    occurs[values] = True
    rank = np.cumsum(occurs, dtype=np.int64) - 1
    return np.flatnonzero(occurs), rank[values]


def combine_at(combine: np.ufunc, out: Array, index: Integers, values: npt.ArrayLike) -> None:
    """`combine.at(out, index, values)` for a column ``out``. `ufunc.at` takes 30 times as long for values of another
    type, which are converted here if that is safe, and 20 times as long as a sum for rows of a matrix."""
    assert out.ndim == 1
    column = np.asarray(values)
    if np.can_cast(column.dtype, out.dtype):
        column = column.astype(out.dtype, copy=False)
    combine.at(out, index, column)


def middle(values: F64) -> float:
    """The median of ``values``, of which there is at least one and none is NaN. `np.median` imports numpy.ma, too."""
    ascending = np.sort(values, axis=None)
    return float(ascending[(len(ascending) - 1) // 2] + ascending[len(ascending) // 2]) / 2


def sealed(array: ArrayT) -> ArrayT:
    """The array, contiguous and read-only, as sections require."""
    array = np.ascontiguousarray(array)  # type: ignore[assignment]
    array.flags.writeable = False
    return array
