"""What memory needs at least after a change: which item must leave a tile so that it fits, and what the peak falls to
without what is live there."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.tile_content import TileContents
from app.profile.arrays import I64
from app.profile.poplar import Liveness, LiveVariables, program_steps
from app.profile.profile import Profile
from app.profile.selection import Kind


class Candidate(Struct, frozen=True):
    """Number ``item`` of ``kind``, which takes ``bytes`` of a tile; ``still_over``: bytes that the tile is over its
    limit without it, 0 if it fits."""

    kind: Kind
    item: int
    name: str
    bytes: int
    still_over: int


def fits_without(profile: Profile, tile: int, over: int, most: int = 3) -> tuple[Candidate, ...]:
    """What takes most of a tile that is ``over`` bytes over its limit: at most so many variables, categories and
    compute sets (their code), those of a kind by falling bytes. Removing an item frees its bytes at most."""
    contents, tiles = TileContents(profile), np.array([tile], np.int64)
    made: list[Candidate] = []
    kinds: tuple[Kind, ...] = ("variable", "category", "compute_set")
    for kind in kinds:
        taken = contents.taken(kind, tiles) if contents.has(kind) else None
        if taken is None or taken.bytes is None:
            continue
        sizes = taken.others.get("code", taken.bytes.total)
        for row in np.argsort(-sizes, kind="stable")[:most].tolist():
            size = int(sizes[row])
            if size > 0:
                item, name = int(taken.items[row]), taken.names.strings.get(int(taken.names.ids[row]))
                made.append(Candidate(kind, item, name, size, max(over - size, 0)))
    return tuple(made)


def spread_floor(total: int, tiles: int) -> int:
    """What the fullest of ``tiles`` holds at least, however ``total`` bytes are spread over them."""
    return -(-total // max(tiles, 1))


def next_peak(tree: Liveness, node: int) -> tuple[int, int]:
    """(node, bytes) of the fullest node that is neither above nor below ``node``, whose bytes may be its own; (-1, 0)
    without one."""
    other = np.ones(len(tree), np.bool_)
    other[node : int(tree.end[node])] = False
    above = int(tree.parent[node])
    while above >= 0 and other[above]:  # a damaged tree may lead back
        other[above] = False
        above = int(tree.parent[above])
    rest = np.flatnonzero(other & (tree.bytes >= 0))
    if not len(rest):
        return -1, 0
    top = int(rest[tree.bytes[rest].argmax()])
    return top, int(tree.bytes[top])


def peak_without(tree: Liveness, live: LiveVariables, variable: int) -> tuple[int, int]:
    """(node, bytes) of the peak without a variable, at the steps of the program; at those whose variables are not
    listed it may be live, so they count without it as well."""
    steps: I64 = program_steps(tree)
    inside = ~live.stated
    inside[np.searchsorted(live.at.first, np.flatnonzero(live.at.items == variable), "right") - 1] = True
    left = tree.bytes[steps] - np.where(inside[steps], live.size[variable], 0)
    top = int(left.argmax())
    return int(steps[top]), max(int(left[top]), 0)
