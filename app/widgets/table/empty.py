"""Columns that say nothing: hidden at first, and named in the list of columns. Exports and copies have them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.analysis.table import Coded, Column, Table
from app.profile.arrays import Bool

FEWEST: Final = 2
"""Rows from which on a table has columns that say nothing of any of them."""
SAMPLE: Final = 512
"""Values that are looked at before all are."""
BLOCK: Final = 1 << 16
"""Values that are looked at together, few enough for the processor's cache."""
TOLD: Final = ("kind", "key", "place", "name", "code")
"""Roles of columns whose zero is no amount."""


def empty_columns(table: Table) -> frozenset[int]:
    """Places of the columns that are empty or zero throughout; of a table that compares none, as "no difference" is an
    answer; never all."""
    if table.rows < FEWEST or any(column.signed for column in table.columns):
        return frozenset()
    empty = frozenset(place for place, column in enumerate(table.columns) if is_empty(column))
    return empty if len(empty) < len(table.columns) else frozenset()


def is_empty(column: Column) -> bool:
    """Whether no row has anything but zero in it."""
    values = column.values
    if isinstance(values, tuple):
        return not any(values)
    if isinstance(values, Coded):
        return _nothing(values.ids, None, lambda ids: ids >= 0)
    if column.role in TOLD or column.hexadecimal:
        return False
    return _nothing(values, column.missing, lambda some: (some != 0) & (some == some))


def _nothing(values: npt.NDArray[Any], missing: Bool | None, there: Any) -> bool:
    """Whether nothing is ``there``: asked of some values first, as almost every column has something in these."""
    step = max(len(values) // SAMPLE, 1)
    for part in (slice(None, None, step), *(slice(at, at + BLOCK) for at in range(0, len(values), BLOCK))):
        found = there(values[part])
        if missing is not None:
            found = found & ~missing[part]
        if bool(np.any(found)):
            return False
    return True
