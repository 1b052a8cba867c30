"""How long the steps of each type keep the machine busy, and what overlaps with computing."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.timeline import lengthless_lanes
from app.analysis.timeline.intervals import Spans, lane_spans, overlap, union, without
from app.profile.arrays import F64
from app.profile.profile import Profile
from app.profile.selection import TimeRange

COMPUTE: Final = "OnTileExecute"


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
