"""Where numbers of replicas stand in a picture, and what the axes of the pictures share. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from app.widgets.plane.axes import Tick
from app.widgets.timeline.ticks import amount_ticks
from app.widgets.units import Scale

AIR = 0.5
"""Doublings that stay free left of the fewest replicas and right of the most."""
TICK_SPACE = 44.0
BAR = 0.62
"""Share of the room between two numbers of replicas that a bar takes."""


def place(replicas: float, counts: Sequence[int]) -> float:
    """Doublings from the left end."""
    return math.log2(replicas / counts[0]) + AIR


def width(counts: Sequence[int]) -> float:
    """Doublings from end to end."""
    return math.log2(counts[-1] / counts[0]) + 2 * AIR


def ticks_of(counts: Sequence[int]) -> list[Tick]:
    """One for each number of replicas."""
    return [Tick(place(count, counts), f"{count:,}") for count in counts]


def nearest(where: float, counts: Sequence[int]) -> int:
    """The place in ``counts`` that is nearest to a place on the axis."""
    return min(range(len(counts)), key=lambda number: abs(place(counts[number], counts) - where))


def bar_width(counts: Sequence[int]) -> float:
    """Doublings that a bar takes, so that none touches another."""
    apart = [math.log2(b / a) for a, b in pairwise(counts)]
    return BAR * min([1.0, *apart])


def log_ticks(start: float, end: float, low: float, height: float) -> list[Tick]:
    """Of an axis whose places are doublings above ``low``: 1, 2 and 5 times the powers of ten, fewer where there are
    many."""
    first, last = math.log10(low) + start * math.log10(2), math.log10(low) + end * math.log10(2)
    factors = (1, 2, 5) if (last - first) * 3 * TICK_SPACE / 2 <= height else (1,)
    found = []
    for power in range(math.floor(first), math.ceil(last) + 1):
        for factor in factors:
            value = factor * 10.0**power
            if first - 1e-9 <= math.log10(value) <= last + 1e-9:
                found.append(Tick(math.log2(value / low), _figure(value)))
    return found


def plain_ticks(start: float, end: float, scale: Scale, height: float) -> list[Tick]:
    """Of an axis whose places are amounts."""
    return [Tick(*tick) for tick in amount_ticks(start, end, scale, max(1, int(height / TICK_SPACE)))]


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
