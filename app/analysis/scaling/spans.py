"""Lengths of overlapping ranges of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.profile.arrays import F64, I64


def union_by_group(start: I64, end: I64, group: I64, groups: int) -> F64:
    """float64[groups]: length of the union of each group's ranges; groups follow one another in time."""
    order = np.lexsort((start, group))
    start, end, group = start[order], end[order], group[order]
    reached = np.maximum.accumulate(end) if len(end) else end
    before = np.concatenate((start[:1], reached[:-1]))
    new = np.maximum(0, reached - np.maximum(start, before))
    return np.bincount(group, new, minlength=groups).astype(np.float64)


def shares(low: int, high: int, classes: Sequence[tuple[I64, I64]]) -> tuple[list[float], float]:
    """How much of low..high each class of ranges (starts, ends) covers beyond the classes before it, and how much none
    covers: together all of it."""
    covered, lengths = 0.0, []
    starts, ends = np.empty(0, np.int64), np.empty(0, np.int64)
    for start, end in classes:
        starts = np.concatenate((starts, np.clip(start, low, high)))
        ends = np.concatenate((ends, np.clip(end, low, high)))
        now = float(union_by_group(starts, ends, np.zeros(len(starts), np.int64), 1)[0])
        lengths.append(now - covered)
        covered = now
    return lengths, high - low - covered
