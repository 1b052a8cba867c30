"""How full on-chip memories get."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64
from app.profile.onchip import Onchip


def scope_names(plan: Onchip) -> list[str]:
    """What the memories are called; "" where the file does not say."""
    return [plan.strings.get(index) for index in plan.scopes.name.tolist()]


def peaks(plan: Onchip) -> I64:
    """int64[scopes]: the most bytes that lie in each memory at one step."""
    return _fullest(plan)[0]


def peak_steps(plan: Onchip) -> I64:
    """int64[scopes]: the first step at which so much lies in each memory; -1 where nothing ever does."""
    return _fullest(plan)[1]


def _fullest(plan: Onchip) -> tuple[I64, I64]:
    """The most bytes of each memory, and when. A block lies there from its first to its last step, both included
    (life_time_in_ir)."""
    blocks = plan.blocks
    time = np.concatenate((blocks.start, blocks.end + 1))
    change = np.concatenate((blocks.size, -blocks.size))
    scope = np.concatenate((blocks.scope, blocks.scope))
    order = np.lexsort((change, time, scope))
    live, own = np.cumsum(change[order]), scope[order]  # back at zero where a memory ends
    found = np.zeros(len(plan.scopes.name), np.int64)
    np.maximum.at(found, own, live)
    steps = np.full(len(found), -1, np.int64)
    full = np.flatnonzero((live == found[own]) & (live > 0))[::-1]
    steps[own[full]] = time[order][full]  # the first of them is written last
    return found, steps


def ends(plan: Onchip) -> I64:
    """int64[scopes]: the highest byte that any block of each memory reaches, 0 where no block has an address."""
    blocks = plan.blocks
    found = np.zeros(len(plan.scopes.name), np.int64)
    np.maximum.at(found, blocks.scope, np.where(blocks.address >= 0, blocks.address + blocks.size, 0))
    return found
