"""A flame graph of the steps of a run, nested by the components of their names."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.step_statistics import Paths, paths
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, among, sealed
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.strings import Strings, joined
from app.profile.timeline import Lanes, Slices, Timeline

PROCESS: Final = tr("Run")
LANE: Final = tr("By name")
FLAT: Final = tr("All steps")
NOTE: Final = tr(
    "Steps one after another; if two overlap, the later one starts at the end of the earlier one. Consecutive steps "
    "whose names start alike are grouped below one slice. A step without name is grouped with its neighbours."
)


class Flame(Struct, frozen=True, eq=False):
    """``timeline`` has one lane with a row per level. Slice s stands for the steps ``order[first[s]:after[s]]``
    (int64), a slice of the last level for one; ``order`` holds the steps by their start."""

    timeline: Timeline
    order: I64
    first: I64
    after: I64

    def steps_of(self, index: int) -> I64:
        """The steps that a slice stands for."""
        return np.sort(self.order[int(self.first[index]) : int(self.after[index])])

    def slices_of(self, steps: I64) -> I64:
        """The deepest slices that stand for ``steps``, ascending."""
        return np.flatnonzero(among(self.timeline.slices.record, steps[steps >= 0])).astype(np.int64)


def flame(profile: Profile, *, flat: bool = False) -> Flame | None:
    """The flame graph; None for a profile without steps on a timeline of cycles. ``flat``: all steps in one row, with
    whole names."""
    pieces = flame_pieces(profile, flat=flat)
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            result: Flame | None = done.value
            return result


def flame_pieces(profile: Profile, *, flat: bool = False) -> Generator[None, None, Flame | None]:
    """As ``flame``, as a generator that yields between pieces of work and returns the result."""
    steps, line = profile.steps, profile.timeline
    if steps is None or line is None or line.unit != "cycles" or not len(line.slices.start):
        return None
    order, start, end = _one_after_another(steps, line)
    if not len(order):
        return None
    yield
    tree = paths(steps)
    yield
    if flat:
        levels = [_one_each(tree.of_step[order])]
    else:
        levels = yield from _levels(tree, tree.of_step[order], steps.name[order] < 0)
    rows = np.array([len(level.first) for level in levels], np.int64)
    first, after = (np.concatenate([getattr(level, key) for level in levels]) for key in ("first", "after"))
    node = np.concatenate([level.node for level in levels])
    leaf = np.concatenate([level.leaf for level in levels])
    yield
    step = np.where(leaf, order[first], -1)
    shift = len(tree.strings)
    kinds = steps.type[np.maximum(step, 0)]
    name = tree.text[node]
    if flat:
        name = (np.where(steps.name >= 0, steps.name, steps.type)[step] + shift).astype(np.int32)
    yield
    slices = Slices(
        start=sealed(start[first]),
        duration=sealed(end[after - 1] - start[first]),
        name=sealed(name),
        category=sealed(np.where(leaf & (kinds >= 0), kinds + shift, -1).astype(np.int32)),
        record=sealed(step),
        address=sealed(np.full(len(first), -1, np.int64)),
        first=sealed(np.concatenate(([0], np.cumsum(rows)))),
    )
    return Flame(_timeline(line, tree, steps, slices, FLAT if flat else LANE), order, first, after)


class _Level(Struct, frozen=True, eq=False):
    first: I64
    after: I64
    node: I32
    leaf: Bool


def _one_each(node: I32) -> _Level:
    """One slice per step."""
    places = np.arange(len(node), dtype=np.int64)
    return _Level(places, places + 1, node, np.ones(len(node), np.bool_))


def _levels(tree: Paths, of_step: I32, unnamed: Bool) -> Generator[None, None, list[_Level]]:
    """The slices level by level: a step gets its own at the end of its name, and shares those above with neighbours
    that have the same prefix."""
    before, behind = _neighbours(unnamed)
    between = unnamed & (before >= 0) & (behind >= 0)
    levels = []
    depth = 0
    open_ = np.ones(len(of_step), np.bool_)  # steps with a slice at this level
    while bool(np.any(open_)):
        node = tree.at_depth(depth)[of_step]
        longer = tree.depth[of_step] > depth
        alike = between & (node[before] == node[behind]) & longer[before] & longer[behind]
        node = np.where(unnamed, np.where(alike, node[before], of_step), node)
        yield
        ends = open_ & np.where(unnamed, ~alike, ~longer)
        levels.append(_level(np.where(open_, node, -1).astype(np.int32), ends))
        open_ &= ~ends
        between &= alike
        depth += 1
        yield
    return levels


def _level(node: I32, ends: Bool) -> _Level:
    change = np.ones(len(node), np.bool_)
    change[1:] = (node[1:] != node[:-1]) | ends[1:] | ends[:-1]
    first = np.flatnonzero(change & (node >= 0)).astype(np.int64)
    breaks = np.append(np.flatnonzero(change), len(node))
    after = breaks[np.searchsorted(breaks, first, "right")].astype(np.int64)
    return _Level(first, after, node[first], ends[first])


def _neighbours(unnamed: Bool) -> tuple[I64, I64]:
    """(index of the nearest named step before each, of the nearest one after), -1 for none."""
    places = np.arange(len(unnamed), dtype=np.int64)
    before = np.maximum.accumulate(np.where(unnamed, -1, places))
    far = len(unnamed)
    behind = np.minimum.accumulate(np.where(unnamed, far, places)[::-1])[::-1]
    return before, np.where(behind == far, -1, behind)


def _one_after_another(steps: Steps, line: Timeline) -> tuple[I64, F64, F64]:
    """(steps by start, start, end) of those on the timeline, clipped so that none overlaps the next."""
    slices = line.slices
    on_line = (slices.record >= 0) & (slices.record < len(steps))
    record, start = slices.record[on_line], slices.start[on_line]
    end = start + slices.duration[on_line]
    order = np.lexsort((record, start))
    record, start, end = record[order], start[order], np.maximum.accumulate(end[order])
    if len(start):
        start = np.maximum(start, np.concatenate(([start[0]], end[:-1])))
    return record, start, np.maximum(end, start)


def _timeline(line: Timeline, tree: Paths, steps: Steps, slices: Slices, lane: str) -> Timeline:
    strings = joined(joined(tree.strings, steps.strings), Strings.of((PROCESS, lane)))
    last = len(strings)
    return Timeline(
        unit="cycles",
        seconds_per_unit=line.seconds_per_unit,
        strings=strings,
        lanes=Lanes(
            process=sealed(np.array([last - 2], np.int32)),
            thread=sealed(np.array([last - 1], np.int32)),
            first_row=sealed(np.array([0, len(slices.first) - 1], np.int32)),
        ),
        slices=slices,
    )
