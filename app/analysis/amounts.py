"""Amounts: shares of their sum, and their spread by group."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Integers, combine_at, expand
from app.profile.orders import stable_order


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
    values = amounts[stable_order(group, len(count))].astype(np.float64)
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
    few = few[by_value[stable_order(owner[by_value], len(small))]]
    median[small] = (few[start + (size - 1) // 2] + few[start + size // 2]) / 2
    return median
