"""Why one timeline is longer than another: what changed is put into the schedule of the baseline, one cause at a time.

A row is the change of the replayed span, so a slower slice beside a longer chain counts only what it costs
(time-model.md, section 9). Changed and removed slices go into the replay of the baseline, added ones into that of the
comparison; between the two the work is equal, and what differs is waits and order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.cause import MOST_CAUSES, NOWHERE, ROUNDING, Cause, Place, parts_of
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.lanes import unit_factor
from app.analysis.compare.names import without_numbers
from app.analysis.compare.slices import renamed_slices
from app.analysis.compare.timelines import lane_matches, slice_matches
from app.analysis.tables.timeline import lane_name
from app.analysis.tiles import counts_by_tile
from app.analysis.time.graph import Graph, Schedule, replay
from app.analysis.time.model import whole_graph
from app.analysis.time.path import WORK, critical_path
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, distinct
from app.profile.timeline import Timeline

REPLAYED: Final = 3_000_000
"""Nodes that are replayed for the rows of each side; FEWEST names of each are told apart in any case."""
FEWEST: Final = 3
FEW_NAMES: Final = 200
"""Up to so many names that both sides have are told apart although they differ only in numbers."""
NET: Final = 2.0
"""Waits of lanes whose absolute sum exceeds this multiple of their net are one row."""


class Side(Struct, frozen=True, eq=False):
    """One run. ``length``: float64[nodes]; ``own``: float64[slices], the work of each outside its inner slices;
    ``name``: int64[nodes], a number of its name without numbers and addresses that both sides share."""

    timeline: Timeline
    graph: Graph
    length: F64
    own: F64
    name: I64


def schedule_causes(comparison: Comparison, look: Callable[[], None]) -> list[Cause]:
    """The rows, in seconds where the comparison has a clock, else in its units; none without two timelines of a common
    unit. ``look`` is called at times, and may raise to stop."""
    before, after = comparison.before.timeline, comparison.after.timeline
    factor = None if before is None or after is None else unit_factor(before, after)
    if before is None or after is None or factor is None or counts_by_tile(before) or counts_by_tile(after):
        return []  # of tiles that count each for itself, none waits for another in these times
    matches = slice_matches(comparison, look)
    names = _Names(before, after, renamed_slices((before, after), matches))
    one = _side(before, whole_graph(comparison.before, look), factor, names)
    other = _side(after, whole_graph(comparison.after, look), 1.0, names)
    if not len(one.graph) or not len(other.graph):
        return []
    texts = names.texts
    partner = matches.of_before.astype(np.int64)
    begun, ended = replay(one.graph, look=look), replay(other.graph, look=look)
    wanted, of_after = _as_after(one, other, partner), partner[one.graph.slice]
    rows, changed = _stepwise(one, texts, begun, (one.length, wanted), of_after, look)
    added = np.ones(len(other.own), np.bool_)
    added[partner[partner >= 0]] = False
    plain = np.where(added[other.graph.slice], 0.0, other.length)
    equal = ended if np.array_equal(plain, other.length) else replay(other.graph, length=plain, look=look)
    more, _ = _stepwise(other, texts, equal, (plain, other.length), other.graph.slice, look)
    waits = _waits((one, changed), (other, equal), texts, lane_matches(comparison, look).of_before)
    return [_in_seconds(row, after.seconds_per_unit or 1.0) for row in (*rows, *waits, *more)]


def _in_seconds(row: Cause, unit: float) -> Cause:
    parts = tuple(replace(part, difference=part.difference * unit) for part in row.parts)
    work = None if row.work is None else row.work * unit
    return replace(row, difference=row.difference * unit, parts=parts, work=work)


class _Names:
    """Numbers of names: names that differ only in numbers and addresses are the same, unless there are few, which both
    sides have: those of three buffers, say. ``renamed``: names after by names before, which are one: "a → b".
    ``texts``: what each number is called."""

    def __init__(self, before: Timeline, after: Timeline, renamed: Mapping[str, str]) -> None:
        sides = [{side.strings.get(text) for text in distinct(side.slices.name).tolist()} for side in (before, after)]
        shared = sides[0] & sides[1]
        self._kept = shared if len(shared) <= FEW_NAMES else set()
        pairs = [(own, now, (without_numbers(own), without_numbers(now))) for own, now in renamed.items()]
        self._renamed = {text: pair for own, now, pair in pairs for text in (own, now)}
        self._now = set(renamed.values())
        self._numbers: dict[str | tuple[str, str], int] = {}
        self._members: list[set[str]] = []

    def number(self, text: str) -> int:
        plain = text if text in self._kept else without_numbers(text)
        number = self._numbers.setdefault(self._renamed.get(text, plain), len(self._numbers))
        if number == len(self._members):
            self._members.append(set())
        self._members[number].add(text)
        return number

    @property
    def texts(self) -> list[str]:
        return [self._title(name, members) for name, members in zip(self._numbers, self._members, strict=True)]

    def _title(self, name: str | tuple[str, str], members: set[str]) -> str:
        if isinstance(name, str):
            return next(iter(members)) if len(members) == 1 else name
        sides = zip(name, (members - self._now, members & self._now), strict=True)
        return " → ".join(next(iter(own)) if len(own) == 1 else plain for plain, own in sides)


def _side(timeline: Timeline, made: Graph, factor: float, names: _Names) -> Side:
    if factor != 1.0:
        times = {key: getattr(made, key) * factor for key in ("arrival", "start", "end", "release", "early", "near")}
        made = replace(made, **times)
    length = made.end - made.start
    own: F64 = np.bincount(made.slice, length, len(timeline.slices.start)).astype(np.float64)
    text = timeline.slices.name[made.slice]
    number = np.full(len(timeline.strings) + 1, -1, np.int64)
    for used in distinct(text).tolist():
        number[used] = names.number(timeline.strings.get(used))
    return Side(timeline, made, length, own, number[text])


def _as_after(one: Side, other: Side, partner: I64) -> F64:
    """float64[nodes before]: durations as those of their partners, 0 without one. The pieces of a slice change alike;
    one that took no time gets it at its first piece."""
    wanted = np.where(partner >= 0, other.own[partner], 0.0)
    ratio = np.divide(wanted, one.own, out=np.zeros(len(wanted)), where=one.own > 0)
    length = one.length * ratio[one.graph.slice]
    first = np.full(len(wanted), -1, np.int64)
    first[one.graph.slice[::-1]] = np.arange(len(length))[::-1]
    sudden = np.flatnonzero((one.own <= 0) & (wanted > 0) & (first >= 0))
    length[first[sudden]] = wanted[sudden]
    return length


def _stepwise(
    side: Side, names: list[str], begun: Schedule, lengths: tuple[F64, F64], shown: I64, look: Callable[[], None]
) -> tuple[list[Cause], Schedule]:
    """One row for each name whose work changes between two ``lengths`` (float64[nodes] each), the largest change first,
    the others together; and the last schedule, which ``begun`` becomes. ``shown``: int64[nodes], slices after."""
    name, (old, new) = side.name, lengths
    change = new - old
    work = np.bincount(name, change, len(names))
    moved = np.bincount(name, np.abs(change), len(names))
    some = np.flatnonzero(moved > ROUNDING * max(float(old.sum()), float(new.sum())))
    some = some[np.argsort(-np.abs(work[some]), kind="stable")]
    most = min(max(REPLAYED // max(len(name), 1), FEWEST), MOST_CAUSES)
    groups = [some[place : place + 1] for place in range(min(len(some), most))]
    groups += [some[most:]] if len(some) > most else []
    rows, now, last = [], old, begun
    for group in groups:
        chosen = np.zeros(len(names), np.bool_)
        chosen[group] = True
        now = np.where(chosen[name], new, now)
        made = replay(side.graph, length=now, look=look)
        largest = int(shown[np.argmax(np.where(chosen[name], np.abs(change), -1.0))])
        place = Place("slice", largest) if largest >= 0 else NOWHERE
        row = Cause(_title(group, names), "name", made.span - last.span, (), float(work[group].sum()), place)
        rows.append(row)
        last = made
    return rows, last


def _title(group: I64, names: list[str]) -> str:
    if len(group) == 1:
        return names[int(group[0])]
    return plural("{count:,} other name", "{count:,} other names", count=len(group))


def _waits(
    before: tuple[Side, Schedule], after: tuple[Side, Schedule], names: list[str], lanes: I32
) -> Iterator[Cause]:
    """What two schedules of the same work differ in: gaps by lane, and which work lies on their critical paths; one row
    where these mostly cancel."""
    sums: dict[tuple[bool, int | str], float] = {}
    for place, ((side, schedule), sign) in enumerate(((before, -1.0), (after, 1.0))):
        path = critical_path(schedule.graph(side.graph))
        works = (path.part == WORK).tolist()
        for node, work, time in zip(path.node.tolist(), works, path.times.tolist(), strict=True):
            lane = int(side.graph.lane[node]) if node >= 0 else -1
            if place == 0 and lane >= 0:
                lane = int(lanes[lane]) if lanes[lane] >= 0 else -2 - lane
            key = (True, names[int(side.name[node])]) if work else (False, lane)
            sums[key] = sums.get(key, 0.0) + sign * time
    total = after[1].span - before[1].span
    amounts = [(_waiting(before[0].timeline, after[0].timeline, key), amount) for key, amount in sums.items()]
    if sum(abs(amount) for _, amount in amounts) > NET * abs(total):
        yield Cause(tr("Waits and order"), "waits", total, parts_of(amounts))
    else:
        yield from (Cause(text, "waits", amount) for text, amount in amounts)


def _waiting(before: Timeline, after: Timeline, key: tuple[bool, int | str]) -> str:
    works, what = key
    if works or isinstance(what, str):
        return tr("{name} on the critical path", name=what)
    if what == -1:
        return tr("Outside of all slices")
    return tr("Waits of {lane}", lane=lane_name(after, what) if what >= 0 else lane_name(before, -2 - what))
