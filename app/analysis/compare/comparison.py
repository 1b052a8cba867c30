"""Two profiles, one of which is the baseline of the other: their tables, their main figures, and what limits the
comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.alignment import Check, never
from app.analysis.compare.codes import Codes, of_values, texts
from app.analysis.compare.kept import Kept
from app.analysis.compare.lanes import Lanes, lane_table, match_lanes, of_lanes, renamed
from app.analysis.compare.matched import (
    PLACE,
    PROGRAM,
    Matches,
    Partners,
    belong_to_programs,
    of_programs,
    with_cores_of,
)
from app.analysis.compare.matching import Pair, SameContent, Trees, match, no_carry, pair_by_hand, pair_carried
from app.analysis.compare.names import DEFAULT, Names, without_hashes
from app.analysis.compare.plans import Plan, plan_of, row_identity
from app.analysis.compare.slices import pair_flows, pair_renamed, pair_slices, renamed_slices, slice_matches, slice_rows
from app.analysis.compare.tables import ComparedTable, alone, compared, unit_scale
from app.analysis.figures import Figure, figures
from app.analysis.figures.time import is_left_out
from app.analysis.memory import replicas
from app.analysis.part import alike, kind_of, named_like, numbered
from app.analysis.table import Role, Table, Unit
from app.analysis.tables import TABLES, TableSpec, by_id, is_listed
from app.language import labelled, plural, tr
from app.profile.arrays import I64, among, sealed
from app.profile.profile import Profile

Value: TypeAlias = int | float | str | bool | None
BY_NAME: Final = "slice-statistics"


class Comparison(Struct, frozen=True, eq=False, dict=True):
    """``before`` is the baseline. ``pairs``: rows that a person paired or unpaired; ``names``: what is ignored in
    names; ``contents``: finds rows with the same stored content (it reads files). ``kept``: the baseline document that
    has the figures and tables of ``before``, which has no sections then. Nothing is computed before it is asked for;
    matches are kept (4 bytes a row), tables are not."""

    before: Profile
    after: Profile
    pairs: tuple[Pair, ...] = ()
    names: Names = DEFAULT
    contents: SameContent | None = None
    kept: Kept | None = None

    def swapped(self) -> Comparison:
        """The same with the other profile as the baseline."""
        pairs = tuple(pair.swapped() for pair in self.pairs)
        return replace(self, before=self.after, after=self.before, pairs=pairs)

    @cached_property
    def baseline(self) -> Profile:
        """The baseline, for finding blocks by the names that they have after: of two single blocks, its block is called
        like that after (cached)."""
        return named_like(self.before, self.after)

    @property
    def runs(self) -> int:
        """How many runs the baseline has a spread of; 0 for a profile."""
        return 0 if self.kept is None or not self.kept.has_spread else self.kept.runs

    @cached_property
    def limits(self) -> list[str]:
        """What cannot be compared, or not plainly, and why: one sentence each (cached)."""
        known = [] if self.kept is None else list(self.kept.limits())
        return [*known, *limitations(self.before, self.after)]

    @cached_property
    def figures(self) -> list[ComparedFigure]:
        """The main figures; with different numbers of tiles, sums over tiles per tile as well (cached)."""
        left_out = any(is_left_out(side) for side in (self.before, self.after))
        whole = self._figures(whole=False)
        if left_out:  # what one side lacks only because it takes seconds
            whole = [one for one in whole if not one.id.startswith(TIME) or None not in (one.before, one.after)]
        tiles = tile_counts(self.before, self.after)
        return whole if tiles is None else [*whole, *per_tile_figures(whole, tiles)]

    @cached_property
    def all_figures(self) -> list[ComparedFigure]:
        """Also those that take seconds (cached)."""
        return self._figures(whole=True)

    def _figures(self, *, whole: bool) -> list[ComparedFigure]:
        kept = self.kept
        before = figures(self.before, whole=whole) if kept is None else kept.of_figures()
        return paired_figures(before, figures(self.after, whole=whole), {} if kept is None else kept.spreads)

    def tables(self, check: Check = never) -> Iterator[ComparedTable]:
        """All tables that either profile has, one after the other: together they may need much memory."""
        for spec in TABLES:
            yield from self.tables_of(spec, check)

    def tables_of(self, spec: TableSpec, check: Check = never) -> Iterator[ComparedTable]:
        """Those of one kind; none that take seconds to make, which ``table`` does."""
        check()
        if any(spec.is_slow(profile) for profile in (self.before, self.after)):
            return
        before = spec.tables(self.before) if self.kept is None else self.kept.tables_of(spec.id)
        sides = [{table.id: table for table in tables} for tables in (before, spec.tables(self.after))]
        for table_id in dict.fromkeys((*sides[1], *sides[0])):
            yield self.compare(table_id, sides[0].get(table_id), sides[1].get(table_id), check)

    def table(self, table_id: str, check: Check = never) -> ComparedTable | None:
        """The table of that name, None if neither profile has it, or if a baseline document cannot have it."""
        after = by_id(self.after, table_id)
        if self.kept is None:
            before = by_id(self.before, table_id)
        else:
            before = self.kept.table(table_id)
            if before is None and not is_listed(table_id):
                return None
        if before is None and after is None:
            return None
        return self.compare(table_id, before, after, check)

    def compare(self, table_id: str, before: Table | None, after: Table | None, check: Check = never) -> ComparedTable:
        """The difference of two tables of these profiles, one of which may not exist."""
        stored = None if self.kept is None else self.kept.stored(table_id)
        made = self._compare(table_id, before, after, check)
        return made if stored is None else replace(made, stored=stored)

    def _compare(self, table_id: str, before: Table | None, after: Table | None, check: Check) -> ComparedTable:
        before = None if before is None else numbered(before, self.before)
        after = None if after is None else numbered(after, self.after)
        if before is None or after is None:
            only = after if after is not None else before
            assert only is not None
            return compared(before, after, alone(only, after=after is not None))
        before = with_cores_of(before, after, (self.before, self.after))
        plan = plan_of(table_id, after, before)
        own, other = self._alike(before, after)
        lanes = self.lanes if of_lanes(own) else None
        rows = row_identity(own, plan), row_identity(other, plan)
        known = self._matches.get(table_id)
        if known is None or known[0] != rows:  # not yet, or those of another range
            known = self._matches[table_id] = rows, self._match(table_id, own, other, plan, check)
        same = own if lanes is None else renamed(own, lanes, only_numbers=True)
        return compared(before, after, known[1], (same, other))

    @cached_property
    def lanes(self) -> Lanes | None:
        """Which lanes of the timelines belong together; None unless both have some (cached)."""
        before, after = self.before.timeline, self.after.timeline
        if before is None or after is None:
            return None
        own, other = self._alike(lane_table(before), lane_table(after))
        partners = Partners(own.rows, other.rows)
        pair_by_hand(self._by_hand("lanes", own, other), partners, (own.rows, other.rows))
        return match_lanes(before, after, (own, other), partners)

    def _of_programs(self, before: Table, after: Table, check: Check) -> Codes | None:
        """Equal codes for rows of programs that are matched with one another; None for other tables."""
        profiles = self.before, self.after
        if not (belong_to_programs(before, self.before) and belong_to_programs(after, self.after)):
            return None
        programs = self.table("programs", check)
        return None if programs is None else of_programs((before, after), profiles, programs.matches)

    def slices(self, check: Check = never) -> Matches:
        """Which slices belong together, by the rules of the table of slices, and which instants by those of theirs."""
        return slice_matches((self.before.timeline, self.after.timeline), partial(self._matches_of, check))

    def _matches_of(self, check: Check, table_id: str, before: Table, after: Table) -> Matches:
        return self.compare(table_id, before, after, check).matches

    def _pair_flows(self, before: Table, after: Table, check: Check, partners: Partners) -> None:
        one, other = self.before.timeline, self.after.timeline
        if one is None or other is None:
            return
        if before.rows == len(one.flows.category) and after.rows == len(other.flows.category):
            pair_flows((one, other), self.slices(check), partners)

    def _of_names(self, before: Table, after: Table, check: Check) -> Codes | None:
        """Equal codes for the names of slices that were renamed."""
        one, other = self.before.timeline, self.after.timeline
        if one is None or other is None:
            return None
        now = renamed_slices((one, other), self.slices(check))
        names = [texts(table.columns[0]) for table in (before, after)]
        own, new = ([cells.strings.get(number) for number in cells.ids.tolist()] for cells in names)
        return of_values([(0, now[name]) if name in now else (1, name) for name in own], [(0, name) for name in new])

    def _alike(self, before: Table, after: Table) -> tuple[Table, Table]:
        """Without what tells two parts of one kind apart."""
        if kind_of(self.before) != kind_of(self.after):
            return before, after
        return alike(before, self.before), alike(after, self.after)

    def _by_hand(self, table_id: str, before: Table, after: Table) -> list[Pair]:
        return [pair for pair in self.pairs if pair.table == table_id and pair.fits(before, after)]

    @cached_property
    def _matches(self) -> dict[str, tuple[tuple[int, int], Matches]]:
        return {}

    def _match(self, table_id: str, before: Table, after: Table, plan: Plan, check: Check) -> Matches:
        last = partial(pair_carried, partial(self._of_programs, before, after, check), PROGRAM)
        if table_id == BY_NAME:
            last = partial(pair_carried, partial(self._of_names, before, after, check), PLACE)
        hand, lanes = self._by_hand(table_id, before, after), self.lanes
        if lanes is not None and of_lanes(before):
            if table_id == "lanes":
                return lanes.of_rows(before.keys, after.keys)
            rows = slice_rows((self.before, self.after), (before, after), lanes, self.names) if plan.slices else None
            if rows is not None:
                partners = Partners(before.rows, after.rows)
                pair_by_hand(hand, partners, (before.rows, after.rows))
                pair_slices(rows, partners, check)
                last(partners)
                if self.names != "exact":
                    pair_renamed(rows, partners, check)
                return Matches(sealed(partners.of_before), sealed(partners.rule), after.rows)
            before = renamed(before, lanes)
        trees = None
        if plan.tree is not None:
            one, other = plan.tree(self.before, before), plan.tree(self.after, after)
            trees = None if one is None or other is None else Trees(one, other)
        contents = self.contents
        first = partial(self._pair_flows, before, after, check)

        def same(rows: I64, others: I64) -> Iterable[tuple[int, int]]:
            if contents is None:
                return ()
            return contents((self.before, before, rows), (self.after, after, others), check)

        return match(
            before,
            after,
            plan,
            trees=trees,
            names=self.names,
            pairs=hand,
            contents=same,
            first=first if table_id == "flows" else no_carry,
            last=last,
            check=check,
        )


def counterparts(comparison: Comparison, table_id: str, items: I64) -> I64:
    """int64, ascending: the items of the profile before whose rows in a table are matched with those of ``items``
    after."""
    compared = comparison.table(table_id)
    if compared is None or compared.before is None or compared.after is None:
        return np.empty(0, np.int64)
    rows = compared.matches.of_after[_rows(compared.after, items)].astype(np.int64)
    rows = rows[rows >= 0]
    return np.sort(rows if compared.before.keys is None else compared.before.keys[rows])


def _rows(table: Table, items: I64) -> I64:
    if table.keys is None:
        return items[(items >= 0) & (items < table.rows)]
    return np.flatnonzero(among(table.keys, items)).astype(np.int64)


class ComparedFigure(Struct, frozen=True):
    """``id``: the name of the figure, with the keys of its parts (``memory.by_category.stack``). None: that side has no
    such figure. ``before`` is in the ``unit`` of the side after; ``why``: why there is no difference, "" if it is
    plain; ``shown``: what people see of both instead of codes; ``role``: as of a column. ``spread``: the smallest and
    largest figure of several runs before."""

    id: str
    label: str
    before: Value
    after: Value
    unit: Unit = ""
    why: str = ""
    role: Role = ""
    shown: tuple[Value, Value] = (None, None)
    spread: tuple[float, float] | None = None

    @property
    def inside_spread(self) -> bool:
        """Whether the figure after is among those of several runs before."""
        after = _number(self.after)
        return self.spread is not None and after is not None and self.spread[0] <= after <= self.spread[1]

    @property
    def display(self) -> tuple[Value, Value]:
        """Both values for people."""
        before, after = self.shown
        return self.before if before is None else before, self.after if after is None else after

    @property
    def difference(self) -> int | float | None:
        """After minus before (of shares: in percentage points); None for texts and identifying numbers, and where one
        side has none."""
        before, after = _number(self.before), _number(self.after)
        return None if before is None or after is None or self.why or self.role == "key" else after - before

    @property
    def percent(self) -> float | None:
        """The difference in percent of the figure before; None without one or where that is 0, and for shares, which
        differ in points."""
        difference, before = self.difference, _number(self.before)
        return None if difference is None or not before or self.unit == "%" else 100.0 * difference / abs(before)

    @property
    def changed(self) -> bool:
        return self.before != self.after


def paired_figures(
    before: Iterable[Figure], after: Iterable[Figure], spreads: Mapping[str, tuple[float, float]]
) -> list[ComparedFigure]:
    """All figures of both sides, in the order of the one after; parts of a figure one by one. ``spreads``: the smallest
    and largest figure of several runs before, by name."""
    sides = [dict(single_figures(side)) for side in (before, after)]
    names = dict.fromkeys((*sides[1], *sides[0]))
    return [_pair(name, sides[0].get(name), sides[1].get(name), spreads.get(name)) for name in names]


def per_tile_figures(whole: Iterable[ComparedFigure], tiles: tuple[int, int]) -> list[ComparedFigure]:
    """The sums over tiles among the figures, divided by the tiles of each side."""
    made = []
    for figure in whole:
        before, after = _number(figure.before), _number(figure.after)
        if before is not None and after is not None and not figure.why and figure.id.startswith(OVER_TILES):
            label = tr("{label}, per tile", label=figure.label) if figure.label else ""
            made.append(
                ComparedFigure(f"{figure.id}.per_tile", label, before / tiles[0], after / tiles[1], figure.unit)
            )
    return made


TIME = "time."
"""What names of figures of the critical path begin with."""
OVER_TILES = (
    "memory.total_bytes",
    "memory.total_with_gaps_bytes",
    "memory.by_category.",
    "liveness.always_live_bytes",
    "liveness.peak_program_bytes",
    "liveness.peak_tiles_bytes",
    "execution.tile_cycles.",
    "graph.vertices",
    "graph.edges",
)
"""Figures that are sums over all tiles."""


def _pair(
    name: str, before: Figure | None, after: Figure | None, spread: tuple[float, float] | None = None
) -> ComparedFigure:
    shown = after if after is not None else before
    assert shown is not None
    values = [None if figure is None else plain_value(figure.value) for figure in (before, after)]
    texts = tuple(
        None if figure is None or figure.shown is None else plain_value(figure.shown) for figure in (before, after)
    )
    if before is None or after is None:
        return ComparedFigure(
            name, shown.label, values[0], values[1], shown.unit, shown=(texts[0], texts[1]), role=shown.role
        )
    factor = unit_scale(before.unit, after.unit)
    if factor is None:
        why = tr("{before} before, {after} after", before=before.unit or "1", after=after.unit or "1")
        return ComparedFigure(name, shown.label, values[0], values[1], after.unit, why)
    number = _number(values[0])
    scaled = values[0] if factor == 1.0 or number is None else number * factor
    own = None if spread is None else (spread[0] * factor, spread[1] * factor)
    return ComparedFigure(
        name, shown.label, scaled, values[1], after.unit, shown=(texts[0], texts[1]), role=after.role, spread=own
    )


def single_figures(all_figures: Iterable[Figure]) -> Iterator[tuple[str, Figure]]:
    """Names and figures, the parts of a figure one by one."""
    for figure in all_figures:
        yield from _parts(figure.name, figure)


def _parts(name: str, figure: Figure) -> Iterator[tuple[str, Figure]]:
    if not isinstance(figure.value, Mapping):
        yield name, figure
        return
    display = figure.display if isinstance(figure.display, Mapping) else figure.value
    for (key, value), (title, shown) in zip(figure.value.items(), display.items(), strict=True):
        if isinstance(value, (int, float, str, bool, Mapping)):
            label = labelled(figure.label, title) if figure.label else ""
            own = None if shown is value else str(shown)
            yield from _parts(f"{name}.{key}", replace(figure, label=label, value=value, shown=own))


def plain_value(value: object) -> Value:
    """A single value for the value of a figure; the parts of a list are joined."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Sequence):
        return ", ".join(str(part) for part in value)
    return None


