"""Which slices of two timelines belong together, lane by lane: the first of a name is the first of that name.

Where one side has more of a name, the sequences of the lane are aligned on what both have equally often: a name between
two others. What lies between two such places is matched by name, then what is left. Names that are gone are matched
with new ones at the same places. All steps work on whole columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare import codes
from app.analysis.compare.alignment import Check, longest_increasing
from app.analysis.compare.codes import Codes, pairs
from app.analysis.compare.lanes import MOST_NAMES, Lanes, unit_factor
from app.analysis.compare.matched import KEY, NAME, NO_RULE, PLACE, ROLE, SEQUENCE, SIMILAR, SLICES, Matches, Partners
from app.analysis.compare.names import Names, without_numbers
from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.times import lane_columns, lasting, slice_lanes
from app.profile.arrays import F64, I64, Bool, among, distinct, numbered, sealed
from app.profile.profile import Profile
from app.profile.timeline import Timeline

Pairs: TypeAlias = tuple[I64, I64]
"""Places of both sides."""


class Rows(Struct, frozen=True, eq=False):
    """For each row of both sides. ``lane``: equal for lanes that are matched; ``role``: equal for lanes of one role;
    ``name``: equal for equal names; ``alike``: equal for names that are equal without numbers; ``time``: float64, the
    start; ``length``: float64, the duration, in one unit (None if there is none)."""

    lane: Codes
    role: Codes
    name: Codes
    alike: Codes
    time: tuple[F64, F64]
    length: tuple[F64, F64] | None


def slice_rows(
    profiles: tuple[Profile, Profile], tables: tuple[Table, Table], lanes: Lanes, names: Names
) -> Rows | None:
    """Those of two tables of slices or instants; None if their rows are something else."""
    found = [_slices_of(profile, table) for profile, table in zip(profiles, tables, strict=True)]
    before, after = found
    columns = [next((column for column in table.columns if column.role == "name"), None) for table in tables]
    if before is None or after is None or columns[0] is None or columns[1] is None:
        return None
    name = codes.of_column(columns[0], columns[1])
    many = max(int(name.before.max(initial=0)), int(name.after.max(initial=0))) > MOST_NAMES
    alike = name if names == "exact" or many else codes.of_column(columns[0], columns[1], without_numbers)
    lane, role = (part.taken(before[0], after[0]) for part in (lanes.number, lanes.role))
    return Rows(lane, role, name, alike, (before[1], after[1]), _lengths(profiles, (before[2], after[2])))


def _lengths(profiles: tuple[Profile, Profile], slices: Pairs) -> tuple[F64, F64] | None:
    """The durations of slices before and after, in the unit after."""
    lines = [profile.timeline for profile in profiles]
    before, after = lines
    factor = None if before is None or after is None else unit_factor(before, after)
    if before is None or after is None or factor is None:
        return None
    return before.slices.duration[slices[0]] * factor, after.slices.duration[slices[1]]


def _slices_of(profile: Profile, table: Table) -> tuple[I64, F64, I64] | None:
    """(the lane, the start, the number) of the slice of each row."""
    line = profile.timeline
    if line is None or table.selects not in (None, "slice"):
        return None
    index = np.arange(table.rows, dtype=np.int64) if table.keys is None else table.keys
    if int(index.max(initial=-1)) >= len(line.slices.start):
        return None
    return slice_lanes(line)[index].astype(np.int64), line.slices.start[index], index


def pair_slices(rows: Rows, partners: Partners, check: Check) -> None:
    """Matches the rows that are open."""
    if not partners.done:
        _in_lanes(_sequence(rows, partners.open), partners, check)
    for group, name, rule in (
        (rows.lane, rows.alike, SIMILAR),
        (rows.role, rows.name, ROLE),
        (rows.role, rows.alike, ROLE),
    ):
        check()
        if not partners.done:
            _left(rows, group.beside(name), rule, partners)


class _Sequence(Struct, frozen=True, eq=False):
    """The slices lane by lane, as they run. ``before``, ``after``: int64, their rows; ``lane``; ``name``: equal names,
    without numbers if only one side has that name in the lane; ``exact``: equal names; ``cell``: equal for the same
    name in the same lane; ``even``: bool[cells], those that both sides have equally often."""

    before: I64
    after: I64
    lane: Codes
    name: Codes
    exact: Codes
    cell: Codes
    even: Bool

    def pair(self, places: Pairs, rule: int, partners: Partners) -> None:
        """Match the slices at these places; those of different names are similar."""
        same = self.exact.before[places[0]] == self.exact.after[places[1]]
        for which, how in ((same, rule), (~same, SIMILAR)):
            partners.pair(self.before[places[0][which]], self.after[places[1][which]], how)


def _sequence(rows: Rows, which: Pairs) -> _Sequence:
    before, after = _in_order(rows.lane, rows.time, which)
    lane, exact, alike = (part.taken(before, after).renumbered() for part in (rows.lane, rows.name, rows.alike))
    cell = lane.beside(exact)
    both = np.minimum(*_counts(cell)) > 0
    last = _size(exact)
    name = Codes(
        np.where(both[cell.before], exact.before, last + alike.before),
        np.where(both[cell.after], exact.after, last + alike.after),
    ).renumbered()
    cell = lane.beside(name)
    own, other = _counts(cell)
    return _Sequence(before, after, lane, name, exact, cell, own == other)


def _in_lanes(own: _Sequence, partners: Partners, check: Check) -> None:
    """The k-th of a name with the k-th where both sides have as many; the others between places that are sure."""
    sure = pairs(
        *(np.where(own.even[cell], cell, alone) for cell, alone in ((own.cell.before, -1), (own.cell.after, -2)))
    )
    unchanged = _unchanged(own)[own.lane.before[sure[0]]]
    for which, rule in ((unchanged, KEY), (~unchanged, NAME)):
        own.pair((sure[0][which], sure[1][which]), rule, partners)
    left = np.flatnonzero(~own.even[own.cell.before]), np.flatnonzero(~own.even[own.cell.after])
    if len(left[0]) and len(left[1]):
        check()
        likely = _in_context(own, left)
        anchors = _in_turn((np.concatenate((sure[0], likely[0])), np.concatenate((sure[1], likely[1]))), check)
        check()
        chosen = _kept(own, left, _between(own, left, anchors), check)
        own.pair(chosen, SEQUENCE, partners)
        own.pair(_filled(own, left, chosen), NAME, partners)


def _between(own: _Sequence, left: Pairs, anchors: Pairs) -> Pairs:
    """Those of ``left`` among the anchors, and the k-th with the k-th of a name between two anchors."""
    new = ~own.even[own.cell.before[anchors[0]]]
    gaps = []
    for places, anchor in zip(left, anchors, strict=True):
        gap = 2 * np.searchsorted(anchor, places, "left")
        gap[among(places, anchor[new])] += 1  # an anchor belongs to itself
        gaps.append(gap)
    cells = own.cell.taken(*left).beside(Codes(*gaps))
    first, second = pairs(cells.before, cells.after)
    return left[0][first], left[1][second]


def _kept(own: _Sequence, left: Pairs, found: Pairs, check: Check) -> Pairs:
    """As many of these pairs as can be kept if all slices of the side that has fewer of a name get a partner, in their
    order: from pair to pair the other side may only get ahead, and by no more than it has more of them."""
    cell = own.cell.before[found[0]]
    many, more = _counts(own.cell)
    ahead = (_rank(own.cell.after, left[1])[found[1]] - _rank(own.cell.before, left[0])[found[0]]) * np.sign(
        more - many
    )[cell]
    fits = np.flatnonzero((ahead >= 0) & (ahead <= np.abs(more - many)[cell]))
    fits = fits[np.lexsort((found[0][fits], cell[fits]))]
    high = int(ahead.max(initial=0)) + 1
    level = Codes(cell[fits] * high + ahead[fits], np.empty(0, np.int64)).renumbered().before
    kept = fits[longest_increasing(level * len(fits) + np.arange(len(fits)), check)]
    return found[0][kept], found[1][kept]


def _rank(cell: I64, places: I64) -> I64:
    """int64[places of all]: which of its cell each of ``places`` is, from 0; the others have no meaning."""
    order = places[np.argsort(cell[places], kind="stable")]
    ordered = cell[order]
    rank = np.zeros(len(cell), np.int64)
    rank[order] = np.arange(len(order)) - np.searchsorted(ordered, ordered, "left")
    return rank


def _filled(own: _Sequence, left: Pairs, chosen: Pairs) -> Pairs:
    """The k-th with the k-th of those between two chosen pairs of their name."""
    gaps, open_places = [], []
    for cell, places, known in zip((own.cell.before, own.cell.after), left, chosen, strict=True):
        taken = np.zeros(len(cell), np.bool_)
        taken[known] = True
        order = places[np.argsort(cell[places], kind="stable")]
        order_taken = taken[order]
        gaps.append(np.cumsum(order_taken, dtype=np.int64)[~order_taken])
        open_places.append(order[~order_taken])
    cells = own.cell.taken(open_places[0], open_places[1]).beside(Codes(gaps[0], gaps[1]))
    first, second = pairs(cells.before, cells.after)
    return open_places[0][first], open_places[1][second]


def _unchanged(own: _Sequence) -> Bool:
    """bool[lanes]: whether both sides have the same names in the same order."""
    count, other = _counts(own.lane)
    same: Bool = (count == other) & (count > 0)
    places = np.flatnonzero(same[own.lane.before]), np.flatnonzero(same[own.lane.after])
    differs = own.exact.before[places[0]] != own.exact.after[places[1]]
    same[own.lane.before[places[0]][differs]] = False
    return same


def _in_context(own: _Sequence, left: Pairs) -> Pairs:
    """The k-th with the k-th of those that stand between the same names, where both sides have as many of them."""
    cells = own.cell.taken(*left)
    for away in (-1, 1):
        sides = zip((own.lane.before, own.lane.after), (own.name.before, own.name.after), left, strict=True)
        cells = cells.beside(Codes(*(_beside(lane, name, away)[place] for lane, name, place in sides)))
    count, other = _counts(cells)
    even = count == other
    chosen = np.flatnonzero(even[cells.before]), np.flatnonzero(even[cells.after])
    first, second = pairs(cells.before[chosen[0]], cells.after[chosen[1]])
    return left[0][chosen[0][first]], left[1][chosen[1][second]]


def _beside(lane: I64, name: I64, away: int) -> I64:
    """int64: 1 + the name before (-1) or after (1) each place of a lane, 0 for none."""
    made = np.zeros(len(name), np.int64)
    same = lane[1:] == lane[:-1]
    if away < 0:
        made[1:][same] = name[:-1][same] + 1
    else:
        made[:-1][same] = name[1:][same] + 1
    return made


def _in_turn(places: Pairs, check: Check) -> Pairs:
    """Most of these pairs, so that both sides ascend."""
    order = np.argsort(places[0])
    order = order[longest_increasing(places[1][order], check)]
    return places[0][order], places[1][order]


def _left(rows: Rows, cells: Codes, rule: int, partners: Partners) -> None:
    """What is left, in the order of time; not the same name of the same lane, whose order would not be kept."""
    before, after = _in_order(cells, rows.time, partners.open)
    first, second = pairs(cells.before[before], cells.after[after])
    one, other = before[first], after[second]
    same = rows.lane.before[one] == rows.lane.after[other]
    if rule == SIMILAR:
        same &= rows.name.before[one] == rows.name.after[other]
    partners.pair(one[~same], other[~same], rule)


EVENLY: Final = 0.9
"""Of the slices of both names, so many must lie at the same places."""
OFTEN: Final = 3
"""A name that is renamed so often is taken for that wherever it is; ..."""
FEW: Final = 3
"""... one that is rarer only beside a neighbour, among no more slices without a partner than these."""
LONGER: Final = 2.0
"""The largest ratio of the durations."""


def pair_renamed(rows: Rows, partners: Partners, check: Check) -> None:
    """Matches slices of names that are gone with slices of new names: the k-th with the k-th of those between the same
    neighbours of a lane, where both sides have as many, if that holds for all of these two names. Names that differ
    only in numbers are told apart first, and then are the same."""
    if rows.length is None or partners.done:
        return
    for name in (rows.name, rows.alike):
        check()
        gone, new = partners.open
        gone, new = gone[~among(name.before[gone], name.after)], new[~among(name.after[new], name.before)]
        if len(gone) and len(new):
            first, second, known = _at_same_places(rows, partners, (gone, new), check)
            sure = _all_renamed(name, (first, second), known, rows.length)
            partners.pair(first[sure], second[sure], PLACE)


def _all_renamed(name: Codes, places: Pairs, known: Bool, length: tuple[F64, F64]) -> Bool:
    """bool[places]: whether the slices of both names agree. ``known``: those that are sure even if there are few."""
    before, after = (own[rows] for own, rows in zip((name.before, name.after), places, strict=True))
    width = int(name.after.max()) + 1
    renames, number = numbered(before * width + after)
    own, other = np.divmod(renames, width)
    votes = np.bincount(number, minlength=len(renames))
    long, now = (np.bincount(number, side[rows], len(renames)) for side, rows in zip(length, places, strict=True))
    sure = (votes >= OFTEN) | (np.bincount(number, known, len(renames)) == votes)
    sure &= votes >= EVENLY * np.maximum(np.bincount(name.before)[own], np.bincount(name.after)[other])
    sure &= np.maximum(long, now) <= LONGER * np.minimum(long, now)
    of_places: Bool = sure[number]
    return of_places


def _at_same_places(rows: Rows, partners: Partners, open_: Pairs, check: Check) -> tuple[I64, I64, Bool]:
    """(int64, int64: rows of ``open_`` that lie at the same places; bool: those of which there are few beside a
    neighbour that is matched)."""
    gone, new = open_
    lane = rows.lane
    gone = gone[among(lane.before[gone], lane.after[new])]
    new = new[among(lane.after[new], lane.before[gone])]
    matched = np.flatnonzero(among(lane.before, lane.before[gone]) & (partners.of_before >= 0))
    partner = partners.of_before[matched].astype(np.int64)
    inside = lane.before[matched] == lane.after[partner]
    one = _ranked(lane.before, rows.time[0], gone, matched[inside])
    other = _ranked(lane.after, rows.time[1], new, partner[inside])
    anchors = _in_turn((one.neighbours, other.neighbours), check)
    gaps = Codes(np.searchsorted(anchors[0], one.ranks), np.searchsorted(anchors[1], other.ranks))
    cells = lane.taken(one.rows, other.rows).beside(gaps)
    count, more = _counts(cells)
    first, second = pairs(cells.before, cells.after)
    even = (count == more)[cells.before[first]]
    first, second = first[even], second[even]
    own, gap = lane.before[one.rows[first]], gaps.before[first]
    around = np.concatenate(([-1], one.lanes[anchors[0]], [-1]))
    beside = (around[gap] == own) | (around[gap + 1] == own)
    return one.rows[first], other.rows[second], beside & (count[cells.before[first]] <= FEW)


class _Ranked(Struct, frozen=True, eq=False):
    """int64 each: ``rows`` lane by lane, in the order of time, their ``ranks`` among these and their neighbours, those
    of ``neighbours`` (as they were given), and the ``lanes`` of all by rank."""

    rows: I64
    ranks: I64
    neighbours: I64
    lanes: I64


def _ranked(lane: I64, time: F64, rows: I64, neighbours: I64) -> _Ranked:
    both = np.concatenate((rows, neighbours))
    order = np.lexsort((both, time[both], lane[both]))
    rank = np.empty(len(both), np.int64)
    rank[order] = np.arange(len(both))
    own = np.argsort(rank[: len(rows)])
    return _Ranked(rows[own], rank[: len(rows)][own], rank[len(rows) :], lane[both[order]])


def _in_order(groups: Codes, time: tuple[F64, F64], which: Pairs) -> Pairs:
    """The rows group by group, in the order of time."""
    before, after = which
    order = np.lexsort((time[0][before], groups.before[before]))
    other = np.lexsort((time[1][after], groups.after[after]))
    return before[order], after[other]


def _counts(cells: Codes) -> tuple[I64, I64]:
    size = _size(cells)
    return np.bincount(cells.before, minlength=size), np.bincount(cells.after, minlength=size)


def _size(cells: Codes) -> int:
    return max(int(cells.before.max(initial=-1)), int(cells.after.max(initial=-1))) + 1


def slice_matches(
    lines: tuple[Timeline | None, Timeline | None], match: Callable[[str, Table, Table], Matches]
) -> Matches:
    """Which slices belong together. ``match``: matches two tables of slices, or of instants, by the rules of theirs."""
    before, after = lines
    made = match("slices", _slices(before), _slices(after))
    if before is None or after is None or not (len(before.instants.slice) or len(after.instants.slice)):
        return made
    marks = match("instants", _instants(before), _instants(after))
    count = len(before.slices.start)
    of_before, rule = np.full(count, -1, np.int32), np.full(count, NO_RULE, np.uint8)
    for part, own, other in (
        (made, _lasting(before), _lasting(after)),
        (marks, before.instants.slice, after.instants.slice),
    ):
        rows, partners = part.pairs
        of_before[own[rows]] = other[partners]
        rule[own] = part.rule
    return Matches(sealed(of_before), sealed(rule), len(after.slices.start), made.exact and marks.exact)


def _slices(timeline: Timeline | None) -> Table:
    """Only the columns by which slices are matched."""
    if timeline is None:
        return Table("slices", "", ())
    return _some("slices", timeline, _lasting(timeline))


def _instants(timeline: Timeline) -> Table:
    return _some("instants", timeline, timeline.instants.slice)


def _some(table_id: str, timeline: Timeline, index: I64) -> Table:
    name = Column("name", "", Coded(timeline.slices.name[index], timeline.strings), role="name")
    columns = (name, *lane_columns(timeline, slice_lanes(timeline)[index]))
    return Table(table_id, "", columns, "slice", index)


def _lasting(timeline: Timeline) -> I64:
    """int64, ascending: the slices that are no instants."""
    rows = lasting(timeline)
    return np.arange(len(timeline.slices.start), dtype=np.int64) if rows is None else rows


def pair_flows(lines: tuple[Timeline, Timeline], matches: Matches, partners: Partners) -> None:
    """Matches arrows of one category by the slices at their ends, in this order: where both are matched with one
    another, where those to which they lead are, and where those from which they come are, if the others have no
    partner. ``matches``: of the slices."""
    columns = [Column("category", "", Coded(line.flows.category, line.strings)) for line in lines]
    category = codes.of_column(columns[0], columns[1])
    partner, taken = np.append(matches.of_before.astype(np.int64), -1), np.append(matches.of_after >= 0, False)
    come = Codes(partner[lines[0].flows.from_slice], lines[1].flows.from_slice)
    lead = Codes(partner[lines[0].flows.to_slice], lines[1].flows.to_slice)
    there = come.before >= 0, lead.before >= 0
    there_after = taken[come.after], taken[lead.after]
    for ends, before, after in (
        (come.beside(lead), there[0] & there[1], there_after[0] & there_after[1]),
        (lead, there[1], there_after[1]),
        (come, there[0] & ~there[1], there_after[0] & ~there_after[1]),
    ):
        cells = ends.beside(category)
        rows, others = partners.open
        rows, others = rows[before[rows]], others[after[others]]
        first, second = pairs(cells.before[rows], cells.after[others])
        partners.pair(rows[first], others[second], SLICES)


def renamed_slices(lines: tuple[Timeline, Timeline], matches: Matches) -> dict[str, str]:
    """The name after for each name before whose slices are matched by their places; not of names that became
    several."""
    before, after = lines
    rows = np.flatnonzero(matches.rule == PLACE)
    names = before.slices.name[rows].astype(np.int64), after.slices.name[matches.of_before[rows]]
    own, other = np.divmod(distinct(names[0] * len(after.strings) + names[1]), len(after.strings))
    counts = np.bincount(own)
    return {
        before.strings.get(one): after.strings.get(two)
        for one, two in zip(own.tolist(), other.tolist(), strict=True)
        if counts[one] == 1
    }
