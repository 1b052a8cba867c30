"""The components of percentages, row by row of a table: the reasons that warps stalled for, and how often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import key_of
from app.profile.arrays import F64, I64
from app.profile.ascend import Details, TypedColumn


class Parts(Struct, frozen=True, eq=False):
    """The components of one column for one core. ``percent``: float64[rows of the column], NaN no data; ``rows``: which
    row of the column each row of the table shows (int64, -1 none), None if they are the same."""

    percent: F64
    details: Details
    width: int
    core: int
    rows: I64 | None = None

    def row(self, row: int) -> int:
        """The row of the column that a row of the table shows; -1 none."""
        return row if self.rows is None else int(self.rows[row])

    def of(self, row: int) -> list[tuple[str, float]]:
        """(reason, samples) of a row of the table, in the file's order."""
        own = self.row(row)
        if own < 0:
            return []
        cell = own * self.width + self.core
        part = slice(int(self.details.first[cell]), int(self.details.first[cell + 1]))
        codes, counts = self.details.reason[part].tolist(), self.details.count[part].tolist()
        return [(self.details.reasons.get(code), count) for code, count in zip(codes, counts, strict=True)]

    @property
    def largest(self) -> float:
        """The largest percentage of the column; 0 if there is none."""
        known = self.percent[~np.isnan(self.percent)]
        return float(known.max(initial=0.0))


def parts_of(columns: Sequence[TypedColumn], core: int, rows: I64 | None = None) -> dict[str, Parts]:
    """The components of each column that has any, by the column's key in tables."""
    parts = {}
    for column in columns:
        width = column.values.shape[1]
        if column.details is not None:
            own = core if 0 <= core < width else 0
            parts[key_of(column.name)] = Parts(column.of_core(own), column.details, width, own, rows)
    return parts
