"""Searching names of slices and stepping through the hits."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.timeline.intervals import union
from app.analysis.timeline.statistics import named
from app.profile.arrays import F64, I64, Bool
from app.profile.timeline import Timeline
from app.views.timeline.model import Model
from app.views.units import percent

MOST_SORTED = 300_000
"""More hits than this are stepped through row by row; sorting them by time would make the person wait."""


class Query(Struct, frozen=True):
    """What to look for in the names of slices; "" finds nothing."""

    text: str = ""
    case: bool = False
    word: bool = False
    regex: bool = False

    def matches(self, timeline: Timeline) -> Bool:
        """bool[slices]: whose names match. matching.BadPattern for a broken expression."""
        return named(timeline, self.text, case=self.case, whole=self.word, regex=self.regex)


class Hits(Struct, frozen=True, eq=False):
    """``index``: int64, the slices that match, in the order of stepping: by start (``by_time``), or row by row."""

    model: Model
    index: I64
    by_time: bool

    @classmethod
    def of(cls, model: Model, index: I64) -> Hits:
        if len(index) > MOST_SORTED:
            return cls(model, index, False)
        return cls(model, index[np.argsort(model.rows.start[index], kind="stable")], True)

    def place(self, index: int | None) -> int | None:
        """Which hit slice ``index`` is, from 0."""
        if index is None or not len(self.index):
            return None
        low = self._before(index)
        high = int(np.searchsorted(self._keys(), self._key(index), "right"))
        same = np.flatnonzero(self.index[low:high] == index)
        return low + int(same[0]) if len(same) else None

    def step(self, index: int | None, direction: int) -> int | None:
        """The hit after (+1) or before (-1) slice ``index``, round and round; None where there are none."""
        if not len(self.index):
            return None
        here = self.place(index)
        if here is not None:
            there = here + direction
        elif index is None:
            there = 0 if direction > 0 else -1
        else:
            there = self._before(index) - (direction < 0)
        return int(self.index[there % len(self.index)])

    @property
    def share(self) -> float:
        """The share of the time from first to last that any hit covers, 0..1."""
        model, index = self.model, self.index
        order = index if self.by_time else index[np.argsort(model.rows.start[index], kind="stable")]
        start = model.rows.start[order]
        covered = union(start, start + model.rows.duration[order]).total
        return covered / (model.end - model.start)

    @property
    def share_text(self) -> str:
        """The same as a percentage."""
        return percent(100 * self.share)

    def _before(self, index: int) -> int:
        return int(np.searchsorted(self._keys(), self._key(index)))

    def _keys(self) -> F64 | I64:
        return self.model.rows.start[self.index] if self.by_time else self.index

    def _key(self, index: int) -> float:
        return self.model.start_of(index) if self.by_time else index
