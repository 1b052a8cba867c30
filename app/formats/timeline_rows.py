"""Assigns each slice a row of its lane so that the slices of a row do not overlap."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from decimal import Decimal
from heapq import heappop, heappush
from itertools import chain
from typing import Any

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
    """int32[n]: the rows of slices within one lane. Only runs of overlapping slices are processed one by one: in front
    of a run, all earlier slices have ended, and no later one ends before them."""
    reach = np.maximum.accumulate(end)
    alone = np.ones(len(start), np.bool_)
    alone[1:] = (start[1:] >= reach[:-1] - slack[1:]) & (_least_from(end)[1:] >= reach[:-1])
    first = np.flatnonzero(alone)
    size = np.diff(first, append=len(start))
    depth = np.zeros(len(start), np.int32)
    walked = np.repeat(size > 1, size)
    if bool(np.any(walked)):
        before = np.repeat(np.concatenate((start[:1], reach[first[1:] - 1])), size)
        free_by = np.maximum(_least_from(np.minimum(start + slack, end)), before)
        depth[walked] = lowest_free(free_by[walked], end[walked])
    return depth


def _least_from(values: F64) -> F64:
    """float64[n]: the least of each value and all that follow it."""
    return np.minimum.accumulate(values[::-1])[::-1]


def lowest_free(free_by: F64, end: F64) -> I32:
    """int32[n]: rows so that each item takes the lowest one whose last item has ended at its ``free_by``. These ascend,
    and none exceeds the item's own ``end``. Costs n x log(rows): a million items take about 0.3 s."""
    order = np.argsort(end, kind="stable")
    ends, items = _one_by_one(end[order]), _one_by_one(order)
    rows, free = array("i"), list[int]()
    used, ends_next, ending = 0, next(ends, math.inf), next(items, -1)
    for item, moment in enumerate(_one_by_one(free_by)):
        while ends_next <= moment and ending < item:
            heappush(free, rows[ending])
            ends_next, ending = next(ends), next(items)
        if free:
            rows.append(heappop(free))
        else:
            rows.append(used)
            used += 1
    return np.array(rows, np.int32)


def _one_by_one(values: Array) -> Iterator[Any]:
    """The values as Python numbers, of which only _STEP exist at a time."""
    return chain.from_iterable(values[at : at + _STEP].tolist() for at in range(0, len(values), _STEP))


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
