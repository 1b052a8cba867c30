"""The repeats of a loop in a run: how long each took, and how that time was spent."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.scaling.loops import Loop
from app.analysis.scaling.spans import shares
from app.profile.arrays import I64, Bool
from app.profile.poplar import Steps


class Repeats(Struct, frozen=True, eq=False):
    """``starts``, ``ends``: int64, first step of each measured repeat and the step after its last; ``length``: int64,
    cycles. ``whole``: each repeat is directly followed by the next, and its length extends to that; else it ends with
    its last step. ``belongs``: bool[steps], those of the loop (or of no program, such as syncs)."""

    loop: Loop
    clock: float
    starts: I64
    ends: I64
    length: I64
    whole: bool
    belongs: Bool


def repeats(steps: Steps, loop: Loop, clock_hz: float) -> Repeats:
    """The repeats with nothing else between them and the next; if there are none (one repeat per update), those up to
    the first step of something else."""
    belongs = np.ones(len(steps), np.bool_)
    inside = (steps.program >= 0) & (steps.program < len(loop.inside))
    belongs[inside] = loop.inside[steps.program[inside]]
    begins = loop.starts
    others = np.concatenate((np.zeros(1, np.int64), np.cumsum(~belongs, dtype=np.int64)))
    start, end = begins[:-1], begins[1:]
    length = steps.cycles_from[end] - steps.cycles_from[start]
    good = (others[start] == others[end]) & (length > 0) & (steps.cycles_from[start] >= 0)
    if bool(np.any(good)):
        return Repeats(loop, clock_hz, start[good], end[good], length[good], True, belongs)
    return _apart(steps, Repeats(loop, clock_hz, begins, begins, begins, False, belongs), others)


def _apart(steps: Steps, own: Repeats, others: I64) -> Repeats:
    starts = own.starts
    ends = np.searchsorted(others, others[starts], "right") - 1  # the first step of something else
    ends = np.minimum(ends, np.append(starts[1:], len(steps)))
    latest = np.array([steps.cycles_to[a:b].max(initial=-1) for a, b in zip(starts, ends, strict=True)], np.int64)
    length = latest - steps.cycles_from[starts]
    good = (length > 0) & (steps.cycles_from[starts] >= 0)
    return Repeats(own.loop, own.clock, starts[good], ends[good], length[good], False, own.belongs)


def middle(values: I64) -> int:
    """The index of the median (the lower one of two)."""
    return int(np.argsort(values, kind="stable")[(len(values) - 1) // 2])


class Parts(Struct, frozen=True, eq=False):
    """Cycles of one repeat; time that steps of several kinds cover counts for the first of ``reduce``, ``ipu``,
    ``links``, ``transfer``. ``steps``: those of the repeat."""

    reduce: float
    ipu: float
    links: float
    transfer: float
    waiting: float
    steps: I64


def parts(steps: Steps, own: Repeats, repeat: int, reduces: Bool) -> Parts:
    """Split a repeat by how its time was spent. ``reduces``: bool[steps], those that reduce gradients."""
    rows = np.arange(own.starts[repeat], own.ends[repeat])
    low = int(steps.cycles_from[rows[0]])
    high = low + int(own.length[repeat])
    timed = rows[(steps.cycles_from[rows] >= 0) & (steps.cycles_to[rows] >= steps.cycles_from[rows])]
    kinds = kinds_of(steps)[timed]
    reduce = reduces[timed]
    chosen = [reduce, ~reduce & (kinds == IPU), ~reduce & (kinds == LINKS), ~reduce & (kinds == TRANSFER)]
    stretches = [(steps.cycles_from[timed[rows_]], steps.cycles_to[timed[rows_]]) for rows_ in chosen]
    (first, ipu, links, transfer), rest = shares(low, high, stretches)
    return Parts(first, ipu, links, transfer, rest, rows.astype(np.int64))


IPU, LINKS, TRANSFER, NOTHING = range(4)


def kinds_of(steps: Steps) -> I64:
    """int64[steps]: how each step spends its time. Unknown types count as work of the IPU."""
    kinds = np.full(len(steps.strings) + 1, IPU, np.int64)
    for number, text in enumerate(steps.strings.tolist()):
        if text == "GlobalExchange":
            kinds[number] = LINKS
        elif text.startswith("StreamCopy"):
            kinds[number] = TRANSFER
        elif text.lower() == "sync":
            kinds[number] = NOTHING
    return kinds[steps.type]  # -1 (no type) indexes the last