def _number(value: Value) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def limitations(before: Profile, after: Profile) -> list[str]:
    """One sentence for each."""
    return [
        *_part_limits(before, after),
        *_formats(before, after),
        *_targets(before, after),
        *_operators(before, after),
        *_clocks(before, after),
    ]


def tile_counts(before: Profile, after: Profile) -> tuple[int, int] | None:
    """The tiles of both, if they have different numbers of them; else None."""
    counts = [_tiles(profile) for profile in (before, after)]
    return None if not all(counts) or counts[0] == counts[1] else (counts[0], counts[1])


def _tiles(profile: Profile) -> int:
    stated = profile.target.tiles if profile.target is not None else None
    return stated or (profile.tile_memory.tiles if profile.tile_memory is not None else 0)


def _part_limits(before: Profile, after: Profile) -> Iterator[str]:
    if before.origin.part or after.origin.part:
        yield tr(
            "Parts are compared: data that the files have only for the whole profile is omitted. Names and numbers "
            "that distinguish the parts are shown but not compared."
        )


def _formats(before: Profile, after: Profile) -> Iterator[str]:
    if before.origin.format != after.origin.format:
        yield tr(
            "The files are of different kinds ({before}, {after}): only what both contain is compared.",
            before=before.origin.format,
            after=after.origin.format,
        )


