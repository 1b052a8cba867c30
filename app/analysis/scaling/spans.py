"""Lengths of overlapping ranges of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.analysis.unions import union_lengths
from app.profile.arrays import I64


def shares(low: int, high: int, classes: Sequence[tuple[I64, I64]]) -> tuple[list[float], float]:
    """How much of low..high each class of ranges (starts, ends) covers beyond the classes before it, and how much none
    covers: together all of it."""
    covered, lengths = 0.0, []
    starts, ends = np.empty(0, np.int64), np.empty(0, np.int64)
    for start, end in classes:
        starts = np.concatenate((starts, np.clip(start, low, high)))
        ends = np.concatenate((ends, np.clip(end, low, high)))
        now = float(union_lengths(starts, ends, np.zeros(len(starts), np.int64), 1)[0])
        lengths.append(now - covered)
        covered = now
    return lengths, high - low - covered
