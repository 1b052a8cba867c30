"""Alignment of two sequences of ids, such as the slices of a lane or the instructions of a program.

Equal heads and tails are matched first. What is between is aligned exactly where few insertions and deletions are
enough (``shortest``), and is otherwise divided at elements that can only be each other (``anchors``), section by
section. Where there are none, or too much work has been done, the first of an id is matched with the first of that id
and so on, as far as their order is the same: this is no longest common subsequence, and ``exact`` says so.

Edit scripts: E. W. Myers, An O(ND) difference algorithm and its variations (Algorithmica 1, 1986), the greedy variant:
the furthest point reached on every diagonal with d edits, for d = 0, 1, ... The points of every d are stored, so memory
grows with the square of the edits and not with the length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare.codes import pairs
from app.profile.arrays import I32, I64, U64, Array, Bool, Integers

Check: TypeAlias = Callable[[], None]
"""Called every few milliseconds of work; raises to cancel it."""


def never() -> None:
    """For work that is not cancelled."""


OFTEN = 1 << 14


def longest_increasing(values: I64, check: Check = never) -> I64:
    """int64, ascending: positions of a longest increasing subsequence of different numbers.

    A number that is larger than all before it and smaller than all after it is in one of the longest, so that only the
    sections between such numbers have to be searched: of sequences that are mostly in order, almost nothing."""
    if not len(values):
        return np.empty(0, np.int64)
    below = np.concatenate(([values[0] - 1], np.maximum.accumulate(values)[:-1]))
    above = np.concatenate((np.minimum.accumulate(values[::-1])[::-1][1:], [values[-1] + 1]))
    in_order: Bool = (values > below) & (values < above)
    if in_order.all():
        return np.arange(len(values), dtype=np.int64)
    chosen = in_order.copy()
    edges = np.flatnonzero(np.diff(np.concatenate(([True], in_order, [True])).astype(np.int8)))
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        check()
        chosen[start + _patience(values[start:stop].tolist(), check)] = True
    return np.flatnonzero(chosen)


def _patience(values: list[int], check: Check) -> I64:
    """Positions of a longest increasing subsequence, by patience sorting."""
    tails: list[int] = []
    tail_at: list[int] = []
    previous = [-1] * len(values)
    for place, value in enumerate(values):
        if not place % OFTEN:
            check()
        pile = bisect_left(tails, value)
        if pile:
            previous[place] = tail_at[pile - 1]
        if pile == len(tails):
            tails.append(value)
            tail_at.append(place)
        else:
            tails[pile], tail_at[pile] = value, place
    chain = np.empty(len(tails), np.int64)
    place = tail_at[-1]
    for index in range(len(tails) - 1, -1, -1):
        chain[index] = place
        place = previous[place]
    return chain


Run: TypeAlias = tuple[int, int, int]
"""(position before, position after, length) of equal elements."""
FIRST_PIECE = 32


def equal_run(before: Array, after: Array) -> int:
    """How many elements from the start are the same."""
    count, done, piece = min(len(before), len(after)), 0, FIRST_PIECE
    while done < count:
        stop = min(done + piece, count)
        different = before[done:stop] != after[done:stop]
        place = int(different.argmax())
        if different[place]:
            return done + place
        done, piece = stop, piece * 8
    return count


class EditScript(Struct, frozen=True):
    """``runs``: equal elements, in order. ``whole``: they are a longest common subsequence; else those of the first
    elements, as far as the search came. ``edits``: insertions and deletions that were looked at."""

    runs: list[Run]
    whole: bool
    edits: int

    @property
    def matched(self) -> int:
        return sum(length for _, _, length in self.runs)


def shortest(before: Array, after: Array, most: int, check: Check = never) -> EditScript:
    """What is the same in both sequences, by the fewest insertions and deletions that make one of the other; as far as
    ``most`` of them reach."""
    width, height = len(before), len(after)
    goal = width - height
    reached: list[list[int]] = []
    for edits in range(min(most, width + height) + 1):
        if not edits % 16:
            check()
        points = _step(before, after, edits, reached)
        reached.append(points)
        if abs(goal) <= edits and not (goal + edits) % 2 and points[(goal + edits) // 2] >= width:
            return EditScript(_runs(reached, width, height), True, edits)
    del reached[1 + most * 3 // 4 :]  # the last edits may be those of a path that leads nowhere
    edits = len(reached) - 1
    ends = ((x, x - 2 * place + edits) for place, x in enumerate(reached[-1]))
    x, y = max((end for end in ends if end[0] <= width and end[1] <= height), key=sum, default=(0, 0))
    return EditScript(_runs(reached, x, y) if x + y else [], False, most)


def _step(before: Array, after: Array, edits: int, reached: list[list[int]]) -> list[int]:
    """The furthest position in ``before`` on each diagonal -edits, -edits + 2, ... edits."""
    points = []
    width, height = len(before), len(after)
    for place in range(edits + 1):
        diagonal = 2 * place - edits
        x = _start(reached[-1], place, edits) if edits else 0
        y = x - diagonal
        if x < width and y < height:
            x += equal_run(before[x:], after[y:])
        points.append(x)
    return points


def _start(points: list[int], place: int, edits: int) -> int:
    """Where the diagonal begins: after an insertion (from the diagonal above) or a deletion (from that below)."""
    if place == 0:
        return points[0]
    if place == edits:
        return points[place - 1] + 1
    return max(points[place], points[place - 1] + 1)


def _runs(reached: list[list[int]], width: int, height: int) -> list[Run]:
    runs: list[Run] = []
    x, y = width, height
    for edits in range(len(reached) - 1, -1, -1):
        place = (x - y + edits) // 2
        start = _start(reached[edits - 1], place, edits) if edits else 0
        if x > start:
            runs.append((start, start - (2 * place - edits), x - start))
        if not edits:
            break
        points = reached[edits - 1]
        inserted = place == 0 or (place < edits and points[place] >= points[place - 1] + 1)
        x, y = (start, start - (2 * place - edits) - 1) if inserted else (start - 1, start - (2 * place - edits))
    return runs[::-1]


def expanded(runs: list[Run]) -> tuple[Array, Array]:
    """int64 each: the positions of all elements of the runs."""
    if not runs:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    first, second, length = np.array(runs, np.int64).T
    inside = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    return np.repeat(first, length) + inside, np.repeat(second, length) + inside


LENGTHS: Final = (1, 4, 16, 64)
"""Elements that are looked at together."""
ENOUGH: Final = 128
"""With an anchor for as many elements, longer sections are not tried."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


