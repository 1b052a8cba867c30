"""Two profiles, one of which is the baseline of the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import comparable, figures
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.compared import ComparedTable, alone, compared
from app.analysis.compare.figures import ComparedFigure
from app.analysis.compare.matching import Pair, SameContent, Trees, match
from app.analysis.compare.names import DEFAULT, Names
from app.analysis.compare.plans import Plan, plan_of, row_identity
from app.analysis.compare.rules import Matches
from app.analysis.part_rows import alike, kind_of, named_like, numbered
from app.analysis.table import Table
from app.analysis.tables import TABLES, TableSpec, by_id
from app.profile.arrays import I64
from app.profile.profile import Profile


class Comparison(Struct, frozen=True, eq=False, dict=True):
    """``before`` is the baseline. ``pairs``: rows that a person paired or unpaired; ``names``: what is ignored in
    names; ``contents``: finds rows with the same stored content (it reads files). Nothing is computed before it is
    asked for; matches are kept (4 bytes a row), tables are not."""

    before: Profile
    after: Profile
    pairs: tuple[Pair, ...] = ()
    names: Names = DEFAULT
    contents: SameContent | None = None

    def swapped(self) -> Comparison:
        """The same with the other profile as the baseline."""
        pairs = tuple(pair.swapped() for pair in self.pairs)
        return replace(self, before=self.after, after=self.before, pairs=pairs)

    @cached_property
    def baseline(self) -> Profile:
        """The baseline, for finding blocks by the names that they have after: of two single blocks, its block is called
        like that after (cached)."""
        return named_like(self.before, self.after)

    @cached_property
    def limits(self) -> list[str]:
        """What cannot be compared, or not plainly, and why: one sentence each (cached)."""
        return comparable.limits(self.before, self.after)

    @cached_property
    def figures(self) -> list[ComparedFigure]:
        """The main figures; with different numbers of tiles, sums over tiles per tile as well (cached)."""
        whole = figures.compared(self.before, self.after)
        tiles = comparable.tile_counts(self.before, self.after)
        return whole if tiles is None else [*whole, *figures.per_tile(whole, tiles)]

    def tables(self, check: Check = never) -> Iterator[ComparedTable]:
        """All tables that either profile has, one after the other: together they may need much memory."""
        for spec in TABLES:
            yield from self.tables_of(spec, check)

    def tables_of(self, spec: TableSpec, check: Check = never) -> Iterator[ComparedTable]:
        """Those of one kind."""
        check()
        sides = [{table.id: table for table in spec.tables(profile)} for profile in (self.before, self.after)]
        for table_id in dict.fromkeys((*sides[1], *sides[0])):
            yield self.compare(table_id, sides[0].get(table_id), sides[1].get(table_id), check)

    def table(self, table_id: str, check: Check = never) -> ComparedTable | None:
        """The table of that name, None if neither profile has it."""
        before, after = by_id(self.before, table_id), by_id(self.after, table_id)
        if before is None and after is None:
            return None
        return self.compare(table_id, before, after, check)

    def compare(self, table_id: str, before: Table | None, after: Table | None, check: Check = never) -> ComparedTable:
        """The difference of two tables of these profiles, one of which may not exist."""
        before = None if before is None else numbered(before, self.before)
        after = None if after is None else numbered(after, self.after)
        if before is None or after is None:
            only = after if after is not None else before
            assert only is not None
            return compared(before, after, alone(only, after=after is not None))
        plan = plan_of(table_id, after, before)
        own, other = before, after
        if kind_of(self.before) == kind_of(self.after):
            own, other = alike(before, self.before), alike(after, self.after)
        rows = row_identity(own, plan), row_identity(other, plan)
        known = self._matches.get(table_id)
        if known is None or known[0] != rows:  # not yet, or those of another range
            known = self._matches[table_id] = rows, self._match(table_id, own, other, plan, check)
        return compared(before, after, known[1], (own, other))

    @cached_property
    def _matches(self) -> dict[str, tuple[tuple[int, int], Matches]]:
        return {}

    def _match(self, table_id: str, before: Table, after: Table, plan: Plan, check: Check) -> Matches:
        trees = None
        if plan.tree is not None:
            one, other = plan.tree(self.before, before), plan.tree(self.after, after)
            trees = None if one is None or other is None else Trees(one, other)
        pairs = [pair for pair in self.pairs if pair.table == table_id and pair.fits(before, after)]
        contents = self.contents

        def same(rows: I64, others: I64) -> Iterable[tuple[int, int]]:
            if contents is None:
                return ()
            return contents((self.before, before, rows), (self.after, after, others), check)

        return match(before, after, plan, trees=trees, names=self.names, pairs=pairs, contents=same, check=check)
