"""Balance of work over tiles, row by row, by the documented formula."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import Integers


@dataclass(frozen=True, slots=True)
class Balance:
    """``tile`` and ``active`` are None where no tile works (0/0)."""

    tile: float | None
    active: float | None


def balance(values: Integers) -> Balance:
    """The balance of cycles (or bytes) per tile: sum / (maximum x tiles), over all tiles and over active tiles (Poplar
    profiling data format, 7.2.3; the formula there lacks the brackets, but its example, tiles of 10 and 5 cycles, gives
    0.75)."""
    longest = int(values.max(initial=0))
    total = int(values.sum(dtype=np.int64))
    if longest <= 0:
        return Balance(None, None)
    return Balance(total / (longest * len(values)), total / (longest * int(np.count_nonzero(values > 0))))
