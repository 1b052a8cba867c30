"""Slices that are pointed at elsewhere, as outlines: one around each that is wide enough to be seen in it, and one
around neighbours that are not."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, distinct
from app.views.timeline.body import lines
from app.views.timeline.scene import Box, Scene

NARROW = 6.0
"""Pixels: an outline leaves nothing to be seen of a narrower slice."""
NEAR = 3.0
"""Pixels between two outlines that would touch."""


class Several(Struct, frozen=True, eq=False):
    """Slices (int64, rising) as a mark, which is compared by identity: there can be a million."""

    index: I64


def outlined(scene: Scene, index: I64) -> list[Box]:
    """Boxes around the slices ``index`` (rising) that are in sight; not more than there are pixels."""
    rows, view = scene.model.rows, scene.view
    seen = distinct(lines(scene.layout, view.top, int(scene.body.height)).strips.rows)
    low, high = rows.windows(seen, view.start, view.end)
    first, after = np.searchsorted(index, low), np.searchsorted(index, high)
    boxes: list[Box] = []
    for row in np.flatnonzero(after > first).tolist():
        held = index[first[row] : after[row]]
        place = scene.slice_box(int(held[0]))
        if place is None:
            continue
        left = scene.all_near_x(rows.start[held])
        right = np.maximum(scene.all_near_x(rows.start[held] + rows.duration[held]), left + 1)
        wide = right - left >= NARROW
        alone = wide | np.concatenate(([True], wide[:-1])) | np.concatenate(([True], left[1:] - right[:-1] >= NEAR))
        begins = np.flatnonzero(alone)
        ends = np.maximum.reduceat(right, begins)
        boxes += [
            Box(a, place.y, b - a, place.height) for a, b in zip(left[begins].tolist(), ends.tolist(), strict=True)
        ]
    return boxes
