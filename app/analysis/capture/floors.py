"""Lower bounds of training steps: the work of whatever does one thing at a time (time model, section 6)."""

from __future__ import annotations

import numpy as np

from app.analysis.capture.operations import group_ids, operations
from app.analysis.capture.ranks import SECOND, groups_of, once
from app.analysis.capture.steps import collective_steps, kernel_steps, step_times
from app.analysis.timeline.intervals import union_lengths
from app.profile.arrays import F64, I64, Array, combine_at
from app.profile.profile import Profile


def floors(profile: Profile) -> F64:
    """float64[rows of ``step_times``]: seconds that the busiest resource works in each step: a stream that runs
    kernels, or a communication group of a rank. No schedule is shorter. Where nothing tells how much of a collective
    is waiting for other ranks, only its transit counts. NaN where the capture has no kernels of the rank."""
    return once(profile, _floors)


def _floors(profile: Profile) -> F64:
    steps = step_times(profile)
    floor = np.zeros(len(steps))
    kernels, collectives = profile.kernels, profile.collectives
    if kernels is not None:
        end = kernels.start + kernels.duration
        rows = np.flatnonzero((kernels.start >= 0) & (kernels.duration > 0))
        own = kernels.rank[rows], kernel_steps(profile)[rows], kernels.stream[rows]
        _raise(floor, profile, own, kernels.start[rows], end[rows])
    if collectives is not None:
        work = _work(profile)
        rows = np.flatnonzero(work > 0)
        own = collectives.rank[rows], collective_steps(profile)[rows], group_ids(collectives)[rows]
        _raise(floor, profile, own, collectives.end[rows] - work[rows], collectives.end[rows])
    return np.where(steps.exact, floor, np.nan)


def _raise(floor: F64, profile: Profile, own: tuple[Array, Array, Array], start: I64, end: I64) -> None:
    """Raise the floors of steps to the work of each resource; ``own``: rank, step and resource of each interval."""
    steps = step_times(profile)
    resource, first = groups_of(*own)
    work = union_lengths(start, end, resource, len(first)) / SECOND
    rank = np.concatenate((steps.rank.astype(np.int64), own[0][first].astype(np.int64)))
    step = np.concatenate((steps.step, own[1][first]))
    group, of_group = groups_of(rank, step)
    place = np.full(len(of_group), -1, np.int64)
    place[group[: len(steps)]] = np.arange(len(steps))
    row = place[group[len(steps) :]]
    combine_at(np.maximum, floor, row[row >= 0], work[row >= 0])


def _work(profile: Profile) -> I64:
    """int64[collectives]: nanoseconds that each surely works: its duration without what it may wait for other ranks if
    all ranks of its group are there, else its transit."""
    own = profile.collectives
    if own is None:
        return np.empty(0, np.int64)
    length = np.where((own.start >= 0) & (own.end >= own.start), own.end - own.start, 0)
    work = (np.clip(np.nan_to_num(own.transit), 0, length / SECOND) * SECOND).astype(np.int64)
    matched = operations(profile)
    there = np.flatnonzero(matched.of_row >= 0)
    of = matched.of_row[there]
    members = _members(profile)[there]
    whole = matched.ranks[of] >= np.where(members > 0, members, np.iinfo(np.int64).max)
    left = length[there] - np.ceil(matched.delay[of] * SECOND).astype(np.int64)
    work[there[whole]] = np.maximum(left, 0)[whole]
    return work


def _members(profile: Profile) -> I64:
    """int64[collectives]: how many ranks the group of each has in the run, 0 if that is unknown."""
    own, capture = profile.collectives, profile.capture
    if own is None or capture is None:
        return np.empty(0, np.int64)
    groups, strings = capture.groups, capture.strings
    size = {}
    for name, ranks in zip(groups.name.tolist(), groups.ranks.tolist(), strict=True):
        listed = strings.get(ranks)
        size[strings.get(name)] = listed.count(",") + 1 if listed else 0
    of_text = np.array([*(size.get(text, 0) for text in own.strings.tolist()), 0], np.int64)
    return of_text[own.group]
