"""The programs as a graph: descendants, and whether it has cycles; the exchanges that they run."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, Bool, Ragged, reverse
from app.profile.poplar import EXCHANGE_OF_TYPE, Programs, Steps
from app.profile.profile import Profile


def edges(programs: Programs) -> Ragged:
    """Rows of the programs directly below each: its children, and for a Call the function that it calls."""
    targets = call_targets(programs)
    calls = np.flatnonzero(targets >= 0)
    children = programs.children
    if not len(calls):
        return children
    lengths = children.lengths
    lengths[calls] += 1
    return Ragged.of(lengths, np.insert(children.items.astype(np.int64), children.first[calls + 1], targets[calls]))


def call_targets(programs: Programs) -> I64:
    """int64[programs]: the program that a Call runs (through the list of functions), -1 for none."""
    out = np.full(len(programs), -1, np.int64)
    known = np.flatnonzero((programs.call >= 0) & (programs.call < len(programs.functions)))
    out[known] = programs.functions[programs.call[known]]
    return out


def descendants(programs: Programs, roots: I64) -> I64:
    """The programs ``roots`` and all below them, ascending; safe for the cycles of a broken file."""
    below = edges(programs)
    first, items = below.first.tolist(), below.items.tolist()
    stack = [root for root in roots.tolist() if 0 <= root < len(programs)]
    seen = bytearray(len(programs))
    while stack:
        node = stack.pop()
        if not seen[node]:
            seen[node] = 1
            stack.extend(items[first[node] : first[node + 1]])
    return np.flatnonzero(np.frombuffer(seen, np.uint8)).astype(np.int64)


def on_cycles(programs: Programs) -> Bool:
    """bool[programs]: those from which a cycle is reached (recursion is not allowed, so the file is broken)."""
    below = edges(programs)
    waiting = below.lengths.tolist()
    above = reverse(below)
    parents, first = above.items.tolist(), above.first.tolist()
    stack = [node for node, count in enumerate(waiting) if not count]
    open_ = np.ones(len(programs), np.bool_)
    while stack:
        node = stack.pop()
        open_[node] = False
        for parent in parents[first[node] : first[node + 1]]:
            waiting[parent] -= 1
            if not waiting[parent]:
                stack.append(parent)
    return open_


def exchange_numbers(profile: Profile, of: Programs | Steps) -> I64:
    """int64: the exchange of each program or step, numbered over all kinds; -1 none."""
    out = np.full(len(of), -1, np.int64)
    exchanges = profile.exchanges
    if exchanges is None:
        return out
    for name, kind in EXCHANGE_OF_TYPE.items():
        if (listed := exchanges.of(kind)) is not None:
            rows = of.of_type(name)
            rows = rows[(of.exchange[rows] >= 0) & (of.exchange[rows] < len(listed))]
            out[rows] = exchanges.first(kind) + of.exchange[rows]
    return out
