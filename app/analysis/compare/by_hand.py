"""Pairs that a person made, which override all rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.partners import Partners
from app.analysis.compare.rule import Rule
from app.language import tr

RULE: Final = Rule("hand", tr("by hand"), tr("You paired these two rows."))


class Pair(Struct, frozen=True):
    """Rows of the table ``table`` that belong together. With only one of the two: that row has no partner."""

    table: str
    before: int | None
    after: int | None


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
