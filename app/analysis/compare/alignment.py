"""Aligns two sequences of ids, such as the slices of a lane or the instructions of a program.

Head and tail that are the same are taken off. What is between is aligned exactly where few insertions and deletions
are enough (``edits``), and is else divided at elements that can only be each other (``anchors``), stretch by stretch.
Where there are none, or too much work has been done, the first of an id is matched with the first of that id and so
on, as far as their order is the same: this is no longest common subsequence, and ``exact`` says so.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.anchors import ENOUGH, anchors
from app.analysis.compare.edits import Script, equal_end, equal_run, expanded, shortest
from app.analysis.compare.in_order import pairs
from app.analysis.compare.increasing import longest_increasing
from app.analysis.compare.polling import Check, never
from app.profile.arrays import I32, I64, Integers

MOST_EDITS: Final = 160
LOOP_EDITS: Final = 48
"""With fewer edits at once, the work for each of them is less."""
MOST_WORK: Final = 300_000
"""Steps of the search for edits in all stretches together."""
MOST_DIVISIONS: Final = 8
"""How often a stretch is divided."""
WORTH: Final = 8
"""Elements matched for each edit with which the beginning of a stretch counts as aligned."""
NO_PAIRS: Final = (np.empty(0, np.int64), np.empty(0, np.int64))


class Alignment(Struct, frozen=True, eq=False):
    """``partner``: int32[before], the position after that each element is matched with, -1 none; ascending where
    matched. ``exact``: whether every stretch was aligned by edits or anchors."""

    partner: I32
    exact: bool


class _Stretch(Struct, frozen=True):
    """Elements ``a`` to ``a_end`` before, ``b`` to ``b_end`` after. ``loop``: the rest of a stretch without anchors."""

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
        todo = [_Stretch(0, len(before), 0, len(after))]
        while todo:
            self._check()
            stretch = _trimmed(todo.pop(), before, after, partner)
            if stretch.a < stretch.a_end and stretch.b < stretch.b_end:
                parts = self._parts(stretch, before, after, partner)
                exact = exact and parts is not None
                todo += parts or ()
        return Alignment(partner, exact)

    def _parts(self, stretch: _Stretch, before: Integers, after: Integers, partner: I32) -> list[_Stretch] | None:
        """Match what can be matched now; returns the stretches that are left, None if the rest of this one had to be
        matched by the order of each id."""
        one, other = before[stretch.a : stretch.a_end], after[stretch.b : stretch.b_end]
        if self._work > 0:
            most = LOOP_EDITS if stretch.loop else MOST_EDITS
            script = shortest(one, other, most, self._check)
            self._work -= script.edits**2 // 2 + 1
            if script.whole:
                _match(stretch, *expanded(script.runs), partner)
                return []
            similar = script.matched >= WORTH * most
            if similar and stretch.loop:
                return [_rest(stretch, script, partner)]
            first, second = anchors(one, other, self._check) if stretch.divisions < MOST_DIVISIONS else NO_PAIRS
            if similar and len(first) < min(len(one), len(other)) // ENOUGH:  # nothing in a loop is the only one
                return [_rest(stretch, script, partner)]
            if len(first):
                _match(stretch, first, second, partner)
                return _between(stretch, first, second)
        first, second = pairs(one.astype(np.int64), other.astype(np.int64))
        order = np.argsort(first)
        chosen = order[longest_increasing(second[order], self._check)]
        _match(stretch, first[chosen], second[chosen], partner)
        return None


def _rest(stretch: _Stretch, script: Script, partner: I32) -> _Stretch:
    """Match the beginning as the script says; returns what comes after it."""
    first, second = expanded(script.runs)
    _match(stretch, first, second, partner)
    a, b = stretch.a + int(first[-1]) + 1, stretch.b + int(second[-1]) + 1
    return _Stretch(a, stretch.a_end, b, stretch.b_end, stretch.divisions, loop=True)


def _match(stretch: _Stretch, first: I64, second: I64, partner: I32) -> None:
    partner[stretch.a + first] = stretch.b + second


def _between(stretch: _Stretch, first: I64, second: I64) -> list[_Stretch]:
    """The stretches between matched elements in which both sides have elements."""
    a = np.concatenate(([stretch.a], stretch.a + first + 1))
    a_end = np.concatenate((stretch.a + first, [stretch.a_end]))
    b = np.concatenate(([stretch.b], stretch.b + second + 1))
    b_end = np.concatenate((stretch.b + second, [stretch.b_end]))
    filled = np.flatnonzero((a < a_end) & (b < b_end))
    edges = np.stack([side[filled] for side in (a, a_end, b, b_end)], axis=1).tolist()
    more = stretch.divisions + 1
    return [_Stretch(start, stop, other, other_stop, more) for start, stop, other, other_stop in edges]


def _trimmed(stretch: _Stretch, before: Integers, after: Integers, partner: I32) -> _Stretch:
    """The stretch without the same head and tail, which are matched."""
    one, other = before[stretch.a : stretch.a_end], after[stretch.b : stretch.b_end]
    head = equal_run(one, other)
    tail = equal_end(one[head:], other[head:])
    partner[stretch.a : stretch.a + head] = np.arange(stretch.b, stretch.b + head)
    partner[stretch.a_end - tail : stretch.a_end] = np.arange(stretch.b_end - tail, stretch.b_end)
    return _Stretch(
        stretch.a + head, stretch.a_end - tail, stretch.b + head, stretch.b_end - tail, stretch.divisions, stretch.loop
    )
