"""Which row of its lane each slice takes, so that the slices of a row do not overlap."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from app.profile.arrays import F64, I32, I64, Array

_SAMPLE = 2048
_STEP = 1 << 16


@dataclass(frozen=True, slots=True)
class Rounding:
    """What two ends that were one moment can differ by once each was rounded: ``unit`` times the power of two
    above them, and ``grain``."""

    unit: float
    grain: float = 0.0

    @classmethod
    def of(cls, start: F64, duration: F64, origin: Decimal | None = None) -> Rounding:
        """By a sample of the times: single precision where they are such numbers (simulators write them: Ascend
        operator files, section 4.2), else double. Whole numbers are exact. Times that are counted from a moment
        ``origin`` were read to their last digit; where they are doubles all the same, their writer had no others."""
        if origin:
            step = float(np.spacing(float(abs(origin))))
            return cls(2.0**-51, 2 * step if all(_is_double(origin, time) for time in _sample(start).tolist()) else 0.0)
        times = np.concatenate((_sample(start), _sample(duration)))
        return cls(0.0 if bool(np.all(times == np.floor(times))) else _units_in_last_place(times))

    def slack(self, start: F64, end: F64) -> F64:
        """float64[n]: by how much a slice may begin before another ends and still follow it."""
        return np.ldexp(self.unit, np.frexp(np.maximum(np.abs(start), np.abs(end)))[1]) + self.grain


def _sample(values: F64) -> F64:
    return values[:: max(1, len(values) // _SAMPLE)]


def _is_double(origin: Decimal, time: float) -> bool:
    """Whether the text of a time stood for a double: it says exactly that, or as shortly as tells it from others."""
    text = origin + Decimal(repr(time))
    number = float(text)
    return text in (Decimal(number), Decimal(repr(number)))


def _units_in_last_place(values: F64) -> float:
    """The greatest error of a difference. A float32 written in full is wrong by half a unit, one written as
    shortly as tells it from its neighbours by a whole one; a quarter is for the duration, whose own error is
    smaller."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    others = single != values
    short = np.array([float(str(value)) for value in single[others]])
    if not bool(np.all(short == values[others])):
        return 2.0**-51
    return (2.25 if len(short) else 1.25) * 2.0**-24


def depths(lane: I32, start: F64, end: F64, rounding: Rounding, group: I32 | None) -> I32:
    """int32[n]: the level of each slice in its lane, for slices sorted by lane, then start. Each takes the lowest
    that is free at its start; slices of one ``group`` (-1 none) that do not overlap each other share a level, which
    is theirs from the first start to the last end (Ascend operator files, section 4.5).
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
    """Levels within one lane; only runs of slices that do overlap are walked one by one."""
    reach = np.maximum.accumulate(end)
    alone = np.ones(len(start), np.bool_)  # begins when all before it have ended
    alone[1:] = (start[1:] >= reach[:-1] - slack[1:]) & (end[1:] >= reach[:-1])
    first = np.flatnonzero(alone)
    size = np.diff(first, append=len(start))
    depth = np.zeros(len(start), np.int32)
    walked = np.repeat(size > 1, size)
    if bool(np.any(walked)):
        depth[walked] = _lowest_free(start[walked], end[walked], slack[walked])
    return depth


def _lowest_free(start: F64, end: F64, slack: F64) -> Array:
    """Rows of slices sorted by start: each takes the lowest whose last slice has ended by then, and ends no later than
    itself (one within the slack may end later)."""
    rows = array("i")
    free = LowestFree()
    for part in range(0, len(start), _STEP):
        several = slice(part, part + _STEP)
        by_then = np.minimum(start[several] + slack[several], end[several])
        rows.extend(map(free.take, by_then.tolist(), end[several].tolist()))
    return np.array(rows, np.int32)


class LowestFree:
    """When each row is free, as a tree of the earliest moments: however the slices lie, finding the lowest row takes
    as many steps as the number of rows has binary digits."""

    def __init__(self) -> None:
        self._size = 1
        self._earliest = [0.0, -math.inf]  # the two below node n are 2n and 2n + 1; rows not used yet are always free

    def take(self, by_then: float, until: float) -> int:
        """The lowest row that is free at ``by_then``; it is free again at ``until``."""
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
        """Twice the rows: the tree so far becomes the left half of the new one."""
        old, size = self._earliest, self._size
        self._earliest = [0.0, -math.inf]
        level = 1
        while level <= size:
            self._earliest += [*old[level : 2 * level], *[-math.inf] * level]
            level *= 2
        self._size = 2 * size


def _grouped(start: F64, end: F64, slack: F64, group: I32) -> I32:
    """Levels where each group whose slices follow each other counts as one slice from first to last."""
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
    """int64[n]: what each slice is placed with: its group, or only itself."""
    members = np.flatnonzero(group >= 0)
    members = members[np.argsort(group[members], kind="stable")]
    same = group[members][1:] == group[members][:-1]
    follows = (start[members][1:] >= end[members][:-1] - slack[members][1:]) & (end[members][1:] >= end[members][:-1])
    broken = np.unique(group[members][1:][same & ~follows])
    members = members[~np.isin(group[members], broken)]
    keys: Array = np.arange(len(group), dtype=np.int64)
    keys[members] = len(group) + group[members].astype(np.int64)
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)
