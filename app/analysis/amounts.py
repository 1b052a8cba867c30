"""Amounts: shares of their sum, their spread by group, and how many of their digits are significant."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Integers, combine_at, expand

if TYPE_CHECKING:
    from app.profile.arrays import Array


def shares(amounts: Integers | F64) -> F64:
    """Percentage of the sum for each amount; NaN if the sum is zero."""
    whole = amounts.sum()
    return 100.0 * amounts / whole if whole > 0 else np.full(len(amounts), np.nan)


class Spread(Struct, frozen=True, eq=False):
    """One entry per group. ``count``: int64, its amounts; ``mean``, ``median`` (of an even count the mean of the middle
    two), ``least``, ``most``: float64, NaN for an empty group."""

    count: I64
    mean: F64
    median: F64
    least: F64
    most: F64


MANY = 1024
"""From this many amounts per group, partitioning each group is cheaper than sorting all amounts together."""


def spread(group: Integers, amounts: F64 | I64, groups: int) -> Spread:
    """Statistics of ``amounts`` by group; ``group``: 0 .. groups - 1 for each amount."""
    count = np.bincount(group, minlength=groups).astype(np.int64)
    least, most = np.full(groups, np.inf), np.full(groups, -np.inf)
    combine_at(np.minimum, least, group, amounts)
    combine_at(np.maximum, most, group, amounts)
    none = count == 0
    least[none] = most[none] = np.nan
    mean = np.divide(np.bincount(group, amounts, groups), count, out=np.full(groups, np.nan), where=~none)
    return Spread(count, mean, _medians(group, amounts, count), least, most)


def _medians(group: Integers, amounts: F64 | I64, count: I64) -> F64:
    values = amounts[_order(group)].astype(np.float64)
    after = np.cumsum(count)
    first = after - count
    median = np.full(len(count), np.nan)
    for place in np.flatnonzero(count >= MANY).tolist():
        middle = (int(count[place]) - 1) // 2, int(count[place]) // 2
        median[place] = np.partition(values[first[place] : after[place]], middle)[list(middle)].mean()
    small = np.flatnonzero((count > 0) & (count < MANY))
    size = count[small]
    owner = np.repeat(np.arange(len(small)), size)
    start = np.cumsum(size) - size
    few = values[expand(first[small], after[small])]
    by_value = np.argsort(few)
    few = few[by_value[_order(owner[by_value])]]
    median[small] = (few[start + (size - 1) // 2] + few[start + size // 2]) / 2
    return median


def _order(numbers: Integers) -> I64:
    """int64: the stable order of ``numbers`` below 2**32, 16 bits at a time: numpy sorts those in linear time."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if len(numbers) and int(numbers.max()) > np.iinfo(np.uint16).max:
        order = order[np.argsort((numbers[order] >> 16).astype(np.uint16), kind="stable")]
    return order


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
