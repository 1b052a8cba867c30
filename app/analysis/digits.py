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


def known_digits(values: Array, finest: float = 0.0) -> list[Any]:
    """Floats as plain numbers with the digits that they are known to; None for no data and the infinite. Whole numbers
    and widened float32 are exact as they are. ``finest``: as of a Column."""
    with np.errstate(over="ignore", invalid="ignore"):
        exact = (values == values.astype(np.float32)) | (values % 1 == 0)
    return [
        None if not math.isfinite(value) else value if own else _rounded(value, finest)
        for value, own in zip(values.tolist(), exact.tolist(), strict=True)
    ]


def known(value: float, finest: float = 0.0) -> float:
    """One finite figure with the digits that it is known to."""
    return float(known_digits(np.array([value], np.float64), finest)[0])


def whole_or_known(value: float) -> int | float | None:
    """A figure among others in other units: whole numbers are counts. None for no data."""
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < EXACT else known(value)


def _rounded(value: float, finest: float) -> float:
    """Of a place in time also all digits that tell it from another one that lies ``finest`` beside it."""
    digits = KNOWN
    if finest > 0:
        digits = max(KNOWN, math.ceil(math.log10(abs(value))) + math.ceil(-math.log10(finest)) + 1)
    return float(f"{value:.{min(digits, MOST)}g}")
