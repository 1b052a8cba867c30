"""Indentation of tree rows: the visible levels share a part of the name column, so that names stay readable at any
depth."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

STEP = 16
NARROWEST_STEP = 4
ARROW = 16
"""Width of the expand arrow in pixels."""
PART = 0.36
"""Largest share of the name column for indentation and arrow: never half of it."""


class Indents(Struct, frozen=True):
    """Rows of level ``first`` and above are not indented; each level below is indented by ``step`` more pixels."""

    first: int
    step: float

    def left(self, level: int) -> int:
        """Indentation of a row's arrow in pixels."""
        return max(0, round((level - self.first) * self.step))


def indents(levels: Sequence[int], column: int, step: int = STEP, before: Indents | None = None) -> Indents:
    """Indentation for the visible rows, whose levels are given, in a name column of ``column`` pixels: full steps from
    the top level if they fit; else relative to the visible levels, to the deepest ones if even these are too many.
    Keeps ``before`` while it is good enough, so that rows do not move on every expansion."""
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
