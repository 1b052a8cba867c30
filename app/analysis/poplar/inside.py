"""Which steps lie in a stretch of the run, and which of them whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.analysis.poplar.runs import counts
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.profile import Profile
from app.profile.selection import TimeRange


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """The steps with a part inside a stretch: ``steps``: int64, rising; ``share``: float64, 0..1, which part of each
    is inside (of a step without length: all); ``whole``: bool, whether all of it is, and the run does not end in it."""

    steps: I64
    share: F64
    whole: Bool


def inside(profile: Profile, stretch: TimeRange | None) -> Inside:
    """By the slices of the steps on the timeline; all steps where no stretch is set (or there is no timeline)."""
    steps, line = profile.steps, profile.timeline
    count = 0 if steps is None else len(steps)
    if stretch is None or line is None or line.unit != "cycles":
        return Inside(np.arange(count, dtype=np.int64), np.ones(count), ~_past_the_run(profile))
    slices = line.slices
    start, end = slices.start, slices.start + slices.duration
    cut = np.minimum(end, stretch.end) - np.maximum(start, stretch.start)
    part = np.divide(np.maximum(cut, 0.0), slices.duration, out=np.ones(len(start)), where=slices.duration > 0)
    touching = (cut > 0) | ((slices.duration == 0) & (cut >= 0))
    touching &= (slices.record >= 0) & (slices.record < count)
    order = np.argsort(slices.record[touching], kind="stable")
    rows, share = slices.record[touching][order], part[touching][order]
    return Inside(rows, share, (share >= 1.0) & ~_past_the_run(profile)[rows])


def _past_the_run(profile: Profile) -> Bool:
    """bool[steps]: those whose last cycle lies behind the end of the run that the file states."""
    steps, run = profile.steps, profile.execution
    if steps is None or run is None or not run.cycles:
        return np.zeros(0 if steps is None else len(steps), np.bool_)
    return np.asarray(steps.cycles_to > run.cycles)


def runs_inside(profile: Profile, index: I32, size: int, stretch: TimeRange | None) -> I64:
    """int64[size]: how many steps with each index have a part inside the stretch (None: how many there are)."""
    return counts(index if stretch is None else index[inside(profile, stretch).steps], size)
