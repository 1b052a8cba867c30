"""What a run spends most cycles on, and what its tiles lose by waiting for the longest one."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.overlaps import COMPUTE
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import Selection


class Dominating(Struct, frozen=True):
    """All steps of one compute set, or of one name: their ``cycles`` and ``count``."""

    name: str
    cycles: int
    count: int
    selection: Selection


class Levelled(Struct, frozen=True):
    """``balance`` (0..1) of the computing steps, weighted by their cycles; ``lost``: cycles that they would be shorter
    if their tiles were level; ``worst``: the step that loses most."""

    balance: float
    lost: float
    worst: int


def dominating(profile: Profile, steps: Steps) -> Dominating | None:
    """The compute set with the most cycles, or the name of other steps if that has more; None without cycles."""
    rows = np.flatnonzero((steps.cycles > 0) & (steps.name >= 0))
    if not len(rows):
        return None
    sets, names = steps.compute_set[rows], steps.name[rows]
    known = profile.compute_sets.names if profile.compute_sets is not None else ()
    inside = (sets >= 0) & (sets < len(known))
    best: Dominating | None = None
    if inside.any():
        worst, cycles, count = _most(sets[inside], steps.cycles[rows[inside]])
        best = Dominating(known[worst], cycles, count, Selection("compute_set", (worst,)))
    if (~inside).any():
        others = rows[~inside]
        name, cycles, count = _most(names[~inside], steps.cycles[others])
        if best is None or cycles > best.cycles:
            first = int(others[steps.name[others] == name][0])
            best = Dominating(steps.strings.get(name), cycles, count, Selection("step", (first,)))
    return best


def _most(keys: np.ndarray, cycles: np.ndarray) -> tuple[int, int, int]:
    """(key, cycles, steps) of the key with the most cycles."""
    sums = np.bincount(keys, cycles)
    key = int(sums.argmax())
    return key, int(sums[key]), int(np.count_nonzero(keys == key))


def levelled(steps: Steps) -> Levelled | None:
    """None if no computing step has a balance."""
    rows = steps.of_type(COMPUTE)
    rows = rows[(steps.cycles[rows] > 0) & ~np.isnan(steps.tile_balance[rows])]
    if not len(rows):
        return None
    cycles, lost = steps.cycles[rows], steps.cycles[rows] * (1 - steps.tile_balance[rows])
    total = float(lost.sum())
    return Levelled(1 - total / float(cycles.sum()), total, int(rows[lost.argmax()]))
