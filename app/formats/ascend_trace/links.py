"""Arrows between slices."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.formats.ascend_trace import pairs
from app.formats.ascend_trace.columns import FLOW_END, FLOW_START, Columns
from app.formats.ascend_trace.flow_ends import enclosing, holds
from app.formats.timeline_build import Built
from app.profile.arrays import F64, I32, I64, Array, sealed
from app.profile.timeline import Flows


class FlowMaker:
    """Ties flow ends to slices of ``built``. ``set_slice``, ``wait_slice``: int64 by key number, the slice that
    sets the flag of that id or waits for it, -1 none (a flow carries the id of its flag)."""

    def __init__(self, built: Built, set_slice: I64, wait_slice: I64) -> None:
        self._built = built
        self._set_slice = set_slice
        self._wait_slice = wait_slice

    def flows(self, events: Columns, lane: I32, names: I32, categories: I32, dropped: Counter[str]) -> Flows:
        """``lane``: of each of ``events``; ``names``, ``categories``: text ids by number. Sorted by their start."""
        which = np.flatnonzero((events.kind == FLOW_START) | (events.kind == FLOW_END))
        points, lane = events.take(which), lane[which]
        keyed = np.flatnonzero(points.key != 0)
        found = pairs.flows(points.take(keyed))
        dropped["that are flow ends without exactly one partner"] += len(points) - 2 * len(found.first)
        a, b = keyed[found.first], keyed[found.second]
        order = np.lexsort((points.time[b], points.time[a]))
        a, b = a[order], b[order]
        category = categories[points.category[a]]
        return Flows(
            category=sealed(np.where(category >= 0, category, names[points.name[a]]).astype(np.int32)),
            from_time=sealed(points.time[a]),
            from_lane=sealed(lane[a]),
            from_slice=sealed(self._at(self._set_slice, points.key[a], lane[a], points.time[a])),
            to_time=sealed(points.time[b]),
            to_lane=sealed(lane[b]),
            to_slice=sealed(self._at(self._wait_slice, points.key[b], lane[b], points.time[b])),
        )

    def _at(self, by_key: I64, key: Array, lane: I32, time: F64) -> I64:
        """The slice of the same id, if it lies there; else the innermost that does."""
        index = by_key[key]
        index[(index >= 0) & (self._built.lane[index] != lane)] = -1
        index = holds(self._built.slices, index, time)
        open_ = np.flatnonzero(index < 0)
        index[open_] = enclosing(self._built.slices, self._built.first_row, lane[open_], time[open_])
        return index
