"""The slice that holds another one, in lanes of very many rows."""

from __future__ import annotations

import numpy as np

from app.analysis.timeline.statistics import innermost_holders


def test_each_slice_looks_at_few_rows_however_many_there_are() -> None:
    count = 20_000
    start = np.arange(count, dtype=np.float64)
    end = start + count  # each overlaps all others, none holds another
    assert innermost_holders(start, end, np.arange(count)).tolist() == [-1] * count
    nested = innermost_holders(start, end[::-1].copy() + 2 * count, np.arange(count))
    assert nested.tolist() == list(range(-1, count - 1))
