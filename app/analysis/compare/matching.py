"""Matches the rows of two tables: by hand, by keys, names and alignment, along trees, and by stored content.

``match`` applies the rules in their order (``rules.py`` explains each); what a table's rows are is its ``Plan``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare import codes
from app.analysis.compare.alignment import Aligner, Check, never
from app.analysis.compare.codes import Codes, pairs
from app.analysis.compare.matched import (
    ANCESTOR,
    CONTENT,
    HAND,
    KEY,
    NAME,
    PATH,
    SEQUENCE,
    SIMILAR,
    Matches,
    Partners,
)
from app.analysis.compare.names import DEFAULT, Names, normaliser, without_numbers
from app.analysis.compare.plans import Plan, Tree
from app.analysis.table import Column, Table
from app.language import joined, untranslated
from app.profile.arrays import I64, Bool, Integers, expand, sealed
from app.profile.profile import Profile

MOST_LEVELS: Final = 1000
BLOCKED: Final = -2

Side: TypeAlias = tuple[Profile, Table, I64]
"""A profile, its table, and the rows without a partner."""
SameContent: TypeAlias = Callable[[Side, Side, Check], Iterable[tuple[int, int]]]
"""Returns the rows with the same bytes, as pairs of rows before and after. It reads files."""


Carry: TypeAlias = Callable[[Partners], None]
"""Matches rows by what they belong to."""


def no_carry(_: Partners) -> None:
    """For tables whose rows belong to nothing."""


class Trees(Struct, frozen=True, eq=False):
    before: Tree
    after: Tree


def label(table: Table, row: int) -> str:
    """What a row is called, on one line."""
    return joined(" · ", label_parts(table, row))


def label_parts(table: Table, row: int) -> list[str]:
    """The texts and numbers before the first figure, or the name if there is one."""
    named = [column for column in table.columns if column.role == "name"]
    parts = [cell_text(value) for column in named if (value := column.value(row)) not in (None, "")]
    if parts:
        return parts
    for column in table.columns:
        if column.numeric and not column.is_key and parts:
            break
        value = column.value(row)
        if isinstance(value, int) and not isinstance(value, bool):
            number = f"{value:#x}" if column.hexadecimal else f"{value:,}"
            parts.append(joined(" ", (column.title, number)))
        elif value not in (None, "") and not isinstance(value, bool):
            parts.append(cell_text(value))
    return parts


def cell_text(value: object) -> str:
    """A cell as text; one that is translated stays so."""
    return value if isinstance(value, str) else str(value)


class Pair(Struct, frozen=True):
    """Rows of the table ``table`` that a person paired; this overrides all rules. With only one of the two: that row
    has no partner. ``label_before``, ``label_after``: what they were called then, in English, because pairs are saved
    ("": not known); rows that are called otherwise now are not those."""

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


def match(
    before: Table,
    after: Table,
    plan: Plan,
    *,
    trees: Trees | None = None,
    names: Names = DEFAULT,
    pairs: Iterable[Pair] = (),
    contents: Callable[[I64, I64], Iterable[tuple[int, int]]] | None = None,
    first: Carry = no_carry,
    last: Carry = no_carry,
    check: Check = never,
) -> Matches:
    """Which rows belong together. ``trees``: those of both tables, if they are trees; ``pairs``: those made by hand;
    ``contents``: returns which of the rows without a partner have the same content; ``first``, ``last``: match rows by
    what they belong to, before and after names do."""
    matcher = _Matcher(before, after, plan, names, check)
    partners = matcher.partners
    pair_by_hand(pairs, partners, matcher.rows)
    first(partners)
    exact = matcher.in_trees(trees) if trees is not None else matcher.in_lists()
    last(partners)
    if contents is not None and plan.contents and not partners.done:
        partners.pair(*_columns(contents(*partners.open)), CONTENT)
    return Matches(sealed(partners.of_before), sealed(partners.rule), after.rows, exact)


class _Matcher:
    """Applies the rules to two tables."""

    def __init__(self, before: Table, after: Table, plan: Plan, names: Names, check: Check) -> None:
        self.rows = before.rows, after.rows
        self.partners = Partners(*self.rows)
        self._columns = tuple({column.key: column for column in table.columns} for table in (before, after))
        self._plan = plan
        self._normalise = normaliser(plan.ignored or names)
        self._check = check

    def in_lists(self) -> bool:
        """Alignment for sequences, names for other rows that have them, and keys for those without; similar names
        last. Returns whether all sequences were aligned exactly."""
        plan, exact = self._plan, True
        if plan.by_row:
            _pair_equal(Codes(*map(np.arange, self.rows)), self.partners, KEY)
            return exact
        if not (self._named(0).any() and self._named(1).any()):
            keys = plan.key or (*plan.names, *plan.arguments)
            self._same((*plan.within, *keys), KEY if plan.key else NAME)
            return exact
        if plan.sequence:
            exact = self._sequences()
        self._same((*plan.within, *plan.names, *plan.arguments), NAME)
        if plan.arguments:
            self._same((*plan.within, *plan.names), NAME)
        if self._normalise is not None:
            self._same((*plan.within, *plan.names), SIMILAR, self._normalise)
        return exact

    def in_trees(self, trees: Trees) -> bool:
        """Paths, then names, similar names, and ancestors; below the rows that each matches, paths apply again.
        Returns whether all siblings were aligned exactly."""
        plan, partners = self._plan, self.partners
        names, kinds = self._codes((*plan.kinds, *plan.names)), self._codes(plan.kinds)
        whole = (*plan.kinds, *plan.names, *plan.arguments)
        exact = _pair_by_path(names, trees, partners, self._check)
        self._same(whole, NAME, named=True)
        exact = _pair_by_path(names, trees, partners, self._check) and exact
        if self._normalise is not None:
            self._same(whole, SIMILAR, self._normalise, named=True)
            exact = _pair_by_path(names, trees, partners, self._check) and exact
        while _pair_by_ancestor(kinds, trees, partners):
            exact = _pair_by_path(names, trees, partners, self._check) and exact
        return exact

    def _sequences(self) -> bool:
        plan, rows = self._plan, self.partners.open
        names, groups = self._codes((*plan.names, *plan.arguments)), self._codes(plan.within).taken(*rows)
        return _align(names, groups, self.partners, rows, KEY, self._check)

    def _same(
        self, keys: Sequence[str], rule: int, normalise: codes.Normalise | None = None, *, named: bool = False
    ) -> None:
        """Match rows with the same cells in these columns, in order of appearance. ``named``: only those with a
        name."""
        if self.partners.done or not any(key in self._columns[0] and key in self._columns[1] for key in keys):
            return
        cells = self._codes(keys, normalise)
        if named:
            count = sum(self.rows) + 1
            own, other = self._named(0), self._named(1)
            blank, further = np.arange(1, len(own) + 1), np.arange(len(own) + 1, count)
            before = np.where(own, cells.before * count, cells.before * count + blank)
            cells = Codes(before, np.where(other, cells.after * count, cells.after * count + further))
        _pair_equal(cells, self.partners, rule)

    def _named(self, side: int) -> Bool:
        """bool[rows]: whether any of the columns of names has a text."""
        named = np.zeros(self.rows[side], np.bool_)
        for key in self._plan.names:
            column = self._columns[side].get(key)
            if column is not None:
                named |= codes.has_text(column)
        return named

    def _codes(self, keys: Iterable[str], normalise: codes.Normalise | None = None) -> Codes:
        """One code for each row from the columns that both sides have; the same for all rows if there are none."""
        known: Codes | None = None
        for key in dict.fromkeys(keys):
            before, after = (columns.get(key) for columns in self._columns)
            if before is not None and after is not None:
                cells = codes.of_column(before, after, self._normaliser(key, before, after) or normalise)
                known = cells if known is None else known.beside(cells)
        return known or Codes(np.zeros(self.rows[0], np.int64), np.zeros(self.rows[1], np.int64))

    def _normaliser(self, key: str, before: Column, after: Column) -> codes.Normalise | None:
        """What is done to the texts of this column, whatever the rule; None for nothing."""
        if key in self._plan.loose:
            return without_numbers
        if key in self._plan.paths:
            same = codes.paired_columns(before, after)
            return lambda path: same.get(path, path)
        return None


def pair_by_hand(made: Iterable[Pair], partners: Partners, rows: tuple[int, int]) -> None:
    """Match the rows of the pairs, and bar those without a partner. A later pair of the same row wins; rows that do
    not exist are ignored."""
    of_before: dict[int, int | None] = {}
    alone: set[int] = set()
    for pair in made:
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
    together = [(row, other) for row, other in of_before.items() if other is not None]
    partners.pair(*_columns(together), HAND)
    barred = [row for row, other in of_before.items() if other is None]
    partners.bar(np.array(barred, np.int64), np.array(list(alone), np.int64))


def pair_carried(carried: Callable[[], Codes | None], rule: int, partners: Partners) -> None:
    """Match what is left by what it belongs to, in order of appearance: rows of equal codes."""
    cells = None if partners.done else carried()
    if cells is not None:
        _pair_equal(cells, partners, rule)


def _columns(rows: Iterable[tuple[int, int]]) -> tuple[I64, I64]:
    columns = np.array(list(rows), np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _pair_equal(cells: Codes, partners: Partners, rule: int) -> None:
    """Match rows of equal codes; several rows of one code in their order."""
    before, after = partners.open
    own = cells.taken(before, after)
    first, second = pairs(own.before, own.after)
    partners.pair(before[first], after[second], rule)


class _Groups(Struct, frozen=True, eq=False):
    """Rows of one side by group: group g has ``rows[first[g]:first[g + 1]]``, in the order of the table."""

    rows: I64
    first: I64

    @classmethod
    def of(cls, rows: I64, group: I64, count: int) -> _Groups:
        order = rows if not len(group) or (np.diff(group) >= 0).all() else rows[np.argsort(group, kind="stable")]
        first = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=count))))
        return cls(order, first.astype(np.int64))

    def of_groups(self, groups: Integers | Bool) -> I64:
        """The rows of several groups, one after the other."""
        return self.rows[expand(self.first[:-1][groups], self.first[1:][groups])]


def _align(
    names: Codes, groups: Codes, partners: Partners, rows: tuple[I64, I64], unchanged: int, check: Check
) -> bool:
    """Match ``rows`` of each side (in their order), sequence by sequence; returns whether all were aligned exactly.
    ``groups``: which sequence each of them is in. ``unchanged``: the rule for rows of sequences that are the same as a
    whole."""
    own = groups.renumbered()
    count = max(int(own.before.max(initial=-1)), int(own.after.max(initial=-1))) + 1
    first, second = _Groups.of(rows[0], own.before, count), _Groups.of(rows[1], own.after, count)
    same = _unchanged(names, first, second)
    partners.pair(first.of_groups(same), second.of_groups(same), unchanged)
    exact, aligner = True, Aligner(check)
    for group in np.flatnonzero(~same).tolist():
        before, after = (side.rows[side.first[group] : side.first[group + 1]] for side in (first, second))
        if len(before) and len(after):
            result = aligner.align(names.before[before], names.after[after])
            matched = np.flatnonzero(result.partner >= 0)
            partners.pair(before[matched], after[result.partner[matched]], SEQUENCE)
            exact = exact and result.exact
    return exact


def _unchanged(names: Codes, first: _Groups, second: _Groups) -> Bool:
    """bool[groups]: whether both sides have the same names in the same order."""
    lengths = np.diff(first.first)
    same: Bool = (lengths == np.diff(second.first)) & (lengths > 0)
    groups = np.flatnonzero(same)
    if len(groups):
        equal = names.before[first.of_groups(groups)] == names.after[second.of_groups(groups)]
        same[groups] = np.logical_and.reduceat(equal, np.cumsum(lengths[groups]) - lengths[groups])
    return same


def _pair_by_path(names: Codes, trees: Trees, partners: Partners, check: Check) -> bool:
    """Match rows below rows that are matched with one another, from the roots down: siblings are a sequence. Returns
    whether all were aligned exactly."""
    exact = True
    for _ in range(MOST_LEVELS):
        before, after, above = _ready(trees, partners)
        count = partners.count
        exact = _align(names, above, partners, (before, after), PATH, check) and exact
        if partners.count == count:
            break
    return exact


def _pair_by_ancestor(kinds: Codes, trees: Trees, partners: Partners) -> bool:
    """Match rows whose parents and nearest matched siblings are matched with one another, if both sides have equally
    many rows of their kind there. Returns whether there were any."""
    matched = np.where(partners.of_before >= 0, np.arange(len(partners.of_before)), -1)
    gaps = Codes(_neighbours(trees.before, matched), _neighbours(trees.after, partners.of_after))
    before, after, above = _ready(trees, partners)
    cells = above.beside(kinds.beside(gaps).taken(before, after))
    first, second = pairs(cells.before, cells.after)
    high = max(int(cells.before.max(initial=0)), int(cells.after.max(initial=0))) + 1
    even = np.bincount(cells.before, minlength=high) == np.bincount(cells.after, minlength=high)
    whole = even[cells.before[first]]
    partners.pair(before[first[whole]], after[second[whole]], ANCESTOR)
    return bool(whole.any())


def _ready(trees: Trees, partners: Partners) -> tuple[I64, I64, Codes]:
    """Open rows of each side whose parent is matched, in the order in which they run, and what they are below."""
    before, after = partners.open
    above, below = trees.before.parent[before], trees.after.parent[after]
    ready = _partner_of(below, partners.of_after) > BLOCKED
    after, below = after[ready], np.maximum(below[ready], -1)
    above = _partner_of(above, partners.of_before)
    before, above = before[above > BLOCKED], above[above > BLOCKED]
    order, other = np.argsort(trees.before.order[before]), np.argsort(trees.after.order[after])
    return before[order], after[other], Codes(above[order] + 1, below[other] + 1)


def _partner_of(parent: I64, partner: Integers) -> I64:
    """The row that each parent is matched with, -1 for roots, BLOCKED where it is not matched."""
    if not len(parent):
        return parent
    row = partner[np.maximum(parent, 0)].astype(np.int64)
    return np.where(parent < 0, -1, np.where(row < 0, BLOCKED, row))


def _neighbours(tree: Tree, name: I64) -> I64:
    """int64[rows]: 1 + ``name`` of the nearest sibling before each row that has one (not -1), 0 without."""
    nearest = np.zeros(len(name), np.int64)
    if not len(name):
        return nearest
    parent = np.maximum(tree.parent, -1)
    order = np.lexsort((tree.order, parent))
    positions = np.arange(len(order))
    first = np.concatenate(([True], np.diff(parent[order]) != 0))
    begin = np.maximum.accumulate(np.where(first, positions, 0))
    last = np.maximum.accumulate(np.where(name[order] >= 0, positions, -1))
    inside = last >= begin
    nearest[order[inside]] = name[order[last[inside]]] + 1
    return nearest
