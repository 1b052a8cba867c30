"""The shortest edit script between two sequences, if it is short.

E. W. Myers, An O(ND) difference algorithm and its variations (Algorithmica 1, 1986), the greedy variant: the furthest
point reached on every diagonal with d edits, for d = 0, 1, ... The points of every d are stored, so memory grows with
the square of the edits and not with the length.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare.polling import Check, never
from app.profile.arrays import Array

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


def equal_end(before: Array, after: Array) -> int:
    """How many elements at the end are the same."""
    return equal_run(before[::-1], after[::-1])


class Script(Struct, frozen=True):
    """``runs``: equal elements, in order. ``whole``: they are a longest common subsequence; else those of the first
    elements, as far as the search came. ``edits``: insertions and deletions that were looked at."""

    runs: list[Run]
    whole: bool
    edits: int

    @property
    def matched(self) -> int:
        return sum(length for _, _, length in self.runs)


def shortest(before: Array, after: Array, most: int, check: Check = never) -> Script:
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
            return Script(_runs(reached, width, height), True, edits)
    del reached[1 + most * 3 // 4 :]  # the last edits may be those of a path that leads nowhere
    edits = len(reached) - 1
    ends = ((x, x - 2 * place + edits) for place, x in enumerate(reached[-1]))
    x, y = max((end for end in ends if end[0] <= width and end[1] <= height), key=sum, default=(0, 0))
    return Script(_runs(reached, x, y) if x + y else [], False, most)


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
