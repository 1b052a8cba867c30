"""How many digits a computed figure is written with: those that are significant, not all that a double has."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.profile.arrays import Array

KNOWN = 15
"""The decimal digits that every double holds exactly (DBL_DIG); the 16th and 17th only identify its last bit."""
MOST = 17
EXACT = 2.0**53
MOST_DECIMALS = 400


def known_digits(values: Array, finest: float = 0.0, reach: float = 0.0) -> list[Any]:
    """Floats rounded to their significant digits; None for no data and for infinities. Whole numbers and widened
    float32 are exact and stay unchanged. ``finest``, ``reach``: as in Column."""
    import numpy as np  # the window shows single figures before it needs columns

    with np.errstate(over="ignore", invalid="ignore"):
        exact = (values == values.astype(np.float32)) | (values % 1 == 0)
    decimals = _decimals(reach)
    return [
        None if not math.isfinite(value) else value if own else _rounded(value, finest, decimals)
        for value, own in zip(values.tolist(), exact.tolist(), strict=True)
    ]


def known(value: float, finest: float = 0.0, reach: float = 0.0) -> float:
    """One finite figure rounded to its significant digits, as by ``known_digits``."""
    value = float(value)
    return value if value.is_integer() or _is_single(value) else _rounded(value, finest, _decimals(reach))


def whole_or_known(value: float) -> int | float | None:
    """A figure in a list with mixed units: whole numbers are counts. None for no data."""
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < EXACT else known(value)


def _rounded(value: float, finest: float, decimals: int) -> float:
    """``value`` with KNOWN digits and at most ``decimals`` decimals. A place in time also keeps all digits that
    distinguish it from one at a distance of ``finest``."""
    digits = KNOWN
    if finest > 0:
        digits = max(KNOWN, _places(value) + math.ceil(-math.log10(finest)) + 1)
    if decimals < MOST_DECIMALS:
        value = round(value, decimals)
    return float(f"{value:.{min(digits, MOST)}g}")


def _is_single(value: float) -> bool:
    """Whether a float32 holds ``value``."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def _decimals(reach: float) -> int:
    """The largest number of decimals of figures up to ``reach``."""
    return KNOWN - max(_places(reach), 0) if 0 < reach < math.inf else MOST_DECIMALS


def _places(value: float) -> int:
    """Digits before the decimal point; negative for zeros after it."""
    return math.floor(math.log10(abs(value))) + 1
