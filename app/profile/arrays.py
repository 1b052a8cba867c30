"""What columns are made of: types of arrays, rows of different lengths, and what is done with columns everywhere
(sealing, distinct values, unions, sums by group)."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from app.profile.bounds import Offsets, Rows

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
_LARGEST_TABLE: Final = 1 << 31
"""Places in such a table are int32."""
_SINGLE: Final = 8
"""At most so many values are compared with each item, one after the other."""


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


def among(values: npt.ArrayLike, chosen: npt.ArrayLike) -> Bool:
    """bool, in the shape of ``values``: which of them are among ``chosen``; NaN never is. What `np.isin` returns, which
    hashes large numbers (0.1 to 0.7 s for a million), and compares int64 with uint64 as floats."""
    column, wanted = np.asarray(values), np.ravel(np.asarray(chosen))
    integers = column.dtype.kind in "iu" and wanted.dtype.kind in "iu"
    if integers:
        bounds = np.iinfo(column.dtype)
        wanted = wanted[(wanted >= bounds.min) & (wanted <= bounds.max)].astype(column.dtype, copy=False)
    if len(wanted) <= _SINGLE:
        there = np.zeros(column.shape, np.bool_)
        for one in wanted:
            there |= column == one
        return there
    flat = column.reshape(-1)
    return (_listed(flat, wanted) if integers else _searched(flat, wanted)).reshape(column.shape)


def _listed(values: Integers, wanted: Integers) -> Bool:
    """The same for integers of one type: by a table of the numbers, or one of their hashes, which lets few others
    through."""
    low, high = wanted.min(), wanted.max()
    numbers = int(high) - int(low) + 1
    if numbers <= min(max(_DENSE * (len(values) + len(wanted)), _FEW), _LARGEST_TABLE):
        table = np.zeros(numbers, np.bool_)
        table[_above(wanted, low)] = True
        near = np.clip(values, low, high)
        there: Bool = table[_above(near, low)]
        there &= near == values
        return there
    bits = (_DENSE * len(wanted)).bit_length()
    table = np.zeros(1 << bits, np.bool_)
    table[_hashes(wanted, bits)] = True
    there = table[_hashes(values, bits)]
    likely = np.flatnonzero(there)
    there[likely] = _searched(values[likely], wanted)
    return there


def _above(values: Integers, low: np.integer[Any]) -> Integers:
    """Integers: ``values`` - ``low``, which are below ``_LARGEST_TABLE``, without an overflow of narrow types."""
    wide = values if values.dtype.itemsize >= 4 else values.astype(np.int32)
    return wide - wide.dtype.type(low)


def _hashes(values: Integers, bits: int) -> I64:
    """int64: numbers of so many bits, which spread: the high bits of a product with the golden ratio (Knuth 6.4)."""
    spread = values.astype(np.uint64)
    spread *= np.uint64(0x9E3779B97F4A7C15)
    spread >>= np.uint64(64 - bits)
    return spread.astype(np.int64)


def _searched(values: Array, wanted: Array) -> Bool:
    """The same for values that have an order. Searching for those in order takes a third of the time."""
    ascending, order = np.sort(wanted), np.argsort(values)
    ordered = values[order]
    place = np.minimum(np.searchsorted(ascending, ordered), len(ascending) - 1)
    there = np.empty(len(values), np.bool_)
    there[order] = ascending[place] == ordered
    return there


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


def expand(begin: Integers, end: Integers) -> I64:
    """int64: begin[0] .. end[0] - 1, then begin[1] .. end[1] - 1, and so on; a range whose end is not after its begin
    is empty. Use it as an index to gather ranges of a column."""
    lengths = np.maximum(end - begin, 0)
    ends = np.cumsum(lengths, dtype=np.int64)
    places: I64 = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    places += np.repeat(begin - (ends - lengths), lengths)
    return places


class Ragged(Struct, frozen=True, eq=False):
    """Row r is ``items[first[r]:first[r + 1]]``. ``first``: int64[rows + 1], ascending from 0; ``items``: integers."""

    first: Annotated[I64, Offsets("items")]
    items: Annotated[Integers, Rows("items")]

    @classmethod
    def of(cls, lengths: I64, items: Integers) -> Ragged:
        """Rows of these ``lengths`` (int64[rows], which add up to the items), sealed."""
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        return cls(sealed(first), sealed(items))

    def __len__(self) -> int:
        return len(self.first) - 1

    def row(self, index: int) -> Integers:
        """The items of row ``index``; empty for an index out of range."""
        if not 0 <= index < len(self):
            return self.items[:0]
        return self.items[int(self.first[index]) : int(self.first[index + 1])]

    def gather(self, rows: Integers) -> Ragged:
        """A copy with only these rows, in this order."""
        begin, end = self.first[rows], self.first[rows + 1]
        return Ragged.of(end - begin, self.items[expand(begin, end)])

    @property
    def lengths(self) -> I64:
        """int64[rows]."""
        return np.diff(self.first)

    @property
    def owner(self) -> I64:
        """int64[items]: the row that each item is in."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)


def reverse(rows: Ragged) -> Ragged:
    """The rows that have each number as an item, once per item: parents of children, callers of the called."""
    order = np.argsort(rows.items, kind="stable")
    lengths = np.bincount(rows.items, minlength=len(rows)).astype(np.int64)
    return Ragged.of(lengths, rows.owner[order])


def rows_with(rows: Ragged) -> dict[int, int]:
    """In how many rows each item is."""
    order = np.lexsort((rows.owner, rows.items))
    items, owner = rows.items[order], rows.owner[order]
    new = np.ones(len(items), np.bool_)
    new[1:] = (items[1:] != items[:-1]) | (owner[1:] != owner[:-1])
    items = items[new]
    begins = np.flatnonzero(np.concatenate((np.ones(min(len(items), 1), np.bool_), items[1:] != items[:-1])))
    counts = np.diff(np.append(begins, len(items)))
    return dict(zip(items[begins].tolist(), counts.tolist(), strict=True))
