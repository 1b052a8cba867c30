"""What memory needs at least after a change: which item must leave a tile so that it fits, and what the peak falls to
without what is live there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.analysis.memory import used
from app.analysis.poplar.liveness import live_peak, node_name
from app.analysis.poplar.tile_content import TileContents
from app.profile.arrays import I64, among, distinct
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


def peak_without(tree: Liveness, live: LiveVariables, variables: Sequence[int]) -> tuple[int, int]:
    """(node, bytes) of the peak without variables that are not always live, at the steps of the program; at those whose
    variables are not listed they may be live, so they count without them as well."""
    steps: I64 = program_steps(tree)
    left = tree.bytes[steps].copy()
    for variable in variables:
        inside = ~live.stated
        inside[np.searchsorted(live.at.first, np.flatnonzero(live.at.items == variable), "right") - 1] = True
        left -= np.where(inside[steps], max(int(live.size[variable]), 0), 0)
    top = int(left.argmax())
    return int(steps[top]), max(int(left[top]), 0)


class TileWithout(Struct, frozen=True):
    """The fullest ``tile`` with its ``used`` bytes, and the fullest one after a variable left all tiles. ``limit``: of
    a tile, None if unknown; ``bytes``: of the variable on ``tile``; ``still_over``: bytes over the limit then."""

    tile: int
    used: int
    bytes: int
    tile_without: int
    used_without: int
    limit: int | None
    fits: bool | None
    fits_without: bool | None
    still_over: int


class PeakWithout(Struct, frozen=True):
    """Live bytes at the peak of the program and its ``node``, and the same without a variable."""

    peak: int
    node: str
    peak_without: int
    node_without: str


class Without(Struct, frozen=True):
    """What memory needs at least without ``variable``; ``tiles`` and ``peak``: None where the file does not say where,
    or when, it is live. Removing it frees its bytes at most."""

    variable: str
    tiles: TileWithout | None
    peak: PeakWithout | None


def names_of_variables(profile: Profile) -> set[str]:
    """Of those on tiles, and of those that are live."""
    named = (profile.variables, profile.live_variables)
    return {part.strings.get(text) for part in named if part is not None for text in distinct(part.name).tolist()}


def without_variable(profile: Profile, name: str) -> Without:
    """All variables of that name removed from all tiles. Empty for a name that the profile does not have."""
    return Without(name, _tiles_without(profile, name), _peak_without(profile, name))


def _tiles_without(profile: Profile, name: str) -> TileWithout | None:
    variables, memory = profile.variables, profile.tile_memory
    values = None if memory is None else used(memory)
    if variables is None or memory is None or values is None or not len(values):
        return None
    rows = np.flatnonzero(among(variables.name, variables.strings.find(name)) & (variables.size > 0))
    rows = rows[(variables.tile[rows] >= 0) & (variables.tile[rows] < len(values))]
    if not len(rows):
        return None
    taken = np.bincount(variables.tile[rows], variables.size[rows], len(values)).astype(np.int64)
    left = np.maximum(values.astype(np.int64) - taken, 0)
    first, last = int(values.argmax()), int(left.argmax())
    limit = profile.target.bytes_per_tile if profile.target is not None else None
    known = limit is not None and limit > 0
    return TileWithout(
        first,
        int(values[first]),
        int(taken[first]),
        last,
        int(left[last]),
        limit if known else None,
        int(values[first]) <= (limit or 0) if known else None,
        int(left[last]) <= (limit or 0) if known else None,
        max(int(left[last]) - (limit or 0), 0) if known else 0,
    )


def _peak_without(profile: Profile, name: str) -> PeakWithout | None:
    live, tree, peak = profile.live_variables, profile.liveness, live_peak(profile)
    if live is None or tree is None or peak is None:
        return None
    rows = [row for row in np.flatnonzero(among(live.name, live.strings.find(name))).tolist() if live.size[row] >= 0]
    if not rows:
        return None
    always = sum(int(live.size[row]) for row in rows if live.always[row])
    node, extra = peak_without(tree, live, [row for row in rows if not live.always[row]])
    rest = max(peak.always - always, 0) + extra
    return PeakWithout(peak.program, peak.name, rest, node_name(profile, node))
