"""Occupancy of on-chip memories."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, combine_at
from app.profile.ascend_report import Onchip


def scope_names(plan: Onchip) -> list[str]:
    """Names of the memories; "" where the file does not say."""
    return [plan.strings.get(index) for index in plan.scopes.name.tolist()]


def peaks(plan: Onchip) -> I64:
    """int64[scopes]: the most bytes allocated in each memory at one step."""
    return _fullest(plan)[0]


def peak_steps(plan: Onchip) -> I64:
    """int64[scopes]: the first step at which each memory reaches its peak; -1 if it is never used."""
    return _fullest(plan)[1]


def _fullest(plan: Onchip) -> tuple[I64, I64]:
    """(peak bytes of each memory, its step). A block is allocated from its first to its last step, both included
    (life_time_in_ir)."""
    blocks = plan.blocks
    time = np.concatenate((blocks.start, blocks.end + 1))
    change = np.concatenate((blocks.size, -blocks.size))
    scope = np.concatenate((blocks.scope, blocks.scope))
    order = np.lexsort((change, time, scope))
    live, own = np.cumsum(change[order]), scope[order]  # the running sum is zero again at the end of each memory
    most = np.zeros(len(plan.scopes.name), np.int64)
    combine_at(np.maximum, most, own, live)
    steps = np.full(len(most), -1, np.int64)
    full = np.flatnonzero((live == most[own]) & (live > 0))[::-1]
    steps[own[full]] = time[order][full]  # written last: the first peak step
    return most, steps


def ends(plan: Onchip) -> I64:
    """int64[scopes]: the end address of the highest block of each memory, 0 if no block has an address."""
    blocks = plan.blocks
    highest = np.zeros(len(plan.scopes.name), np.int64)
    combine_at(np.maximum, highest, blocks.scope, np.where(blocks.address >= 0, blocks.address + blocks.size, 0))
    return highest
