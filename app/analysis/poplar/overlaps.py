"""How long the steps of each type keep the machine busy, what overlaps with computing, what a run spends most cycles
on, and what it saves at most if steps take less, as if their tiles or threads were level: closed forms, because
steps run one after the other."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.time.floors import StepFloor, shortened_floor
from app.analysis.timeline.intervals import Spans, lane_spans, overlap, union, without
from app.analysis.timeline.times import lengthless_lanes
from app.profile.arrays import F64, I64
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import Selection, TimeRange

COMPUTE: Final = "OnTileExecute"
_OTHERS: Final = 4
_RANK: Final = {COMPUTE: 0, "DoExchange": 1, "GlobalExchange": 2, "StreamCopy": 3, "Sync": _OTHERS + 1}
"""Which type of steps counts first where several run at once."""


class Overlaps(Struct, frozen=True, eq=False):
    """By text id of a type, float64[texts], NaN if it is no lane of the timeline, or has no length there: ``busy``:
    length of the union of its spans, cycles; ``beneath``: how much of that overlaps computing (for computing itself:
    how much overlaps anything else). ``length``: of the range, or of the whole run."""

    busy: F64
    beneath: F64
    length: float


def overlaps(profile: Profile, stretch: TimeRange | None) -> Overlaps | None:
    """The overlaps; None without steps on a timeline of cycles."""
    steps, line = profile.steps, profile.timeline
    if steps is None or line is None or line.unit != "cycles":
        return None
    spans = {int(text): lane_spans(line, lane, stretch) for lane, text in enumerate(line.lanes.thread.tolist())}
    busy, beneath = np.full(len(steps.strings), np.nan), np.full(len(steps.strings), np.nan)
    unknown = set(line.lanes.thread[lengthless_lanes(line)].tolist())
    compute = next((own for text, own in spans.items() if steps.strings.get(text) == COMPUTE), None)
    others = [own for own in spans.values() if own is not compute]
    for text, own in spans.items():
        if text < len(busy) and text not in unknown:
            busy[text] = own.total
            if compute is not None:
                beneath[text] = overlap(own, _any_of(others) if own is compute else compute).total
    return Overlaps(busy, beneath, _length(profile, stretch))


class Alone(Struct, frozen=True):
    """Cycles in which steps of some types run, each moment counted once: ``busy`` in all, ``beneath`` while computing;
    ``length``: of the whole run; ``longest``: start and end of the longest stretch in which they run and nothing
    computes, None without one."""

    busy: float
    beneath: float
    length: float
    longest: tuple[float, float] | None = None

    @property
    def alone(self) -> float:
        """Cycles in which they run and nothing computes."""
        return self.busy - self.beneath


def beside_computing(profile: Profile, *types: str) -> Alone | None:
    """How long any step of these types runs, and how long beside computing; None without steps on a timeline of
    cycles."""
    steps, line = profile.steps, profile.timeline
    if steps is None or line is None or line.unit != "cycles":
        return None
    named = [(steps.strings.get(text), lane) for lane, text in enumerate(line.lanes.thread.tolist())]
    own = _any_of([lane_spans(line, lane, None) for name, lane in named if name in types])
    compute = _any_of([lane_spans(line, lane, None) for name, lane in named if name == COMPUTE])
    return Alone(own.total, overlap(own, compute).total, _length(profile, None), _longest(without(own, compute)))


class Filled(Struct, frozen=True):
    """``alone``: by type of steps, cycles in which no type of a higher priority runs, in that order; ``length``: of the
    whole run."""

    alone: dict[str, float]
    length: float


def by_priority(profile: Profile) -> Filled | None:
    """How the types of steps fill the run, each cycle counted once: computing, exchanges, the host, all else, syncs.
    None without steps on a timeline of cycles."""
    line = profile.timeline
    if profile.steps is None or line is None or line.unit != "cycles":
        return None
    names = [line.strings.get(text) for text in line.lanes.thread.tolist()]
    order = sorted(range(len(names)), key=lambda lane: _RANK.get(names[lane], _OTHERS))
    alone, taken = dict[str, float](), _any_of([])
    for lane in order:
        own = lane_spans(line, lane, None)
        alone[names[lane]] = alone.get(names[lane], 0.0) + without(own, taken).total
        taken = _any_of([taken, own])
    return Filled(alone, _length(profile, None))


def _longest(spans: Spans) -> tuple[float, float] | None:
    if not len(spans):
        return None
    place = int((spans.end - spans.start).argmax())
    return float(spans.start[place]), float(spans.end[place])


def _any_of(several: list[Spans]) -> Spans:
    """When any of them runs."""
    if not several:
        return Spans(np.empty(0), np.empty(0))
    start, end = (np.concatenate([getattr(own, key) for own in several]) for key in ("start", "end"))
    order = np.argsort(start, kind="stable")
    return union(start[order], end[order])


def _length(profile: Profile, stretch: TimeRange | None) -> float:
    if stretch is not None:
        return stretch.end - stretch.start
    if profile.execution is not None and profile.execution.cycles:
        return float(profile.execution.cycles)
    slices = profile.timeline.slices if profile.timeline is not None else None
    return 0.0 if slices is None else float((slices.start + slices.duration).max(initial=0.0))


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


def cycles_lost(steps: Steps, balance: F64) -> tuple[I64, F64]:
    """The computing steps whose balance is plausible, and float64[steps]: cycles · (1 - balance)."""
    rows = steps.of_type(COMPUTE)
    rows = rows[(steps.cycles[rows] > 0) & (balance[rows] >= 0) & (balance[rows] <= 1)]
    return rows, steps.cycles[rows] * (1 - balance[rows])


def shortened(steps: Steps, rows: I64, saved: F64, cycles: float, other: float = 0.0) -> StepFloor:
    """What remains of a run of ``cycles`` if each of these steps takes ``saved`` less; ``other``: the largest work of
    one resource that stays."""
    start, end, length = (of[rows].astype(np.float64) for of in (steps.cycles_from, steps.cycles_to, steps.cycles))
    return shortened_floor(cycles, start, end, length, saved, other)
