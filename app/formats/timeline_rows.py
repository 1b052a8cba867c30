"""Assigns each slice a row of its lane so that the slices of a row do not overlap."""

from __future__ import annotations

import math
from array import array
from decimal import Decimal

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, Array

_SAMPLE = 2048
_STEP = 1 << 16


class Rounding(Struct, frozen=True):
    """How far two timestamps of one moment can differ after rounding: ``unit`` times the power of two above them, plus
    ``grain``."""

    unit: float
    grain: float = 0.0

    @classmethod
    def of(cls, start: F64, duration: F64, origin: Decimal | None = None) -> Rounding:
        """The rounding of the times, estimated from a sample: single precision where all are float32 values (simulators
        write such: Ascend operator files, section 4.2), else double; whole numbers are exact. Times relative to
        ``origin`` were parsed exactly; if they are doubles nevertheless, their writer had already rounded them."""
        if origin:
            step = float(np.spacing(float(abs(origin))))
            return cls(2.0**-51, 2 * step if all(_is_double(origin, time) for time in _sample(start).tolist()) else 0.0)
        times = np.concatenate((_sample(start), _sample(duration)))
        return cls(0.0 if bool(np.all(times == np.floor(times))) else _units_in_last_place(times))

    def slack(self, start: F64, end: F64) -> F64:
        """float64[n]: how much earlier than the end of another slice a slice may start and still follow it."""
        return np.ldexp(self.unit, np.frexp(np.maximum(np.abs(start), np.abs(end)))[1]) + self.grain


def _sample(values: F64) -> F64:
    return values[:: max(1, len(values) // _SAMPLE)]


def _is_double(origin: Decimal, time: float) -> bool:
    """Whether the decimal time in the file is that of a double: its exact value or its shortest representation."""
    text = origin + Decimal(repr(time))
    number = float(text)
    return text in (Decimal(number), Decimal(repr(number)))


def _units_in_last_place(values: F64) -> float:
    """The largest error of a time difference, relative to the power of two above it. A float32 written in full is off
    by half a unit in the last place, its shortest representation by a whole one; another quarter covers the duration,
    whose error is smaller."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    others = single != values
    short = np.array([float(str(value)) for value in single[others]])
    if not bool(np.all(short == values[others])):
        return 2.0**-51
    return (2.25 if len(short) else 1.25) * 2.0**-24


def depths(lane: I32, start: F64, end: F64, rounding: Rounding, group: I32 | None) -> I32:
    """int32[n]: the row of each slice in its lane, for slices sorted by lane, then start. Each slice takes the lowest
    row that is free at its start. Slices of one ``group`` (-1 none) that do not overlap share a row, reserved from
    their first start to their last end (Ascend operator files, section 4.5).
    """
    depth = np.zeros(len(lane), np.int32)
    follows = (start[1:] >= end[:-1]) & (end[1:] >= end[:-1])
    near = np.flatnonzero(~follows & (lane[1:] == lane[:-1]))
    slack = rounding.slack(start[near + 1], end[near + 1])
    clash = near[(start[near + 1] < end[near] - slack) | (end[near + 1] < end[near])]
    lanes = np.unique(lane[clash])
    bounds = zip(np.searchsorted(lane, lanes, "left"), np.searchsorted(lane, lanes, "right"), strict=True)
    for part in (slice(int(a), int(b)) for a, b in bounds):
        slack = rounding.slack(start[part], end[part])
        if group is not None and bool(np.any(group[part] >= 0)):
            depth[part] = _grouped(start[part], end[part], slack, group[part])
        else:
            depth[part] = _stacked(start[part], end[part], slack)
    return depth


def _stacked(start: F64, end: F64, slack: F64) -> I32:
    """int32[n]: the rows of slices within one lane. Only runs of overlapping slices are processed one by one."""
    reach = np.maximum.accumulate(end)
    alone = np.ones(len(start), np.bool_)  # starts when all slices before it have ended
    alone[1:] = (start[1:] >= reach[:-1] - slack[1:]) & (end[1:] >= reach[:-1])
    first = np.flatnonzero(alone)
    size = np.diff(first, append=len(start))
    depth = np.zeros(len(start), np.int32)
    walked = np.repeat(size > 1, size)
    if bool(np.any(walked)):
        depth[walked] = _lowest_free(start[walked], end[walked], slack[walked])
    return depth


def _lowest_free(start: F64, end: F64, slack: F64) -> Array:
    """int32[n]: the rows of slices sorted by start. Each takes the lowest row whose last slice has ended by its start,
    within the slack, and no later than its own end."""
    rows = array("i")
    free = LowestFree()
    for part in range(0, len(start), _STEP):
        several = slice(part, part + _STEP)
        by_then = np.minimum(start[several] + slack[several], end[several])
        rows.extend(map(free.take, by_then.tolist(), end[several].tolist()))
    return np.array(rows, np.int32)


class LowestFree:
    """The times at which rows become free, in a tree of minimums: the lowest free row is found in a number of steps
    logarithmic in the number of rows."""

    def __init__(self) -> None:
        self._size = 1
        self._earliest = [0.0, -math.inf]  # the children of node n are 2n and 2n + 1; unused rows are always free

    def take(self, by_then: float, until: float) -> int:
        """The lowest row that is free at ``by_then``; marks it as used up to ``until``."""
        while self._earliest[1] > by_then:
            self._grow()
        earliest, size = self._earliest, self._size
        node = 1
        while node < size:
            node *= 2
            node += earliest[node] > by_then
        row = node - size
        earliest[node] = until
        while node > 1:
            node >>= 1
            left, right = earliest[2 * node], earliest[2 * node + 1]
            least = left if left < right else right
            if earliest[node] == least:
                break
            earliest[node] = least
        return row

    def _grow(self) -> None:
        """Doubles the number of rows: the tree so far becomes the left half of the new one."""
        old, size = self._earliest, self._size
        self._earliest = [0.0, -math.inf]
        level = 1
        while level <= size:
            self._earliest += [*old[level : 2 * level], *[-math.inf] * level]
            level *= 2
        self._size = 2 * size


def _grouped(start: F64, end: F64, slack: F64, group: I32) -> I32:
    """int32[n]: rows within one lane, where each group of slices that do not overlap counts as one slice from its first
    start to its last end."""
    unit = _units(start, end, slack, group)
    count = int(unit.max()) + 1
    begins = np.full(count, np.inf)
    ends = np.full(count, -np.inf)
    spare = np.zeros(count)
    np.minimum.at(begins, unit, start)
    np.maximum.at(ends, unit, end)
    np.maximum.at(spare, unit, slack)
    order = np.argsort(begins, kind="stable")
    depth = np.empty(count, np.int32)
    depth[order] = _stacked(begins[order], ends[order], spare[order])
    return depth[unit]


def _units(start: F64, end: F64, slack: F64, group: I32) -> I64:
    """int64[n]: the number of the unit that each slice is placed with: its group, or the slice alone."""
    members = np.flatnonzero(group >= 0)
    members = members[np.argsort(group[members], kind="stable")]
    same = group[members][1:] == group[members][:-1]
    follows = (start[members][1:] >= end[members][:-1] - slack[members][1:]) & (end[members][1:] >= end[members][:-1])
    broken = np.unique(group[members][1:][same & ~follows])
    members = members[~np.isin(group[members], broken)]
    keys: Array = np.arange(len(group), dtype=np.int64)
    keys[members] = len(group) + group[members].astype(np.int64)
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)
