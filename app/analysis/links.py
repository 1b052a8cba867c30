"""Links between kinds: a program's steps, a slice's instruction, a tile's IPU."""

from __future__ import annotations

from collections import deque

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.kinds.spec import Link
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection


def translate(profile: Profile, selection: Selection, kind: Kind) -> I64:
    """The things of ``kind`` that belong to ``selection``: int64 indices, empty if nothing links them."""
    indices = np.asarray(selection.indices, np.int64)
    if selection.kind == kind:
        return indices
    steps = route(selection.kind, kind)
    for step in steps:
        indices = step(profile, indices)
    return indices if steps else np.empty(0, np.int64)


def route(start: Kind, end: Kind) -> list[Link]:
    """The shortest chain of links from ``start`` to ``end``; empty if there is none."""
    came: dict[Kind, list[Link]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for kind, link in KINDS[here].links.items():
            if kind not in came:
                came[kind] = [*came[here], link]
                queue.append(kind)
    return came.get(end, [])
