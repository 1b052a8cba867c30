"""What the values of a column must be so that it can be used as an index: annotations of the fields of records, as in
``Annotated[I32, Index("strings")]``. Readers guarantee them; columns that come from the cache are checked against them
(``app/store/column_bounds.py``).

``table`` names what is counted: a field of the record or of one that contains it, the nearest first, or a section of
the profile, with dots for fields of fields (``lanes.process``); "files" stands for the paths of the profile's origin;
a number is the count itself. Without that field (None), nothing is checked. What else must be true of the columns of a
record is its property ``sound``, if it has one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Array: TypeAlias = npt.NDArray[Any]


class Bound(Struct, frozen=True):
    """What ``holds`` for the values of a column (integers) that refers to the ``count`` entries of ``table``."""

    table: str | int

    def holds(self, values: Array, count: int) -> bool:
        raise NotImplementedError


class Index(Bound, frozen=True):
    """Each value is an index of ``table`` and at least ``least`` (-1: there may be none). Of a Ragged, its items; of
    a dict, its keys."""

    least: int = 0

    def holds(self, values: Array, count: int) -> bool:
        return not values.size or bool(values.min() >= self.least and values.max() < count)


class Offsets(Bound, frozen=True):
    """Row r has the entries values[r] .. values[r + 1] - 1 of ``table``: they ascend from 0 to its length."""

    def holds(self, values: Array, count: int) -> bool:
        ends = len(values) and (values[0], values[-1]) == (0, count)
        return bool(ends and (values[1:] >= values[:-1]).all())


class TextEnds(Bound, frozen=True):
    """Entry r is what lies before values[r], and after the one before it: they ascend to the length of ``table``."""

    def holds(self, values: Array, count: int) -> bool:
        ends = (values[0] >= 0 and values[-1] == count) if len(values) else count == 0
        return bool(ends and (values[1:] >= values[:-1]).all())


class Parents(Bound, frozen=True):
    """The row that contains this one, an earlier one, or -1. ``table``: what the rows are."""

    def holds(self, values: Array, count: int) -> bool:
        return bool((values >= -1).all() and (values < np.arange(count)).all())


class Ends(Bound, frozen=True):
    """One past the last row inside this one. ``table``: what the rows are."""

    def holds(self, values: Array, count: int) -> bool:
        return bool((values <= count).all() and (values > np.arange(count)).all())


class Rows(Struct, frozen=True):
    """The column has an entry for each of ``table``, Offsets one more. Columns without this annotation are as long as
    the first of the record that has neither this one nor Offsets."""

    table: str
