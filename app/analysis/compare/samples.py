"""The single measurements that a row of statistics sums up."""

from __future__ import annotations

from msgspec import Struct

from app.profile.arrays import F64, I64


class Samples(Struct, frozen=True, eq=False):
    """``row``: int64[samples], the row of the table; ``values``: float64, in the unit of ``column``, whose figure they
    add up to or are the median of."""

    column: str
    row: I64
    values: F64
