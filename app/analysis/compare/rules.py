"""The rules by which rows of two tables are matched, and which rows belong together by them."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.codes import inverse
from app.language import tr
from app.profile.arrays import I32, I64, U8, Bool, Integers, sealed


class Rule(Struct, frozen=True):
    """``id`` names it in `compare --json` and never changes; ``title`` and ``help`` are shown to people."""

    id: str
    title: str
    help: str


RULES: Final = (
    Rule("hand", tr("manually paired"), tr("You paired these two rows.")),
    Rule(
        "path",
        tr("same path"),
        tr("Both rows have the same path of names from the root and the same call index."),
    ),
    Rule(
        "key",
        tr("same key"),
        tr(
            "Both rows have the same identifying number or name: the same tile, block, core or line, or the same "
            "position in a lane or program that is the same on both sides."
        ),
    ),
    Rule(
        "name",
        tr("same name"),
        tr(
            "Both rows have the same name and arguments. Several rows of the same name are matched in order: the first "
            "with the first, the second with the second, and so on."
        ),
    ),
    Rule(
        "sequence",
        tr("aligned"),
        tr(
            "The rows have the same name, and their sequences (slices of a lane, steps of a run, instructions, source "
            "lines) were aligned like two versions of a text: with the fewest insertions and deletions."
        ),
    ),
    Rule(
        "similar-name",
        tr("similar name"),
        tr(
            "Both rows have the same name apart from hashes (and numbers: of slices always, of others if the setting "
            "says so), in order of appearance. Only rows without an exact match are considered."
        ),
    ),
    Rule(
        "role",
        tr("same role"),
        tr(
            "Two lanes: process and thread have the same names apart from numbers, or at least half of the slices have "
            "the same names; ids that the system gave do not count. Two slices: the same name, apart from numbers, in "
            "lanes of the same role."
        ),
    ),
    Rule(
        "ancestor",
        tr("same ancestor"),
        tr(
            "The name differs, but both rows are below the same row of the tree, between the same neighbours, and "
            "there are equally many of their kind."
        ),
    ),
    Rule(
        "program",
        tr("same program"),
        tr("Both rows belong to programs that are matched with one another: their compute sets, exchanges and steps."),
    ),
    Rule(
        "slices",
        tr("same slices"),
        tr(
            "Two arrows: the slices at both ends are matched with one another; else those to which they lead; else "
            "those from which they come, if the others have no partner."
        ),
    ),
    Rule(
        "place",
        tr("same place"),
        tr(
            "Two slices of different names: the name before is gone, the name after is new, there are equally many of "
            "both between the same neighbours of a lane, and their durations agree within a factor of two. Slices by "
            "name: their slices are matched so."
        ),
    ),
    Rule("content", tr("same content"), tr("Both rows have the same bytes in their files, but different names.")),
)
"""In the order in which they are applied."""
HAND, PATH, KEY, NAME, SEQUENCE, SIMILAR, ROLE, ANCESTOR, PROGRAM, SLICES, PLACE, CONTENT = range(len(RULES))
NO_RULE: Final = 255
INEXACT: Final = tr(
    "Some sequences differ too much for an exact alignment: rows of the same name are matched in their order where "
    "possible."
)


class Partners:
    """Which rows of two tables belong together so far: filled by the rules, one after the other. ``of_before``:
    int32[rows before], the row after, -1 none; ``rule``: uint8[rows before], the index of the rule that matched it,
    NO_RULE."""

    def __init__(self, before: int, after: int) -> None:
        self.of_before: I32 = np.full(before, -1, np.int32)
        self.rule: U8 = np.full(before, NO_RULE, np.uint8)
        self._open_before: Bool = np.ones(before, np.bool_)
        self._open_after: Bool = np.ones(after, np.bool_)

    def pair(self, before: Integers, after: Integers, rule: int) -> None:
        """Match these rows with one another."""
        self.of_before[before] = after
        self.rule[before] = rule
        self.bar(before, after)

    def bar(self, before: Integers, after: Integers) -> None:
        """No rule may match these rows any more."""
        self._open_before[before] = False
        self._open_after[after] = False

    @property
    def open(self) -> tuple[I64, I64]:
        """int64 each, ascending: rows before and after that a rule may still match."""
        return np.flatnonzero(self._open_before), np.flatnonzero(self._open_after)

    @property
    def of_after(self) -> I64:
        """int64[rows after]: the row before that each is matched with, -1 none."""
        return inverse(self.of_before, len(self._open_after))

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return int(np.count_nonzero(self.of_before >= 0))

    @property
    def done(self) -> bool:
        """Whether no rule can match anything further."""
        return not self._open_before.any() or not self._open_after.any()


class Matches(Struct, frozen=True, eq=False, dict=True):
    """The result of matching two tables. ``of_before``: int32[rows before], the row after that each is matched with,
    -1 none; ``rule``: uint8[rows before], index in RULES, NO_RULE. ``rows_after``: how many there are. ``exact``:
    whether sequences were aligned exactly."""

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
        return sealed(inverse(self.of_before, self.rows_after).astype(np.int32))

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
