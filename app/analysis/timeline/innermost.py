"""Which slice of the rows above holds another one, where a lane has very many rows."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I64


def innermost_holders(start: F64, end: F64, row: I64) -> I64:
    """int64[slices]: of each slice of one lane (``row`` counted from 0 inside it) the place of the slice that holds it
    in the nearest row above where one does, -1 for none. A row holds by its last slice that has begun. Costs
    n x log(rows), where looking at every row above costs n x rows."""
    rows = int(row.max(initial=-1)) + 1
    size = 1 << max(rows - 1, 0).bit_length()
    latest = [-np.inf] * (2 * size)  # a tree of maxima: leaf ``size + row`` is the end of what stands in that row
    occupant = [-1] * rows
    holders = np.full(len(start), -1, np.int64)
    order = np.lexsort((row, start))
    for place, here, until in zip(order.tolist(), row[order].tolist(), end[order].tolist(), strict=True):
        above = _last_reaching(latest, size, here, until)
        if above >= 0:
            holders[place] = occupant[above]
        occupant[here] = place
        node = size + here
        latest[node] = until
        while node > 1:
            node >>= 1
            latest[node] = max(latest[2 * node], latest[2 * node + 1])
    return holders


def _last_reaching(latest: list[float], size: int, before: int, until: float) -> int:
    """The largest leaf below ``before`` whose value reaches ``until``, -1 for none."""
    node = size + before
    while node > 1:
        if node & 1 and latest[node - 1] >= until:
            node -= 1
            while node < size:
                node = 2 * node + 1 if latest[2 * node + 1] >= until else 2 * node
            return node - size
        node >>= 1
    return -1
