"""Steps along the arrows of a timeline: from a slice to the next or previous one."""

from __future__ import annotations

import numpy as np

from app.profile.timeline import Flows


def linked(flows: Flows, index: int, direction: int) -> int | None:
    """The slice at the other end of the first arrow that leaves slice ``index`` (direction 1), or of the last one that
    reaches it (-1); None without one."""
    here, there, time = flows.from_slice, flows.to_slice, flows.to_time
    if direction < 0:
        here, there, time = flows.to_slice, flows.from_slice, -flows.from_time
    arrows = np.flatnonzero((here == index) & (there >= 0))
    return int(there[arrows[np.argmin(time[arrows])]]) if len(arrows) else None
