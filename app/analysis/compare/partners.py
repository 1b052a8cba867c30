"""Which rows of two tables belong together so far."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I32, I64, U8, Bool, Integers

NONE = -1
NO_RULE = 255


class Partners:
    """Filled by the rules, one after the other. ``of_before``: int32[rows before], the row after, NONE; ``rule``:
    uint8[rows before], the index of the rule that matched it, NO_RULE. Rows that are ``barred`` are never matched."""

    def __init__(self, before: int, after: int) -> None:
        self.of_before: I32 = np.full(before, NONE, np.int32)
        self.rule: U8 = np.full(before, NO_RULE, np.uint8)
        self._open_before: Bool = np.ones(before, np.bool_)
        self._open_after: Bool = np.ones(after, np.bool_)

    def pair(self, before: Integers, after: Integers, rule: int) -> None:
        """Match these rows with one another."""
        self.of_before[before] = after
        self.rule[before] = rule
        self._open_before[before] = False
        self._open_after[after] = False

    def bar(self, before: Integers, after: Integers) -> None:
        """Leave these rows unmatched for good."""
        self._open_before[before] = False
        self._open_after[after] = False

    @property
    def open(self) -> tuple[I64, I64]:
        """int64 each, ascending: rows before and after that a rule may still match."""
        return np.flatnonzero(self._open_before), np.flatnonzero(self._open_after)

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return int(np.count_nonzero(self.of_before >= 0))

    @property
    def done(self) -> bool:
        """Whether no rule can match anything further."""
        return not self._open_before.any() or not self._open_after.any()
