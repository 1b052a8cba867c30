"""Main memory and the L2 cache, at the left of every diagram."""

from __future__ import annotations

from app.analysis.ascend.diagram.parts import APART, CLEAR, Arrow, Box, Rect, above, below, rightwards

MARGIN = 8.0
GM = (MARGIN, 64.0)
L2 = (150.0, 78.0)
L2_RIGHT = L2[0] + L2[1]
FRAME = L2_RIGHT + 10.0
"""Where the frames of the cores begin."""
LABELS = FRAME + CLEAR
"""Where labels of paths that leave the L2 cache begin."""
SUFFIX_LINES = 3
"""Figures between main memory and the cache come with remarks such as "(theoretical value)"."""


def boxes(height: float) -> list[Box]:
    """The two boxes in a diagram of this height."""
    return [
        Box("GM", Rect(GM[0], MARGIN, GM[1], height - 2 * MARGIN), "shared"),
        Box("L2 cache", Rect(L2[0], MARGIN, L2[1], height - 2 * MARGIN), "shared", "hit_rate"),
    ]


def arrows(height: float) -> list[Arrow]:
    """Paths 0 and 1."""
    left, right = GM[0] + GM[1], L2[0]
    upper, lower = height / 2 - APART, height / 2 + APART
    room = left + 2, right - 2
    return [
        rightwards(0, left, right, upper, above(*room, upper, SUFFIX_LINES)),
        rightwards(1, right, left, lower, below(*room, lower, SUFFIX_LINES)),
    ]
