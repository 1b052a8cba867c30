"""Statistics and a histogram of many values, piece by piece, so that memory use does not depend on the size of the
tensor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from app.profile.arrays import F64, I64, Array

BINS = 64
Pieces: TypeAlias = Callable[[], Iterable[Array]]
"""Returns the values from the beginning, each time it is called."""


class Summary(Struct, frozen=True, eq=False):
    """``count`` values in all. ``least``, ``most``, ``mean``, ``deviation`` (of the whole population: divided by n)
    are of the finite ones, None where there are none. ``edges``: float64[bins + 1], ``bins``: int64, finite values
    from each edge up to the next (the last edge included); empty where there are none."""

    count: int
    zeros: int
    nan: int
    infinite: int
    least: int | float | None
    most: int | float | None
    mean: float | None
    deviation: float | None
    edges: F64
    bins: I64

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.infinite


class _Extremes(Struct):
    count: int = 0
    zeros: int = 0
    nan: int = 0
    infinite: int = 0
    least: int | float = math.inf
    most: int | float = -math.inf

    def take(self, values: Array) -> None:
        self.count += values.size
        self.zeros += int(np.count_nonzero(values == 0))
        if values.dtype.kind == "f":
            self.nan += int(np.count_nonzero(np.isnan(values)))
            self.infinite += int(np.count_nonzero(np.isinf(values)))
            values = values[np.isfinite(values)]
        if values.size:
            self.least = min(self.least, values.min().item())
            self.most = max(self.most, values.max().item())


class _Spread(Struct):
    """Counts ``bins``, and sums of u and u² over the values scaled to 0..1, which cannot overflow. ``least``: that of
    whole numbers, whose distances from it are added up exactly (``total``): 64-bit integers are no float64."""

    low: float
    width: float
    bins: I64
    first: float = 0.0
    second: float = 0.0
    count: int = 0
    scale: float = field(default=1.0)
    least: int | None = None
    total: int = 0

    def take(self, values: Array) -> None:
        if values.dtype.kind == "f":
            values = values[np.isfinite(values)]
        if self.width <= 0:
            self.bins[0] += values.size
            self.count += values.size
            return
        places = self._scaled(values) if self.least is None else self._distances(values, self.least)
        places /= self.width
        np.clip(places, 0.0, 1.0, out=places)
        self.first += float(places.sum())
        self.second += float(np.dot(places, places))
        self.count += places.size
        number = np.minimum((places * len(self.bins)).astype(np.int64), len(self.bins) - 1)
        self.bins += np.bincount(number, minlength=len(self.bins))

    def _scaled(self, values: Array) -> F64:
        scaled = values.astype(np.float64)
        scaled *= self.scale
        scaled -= self.low
        return scaled

    def _distances(self, values: Array, least: int) -> F64:
        """Of whole numbers from the smallest one; their sum is added to ``total``, in halves that cannot overflow."""
        distances = values.astype(np.uint64) - np.uint64(least % (1 << 64))
        self.total += (int((distances >> np.uint64(32)).sum()) << 32) + int((distances & np.uint64(0xFFFFFFFF)).sum())
        return distances.astype(np.float64)


def summary(pieces: Pieces) -> Summary:
    """Two passes over the values: the first finds the extremes, the second counts between them."""
    ends = _Extremes()
    for values in pieces():
        ends.take(values.reshape(-1))
    if ends.count == ends.nan + ends.infinite:
        none: F64 = np.empty(0, np.float64)
        counts = (ends.count, ends.zeros, ends.nan, ends.infinite)
        return Summary(*counts, None, None, None, None, none, none.astype(np.int64))
    least = int(ends.least) if isinstance(ends.least, int) and isinstance(ends.most, int) else None
    span = 0 if least is None else int(ends.most) - least + 1
    # Whole numbers that differ little get a bin each, between n and n + 1.
    bins, extra = (span, 1) if least is not None and span <= BINS else (BINS, 0)
    # Halved, the difference between the largest float64 and its negative does not overflow.
    scale = 0.5 if max(abs(ends.least), abs(ends.most)) > 1e300 else 1.0
    low = float(ends.least) * scale
    width = float(ends.most + extra) * scale - low if least is None else float(span - 1 + extra)
    spread = _Spread(low, width, np.zeros(bins if width > 0 else 1, np.int64), scale=scale, least=least)
    for values in pieces():
        spread.take(values.reshape(-1))
    share = spread.first / max(spread.count, 1)
    variance = max(spread.second / max(spread.count, 1) - share * share, 0.0)
    edges = (low + width * np.linspace(0.0, 1.0, len(spread.bins) + 1)) / scale
    mean = (low + width * share) / scale if least is None else (least * spread.count + spread.total) / spread.count
    return Summary(
        ends.count,
        ends.zeros,
        ends.nan,
        ends.infinite,
        ends.least,
        ends.most,
        mean,
        width * math.sqrt(variance) / scale,
        edges,
        spread.bins,
    )
