"""Builds a timeline from the steps of a run, with one lane for each type of step."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from app.formats import timeline_build
from app.formats.timeline_build import Events
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.poplar import STEP_TYPES, Steps
from app.profile.strings import Strings, joined
from app.profile.timeline import Timeline

PROCESS = "Execution"


class Timed(Struct, frozen=True, eq=False):
    """The columns of ``Steps`` that a timeline is made of: the others need not stay in memory meanwhile."""

    strings: Strings
    type: I32
    name: I32
    cycles: I64
    cycles_from: I64
    cycles_to: I64

    @classmethod
    def of(cls, steps: Steps) -> Timed:
        return cls(steps.strings, steps.type, steps.name, steps.cycles, steps.cycles_from, steps.cycles_to)


def timeline(steps: Timed, clock_hz: float | None) -> Timeline:
    """The timeline of ``steps`` in cycles. A step spans the first to the last cycle in which any tile ran it. A step
    without cycles (such as Sync) has no length and is placed where all steps before it have ended. A step without a
    name is shown with its type."""
    texts, process = _with_process(steps.strings)
    kinds = np.flatnonzero(np.bincount(steps.type[steps.type >= 0])).tolist()
    kinds.sort(key=lambda kind: _place(texts[kind]))
    lane_of = np.full(len(texts) + 1, -1, np.int32)  # the last entry serves type -1
    lane_of[kinds] = np.arange(len(kinds), dtype=np.int32)
    shown = np.flatnonzero(steps.type >= 0)
    which: Any = slice(None) if len(shown) == len(steps.type) else shown
    start, end = spans(steps)
    name = np.where(steps.name >= 0, steps.name, steps.type)[which]
    events = Events(
        lane=lane_of[steps.type[which]],
        start=start[which],
        duration=(end - start)[which],
        name=name.astype(np.int32, copy=False),
        category=steps.type[which],
        record=shown.astype(np.int64, copy=False),
        untimed=~placed(steps)[which],
    )
    del start, end, name
    return timeline_build.timeline(
        events,
        process=np.full(len(kinds), process, np.int32),
        thread=np.array(kinds, np.int32),
        strings=texts,
        unit="cycles",
        seconds_per_unit=1 / clock_hz if clock_hz and clock_hz > 0 else None,
    )


def _with_process(strings: Strings) -> tuple[Strings, int]:
    """(the texts with the name of the process, its number). A reader adds it: these texts can be long."""
    there = strings.find(PROCESS)
    return (strings, int(there[0])) if len(there) else (joined(strings, Strings.of([PROCESS])), len(strings))


def shows_steps(steps: Timed) -> bool:
    """Whether there is a timeline: none of the steps may have a known place in time."""
    return not len(steps.type) or bool((placed(steps) & (steps.type >= 0)).any())


def placed(steps: Timed) -> Bool:
    """bool[steps]: whether start and duration are known."""
    known: Bool = (steps.cycles_from >= 0) & ((steps.cycles_to >= 0) | (steps.cycles >= 0))
    return known


def spans(steps: Timed) -> tuple[F64, F64]:
    """(start, end) of each step in cycles, float64[steps]."""
    known = placed(steps)
    end = np.where(steps.cycles_to >= 0, steps.cycles_to, steps.cycles_from + steps.cycles)
    end = np.where(known, np.maximum(end, steps.cycles_from), 0)
    before = np.maximum.accumulate(end) if len(end) else end
    start = np.where(known, steps.cycles_from, before)
    return start.astype(np.float64), np.where(known, end, before).astype(np.float64)


def _place(kind: str) -> tuple[int, str]:
    return (STEP_TYPES.index(kind) if kind in STEP_TYPES else len(STEP_TYPES), kind)
