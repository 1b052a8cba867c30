"""The rules by which rows of two tables belong together; columns of one core each, compared with the column of the same
core, however many each side has; and what belongs to matched programs of a Poplar report.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend.cores import core_names
from app.analysis.compare.codes import Codes, inverse
from app.analysis.compare.names import core, paired_cores
from app.analysis.poplar.graph import exchange_numbers
from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import I32, I64, U8, Bool, Integers, sealed
from app.profile.profile import Profile


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


TABLES: Final = ("instructions", "source-lines")
"""Their columns are called ``cycles.core0.veccore0``, or ``cycles`` where there is one core only."""
UNNAMED: Final = ""


def with_cores_of(before: Table, after: Table, profiles: tuple[Profile, Profile]) -> Table:
    """``before`` with its columns called as those of the same cores after."""
    if before.id not in TABLES:
        return before
    names = tuple(core_names(profile) for profile in profiles)
    if len(names[0]) <= 1 and len(names[1]) <= 1:
        return before
    pairs = same_cores(*names)
    keys = {column.key for column in after.columns}
    columns = []
    for column in before.columns:
        key = _key_after(column.key, names, pairs)
        columns.append(replace(column, key=key) if key in keys and key != column.key else column)
    return replace(before, columns=tuple(columns))


def same_cores(before: Collection[str], after: Collection[str]) -> dict[str, str]:
    """The core after for each core before that has one. The only core of a side that does not name it is number 0, if
    the other side has cores of one kind only."""
    own, other = before or (UNNAMED,), after or (UNNAMED,)
    if UNNAMED not in own and UNNAMED not in other:
        return paired_cores(own, other)
    zero = _number_zero(other if UNNAMED in own else own)
    if zero is None:
        return {}
    return {UNNAMED: zero} if UNNAMED in own else {zero: UNNAMED}


def _number_zero(names: Collection[str]) -> str | None:
    found = {name: known for name in names if (known := core(name)) is not None}
    if len({known.stem for known in found.values()}) != 1:
        return None
    return next((name for name, known in found.items() if not any(map(int, known.numbers))), None)


def _key_after(key: str, names: tuple[tuple[str, ...], ...], pairs: dict[str, str]) -> str:
    """What the column of a core is called after; a side with one core leaves its name out."""
    figure, _, rest = key.partition(".")
    own = (
        (names[0] or (UNNAMED,))[0]
        if len(names[0]) <= 1
        else next((name for name in names[0] if rest == name or rest.startswith(f"{name}.")), None)
    )
    other = None if own is None else pairs.get(own)
    if own is None or other is None:
        return key
    part = rest if len(names[0]) <= 1 else rest[len(own) :].removeprefix(".")
    return ".".join(word for word in (figure, "" if len(names[1]) <= 1 else other, part) if word)


KINDS: Final = ("compute_set", "exchange", "step", "slice")
"""What rows stand for that belong to programs."""
NONE: Final = (-1, -2)
"""Of both sides: no program, or one without a partner."""


def belong_to_programs(table: Table, profile: Profile) -> bool:
    """Whether its rows are things that programs have."""
    return profile.programs is not None and table.selects in KINDS


def of_programs(tables: tuple[Table, Table], profiles: tuple[Profile, Profile], programs: Matches) -> Codes | None:
    """Equal codes for rows that belong to programs that are matched with one another, in ``programs``; None if rows
    belong to none."""
    owned = [_owned(profile, table) for profile, table in zip(profiles, tables, strict=True)]
    before, after = owned
    if before is None or after is None:
        return None
    partner = np.append(programs.of_before.astype(np.int64), -1)
    if tables[0].selects in ("step", "slice"):
        known = np.where((before >= 0) & (before < len(partner)), before, -1)
        return Codes(_or_none(partner[known], 0), _or_none(after, 1))
    one, other = (_things(profile, table) for profile, table in zip(profiles, tables, strict=True))
    first, second = programs.pairs
    both = (one[first] >= 0) & (other[second] >= 0)
    mine, theirs = one[first[both]], other[second[both]]
    of_thing = np.full(int(max(before.max(initial=-1), one.max(initial=-1))) + 2, -1, np.int64)
    of_thing[mine[::-1]] = theirs[::-1]  # of several programs the first
    return Codes(_or_none(of_thing[before], 0), _or_none(after, 1))


def _or_none(numbers: I64, side: int) -> I64:
    return np.where(numbers >= 0, numbers, NONE[side])


def _owned(profile: Profile, table: Table) -> I64 | None:
    """int64[rows]: the programs of steps and slices, -1 none; the numbers of other things."""
    keys = np.arange(table.rows, dtype=np.int64) if table.keys is None else table.keys
    steps, line = profile.steps, profile.timeline
    if table.selects not in ("step", "slice"):
        return keys
    if steps is None or (table.selects == "slice" and line is None):
        return None
    own: Integers = keys
    if table.selects == "slice" and line is not None:
        own = line.slices.record[keys]
    program = np.append(steps.program.astype(np.int64), -1)
    return program[np.where((own >= 0) & (own < len(steps)), own, -1)]


def _things(profile: Profile, table: Table) -> I64:
    """int64[programs]: the compute set or the exchange of each, -1 none."""
    programs = profile.programs
    assert programs is not None
    if table.selects == "compute_set":
        return programs.compute_set.astype(np.int64)
    return exchange_numbers(profile, programs)
