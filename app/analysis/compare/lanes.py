"""Which lanes of two timelines belong together: by role, by the names of their slices, and cores by their numbers.

A role is what process and thread are called without numbers. Pairs of lanes are weighed by the share of slice names
that they have in common, with half a point for the same role and a twentieth for the same name (and one slice, which
is much in a short lane); the best pair is taken first. Ids of processes and threads are never read. Lanes of a core
belong to lanes of that core only.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import codes
from app.analysis.compare.codes import Codes, equal_pairs
from app.analysis.compare.matched import NAME, NO_RULE, ROLE, Matches, Partners
from app.analysis.compare.names import core, named, paired_cores, role, without_numbers
from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.times import lane_columns, lane_counts, slice_lanes
from app.profile.arrays import F64, I64, among, combine_at, distinct, numbered, sealed
from app.profile.strings import Strings
from app.profile.timeline import Timeline

SAME_ROLE: Final = 0.5
SAME_NAME: Final = 0.05
"""And one slice more: it does not outweigh a name in lanes of few slices."""
LEAST: Final = 0.5
"""The weight of the weakest pair: the same role, or half of the slices."""
MOST_PAIRS: Final = 1 << 20
"""With more pairs to weigh, only lanes of one role are; with too many of these only those of one name."""
MOST_NAMES: Final = 1 << 17
"""With more names, numbers in them count."""

Place: TypeAlias = tuple[str, str]
"""What process and thread are called."""


class Lanes(Struct, frozen=True, eq=False):
    """``matches`` of the lanes. For each lane: ``number``, equal for lanes that are matched and different for all
    others; ``role``, equal for lanes of one role. ``places``: what the lanes are called, before and after."""

    matches: Matches
    number: Codes
    role: Codes
    places: tuple[list[Place], list[Place]]

    def of_rows(self, before: I64 | None, after: I64 | None) -> Matches:
        """The matches of some lanes; None for all."""
        if before is None and after is None:
            return self.matches
        of_before = self.matches.of_before if before is None else self.matches.of_before[before]
        place = np.full(self.matches.rows_after + 1, -1, np.int32)  # the last: of no lane
        own = np.arange(self.matches.rows_after) if after is None else after
        place[own] = np.arange(len(own))
        rule = self.matches.rule if before is None else self.matches.rule[before]
        there = place[of_before]
        return Matches(sealed(there), sealed(np.where(there < 0, NO_RULE, rule).astype(np.uint8)), len(own))


def unit_factor(before: Timeline, after: Timeline) -> float | None:
    """Units of the comparison in one unit of the baseline: 1 for cycles on both sides, whatever their clocks. None
    where one is in cycles of an unknown clock and the other in time."""
    if before.unit == after.unit:
        return 1.0
    if not before.seconds_per_unit or not after.seconds_per_unit:
        return None
    return before.seconds_per_unit / after.seconds_per_unit


def lane_table(timeline: Timeline) -> Table:
    """All lanes, with what they are called."""
    return Table("lanes", "", lane_columns(timeline, np.arange(len(timeline.lanes.thread), dtype=np.int32)))


def match_lanes(before: Timeline, after: Timeline, tables: tuple[Table, Table], partners: Partners) -> Lanes:
    """``tables``: what the lanes are called; ``partners``: those that are matched already, to which others are
    added."""
    places = _places(tables[0]), _places(tables[1])
    groups, roles = _roles(*places)
    pairs = _best(_weighed((before, after), places, groups, roles), before, after, partners.open)
    same = np.array([places[0][one] == places[1][other] for one, other in pairs.tolist()], np.bool_)
    for which, rule in ((same, NAME), (~same, ROLE)):
        partners.pair(pairs[which, 0], pairs[which, 1], rule)
    partners.pair(*_in_turn((before, after), roles, partners.open), ROLE)  # too many to be weighed
    matches = Matches(sealed(partners.of_before), sealed(partners.rule), len(places[1]))
    count, own = len(places[1]), np.arange(len(places[0]), dtype=np.int64)
    number = np.where(matches.of_before >= 0, matches.of_before, count + own)
    return Lanes(matches, Codes(number, np.arange(count, dtype=np.int64)), roles, places)


def _places(table: Table) -> list[Place]:
    process, thread = map(codes.texts, table.columns)
    return list(zip(_cells(process), _cells(thread), strict=True))


def _cells(cells: Coded) -> list[str]:
    return [cells.strings.get(number) if number >= 0 else "" for number in cells.ids.tolist()]


def _roles(before: Sequence[Place], after: Sequence[Place]) -> tuple[Codes, Codes]:
    """(equal codes for lanes that may belong together: those of one core, and those of none; equal codes for lanes of
    one role)."""
    cores = paired_cores((process for process, _ in before), (process for process, _ in after))
    groups: list[list[Hashable]] = [[], []]
    roles: list[list[Hashable]] = [[], []]
    for side, places in enumerate((before, after)):
        for process, thread in places:
            known = cores.get(process, process) if side == 0 else process
            group = core(known)
            groups[side].append(group)
            roles[side].append((group or role(process), role(thread)))
    return codes.of_values(*groups), codes.of_values(*roles)


class _Weighed(Struct, frozen=True, eq=False):
    """Pairs of lanes. ``before``, ``after``: int64, the lanes; ``weight``: float64."""

    before: I64
    after: I64
    weight: F64


def _weighed(
    lines: tuple[Timeline, Timeline], places: tuple[list[Place], list[Place]], groups: Codes, roles: Codes
) -> _Weighed:
    width = len(places[1])
    one, other, share = _shares(lines, groups, roles)
    bare = codes.of_values(*([(named(process), named(thread)) for process, thread in side] for side in places))
    first, second = _of_role(lines, roles, bare)
    key = np.concatenate((one * width + other, first * width + second))
    pairs, number = numbered(key)
    weight = np.zeros(len(pairs))
    weight[number[: len(share)]] = share
    weight[distinct(number[len(share) :])] += SAME_ROLE
    before, after = np.divmod(pairs, max(width, 1))
    longest = np.maximum(lane_counts(lines[0])[before], lane_counts(lines[1])[after])
    weight += (bare.before[before] == bare.after[after]) * (SAME_NAME + 1 / np.maximum(longest, 1))
    return _Weighed(before, after, weight)


def _of_role(lines: tuple[Timeline, Timeline], roles: Codes, bare: Codes) -> tuple[I64, I64]:
    """int64 each: all pairs of lanes of one role; with too many, the k-th with the k-th of those of one name."""
    found = equal_pairs(roles.before, roles.after, MOST_PAIRS)
    return _in_turn(lines, roles.beside(bare)) if found is None else found


def _in_turn(lines: tuple[Timeline, Timeline], cells: Codes, free: tuple[I64, I64] | None = None) -> tuple[I64, I64]:
    """int64 each: the k-th with the k-th lane (of those that are free) of equal codes, by their first starts."""
    order, other = (np.argsort(_started(line), kind="stable").astype(np.int64) for line in lines)
    if free is not None:
        order, other = order[among(order, free[0])], other[among(other, free[1])]
    first, second = codes.pairs(cells.before[order], cells.after[other])
    return order[first], other[second]


def _shares(lines: tuple[Timeline, Timeline], groups: Codes, roles: Codes) -> tuple[I64, I64, F64]:
    """(lanes before, lanes after, the share of slices that have a slice of their name in the other lane)."""
    names, count = _names(lines)
    counts = [_counted(line, own, count) for line, own in zip(lines, (names.before, names.after), strict=True)]
    for within in (groups, roles):
        keys = [
            own[lane] * count + name for own, (lane, name, _) in zip((within.before, within.after), counts, strict=True)
        ]
        found = equal_pairs(keys[0], keys[1], MOST_PAIRS)
        if found is not None:
            break
    else:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    (own, _, many), (other, _, more) = counts
    width = max(len(groups.after), 1)
    pair, number = numbered(own[found[0]] * width + other[found[1]])
    common = np.bincount(number, np.minimum(many[found[0]], more[found[1]]), len(pair))
    before, after = np.divmod(pair, width)
    return before, after, common / np.maximum(lane_counts(lines[0])[before], lane_counts(lines[1])[after])


def _names(lines: tuple[Timeline, Timeline]) -> tuple[Codes, int]:
    """(the name of each slice without numbers, as a code; how many there are)."""
    columns = [Column("name", "", Coded(line.slices.name, line.strings)) for line in lines]
    many = max(len(line.strings) for line in lines) > MOST_NAMES
    names = codes.of_column(columns[0], columns[1], None if many else without_numbers)
    return names, max(int(names.before.max(initial=0)), int(names.after.max(initial=0))) + 1


def _counted(line: Timeline, names: I64, count: int) -> tuple[I64, I64, I64]:
    """int64 each: lanes, names of their slices, and how many slices have it."""
    cell, number = numbered(slice_lanes(line) * np.int64(count) + names)
    lane, name = np.divmod(cell, count)
    return lane, name, np.bincount(number, minlength=len(cell)).astype(np.int64)


def _best(pairs: _Weighed, before: Timeline, after: Timeline, free: tuple[I64, I64]) -> I64:
    """int64[pairs, 2]: the best pair of free lanes, then the best of those that are left, and so on; of equal ones the
    lanes that start first."""
    rank, other = (np.argsort(np.argsort(_started(line), kind="stable")) for line in (before, after))
    order = np.lexsort((other[pairs.after], rank[pairs.before], -pairs.weight.round(9)))
    order = order[pairs.weight[order] >= LEAST]
    open_before, open_after = set(free[0].tolist()), set(free[1].tolist())
    chosen = []
    for one, two in zip(pairs.before[order].tolist(), pairs.after[order].tolist(), strict=True):
        if one in open_before and two in open_after:
            open_before.remove(one)
            open_after.remove(two)
            chosen.append((one, two))
    return np.array(chosen, np.int64).reshape(-1, 2)


def _started(line: Timeline) -> F64:
    """float64[lanes]: the first start of each, infinite without slices."""
    start = np.full(len(line.lanes.thread), np.inf)
    combine_at(np.minimum, start, slice_lanes(line), line.slices.start)
    return start


def of_lanes(table: Table) -> bool:
    """Whether its columns say which lane or process a row is of."""
    return any(column.key.endswith("process") or _is_whole(column) for column in table.columns)


def _is_whole(column: Column) -> bool:
    """Whether its texts are those of lanes, process and thread together."""
    return column.key in WHOLE and not column.numeric


def renamed(table: Table, lanes: Lanes, *, only_numbers: bool = False) -> Table:
    """A table before, with what the matched lanes are called after, so that cells of both are equal. ``only_numbers``:
    only of lanes of the same role, whose names differ in nothing else."""
    columns = {column.key: column for column in table.columns}
    known: dict[Place, Place] = {}
    processes: dict[str, str] = {}
    rows, partners = lanes.matches.pairs
    for row, partner in zip(rows.tolist(), partners.tolist(), strict=True):
        if not only_numbers or lanes.role.before[row] == lanes.role.after[partner]:
            one, other = lanes.places[0][row], lanes.places[1][partner]
            known.setdefault(one, other)
            processes.setdefault(one[0], other[0])
    changed: dict[str, Column] = {}
    for prefix in PREFIXES:
        process, thread = columns.get(f"{prefix}process"), columns.get(f"{prefix}thread")
        if process is not None and thread is not None:
            changed |= _of_lanes(process, thread, known)
        elif process is not None:
            changed |= _of_lanes(process, None, {(own, ""): (other, "") for own, other in processes.items()})
    whole = {_text(one): _text(other) for one, other in known.items()}
    for column in filter(_is_whole, table.columns):
        cells = codes.texts(column)
        now = [whole.get(text, text) for text in cells.strings]
        changed[column.key] = replace(column, values=Coded(cells.ids, Strings.of(now)))
    if not changed:
        return table
    return replace(table, columns=tuple(changed.get(column.key, column) for column in table.columns))


def _text(place: Place) -> str:
    """A lane as tables name it in one column."""
    return " / ".join(name for name in place if name)


WHOLE: Final = ("lane", "waiting", "awaited")
"""Keys of columns that name whole lanes."""
PREFIXES: Final = ("", "from_", "to_", "first_", "second_")
"""Of the keys of columns that say which lane it is."""


def _of_lanes(process: Column, thread: Column | None, known: dict[Place, Place]) -> dict[str, Column]:
    """The columns with other names, if any is another."""
    columns = (process,) if thread is None else (process, thread)
    cells = [codes.texts(column) for column in columns]
    width = len(cells[-1].strings) + 1
    ids = cells[0].ids.astype(np.int64) + 1
    if thread is not None:
        ids = ids * width + cells[1].ids + 1
    pairs, number = numbered(ids)
    first, second = np.divmod(pairs, width) if thread is not None else (pairs, np.zeros_like(pairs))
    places = [
        (cells[0].strings.get(one - 1), cells[-1].strings.get(other - 1) if thread is not None else "")
        for one, other in zip(first.tolist(), second.tolist(), strict=True)
    ]
    named_now = [known.get(place, place) for place in places]
    made = {}
    for part, column in enumerate(columns):
        if any(now[part] != place[part] for now, place in zip(named_now, places, strict=True)):
            made[column.key] = replace(column, values=Coded(number, Strings.of(now[part] for now in named_now)))
    return made
