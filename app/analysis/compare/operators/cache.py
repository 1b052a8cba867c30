"""The cells of cache maps of two profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from app.language import plural, tr
from app.profile.arrays import F64, I64

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


class ComparedCells(Struct, frozen=True, eq=False):
    """int64[cells], -1 none: the line or set of each side. The cells after come first in their order, then those that
    only the baseline has."""

    before: I64
    after: I64

    def of_sides(self, before: F64, after: F64) -> tuple[F64, F64]:
        """float64[cells] of each side: NaN where it has no such line."""
        return np.append(before, np.nan)[self.before], np.append(after, np.nan)[self.after]


def compared_cells(comparison: Comparison, table_id: str) -> ComparedCells:
    """Lines (or sets) matched as in the table "cache-lines" (or "cache-sets")."""
    table = comparison.table(table_id)
    if table is None:
        return ComparedCells(np.empty(0, np.int64), np.empty(0, np.int64))
    matches = table.matches
    alone = matches.only_before
    own = np.concatenate((matches.of_after.astype(np.int64), alone))
    return ComparedCells(own, np.concatenate((np.arange(matches.rows_after), np.full(len(alone), -1))))


def not_compared(cells: ComparedCells) -> list[str]:
    """How many lines or sets only one side has: one sentence each."""
    alone = int(np.count_nonzero(cells.before < 0)), int(np.count_nonzero(cells.after < 0))
    if alone[0] and alone[0] == len(cells.before):
        return [tr("The baseline has none of these figures.")]
    return [
        *(
            [
                plural(
                    "{count:,} cell is only in the comparison.",
                    "{count:,} cells are only in the comparison.",
                    count=alone[0],
                )
            ]
            if alone[0]
            else []
        ),
        *(
            [
                plural(
                    "{count:,} cell is only in the baseline; it is at the end.",
                    "{count:,} cells are only in the baseline; they are at the end.",
                    count=alone[1],
                )
            ]
            if alone[1]
            else []
        ),
    ]
