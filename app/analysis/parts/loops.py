"""Finds the iterations of a loop in a sequence of names: the same names in the same order, again and again."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64

PERIODS: Final = 24
"""So many distances at which names come again are tried."""
FEWEST: Final = 2
COVERED: Final = 0.5
"""A loop takes at least this share of the time of its sequence."""
EVEN: Final = 0.25
"""The spread of the lengths of iterations (standard deviation over mean) that are recognised by one name alone."""


class Loop(Struct, frozen=True, eq=False):
    """``starts``: int64, ascending: where each iteration begins in the sequence; ``end``: where the last one ends."""

    starts: I64
    end: int

    def __len__(self) -> int:
        return len(self.starts)


def outermost_loop(names: I64, start: F64, end: F64) -> Loop | None:
    """The loop of the most items whose iterations are alike, else the fewest evenly spaced repetitions of one name;
    None without a loop that takes half of the time. ``names``: int64 ids of the items in their order, which go from
    ``start`` to ``end`` (float64, starts ascending)."""
    if len(names) < FEWEST:
        return None
    length = float(end.max() - start[0])
    loop = _periodic(names)
    if loop is not None and _span(loop, start, end) >= COVERED * length:
        return loop
    return _spaced(names, start, length)


def _span(loop: Loop, start: F64, end: F64) -> float:
    return float(end[loop.starts[0] : loop.end].max() - start[loop.starts[0]])


def _periodic(names: I64) -> Loop | None:
    """The longest stretch that repeats with one period, of several as long ones that with the shortest period."""
    best: tuple[int, int, int] | None = None
    for period in _periods(names):
        first, count = _longest_run(names[period:] == names[:-period])
        repeats = (count + period) // period
        if repeats >= FEWEST and count >= period:
            covered = repeats * period
            if best is None or covered > best[0] or (covered == best[0] and period < best[1]):
                best = covered, period, first
    if best is None:
        return None
    covered, period, first = best
    return Loop(np.arange(first, first + covered, period, dtype=np.int64), first + covered)


def _periods(names: I64) -> list[int]:
    """Distances between one name and the next of the same, those that take most of the sequence first."""
    order = np.argsort(names, kind="stable")
    same = names[order][1:] == names[order][:-1]
    gaps, counts = np.unique(np.diff(order)[same], return_counts=True)
    return [int(gap) for gap in gaps[np.argsort(-gaps * counts, kind="stable")][:PERIODS]]


def _longest_run(mask: F64 | I64) -> tuple[int, int]:
    """(first, length) of the longest run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    if not len(edges):
        return 0, 0
    begins, lengths = edges[::2], edges[1::2] - edges[::2]
    longest = int(np.argmax(lengths))
    return int(begins[longest]), int(lengths[longest])


def _spaced(names: I64, start: F64, length: float) -> Loop | None:
    """Iterations that begin with the same name at even distances: the fewest, of several such names the first."""
    order = np.argsort(names, kind="stable")
    bounds = np.flatnonzero(np.diff(names[order])) + 1
    best: tuple[int, int, I64] | None = None
    for places in np.split(order, bounds):
        if len(places) <= FEWEST or (best is not None and len(places) > best[0]):
            continue
        gaps = np.diff(start[places])
        mean = float(gaps.mean())
        if mean > 0 and gaps.std() <= EVEN * mean and mean * len(places) >= COVERED * length:
            key = len(places), int(places[0])
            if best is None or key < best[:2]:
                best = *key, places
    return None if best is None else Loop(best[2].astype(np.int64), len(names))
