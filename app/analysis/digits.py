"""With how many digits a computed figure is written: those that it is known to, not those of the computer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.profile.arrays import Array

KNOWN = 15
"""So many decimal digits survive in every double (DBL_DIG); the 16th and the 17th are those of its last bit."""
MOST = 17
EXACT = 2.0**53
MOST_DECIMALS = 400


def known_digits(values: Array, finest: float = 0.0, reach: float = 0.0) -> list[Any]:
    """Floats as plain numbers with the digits that they are known to; None for no data and the infinite. Whole numbers
    and widened float32 are exact as they are. ``finest``, ``reach``: as of a Column."""
    with np.errstate(over="ignore", invalid="ignore"):
        exact = (values == values.astype(np.float32)) | (values % 1 == 0)
    decimals = KNOWN - max(_places(reach), 0) if 0 < reach < math.inf else MOST_DECIMALS
    return [
        None if not math.isfinite(value) else value if own else _rounded(value, finest, decimals)
        for value, own in zip(values.tolist(), exact.tolist(), strict=True)
    ]


def known(value: float, finest: float = 0.0, reach: float = 0.0) -> float:
    """One finite figure with the digits that it is known to."""
    return float(known_digits(np.array([value], np.float64), finest, reach)[0])


def whole_or_known(value: float) -> int | float | None:
    """A figure among others in other units: whole numbers are counts. None for no data."""
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < EXACT else known(value)


def _rounded(value: float, finest: float, decimals: int) -> float:
    """``value`` with KNOWN digits, and at most so many ``decimals``. Of a place in time also with all digits that tell
    it from another one that lies ``finest`` beside it."""
    digits = KNOWN
    if finest > 0:
        digits = max(KNOWN, _places(value) + math.ceil(-math.log10(finest)) + 1)
    if decimals < MOST_DECIMALS:
        value = round(value, decimals)
    return float(f"{value:.{min(digits, MOST)}g}")


def _places(value: float) -> int:
    """Digits before the point; below 0 for zeros behind it."""
    return math.floor(math.log10(abs(value))) + 1
