"""What one pass over a program takes by the figures of the compiler."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.poplar import program_own as own
from app.analysis.poplar.heights import Heights, reaching, rows
from app.analysis.poplar.program_graph import LARGEST
from app.analysis.poplar.trees import edges
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.profile.programs import Programs

BRANCHES: Final = ("If", "IfElse", "Switch")


def own_estimate(profile: Profile, programs: Programs, exchange: I64) -> I64 | None:
    """int64[programs]: estimated cycles of the longest tile in the set or exchange (``exchange``: int64[programs],
    counted in one row) that each runs, -1 without; None where the files have none."""
    of_sets = own.cycles_of_sets(profile, profile.compute_sets.count if profile.compute_sets is not None else 0)
    of_exchanges = own.cycles_of_exchanges(profile)
    if of_sets is None and of_exchanges is None:
        return None
    out = np.full(len(programs), -1, np.int64)
    if of_exchanges is not None:
        out = own.picked(of_exchanges, exchange)
    if of_sets is not None:
        cycles = own.picked(of_sets, programs.compute_set)
        out = np.where(cycles >= 0, cycles, out)
    return out


def total_estimate(programs: Programs, found: Heights, estimate: I64) -> I64:
    """int64[programs], -1 where not known. Every child counts as often as it stands there, of branches only the
    longest; not known where anything below runs a compute set or an exchange that has no estimate, or calls what is
    not there."""
    below, count = edges(programs), len(programs)
    silent = (programs.compute_set < 0) & (programs.exchange < 0)
    silent[programs.of_type("OnTileExecute", "Call")] = False
    silent[own.exchanging(programs)] = False
    lengths = below.lengths
    silent |= (programs.call >= 0) & (lengths > 0)
    total: F64 = np.where(estimate >= 0, estimate.astype(np.float64), np.where(silent, 0.0, np.nan))
    branches = np.zeros(count, np.bool_)
    branches[programs.of_type(*BRANCHES)] = True
    with np.errstate(over="ignore"):
        for height in range(1, found.levels):
            level = found.level(height)
            level = level[lengths[level] > 0]
            owner, item = rows(below, level)
            if len(owner):
                first = np.flatnonzero(np.diff(owner, prepend=-1))
                added, most = np.add.reduceat(total[item], first), np.maximum.reduceat(total[item], first)
                total[level] += np.where(branches[level], most, added)
    good = found.ends[:count] & np.isfinite(total) & (total < LARGEST)
    some = reaching(below, found, estimate >= 0)
    return np.where(good & some, np.where(good, total, 0), -1).astype(np.int64)
