"""What a table widget shows of a comparison, and how its rows are paired by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from app.analysis.table import Table
from app.profile.arrays import I64

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair
    from app.analysis.compare.tables import ComparedColumn, ComparedTable, Total


class Differences(Struct, frozen=True, eq=False):
    """``table``: what is shown of ``compared``; ``rows``: int64, the row of that for each of its rows; ``total``: the
    column that rows are sorted by and its sums, None if it does not add up."""

    table: Table
    compared: ComparedTable
    rows: I64
    total: tuple[ComparedColumn, Total] | None = None

    def pair(self, chosen: I64) -> tuple[Pair, ...] | None:
        """The pair of two rows of the table, one only before and one only after; None for others."""
        if len(chosen) != 2:
            return None
        sides = [self._sides(int(row)) for row in chosen]
        before = [before for before, after in sides if after < 0]
        after = [after for before, after in sides if before < 0]
        if len(before) != 1 or len(after) != 1 or self.compared.before is None or self.compared.after is None:
            return None
        from app.analysis.compare.matching import pair_of

        sides_of_pair = (self.compared.before, before[0]), (self.compared.after, after[0])
        return (pair_of(self.compared.id, *sides_of_pair),)

    def unpair(self, chosen: I64) -> tuple[Pair, ...] | None:
        """Both sides of a row of the table without a partner; None for others."""
        if len(chosen) != 1 or self.compared.before is None or self.compared.after is None:
            return None
        before, after = self._sides(int(chosen[0]))
        if before < 0 or after < 0:
            return None
        from app.analysis.compare.matching import pair_of

        own = (self.compared.before, before), (self.compared.after, after)
        return pair_of(self.compared.id, own[0], None), pair_of(self.compared.id, None, own[1])

    def _sides(self, row: int) -> tuple[int, int]:
        """The rows before and after; -1 for none."""
        place = self.rows[row]
        return int(self.compared.rows_before[place]), int(self.compared.rows_after[place])
