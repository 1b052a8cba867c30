"""What the ranks did in each training step, from unions of kernels and collectives (Ascend captures, section 5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.ranks import SECOND, groups_of, once, starting_with, sums
from app.analysis.timeline.intervals import union_lengths
from app.profile.arrays import F64, I32, I64, Bool, combine_at
from app.profile.ascend_capture import Collectives, Kernels, TrainingSteps
from app.profile.profile import Profile

RECEIVES: Final = "hcom_receive"
_FAR: Final = np.iinfo(np.int64).max


class StepTimes(Struct, frozen=True, eq=False):
    """One row per rank and training step, in this order. ``rank``: rows of the capture; ``step``: -1 where no step is
    marked (then the whole capture is one); ``begin``, ``end``: int64 nanoseconds of the first start and last end of
    kernels and collectives, -1 none. The rest is float64 in seconds, NaN where nothing states it: ``span`` from begin
    to end, and the times of section 5. ``exact``: bool, computed from kernels and collectives; else they are those of
    the producer."""

    rank: I32
    step: I64
    begin: I64
    end: I64
    span: F64
    computing: F64
    communication: F64
    overlapped: F64
    exposed: F64
    free: F64
    bubble: F64
    stage: F64
    preparing: F64
    exact: Bool

    def __len__(self) -> int:
        return len(self.rank)

    def sums(self, values: F64, ranks: int) -> F64:
        """float64[ranks]: the sum over the steps of each rank; NaN where no step has a value."""
        known = np.isfinite(values)
        total = np.bincount(self.rank[known], values[known], ranks)
        return np.where(np.bincount(self.rank[known], minlength=ranks) > 0, total, np.nan)


class _Work(Struct, frozen=True, eq=False):
    """Intervals that have times: ``row``, their row in the section; ``group``: rows of the result."""

    row: I64
    group: I64
    start: I64
    end: I64


class _Rows(Struct, frozen=True, eq=False):
    """Rows of the result: ``rank``, ``step``; the row of each kernel, collective and stated step, -1 none."""

    rank: I32
    step: I64
    kernels: I64
    collectives: I64
    stated: I64


def step_times(profile: Profile) -> StepTimes:
    """Empty for a profile without any of the sections. A million kernels take about a second."""
    return once(profile, _made)


def kernel_steps(profile: Profile) -> I64:
    """int64[kernels]: the step of each kernel; -1 none."""
    return once(profile, _kernel_steps)


def collective_steps(profile: Profile) -> I64:
    """int64[collectives]: the step of each collective; -1 none."""
    return once(profile, _collective_steps)


def _kernel_steps(profile: Profile) -> I64:
    own = profile.kernels
    return np.empty(0, np.int64) if own is None else _steps(own, profile.training_steps)


def _collective_steps(profile: Profile) -> I64:
    own = profile.collectives
    return np.empty(0, np.int64) if own is None else _steps(own, profile.training_steps)


def _steps(own: Kernels | Collectives, stated: TrainingSteps | None) -> I64:
    """The step of each row: as stated, else the one on the device in whose range it starts."""
    missing = np.flatnonzero((own.step < 0) & (own.start >= 0))
    if stated is None or not len(missing):
        return own.step
    ranges = np.flatnonzero((stated.step >= 0) & (stated.device_start >= 0))
    if not len(ranges):
        return own.step
    latest = _latest_before(stated.rank[ranges], stated.device_start[ranges], own.rank[missing], own.start[missing])
    inside = latest >= 0
    place = ranges[latest[inside]]
    ends = stated.device_end[place]
    rows = missing[inside][(ends < 0) | (own.start[missing[inside]] <= ends)]
    place = place[(ends < 0) | (own.start[missing[inside]] <= ends)]
    steps = own.step.copy()
    steps[rows] = stated.step[place]
    return steps


def _latest_before(group: I32, start: I64, of_group: I32, at: I64) -> I64:
    """int64[at]: the place of the latest of ``start`` in the same group that is not after ``at``; -1 none."""
    groups = np.concatenate((group, of_group))
    later = np.concatenate((np.zeros(len(start), np.int8), np.ones(len(at), np.int8)))
    order = np.lexsort((later, np.concatenate((start, at)), groups))
    place = np.where(order < len(start), np.arange(len(order)), -1)
    place = np.maximum.accumulate(place)
    known = place >= 0
    known[known] = groups[order[place[known]]] == groups[order[known]]
    found = np.full(len(order), -1, np.int64)
    found[order[known]] = order[place[known]]
    return found[len(start) :]


@np.errstate(over="ignore", invalid="ignore")
def _made(profile: Profile) -> StepTimes:
    rows = _rows(profile)
    count = len(rows.rank)
    kernels = _work(profile.kernels, rows.kernels)
    operations = _work(profile.collectives, rows.collectives)
    both = [np.concatenate(pair) for pair in zip(_columns(kernels), _columns(operations), strict=True)]
    computing = union_lengths(*_columns(kernels), count)
    communication = union_lengths(*_columns(operations), count)
    busy = union_lengths(both[0], both[1], both[2], count)
    begin, end = np.full(count, _FAR, np.int64), np.full(count, -1, np.int64)
    combine_at(np.minimum, begin, both[2], both[0])
    combine_at(np.maximum, end, both[2], both[1])
    there = end >= 0
    begin[~there] = -1
    span = np.where(there, end - begin, 0).astype(np.float64)
    bubble = _bubble(profile.collectives, operations, count)
    host = _stated(profile, rows, "start", np.int64(-1))
    times = {
        "span": span,
        "computing": computing,
        "communication": communication,
        "overlapped": computing + communication - busy,
        "exposed": busy - computing,
        "free": span - busy,
        "bubble": bubble,
        "stage": span - bubble,
        "preparing": np.where(host >= 0, begin - host, np.nan),
    }
    exact = there & _complete(profile, rows)
    made = {name: np.where(exact, values / SECOND, _file(profile, rows, name)) for name, values in times.items()}
    return StepTimes(rank=rows.rank, step=rows.step, begin=begin, end=end, exact=exact, **made)


def _rows(profile: Profile) -> _Rows:
    """A row for each step of each rank; what lies outside the steps of a rank that has some belongs to none."""
    kernels, operations, stated = profile.kernels, profile.collectives, profile.training_steps
    ranks = [section.rank for section in (kernels, operations, stated) if section is not None]
    steps = [kernel_steps(profile)] if kernels is not None else []
    steps += [collective_steps(profile)] if operations is not None else []
    steps += [stated.step] if stated is not None else []
    rank = np.concatenate([np.empty(0, np.int32), *ranks])
    step = np.concatenate([np.empty(0, np.int64), *steps])
    group, first = groups_of(rank, step)
    own, number = rank[first], step[first]
    marked = np.bincount(own[number >= 0], minlength=int(own.max(initial=-1)) + 1) > 0
    left = np.flatnonzero((number >= 0) | ~marked[own])
    place = np.full(len(first), -1, np.int64)
    place[left] = np.arange(len(left))
    of_row, parts, at = place[group], [], 0
    for section in (kernels, operations, stated):
        count = 0 if section is None else len(section)
        parts.append(of_row[at : at + count])
        at += count
    return _Rows(own[left].astype(np.int32), number[left], *parts)


def _work(own: Kernels | Collectives | None, group: I64) -> _Work:
    if own is None:
        none = np.empty(0, np.int64)
        return _Work(none, none, none, none)
    end = own.end if isinstance(own, Collectives) else own.start + own.duration
    row = np.flatnonzero((own.start >= 0) & (end >= own.start) & (group >= 0))
    return _Work(row, group[row], own.start[row], end[row])


def _columns(work: _Work) -> tuple[I64, I64, I64]:
    return work.start, work.end, work.group


def _bubble(own: Collectives | None, work: _Work, count: int) -> F64:
    """float64[count]: nanoseconds of operations that receive from another stage of a pipeline."""
    if own is None:
        return np.zeros(count)
    row = starting_with(own.strings, RECEIVES)[own.name[work.row]]
    return sums(work.group[row], (work.end - work.start)[row], count)


def _complete(profile: Profile, rows: _Rows) -> Bool:
    """bool[rows]: whether the capture has the kernels of the rank, and its collectives if it has had any."""
    count = int(rows.rank.max(initial=-1)) + 1
    kernels, operations, stated = profile.kernels, profile.collectives, profile.training_steps
    known = np.zeros(count, np.bool_)
    if kernels is not None:
        known[kernels.rank[kernels.rank < count]] = True
    if stated is not None:
        silent = np.bincount(stated.rank[stated.communication > 0], minlength=count)[:count] > 0
        if operations is not None:
            silent[operations.rank[operations.rank < count]] = False
        known &= ~silent
    return known[rows.rank]


def _file(profile: Profile, rows: _Rows, name: str) -> F64:
    """float64[rows]: what the producer's own table says, in seconds; NaN where it says nothing."""
    if name == "span":  # it has no such column
        parts = [_stated(profile, rows, one, np.nan) for one in ("computing", "exposed", "free")]
        return parts[0] + parts[1] + parts[2]
    return _stated(profile, rows, name, np.nan)


def _stated(profile: Profile, rows: _Rows, name: str, nothing: np.generic | float) -> F64:
    """A column of the producer's table by rows of the result."""
    stated = profile.training_steps
    values = np.full(len(rows.rank), nothing)
    if stated is not None:
        there = np.flatnonzero(rows.stated >= 0)[::-1]  # of several, the first
        values[rows.stated[there]] = getattr(stated, name)[there]
    return values
