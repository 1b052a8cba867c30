"""Pairs that a person made, which override all rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.labels import label
from app.analysis.compare.partners import Partners
from app.analysis.compare.rule import Rule
from app.analysis.table import Table
from app.language import tr, untranslated

RULE: Final = Rule("hand", tr("manually paired"), tr("You paired these two rows."))


class Pair(Struct, frozen=True):
    """Rows of the table ``table`` that belong together. With only one of the two: that row has no partner.
    ``label_before``, ``label_after``: what they were called then, in English, because pairs are saved ("": not known);
    rows that are called otherwise now are not those."""

    table: str
    before: int | None
    after: int | None
    label_before: str = ""
    label_after: str = ""

    def swapped(self) -> Pair:
        """The same with the sides exchanged."""
        return Pair(self.table, self.after, self.before, self.label_after, self.label_before)

    def fits(self, before: Table, after: Table) -> bool:
        """Whether the tables still have these rows."""
        sides = (before, self.before, self.label_before), (after, self.after, self.label_after)
        return all(
            row is None or (row < table.rows and (not text or untranslated(label(table, row)) == text))
            for table, row, text in sides
        )


def pair_of(table_id: str, before: tuple[Table, int] | None, after: tuple[Table, int] | None) -> Pair:
    """A pair of rows, or one row without a partner, with their labels."""
    return Pair(
        table_id,
        None if before is None else before[1],
        None if after is None else after[1],
        "" if before is None else untranslated(label(*before)),
        "" if after is None else untranslated(label(*after)),
    )


def match(pairs: Iterable[Pair], partners: Partners, rows: tuple[int, int], rule: int) -> None:
    """Match the rows of the pairs, and bar those without a partner. A later pair of the same row wins; rows that do
    not exist are ignored."""
    of_before: dict[int, int | None] = {}
    alone: set[int] = set()
    for pair in pairs:
        if pair.before is not None and not 0 <= pair.before < rows[0]:
            continue
        if pair.after is not None and not 0 <= pair.after < rows[1]:
            continue
        if pair.after is not None:
            of_before = {row: other for row, other in of_before.items() if other != pair.after}
            alone.discard(pair.after)
        if pair.before is not None:
            of_before[pair.before] = pair.after
        elif pair.after is not None:
            alone.add(pair.after)
    together = {row: other for row, other in of_before.items() if other is not None}
    partners.pair(_rows(together), _rows(together.values()), rule)
    partners.bar(_rows(row for row, other in of_before.items() if other is None), _rows(alone))


def _rows(rows: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(list(rows), np.int64)
