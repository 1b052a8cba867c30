"""Utilisation of each tile's hardware threads, by the estimates of the IPU model."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.inside import runs_inside
from app.analysis.poplar.numbers import blocks
from app.analysis.poplar.runs import knows_compute_sets
from app.language import tr
from app.profile.arrays import F64, I64, Integers
from app.profile.profile import Profile
from app.profile.selection import TimeRange

FORMULA = tr(
    "Active cycles / cycles of the compute sets on that tile: 100 % if all six threads are always active, 16.7 % if "
    "only one is."
)


class ThreadUse(Struct, frozen=True, eq=False):
    """Per tile: ``cycles`` and ``active`` (cycles in which a thread ran), int64; ``share``: float64, 0..100, NaN if a
    tile does not compute."""

    cycles: I64
    active: I64
    share: F64


def has_estimates(profile: Profile) -> bool:
    """Whether the file has both estimates, for the same sets and tiles."""
    own = profile.compute_sets
    if own is None or own.cycles is None or own.active_cycles is None:
        return False
    return own.cycles.shape == own.active_cycles.shape


def thread_use(
    profile: Profile, sets: I64 | None = None, *, all_runs: bool = True, stretch: TimeRange | None = None
) -> ThreadUse | None:
    """Over the compute sets ``sets`` (None: all), each weighted by its executions (in ``stretch``, if given) or once.
    None without estimates."""
    own = profile.compute_sets
    if own is None or own.cycles is None or own.active_cycles is None or not has_estimates(profile):
        return None
    weights = run_weights(profile, len(own.cycles), all_runs=all_runs, stretch=stretch)
    if sets is not None:
        chosen = np.zeros(len(weights), np.bool_)
        chosen[sets[(sets >= 0) & (sets < len(weights))]] = True
        weights = np.where(chosen, weights, 0)
    cycles, active = weighted_sum(weights, own.cycles), weighted_sum(weights, own.active_cycles)
    share = np.full(len(cycles), np.nan)
    np.divide(100.0 * active, cycles, out=share, where=cycles > 0)
    return ThreadUse(cycles, active, share)


def run_weights(profile: Profile, count: int, *, all_runs: bool, stretch: TimeRange | None = None) -> I64:
    """int64[compute sets]: how many steps ran each (those that overlap ``stretch``, if given); one if there are no
    steps to count (or they do not say what they run), or for a single execution."""
    if profile.steps is None or not all_runs or not knows_compute_sets(profile.steps):
        return np.ones(count, np.int64)
    return runs_inside(profile, profile.steps.compute_set, count, stretch)


def weighted_sum(weights: I64, matrix: Integers) -> I64:
    """int64[columns]: the weighted sum of the rows."""
    out = np.zeros(matrix.shape[1], np.int64)
    for part in blocks(*matrix.shape):
        if weights[part].any():
            out += weights[part] @ matrix[part].astype(np.int64)
    return out
