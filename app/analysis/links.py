"""Links between kinds: a program's steps, a slice's instruction, a tile's IPU."""

from __future__ import annotations

from collections import deque

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.kinds.spec import Link
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

MOST_AT_ONCE = 100_000
"""Rows of a column that are looked through in some 20 ms."""


def translate(profile: Profile, selection: Selection, kind: Kind) -> I64:
    """The things of ``kind`` that belong to ``selection``: int64 indices, empty if nothing links them."""
    indices = np.asarray(selection.indices, np.int64)
    if selection.kind == kind:
        return indices
    hops = route(selection.kind, kind)
    for _, link in hops:
        indices = link(profile, indices)
    return indices if hops else np.empty(0, np.int64)


def route(start: Kind, end: Kind) -> list[tuple[Kind, Link]]:
    """The shortest chain of links from ``start`` to ``end``, each with the kind that it leads to; empty if there is
    none. The chain to a kind on the way is the beginning of it."""
    came: dict[Kind, list[tuple[Kind, Link]]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for kind, link in KINDS[here].links.items():
            if kind not in came:
                came[kind] = [*came[here], (kind, link)]
                queue.append(kind)
    return came.get(end, [])


def slow(profile: Profile) -> bool:
    """Whether links may take more than some 20 ms: they look through whole columns, or rows of figures per tile."""
    line = profile.timeline
    lengths = [len(part) for part in (profile.steps, profile.programs, profile.variables) if part is not None]
    lengths += [] if line is None else [len(line.slices.start)]
    tiles = KINDS["tile"].count
    return max(lengths, default=0) > MOST_AT_ONCE or (tiles is not None and tiles(profile) > MOST_AT_ONCE // 10)
