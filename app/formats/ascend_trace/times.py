"""Columns of times that may need more digits than float64 has."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.growing import Growing
from app.profile.arrays import F64, I64, Array

PARTS = 10**9
"""Fractions of a unit in which the digits behind the point are counted."""
DECIMALS = 9


class Moments(Struct, frozen=True, eq=False):
    """``value``: float64, times in units, NaN where an event has none. With ``whole`` (int64, whole units), ``value``
    is the rest in PARTS, 0 .. PARTS."""

    value: F64
    whole: I64 | None = None

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, which: Array) -> Moments:
        return Moments(self.value[which], None if self.whole is None else self.whole[which])

    def exact(self) -> Moments:
        """The same times as whole units and a rest. A float64 is read as the shortest decimal that is equal to it."""
        return self if self.whole is not None else _split(self.value)


class Times:
    """A growing column of times: float64, until ``split`` adds a column of whole units."""

    def __init__(self) -> None:
        self._value = Growing(np.float64)
        self._whole: Growing | None = None

    def __len__(self) -> int:
        return len(self._value)

    @property
    def is_exact(self) -> bool:
        return self._whole is not None

    def extend(self, moments: Moments) -> None:
        """Appends ``moments``, which are split if these times are."""
        if self._whole is not None:
            moments = moments.exact()
            self._whole.extend(moments.whole)  # type: ignore[arg-type]
        self._value.extend(moments.value)

    def expect(self, count: int) -> None:
        """Takes room for about ``count`` times."""
        self._value.expect(count)
        if self._whole is not None:
            self._whole.expect(count)

    def split(self) -> None:
        """Stores whole units and rest apart from now on."""
        if self._whole is None:
            moments = self.moments().exact()
            self._whole = Growing(np.int64)
            self._whole.extend(moments.whole)  # type: ignore[arg-type]
            self._value.array()[:] = moments.value

    def moments(self) -> Moments:
        """The content as views, which are invalid once the column grows."""
        return Moments(self._value.array(), None if self._whole is None else self._whole.array())

    def set(self, value: F64, whole: I64 | None) -> None:
        """Replaces the content by ``Moments(value, whole)``."""
        self.replace(value)
        if whole is not None:
            self._whole = Growing(np.int64)
            self._whole.replace(whole)

    def replace(self, values: F64) -> None:
        """Replaces the content by plain ``values``."""
        self._whole = None
        self._value.replace(values)

    def array(self) -> F64:
        """float64: a view of the plain values."""
        assert self._whole is None
        return self._value.array()

    def taken(self, which: Array) -> Array:
        """The plain values that an index or mask array selects; the column is empty afterwards."""
        assert self._whole is None
        return self._value.taken(which)


def _split(values: F64) -> Moments:
    with np.errstate(invalid="ignore"):
        floor = np.floor(values)
        rest = (values - floor) * PARTS
    precision = np.spacing(np.abs(values)) * PARTS
    result = rest.copy()
    left = np.flatnonzero(rest > 0)
    for decimals in range(DECIMALS + 1):
        step = 10.0 ** (DECIMALS - decimals)
        rounded = np.rint(rest[left] / step) * step
        good = np.abs(rounded - rest[left]) <= precision[left] / 2
        result[left[good]] = rounded[good]
        left = left[~good]
    return Moments(result, np.where(np.isfinite(floor), floor, 0.0).astype(np.int64))