def anchors(before: Integers, after: Integers, check: Check = never) -> tuple[I64, I64]:
    """int64 each, ascending in both: positions of equal elements. Of single elements and of sections of several
    lengths, those are taken of which there are enough, else the most."""
    best: tuple[I64, I64] = np.empty(0, np.int64), np.empty(0, np.int64)
    enough = max(1, min(len(before), len(after)) // ENOUGH)
    one, other, length = _mixed(before), _mixed(after), 1
    for wanted in LENGTHS:
        while length < wanted:
            one, other = _doubled(one, length), _doubled(other, length)
            length *= 2
        if not len(one) or not len(other):
            break
        check()
        first, second = _unique_pairs(one, other)
        same = before[first] == after[second]  # different elements may have one hash
        first, second = first[same], second[same]
        chosen = longest_increasing(second, check)
        if len(chosen) > len(best[0]):
            best = first[chosen], second[chosen]
        if len(best[0]) >= enough:
            break
    return best


def _mixed(elements: Integers) -> U64:
    hashed: U64 = elements.astype(np.uint64) + np.uint64(1)
    hashed *= _ODD
    hashed ^= hashed >> np.uint64(29)
    return hashed


def _doubled(hashes: U64, length: int) -> U64:
    """Hashes of sections twice as long."""
    if len(hashes) <= length:
        return hashes[:0]
    joined: U64 = hashes[:-length] * _ODD + (hashes[length:] ^ (hashes[:-length] >> np.uint64(31)))
    joined ^= joined >> np.uint64(27)
    return joined


def _unique_pairs(before: U64, after: U64) -> tuple[I64, I64]:
    """Positions of values that occur once on each side, ascending in ``before``."""
    first, second = _unique(before), _unique(after)
    _, place, other = np.intersect1d(before[first], after[second], assume_unique=True, return_indices=True)
    pairs = first[place], second[other]
    order = np.argsort(pairs[0])
    return pairs[0][order], pairs[1][order]


def _unique(values: U64) -> I64:
    order = np.argsort(values)
    ordered = values[order]
    new = np.concatenate(([True], ordered[1:] != ordered[:-1], [True]))
    return order[new[:-1] & new[1:]].astype(np.int64)


MOST_EDITS: Final = 160
LOOP_EDITS: Final = 48
"""With fewer edits at once, the work for each of them is less."""
MOST_WORK: Final = 300_000
"""Steps of the search for edits in all sections together."""
MOST_DIVISIONS: Final = 8
"""How often a section is divided."""
WORTH: Final = 8
"""Elements matched for each edit with which the beginning of a section counts as aligned."""
NO_PAIRS: Final = (np.empty(0, np.int64), np.empty(0, np.int64))


class Alignment(Struct, frozen=True, eq=False):
    """``partner``: int32[before], the position after that each element is matched with, -1 none; ascending where
    matched. ``exact``: whether every section was aligned by edits or anchors."""

    partner: I32
    exact: bool


class _Section(Struct, frozen=True):
    """Elements ``a`` to ``a_end`` before, ``b`` to ``b_end`` after. ``loop``: the rest of a section without anchors."""

    a: int
    a_end: int
    b: int
    b_end: int
    divisions: int = 0
    loop: bool = False


class Aligner:
    """Aligns several pairs of sequences with one limit of work."""

    def __init__(self, check: Check = never) -> None:
        self._check = check
        self._work = MOST_WORK

    def align(self, before: Integers, after: Integers) -> Alignment:
        """The alignment of one pair."""
        partner = np.full(len(before), -1, np.int32)
        exact = True
        todo = [_Section(0, len(before), 0, len(after))]
        while todo:
            self._check()
            section = _trimmed(todo.pop(), before, after, partner)
            if section.a < section.a_end and section.b < section.b_end:
                parts = self._parts(section, before, after, partner)
                exact = exact and parts is not None
                todo += parts or ()
        return Alignment(partner, exact)

    def _parts(self, section: _Section, before: Integers, after: Integers, partner: I32) -> list[_Section] | None:
        """Match what can be matched now; returns the sections that are left, None if the rest of this one had to be
        matched by the order of each id."""
        one, other = before[section.a : section.a_end], after[section.b : section.b_end]
        if self._work > 0:
            most = LOOP_EDITS if section.loop else MOST_EDITS
            script = shortest(one, other, most, self._check)
            self._work -= script.edits**2 // 2 + 1
            if script.whole:
                _match(section, *expanded(script.runs), partner)
                return []
            similar = script.matched >= WORTH * most
            if similar and section.loop:
                return [_rest(section, script, partner)]
            first, second = anchors(one, other, self._check) if section.divisions < MOST_DIVISIONS else NO_PAIRS
            if similar and len(first) < min(len(one), len(other)) // ENOUGH:  # nothing in a loop is the only one
                return [_rest(section, script, partner)]
            if len(first):
                _match(section, first, second, partner)
                return _between(section, first, second)
        first, second = pairs(one.astype(np.int64), other.astype(np.int64))
        order = np.argsort(first)
        chosen = order[longest_increasing(second[order], self._check)]
        _match(section, first[chosen], second[chosen], partner)
        return None


def _rest(section: _Section, script: EditScript, partner: I32) -> _Section:
    """Match the beginning as the script says; returns what comes after it."""
    first, second = expanded(script.runs)
    _match(section, first, second, partner)
    a, b = section.a + int(first[-1]) + 1, section.b + int(second[-1]) + 1
    return _Section(a, section.a_end, b, section.b_end, section.divisions, loop=True)


def _match(section: _Section, first: I64, second: I64, partner: I32) -> None:
    partner[section.a + first] = section.b + second


def _between(section: _Section, first: I64, second: I64) -> list[_Section]:
    """The sections between matched elements in which both sides have elements."""
    a = np.concatenate(([section.a], section.a + first + 1))
    a_end = np.concatenate((section.a + first, [section.a_end]))
    b = np.concatenate(([section.b], section.b + second + 1))
    b_end = np.concatenate((section.b + second, [section.b_end]))
    filled = np.flatnonzero((a < a_end) & (b < b_end))
    edges = np.stack([side[filled] for side in (a, a_end, b, b_end)], axis=1).tolist()
    more = section.divisions + 1
    return [_Section(start, stop, other, other_stop, more) for start, stop, other, other_stop in edges]


def _trimmed(section: _Section, before: Integers, after: Integers, partner: I32) -> _Section:
    """The section without the same head and tail, which are matched."""
    one, other = before[section.a : section.a_end], after[section.b : section.b_end]
    head = equal_run(one, other)
    tail = equal_run(one[head:][::-1], other[head:][::-1])
    partner[section.a : section.a + head] = np.arange(section.b, section.b + head)
    partner[section.a_end - tail : section.a_end] = np.arange(section.b_end - tail, section.b_end)
    return _Section(
        section.a + head, section.a_end - tail, section.b + head, section.b_end - tail, section.divisions, section.loop
    )
