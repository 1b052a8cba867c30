"""From one kind of thing to another: a program's steps, a slice's instruction, a tile's IPU."""

from __future__ import annotations

from collections import deque

import numpy as np

from app.analysis.ascend import links as ascend
from app.analysis.ascend import memory_links as ascend_memory
from app.analysis.host_events import links as host_events
from app.analysis.link import Link
from app.analysis.popef import links as popef
from app.analysis.poplar import links as poplar
from app.analysis.poplar import live_variables as poplar_live
from app.analysis.poplar import memory_links as poplar_memory
from app.analysis.poplar import tile_links as poplar_tiles
from app.analysis.tensor_map import links as tensor_map
from app.analysis.timeline import links as timeline
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

LINKS: dict[tuple[Kind, Kind], Link] = {
    **ascend.LINKS,
    **ascend_memory.LINKS,
    **host_events.LINKS,
    **popef.LINKS,
    **poplar.LINKS,
    **poplar_live.LINKS,
    **poplar_memory.LINKS,
    **poplar_tiles.LINKS,
    **tensor_map.LINKS,
    **timeline.LINKS,
}
"""The direct links; longer ways are found through them."""


def translate(profile: Profile, selection: Selection, kind: Kind) -> I64:
    """The things of ``kind`` that ``selection`` stands for: int64 indices, empty where nothing links them."""
    indices = np.asarray(selection.indices, np.int64)
    if selection.kind == kind:
        return indices
    steps = route(selection.kind, kind)
    for step in steps:
        indices = step(profile, indices)
    return indices if steps else np.empty(0, np.int64)


def route(start: Kind, end: Kind) -> list[Link]:
    """The shortest chain of links from ``start`` to ``end``; empty where there is none."""
    came: dict[Kind, list[Link]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for (a, b), link in LINKS.items():
            if a == here and b not in came:
                came[b] = [*came[here], link]
                queue.append(b)
    return came.get(end, [])
