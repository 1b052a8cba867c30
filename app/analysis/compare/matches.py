"""The result of matching two tables."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec import Struct

from app.analysis.compare.partners import NO_RULE
from app.analysis.compare.rules import RULES
from app.profile.arrays import I32, I64, U8, sealed


class Matches(Struct, frozen=True, eq=False, dict=True):
    """``of_before``: int32[rows before], the row after that each is matched with, -1 none; ``rule``: uint8[rows
    before], index in RULES, NO_RULE. ``rows_after``: how many there are. ``exact``: whether sequences were aligned
    exactly."""

    of_before: I32
    rule: U8
    rows_after: int
    exact: bool = True

    @property
    def rows_before(self) -> int:
        return len(self.of_before)

    @cached_property
    def of_after(self) -> I32:
        """int32[rows after]: the row before that each is matched with, -1 none (cached)."""
        rows = np.flatnonzero(self.of_before >= 0)
        of_after = np.full(self.rows_after, -1, np.int32)
        of_after[self.of_before[rows]] = rows
        return sealed(of_after)

    @property
    def pairs(self) -> tuple[I64, I64]:
        """int64 each: the matched rows before, ascending, and their partners."""
        rows = np.flatnonzero(self.of_before >= 0)
        return rows, self.of_before[rows].astype(np.int64)

    @property
    def only_before(self) -> I64:
        """int64, ascending: rows without a partner."""
        return np.flatnonzero(self.of_before < 0)

    @property
    def only_after(self) -> I64:
        """int64, ascending: rows without a partner."""
        return np.flatnonzero(self.of_after < 0)

    @property
    def whole(self) -> bool:
        """Whether every row has a partner."""
        return not len(self.only_before) and not len(self.only_after)

    def counts(self) -> dict[str, int]:
        """How many pairs each rule made, by its id, without those that made none."""
        counts = np.bincount(self.rule[self.rule != NO_RULE], minlength=len(RULES)).tolist()
        return {rule.id: count for rule, count in zip(RULES, counts, strict=True) if count}
