"""Differences of the data of tensors and of other stored content, of which tables only have the sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import Array

WIDE: Final = 4
"""Bytes of the largest integers whose differences float64 holds exactly."""


class ValueDifference(Struct, frozen=True):
    """Of ``elements`` that both have, ``different`` are not the same. ``largest`` and ``mean``: |difference| over the
    elements with finite values on both sides (None without any); ``not_finite``: different elements of which one is
    infinite or not a number."""

    elements: int
    different: int
    not_finite: int
    largest: float | None
    mean: float | None


def value_difference(before: Iterable[Array], after: Iterable[Array]) -> ValueDifference:
    """The difference of two sequences of values of one type, given in pieces of the same sizes. Two NaN are the
    same."""
    elements = different = not_finite = finite = 0
    largest = total = 0.0
    for one, other in zip(before, after, strict=True):
        elements += one.size
        apart = one != other
        if one.dtype.kind == "f":
            apart &= ~(np.isnan(one) & np.isnan(other))
            counted = np.isfinite(one) & np.isfinite(other)
        else:
            counted = np.ones(one.shape, np.bool_)
        different += int(np.count_nonzero(apart))
        not_finite += int(np.count_nonzero(apart & ~counted))
        finite += int(np.count_nonzero(counted))
        places = np.flatnonzero(apart & counted)
        if len(places):
            size = _distance(one.reshape(-1)[places], other.reshape(-1)[places])
            largest = max(largest, float(size.max()))
            total += float(size.sum())
    return ValueDifference(
        elements, different, not_finite, largest if finite else None, total / finite if finite else None
    )


def _distance(one: Array, other: Array) -> Array:
    """float64: |other - one|; of wide integers without overflow."""
    if one.dtype.kind in "iu" and one.dtype.itemsize > WIDE:
        low, high = np.minimum(one, other), np.maximum(one, other)
        return (high.astype(np.uint64) - low.astype(np.uint64)).astype(np.float64)
    with np.errstate(over="ignore"):
        return np.abs(other.astype(np.float64) - one.astype(np.float64))


class ContentDifference(Struct, frozen=True):
    """``kind``: tensor, feed, executable or opaque; ``name``: after, else before. ``same``: whether all bytes are the
    same, None if that cannot be said (``why``). ``values``: of tensors and feeds whose type and number of elements are
    the same. ``table``, ``row``: where it is among the compared tables; ``item``: the tensor or the blob after."""

    kind: str
    name: str
    same: bool | None
    values: ValueDifference | None = None
    why: str = ""
    table: str = ""
    row: int = -1
    item: int = -1
