"""The nearest item in a direction, for pictures whose items are anywhere."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64

ASIDE = 2.0
"""How much farther an item is to the side than in the direction of the arrow."""


def nearest_beside(x: F64, y: F64, item: int, way: tuple[int, int]) -> int:
    """The index of the nearest of the points (``x``, ``y``), y downwards, in the direction ``way`` (across, down) of
    point ``item``; ``item`` itself if there is none."""
    for _ in range(abs(way[0]) or abs(way[1])):
        along, aside = (x - x[item], y - y[item]) if way[0] else (y - y[item], x - x[item])
        along = along if way[0] + way[1] > 0 else -along
        ahead = np.flatnonzero(along > 0)
        if not len(ahead):
            break
        item = int(ahead[np.argmin(np.hypot(along[ahead], ASIDE * aside[ahead]))])
    return item