def _targets(before: Profile, after: Profile) -> Iterator[str]:
    tiles = tile_counts(before, after)
    if tiles is not None:
        yield plural(
            "The baseline has {count:,} tile and the comparison {after:,}: sums over tiles are "
            "compared as they are and per tile. Tiles on one side only are listed as such.",
            "The baseline has {count:,} tiles and the comparison {after:,}: sums over tiles are "
            "compared as they are and per tile. Tiles on one side only are listed as such.",
            count=tiles[0],
            after=tiles[1],
        )
    one, other = before.target, after.target
    if one is not None and other is not None and one.kind and other.kind and one.kind != other.kind:
        yield tr(
            "The targets differ ({before}, {after}): their cycles are not comparable.",
            before=one.kind,
            after=other.kind,
        )
    counts = replicas(before), replicas(after)
    if counts[0] is not None and counts[1] is not None and counts[0] != counts[1]:
        yield tr(
            "Memory is that of one replica: of {before:,} before, of {after:,} after.",
            before=counts[0],
            after=counts[1],
        )


def _operators(before: Profile, after: Profile) -> Iterator[str]:
    one, other = before.operator, after.operator
    if one is None or other is None:
        return
    if one.name and other.name and without_hashes(one.name) != without_hashes(other.name):
        yield tr(
            "These are two different operators ({before}, {after}), not two runs of one: shares tell how they differ, "
            "and not what was changed.",
            before=one.name,
            after=other.name,
        )
    if one.soc and other.soc and one.soc != other.soc:
        yield tr(
            "The chips differ ({before}, {after}): their cycles are not comparable.",
            before=one.soc,
            after=other.soc,
        )
    if one.block_dim and other.block_dim and one.block_dim != other.block_dim:
        yield plural(
            "The operator ran in {count:,} block before and {after:,} after: blocks on one side only "
            "are listed as such.",
            "The operator ran in {count:,} blocks before and {after:,} after: blocks on one side only "
            "are listed as such.",
            count=one.block_dim,
            after=other.block_dim,
        )


def _clocks(before: Profile, after: Profile) -> Iterator[str]:
    clocks = [profile.target.clock_hz if profile.target is not None else None for profile in (before, after)]
    if clocks[0] and clocks[1] and clocks[0] != clocks[1]:
        yield tr(
            "The clocks differ ({before:,} Hz, {after:,} Hz): this affects differences of times, but not of cycles.",
            before=round(clocks[0]),
            after=round(clocks[1]),
        )
    one, other = before.timeline, after.timeline
    if one is not None and other is not None and (one.unit == "cycles") != (other.unit == "cycles"):
        yield tr(
            "One timeline is in cycles and the other in time: durations cannot be compared without a clock frequency."
        )
