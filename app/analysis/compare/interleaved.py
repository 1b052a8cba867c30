"""The rows of two sequences in one order."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, Integers


def interleaved(of_before: Integers, count: int) -> tuple[I64, I64]:
    """int64[rows] each: the row before and the row after (of ``count``) at each place, -1 none. Places are in the order
    after; a row that is only before follows the one that it follows there. ``of_before``: the row after that each row
    before is matched with, -1 none."""
    rows = np.arange(len(of_before), dtype=np.int64)
    alone = np.flatnonzero(of_before < 0).astype(np.int64)
    of_after = np.full(count, -1, np.int64)
    there = np.flatnonzero(of_before >= 0)
    of_after[of_before[there]] = there
    after = np.arange(count, dtype=np.int64)
    if not len(alone):
        return of_after, after
    last = np.maximum.accumulate(np.where(of_before >= 0, rows, -1))[alone]
    follows = np.where(last >= 0, of_before[np.maximum(last, 0)], -1)
    tie = np.concatenate((np.full(count, -1), alone))
    order = np.lexsort((tie, np.concatenate((after, follows))))
    return np.concatenate((of_after, alone))[order], np.concatenate((after, np.full(len(alone), -1)))[order]
