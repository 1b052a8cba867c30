"""Integers from untrusted files, checked and stored in the smallest type that fits."""

from __future__ import annotations

import array
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from app.formats.errors import FormatError
from app.formats.spool import Spool
from app.language import tr
from app.profile.arrays import I64, Integers

_TOO_LARGE = tr("a number here does not fit into 64 bits")
_FRACTION = tr("expected only whole numbers here")
_UNEVEN = tr("expected lists of equal length here")
_NUMBERS = frozenset({int, float})
_VIEWED_BYTES = 64 << 10
"""Smaller parts are copied, because they may keep larger arrays in memory."""


def whole(values: Sequence[Any]) -> I64:
    """``values`` as int64[n]. Raises FormatError where one is not a whole number or does not fit into 64 bits. Floats
    with a whole value (12.0) are accepted; null, strings, booleans and lists are not. Types are checked before the
    array is made, because numpy would pad all strings to the longest one and copy nested lists."""
    kinds = set(map(type, values))
    if not kinds <= _NUMBERS:
        raise FormatError(_FRACTION)
    try:
        exact = values if float not in kinds else list(map(_exact, values))
        return np.frombuffer(array.array("q", exact), np.int64)
    except OverflowError as error:
        raise FormatError(_TOO_LARGE) from error


def whole_rows(rows: Sequence[Any]) -> I64:
    """``rows``, lists of equal length, as int64[rows, length]; int64[0, 0] for no rows. Raises FormatError where a row
    is not a list, has another length, or holds a value that ``whole`` rejects."""
    if not rows:
        return np.empty((0, 0), np.int64)
    if set(map(type, rows)) != {list} or len(set(map(len, rows))) > 1:
        raise FormatError(_UNEVEN)
    return whole(list(chain.from_iterable(rows))).reshape(len(rows), len(rows[0]))


def _exact(value: float) -> int:
    """``value`` as an int; FormatError for a float with a fraction."""
    if type(value) is float and not value.is_integer():
        raise FormatError(_FRACTION)
    return int(value)


_UNSIGNED, _SIGNED = (
    tuple((np.dtype(kind), int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in kinds)
    for kinds in ((np.uint8, np.uint16, np.uint32), (np.int8, np.int16, np.int32))
)


def narrow(values: Integers) -> Integers:
    """``values`` in the smallest integer type that holds them: unsigned up to 32 bits where none is negative, else
    signed. Never uint64, because numpy promotes uint64 with a signed type to float64."""
    if values.dtype == np.uint8 or not len(values):
        return values.astype(np.uint8, copy=False)
    return values.astype(kind_of(int(values.min()), int(values.max())), copy=False)


def kind_of(low: int, high: int) -> np.dtype[Any]:
    """The type of ``narrow`` for numbers from ``low`` to ``high``."""
    for kind, least, most in _UNSIGNED if low >= 0 else _SIGNED:
        if least <= low and high <= most:
            return kind
    return np.dtype(np.int64)


SPOOL_BYTES = 32 << 20
"""Memory that one array may take before it is spooled to disk."""


class Flat:
    """A one-dimensional integer array built from parts, each stored in its own narrow type until all have arrived. The
    type of the result is that of ``narrow``, and does not depend on the parts. Above ``most`` bytes (SPOOL_BYTES by
    default) the parts are spooled to disk, and the result is mapped from there."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._parts: list[Integers] = []
        self._held = 0
        self._spool: Spool | None = None
        self._low = self._high = 0
        self.count = 0

    def add(self, values: Integers) -> None:
        """Appends ``values``, which must not be changed afterwards. Raises OSError when the disk is full."""
        if not len(values):
            return
        low, high = int(values.min()), int(values.max())
        self._low, self._high = min(self._low, low), max(self._high, high)
        part = values.astype(kind_of(low, high), copy=False)
        self._parts.append(part if part.base is None or part.nbytes > _VIEWED_BYTES else part.copy())
        self._held += part.nbytes
        self.count += len(part)
        if self._held > (SPOOL_BYTES if self._most is None else self._most):
            self._spool_parts()

    def done(self, look: Callable[[], None] = lambda: None) -> Integers:
        """All numbers in one narrow type. Parts are released as they are copied, so that memory is not used twice.
        ``look`` is called at times, and may raise to stop."""
        kind = kind_of(self._low, self._high)
        if self._spool is not None:
            self._spool_parts()
            return self._spool.done(kind, look)
        out = np.empty(self.count, kind)
        at = self.count
        while self._parts:
            part = self._parts.pop()
            out[at - len(part) : at] = part
            at -= len(part)
        return out

    def _spool_parts(self) -> None:
        self._spool = self._spool or Spool()
        for part in self._parts:
            self._spool.add(part)
        self._parts.clear()
        self._held = 0
