"""Which steps overlap a range of the run, and which are entirely inside."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.runs import counts
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.profile import Profile
from app.profile.selection import TimeRange


class Inside(Struct, frozen=True, eq=False):
    """The steps that overlap a range: ``steps``: int64, ascending; ``share``: float64, 0..1, the part of each that is
    inside (1 for a zero-length step); ``whole``: bool, whether all of it is inside, and it ends within the run."""

    steps: I64
    share: F64
    whole: Bool


def inside(profile: Profile, stretch: TimeRange | None) -> Inside:
    """Uses the slices of the steps on the timeline; all steps if no range is set (or there is no timeline)."""
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
    """bool[steps]: those whose last cycle is after the end of the run that the file states."""
    steps, run = profile.steps, profile.execution
    if steps is None or run is None or not run.cycles:
        return np.zeros(0 if steps is None else len(steps), np.bool_)
    return np.asarray(steps.cycles_to > run.cycles)


def runs_inside(profile: Profile, index: I32, size: int, stretch: TimeRange | None) -> I64:
    """int64[size]: how many steps with each index overlap the range (None: all of them)."""
    return counts(index if stretch is None else index[inside(profile, stretch).steps], size)
