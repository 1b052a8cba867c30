"""How far the rows of a tree are indented: the levels that are in sight share a part of the name column, so that a name
is readable however deep it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STEP = 16
NARROWEST_STEP = 4
ARROW = 16
"""Pixels of the triangle that opens a row."""
PART = 0.36
"""Of the name column, the triangle included: never half of it."""


@dataclass(frozen=True, slots=True)
class Indents:
    """Rows of level ``first`` and above stand at the left; each level below is indented by ``step`` pixels more."""

    first: int
    step: float

    def left(self, level: int) -> int:
        """Pixels before the triangle of a row."""
        return max(0, round((level - self.first) * self.step))


def indents(levels: Sequence[int], column: int, step: int = STEP, before: Indents | None = None) -> Indents:
    """For the rows in sight, with a name column of so many pixels: whole steps from the top level where they fit; else
    the levels in sight alone, the deepest ones where even these are too many. Those from ``before`` stay as long as
    they are good enough, so that rows do not move whenever one opens or closes."""
    if not levels:
        return Indents(0, step)
    room = max(0, int(column * PART) - ARROW)
    deepest, highest = max(levels), min(levels)
    if deepest * step <= room:
        return Indents(0, step)
    if before is not None and before.first <= highest and room // 2 <= before.left(deepest) <= room:
        return before
    most = room // NARROWEST_STEP
    first = max(highest, deepest - most)
    return Indents(first, min(step, room / (deepest - first)) if deepest > first else step)
