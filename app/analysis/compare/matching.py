"""Matches the rows of two tables by the rules, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from app.analysis.compare import ancestors, by_hand, codes, rules, same_content, same_key, sequences
from app.analysis.compare.ancestors import Trees
from app.analysis.compare.by_hand import Pair
from app.analysis.compare.codes import Codes
from app.analysis.compare.matches import Matches
from app.analysis.compare.names import DEFAULT, Names, normaliser, without_numbers
from app.analysis.compare.partners import Partners
from app.analysis.compare.paths import paired_columns
from app.analysis.compare.plan import Plan
from app.analysis.compare.polling import Check, never
from app.analysis.table import Column, Table
from app.profile.arrays import I64, Bool, sealed


def match(
    before: Table,
    after: Table,
    plan: Plan,
    *,
    trees: Trees | None = None,
    names: Names = DEFAULT,
    pairs: Iterable[Pair] = (),
    contents: Callable[[I64, I64], Iterable[tuple[int, int]]] | None = None,
    check: Check = never,
) -> Matches:
    """Which rows belong together. ``trees``: those of both tables, if they are trees; ``pairs``: those made by hand;
    ``contents``: returns which of the rows without a partner have the same content."""
    work = _Work(before, after, plan, names, check)
    by_hand.match(pairs, work.partners, work.rows, rules.HAND)
    exact = work.in_trees(trees) if trees is not None else work.in_lists()
    if contents is not None and plan.contents and not work.partners.done:
        same_content.match(contents(*work.partners.open), work.partners, rules.CONTENT)
    return Matches(sealed(work.partners.of_before), sealed(work.partners.rule), work.rows[1], exact)


class _Work:
    def __init__(self, before: Table, after: Table, plan: Plan, names: Names, check: Check) -> None:
        self.rows = before.rows, after.rows
        self.partners = Partners(*self.rows)
        self._columns = tuple({column.key: column for column in table.columns} for table in (before, after))
        self._plan = plan
        self._normalise = normaliser(plan.ignored or names)
        self._check = check

    def in_lists(self) -> bool:
        """Rule 3 for sequences, 2 for other rows with names, and 1 for those without; similar names last."""
        plan, exact = self._plan, True
        if plan.by_row:
            same_key.match(codes.of_rows(*self.rows), self.partners, rules.KEY)
            return exact
        if not (self._named(0).any() and self._named(1).any()):
            keys = plan.key or (*plan.names, *plan.arguments)
            self._same((*plan.within, *keys), rules.KEY if plan.key else rules.NAME)
            return exact
        if plan.sequence:
            exact = self._sequences()
        self._same((*plan.within, *plan.names, *plan.arguments), rules.NAME)
        if plan.arguments:
            self._same((*plan.within, *plan.names), rules.NAME)
        if self._normalise is not None:
            self._same((*plan.within, *plan.names), rules.SIMILAR, self._normalise)
        return exact

    def in_trees(self, trees: Trees) -> bool:
        """Rule 1 by paths, then 2, similar names, and 4; below the rows of each, paths apply again."""
        plan = self._plan
        names = self._codes((*plan.kinds, *plan.names)) or self._nothing()
        kinds = self._codes(plan.kinds) or self._nothing()
        whole = (*plan.kinds, *plan.names, *plan.arguments)
        exact = self._paths(names, trees)
        self._same(whole, rules.NAME, named=True)
        exact = self._paths(names, trees) and exact
        if self._normalise is not None:
            self._same(whole, rules.SIMILAR, self._normalise, named=True)
            exact = self._paths(names, trees) and exact
        while ancestors.by_ancestor(kinds, trees, self.partners, rules.ANCESTOR):
            exact = self._paths(names, trees) and exact
        return exact

    def _paths(self, names: Codes, trees: Trees) -> bool:
        return ancestors.by_path(names, trees, self.partners, (rules.PATH, rules.SEQUENCE), self._check)

    def _sequences(self) -> bool:
        plan, rows = self._plan, self.partners.open
        names = self._codes((*plan.names, *plan.arguments)) or self._nothing()
        groups = (self._codes(plan.within) or self._nothing()).taken(*rows)
        return sequences.match(names, groups, self.partners, rows, (rules.KEY, rules.SEQUENCE), self._check)

    def _same(
        self, keys: Sequence[str], rule: int, normalise: codes.Normalise | None = None, *, named: bool = False
    ) -> None:
        """Match rows with the same cells in these columns, in order of appearance. ``named``: only those with a
        name."""
        made = None if self.partners.done else self._codes(keys, normalise)
        if made is None:
            return
        if named:
            count = sum(self.rows) + 1
            own, other = self._named(0), self._named(1)
            blank, further = np.arange(1, len(own) + 1), np.arange(len(own) + 1, count)
            before = np.where(own, made.before * count, made.before * count + blank)
            made = Codes(before, np.where(other, made.after * count, made.after * count + further))
        same_key.match(made, self.partners, rule)

    def _named(self, side: int) -> Bool:
        """bool[rows]: whether any of the columns of names has a text."""
        named = np.zeros(self.rows[side], np.bool_)
        for key in self._plan.names:
            column = self._columns[side].get(key)
            if column is not None:
                named |= codes.has_text(column)
        return named

    def _codes(self, keys: Iterable[str], normalise: codes.Normalise | None = None) -> Codes | None:
        """One code for each row from the columns that both sides have; None if there are none."""
        made: Codes | None = None
        for key in dict.fromkeys(keys):
            pair = [columns.get(key) for columns in self._columns]
            if pair[0] is None or pair[1] is None:
                continue
            one = codes.of_column(pair[0], pair[1], self._normaliser(key, pair[0], pair[1]) or normalise)
            made = one if made is None else made.beside(one)
        return made

    def _normaliser(self, key: str, before: Column, after: Column) -> codes.Normalise | None:
        """What is done to the texts of this column, whatever the rule; None for nothing."""
        if key in self._plan.loose:
            return without_numbers
        if key in self._plan.paths:
            same = paired_columns(before, after)
            return lambda path: same.get(path, path)
        return None

    def _nothing(self) -> Codes:
        """The same code for all rows."""
        return Codes(np.zeros(self.rows[0], np.int64), np.zeros(self.rows[1], np.int64))
