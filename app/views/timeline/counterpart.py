"""The other timeline of a comparison, as one of the two sees it: what belongs together, and how it differs."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.timelines import LaneDifferences
from app.profile.arrays import I32, I64, distinct
from app.views.timeline.model import Model


class Counterpart(Struct, frozen=True, eq=False):
    """``own`` is the timeline that is looked at, ``other`` the one that it is compared with; ``baseline``: ``own`` is
    the baseline. ``partner``: int32[slices of own], -1 none; None until the slices are matched. ``lanes``: the times of
    the lanes of both, None until they are measured."""

    own: Model
    other: Model
    baseline: bool = False
    partner: I32 | None = None
    lanes: LaneDifferences | None = None

    def of(self, index: int) -> int:
        """The slice of the other timeline that a slice belongs to; -1 for none (or not yet known)."""
        return -1 if self.partner is None else int(self.partner[index])

    def all_of(self, index: I64) -> I64:
        """int64, rising: the partners of slices, without those that have none."""
        if self.partner is None or not len(index):
            return np.empty(0, np.int64)
        partners = distinct(self.partner[index]).astype(np.int64)
        return partners[partners >= 0]

    @property
    def alone(self) -> I64:
        """int64, rising: own slices that have no partner; empty until the slices are matched."""
        return np.empty(0, np.int64) if self.partner is None else np.flatnonzero(self.partner < 0)

    @property
    def lane_partners(self) -> I32 | None:
        """int32[lanes of own]: the lanes of the other timeline that they belong to, -1 none; None until it is known."""
        if self.lanes is None:
            return None
        return self.lanes.matches.of_before if self.baseline else self.lanes.matches.of_after

    def lane_of(self, lane: int) -> int:
        """The lane of the other timeline that a lane belongs to; -1 for none (or not yet known)."""
        partners = self.lane_partners
        return int(partners[lane]) if partners is not None and 0 <= lane < len(partners) else -1
