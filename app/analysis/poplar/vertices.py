"""Cycles of single vertices (profiler mode VERTICES), and how full each tile's hardware threads are, by the estimates
of the IPU model."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.numbers import blocks
from app.analysis.poplar.runs import knows_compute_sets, runs_inside
from app.language import tr
from app.profile.arrays import F64, I64, Integers, among
from app.profile.poplar import VertexCycles
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


class VertexGroups(Struct, frozen=True, eq=False):
    """One entry per group of vertices. ``type``, ``compute_set``: int64, -1 if unknown (``compute_set`` of groups by
    type: that of the slowest vertex); ``count``, ``total``, ``least``, ``most``: int64, cycles; ``median``, ``mean``:
    float64; ``worst``: int64, the slowest vertex (the first of several)."""

    type: I64
    compute_set: I64
    count: I64
    total: I64
    least: I64
    median: F64
    mean: F64
    most: I64
    worst: I64

    def __len__(self) -> int:
        return len(self.type)

    @property
    def ratio(self) -> F64:
        """Maximum / mean; NaN if all took no cycles."""
        out = np.full(len(self), np.nan)
        np.divide(self.most, self.mean, out=out, where=self.mean > 0)
        return out


def by_type(vertices: VertexCycles) -> VertexGroups:
    """The vertices grouped by type, over all compute sets."""
    return _grouped(vertices, vertices.type.astype(np.int64))


def by_type_and_set(vertices: VertexCycles) -> VertexGroups:
    """The vertices grouped by type and compute set."""
    width = int(vertices.compute_set.max(initial=-1)) + 2
    return _grouped(vertices, (vertices.type.astype(np.int64) + 1) * width + vertices.compute_set + 1)


def of(vertices: VertexCycles, types: I64 | None = None, sets: I64 | None = None) -> I64:
    """int64: the vertices of these types and of these compute sets (None: of any)."""
    chosen = np.ones(len(vertices.cycles), np.bool_)
    if types is not None:
        chosen &= among(vertices.type, types)
    if sets is not None:
        chosen &= among(vertices.compute_set, sets)
    return np.flatnonzero(chosen).astype(np.int64)


def _grouped(vertices: VertexCycles, key: I64) -> VertexGroups:
    cycles = vertices.cycles
    order = np.lexsort((cycles, key))
    key, cycles = key[order], cycles[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
    count = np.diff(np.append(first, len(key))).astype(np.int64)
    last = first + count - 1
    total = np.add.reduceat(cycles, first) if len(first) else np.empty(0, np.int64)
    middle = (cycles[first + (count - 1) // 2] + cycles[first + count // 2]) / 2
    worst = order[_firsts_of_most(cycles, first, last)]
    return VertexGroups(
        type=vertices.type[worst].astype(np.int64),
        compute_set=vertices.compute_set[worst].astype(np.int64),
        count=count,
        total=total.astype(np.int64),
        least=cycles[first],
        median=middle.astype(np.float64),
        mean=total / np.maximum(count, 1),
        most=cycles[last],
        worst=worst.astype(np.int64),
    )


def _firsts_of_most(cycles: I64, first: I64, last: I64) -> I64:
    """The index of the first maximum in each group (equal ones are in file order)."""
    changes = np.flatnonzero(np.concatenate(([True], cycles[1:] != cycles[:-1]))) if len(cycles) else first
    place: I64 = changes[np.searchsorted(changes, last, "right") - 1] if len(cycles) else last
    return np.maximum(place, first)
