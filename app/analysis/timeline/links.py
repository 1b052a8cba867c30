"""Links between lanes and their slices, and along the arrows from a slice to the next or previous one."""

from __future__ import annotations

import numpy as np

from app.analysis.timeline.rows import lane_slices, slice_lanes
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.timeline import Flows


def slices_of_lanes(profile: Profile, lanes: I64) -> I64:
    """All slices on the lanes."""
    return np.empty(0, np.int64) if profile.timeline is None else lane_slices(profile.timeline, lanes)


def lanes_of_slices(profile: Profile, slices: I64) -> I64:
    """The lanes of the slices."""
    if profile.timeline is None:
        return np.empty(0, np.int64)
    known = slices[(slices >= 0) & (slices < len(profile.timeline.slices.start))]
    return distinct(slice_lanes(profile.timeline)[known]).astype(np.int64)


def linked(flows: Flows, index: int, direction: int) -> int | None:
    """The slice at the other end of the first arrow that leaves slice ``index`` (direction 1), or of the last one that
    reaches it (-1); None without one."""
    here, there, time = flows.from_slice, flows.to_slice, flows.to_time
    if direction < 0:
        here, there, time = flows.to_slice, flows.from_slice, -flows.from_time
    arrows = np.flatnonzero((here == index) & (there >= 0))
    return int(there[arrows[np.argmin(time[arrows])]]) if len(arrows) else None
