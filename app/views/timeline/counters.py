"""Counter tracks by pixel: the largest value that holds anywhere in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from msgspec import Struct, field

from app.profile.arrays import F64
from app.profile.timeline import Counters
from app.views.timeline.cover import Pixels

BLOCKS = (16, 256, 4096)
ENOUGH = 32
"""More points a pixel than this are looked at in blocks; a block may reach into the next pixel by a part of it."""


class Track(Struct, eq=False):
    """One track: a value holds from its time until the next (the last for ever); NaN is "no value"."""

    time: F64
    value: F64
    low: float
    high: float
    blocks: dict[int, F64] = field(default_factory=dict)

    @classmethod
    def of(cls, counters: Counters, track: int) -> Track:
        first, last = int(counters.first[track]), int(counters.first[track + 1])
        value = counters.value[first:last]
        known = value[np.isfinite(value)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        return cls(counters.time[first:last], value, min(low, 0.0), high)

    def at(self, time: float) -> float | None:
        """The value that holds at ``time``; None before the first."""
        place = int(np.searchsorted(self.time, time, "right")) - 1
        if place < 0 or not np.isfinite(self.value[place]):
            return None
        return float(self.value[place])

    def columns(self, pixels: Pixels) -> F64:
        """float64[width]: the largest value in each pixel, NaN where there is none."""
        if not len(self.time):
            return np.full(pixels.width, np.nan)
        edges = pixels.edges()
        after = np.searchsorted(self.time, edges)
        before = np.searchsorted(self.time, edges[:-1], "right")  # a value that ends at an edge is not held over it
        held = np.where((after[:-1] > 0) & (before == after[:-1]), self.value[after[:-1] - 1], np.nan)
        step = self._block((int(after[-1]) - int(after[0])) / pixels.width)
        values = self.value if step == 1 else self._blocks(step)
        first, last = after[:-1] // step, -(-after[1:] // step)
        fresh = np.full(pixels.width, np.nan)
        full = np.flatnonzero(last > first)
        if len(full):
            ends = np.stack((first[full], last[full]), 1).reshape(-1)
            padded = np.append(values, np.nan)
            fresh[full] = np.fmax.reduceat(padded, ends)[::2]
        shown: F64 = np.fmax(held, fresh)
        return shown

    def _block(self, points_a_pixel: float) -> int:
        if points_a_pixel <= ENOUGH:
            return 1
        return max((size for size in BLOCKS if size * 8 <= points_a_pixel), default=1)

    def _blocks(self, size: int) -> F64:
        if size not in self.blocks:
            self.blocks[size] = np.fmax.reduceat(self.value, np.arange(0, len(self.value), size))
        return self.blocks[size]


class Tracks(Sequence[Track]):
    """The tracks of a timeline, each made when it is first looked at: there may be a hundred thousand."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._made: dict[int, Track] = {}

    def __len__(self) -> int:
        return len(self._counters.name)

    @overload
    def __getitem__(self, index: int) -> Track: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Track, ...]: ...
    def __getitem__(self, index: int | slice) -> Track | tuple[Track, ...]:
        if isinstance(index, slice):
            return tuple(self[track] for track in range(*index.indices(len(self))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index not in self._made:
            self._made[index] = Track.of(self._counters, index)
        return self._made[index]
