"""Ways from one program to another, over arrays, so that a hundred loops of a large program take no time."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.profile.arrays import I64, Bool
from app.profile.ragged import Ragged

MOST_LEVELS: Final = 256
MANY: Final = 2
"""Ways are counted up to here."""


def children(level: I64, below: Ragged) -> tuple[I64, I64]:
    """(place in ``level``, child) of every edge below it."""
    edges = below.gather(level)
    return edges.owner, edges.items.astype(np.int64)


def reached(below: Ragged, roots: I64, closed: Bool | None = None) -> Bool:
    """bool[programs]: ``roots`` and all below them; what is ``closed`` is reached, but what lies below it only by
    another way."""
    seen = np.zeros(len(below), np.bool_)
    level = np.unique(roots)
    while len(level):
        seen[level] = True
        open_ = level if closed is None else level[~closed[level]]
        kids = children(open_, below)[1]
        level = np.unique(kids[~seen[kids]])
    return seen


def counted_ways(below: Ragged, program: int, stops: Bool) -> tuple[I64, I64] | None:
    """(ways from ``program`` that pass nothing that ``stops``, all ways) to each program: int64[programs], counted up
    to MANY. None for a program that contains itself, or for deeper ones than MOST_LEVELS."""
    once, every = np.zeros(len(below), np.int64), np.zeros(len(below), np.int64)
    level, plain, all_ = np.array([program], np.int64), np.ones(1, np.int64), np.ones(1, np.int64)
    for _ in range(MOST_LEVELS):
        owners, kids = children(level, below)
        if not len(kids):
            return np.minimum(once, MANY), np.minimum(every, MANY)
        passed = np.where(stops[level] & (level != program), 0, plain)
        level, place = np.unique(kids, return_inverse=True)
        plain = np.minimum(np.bincount(place, passed[owners]), MANY).astype(np.int64)
        all_ = np.minimum(np.bincount(place, all_[owners]), MANY).astype(np.int64)
        once[level] += plain
        every[level] += all_
        if every[program]:
            return None
    return None
