"""Links between lanes and their slices."""

from __future__ import annotations

import numpy as np

from app.analysis.timeline.rows import lane_slices, slice_lanes
from app.profile.arrays import I64
from app.profile.profile import Profile


def slices_of_lanes(profile: Profile, lanes: I64) -> I64:
    """All slices on the lanes."""
    return np.empty(0, np.int64) if profile.timeline is None else lane_slices(profile.timeline, lanes)


def lanes_of_slices(profile: Profile, slices: I64) -> I64:
    """The lanes of the slices."""
    if profile.timeline is None:
        return np.empty(0, np.int64)
    known = slices[(slices >= 0) & (slices < len(profile.timeline.slices.start))]
    return np.unique(slice_lanes(profile.timeline)[known]).astype(np.int64)
