"""Slices by path: those with the same names around them, outermost first, are one frame of a flame graph."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.names import INSIDE
from app.analysis.timeline.name_groups import NameGroups
from app.analysis.timeline.pipes import WORKING
from app.analysis.timeline.statistics import holders, self_time
from app.analysis.timeline.times import instant_mask
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, expand, numbered, sealed
from app.profile.selection import TimeRange
from app.profile.strings import Strings, joined
from app.profile.timeline import Lanes, Slices, Timeline

MOST_LEVELS: Final = 256
"""Deeper slices have no path: a file may nest a million."""
LONGEST: Final = 1_000
"""Characters of a path in a table; the outermost names of a longer one are left out."""


class SlicePaths(Struct, frozen=True, eq=False):
    """The paths of slices, level by level, the widest first below each other path: level l has paths ``first[l]`` ..
    ``first[l + 1]`` - 1 (int64). Per path: ``parent``: int64, -1 on the first level; ``name``: int32, place in
    ``strings``; ``count``: int64; ``total``, ``own``: float64 in the timeline's unit, sums of durations and self times,
    NaN where no duration is known; ``left``, ``width``: float64, the place of its frame: as wide as the total, or as
    the frames inside, where slices in one overlap. ``of_slice``: int64[slices], -1 for those that are not counted;
    ``deeper``: how many slices are below the last level."""

    timeline: Timeline
    strings: Strings
    first: I64
    parent: I64
    name: I32
    count: I64
    total: F64
    own: F64
    left: F64
    width: F64
    of_slice: I64
    deeper: int

    def __len__(self) -> int:
        return len(self.name)

    def slices_of(self, path: int) -> I64:
        """int64, rising: the slices of a path."""
        return np.flatnonzero(self.of_slice == path).astype(np.int64)

    def texts(self, paths: I64) -> list[str]:
        """The names from the outermost to that of each path."""
        return [self._text(path) for path in paths.tolist()]

    def _text(self, path: int) -> str:
        text = self.strings.get(int(self.name[path]))
        above = int(self.parent[path])
        while above >= 0 and len(text) <= LONGEST:
            text = f"{self.strings.get(int(self.name[above]))}{INSIDE}{text}"
            above = int(self.parent[above])
        return text if len(text) <= LONGEST else f"…{text[-LONGEST:]}"

    def as_timeline(self) -> Timeline:
        """The frames as slices of one lane with a row for each level; the axis is summed time."""
        strings = joined(self.strings, Strings.of((tr("Slices"), tr("By path"))))
        none = sealed(np.full(len(self), -1, np.int64))
        return Timeline(
            unit=self.timeline.unit,
            seconds_per_unit=self.timeline.seconds_per_unit,
            strings=strings,
            lanes=Lanes(
                process=sealed(np.array([len(strings) - 2], np.int32)),
                thread=sealed(np.array([len(strings) - 1], np.int32)),
                first_row=sealed(np.array([0, len(self.first) - 1], np.int32)),
            ),
            slices=Slices(self.left, self.width, self.name, none.astype(np.int32), none, none, self.first),
        )


def is_nested(timeline: Timeline | None) -> bool:
    """Whether any lane has slices below others."""
    return timeline is not None and bool((np.diff(timeline.lanes.first_row) > 1).any())


def slice_paths(
    timeline: Timeline, stretch: TimeRange | None = None, chosen: I64 | None = None, groups: NameGroups | None = None
) -> SlicePaths:
    """The paths of the slices ``chosen`` (int64, rising; None: all), which overlap ``stretch``; of a slice that this
    cuts, only the part inside counts. A slice is in the innermost one that contains it, of those that are chosen. Names
    that differ only in numbers are one (``groups``, made here if None); lanes are not told apart."""
    slices, count = timeline.slices, len(timeline.slices.start)
    groups = NameGroups(timeline, WORKING) if groups is None else groups
    nesting = holders(timeline)
    own, length = self_time(timeline, stretch, nesting), slices.duration
    if stretch is not None:
        end = slices.start + length
        length = np.maximum(np.minimum(end, stretch.end) - np.maximum(slices.start, stretch.start), 0.0)
    counted = np.ones(count, np.bool_) if chosen is None else np.zeros(count, np.bool_)
    if chosen is not None:
        counted[chosen] = True
    instants = instant_mask(timeline)
    if instants is not None:
        counted &= ~instants
    parent = _parents(nesting, counted)
    of_slice, above, group, first, deeper = _merged(parent, counted, groups.of_name[slices.name])
    listed = of_slice >= 0
    timed = listed if slices.untimed is None else listed & ~slices.untimed
    paths = len(above)

    def summed(values: F64) -> F64:
        return np.bincount(of_slice[listed], values[listed], paths).astype(np.float64)

    total, self_total = summed(length), summed(own)
    never = np.bincount(of_slice[timed], minlength=paths) == 0
    total[never] = self_total[never] = np.nan
    order, left, width = _arranged(first, above, total)
    place = np.empty(paths + 1, np.int64)
    place[order], place[-1] = np.arange(paths), -1
    return SlicePaths(
        timeline=timeline,
        strings=groups.texts,
        first=sealed(first),
        parent=sealed(place[above[order]]),
        name=sealed((len(timeline.strings) + group[order]).astype(np.int32)),
        count=sealed(np.bincount(of_slice[listed], minlength=paths)[order].astype(np.int64)),
        total=sealed(total[order]),
        own=sealed(self_total[order]),
        left=sealed(left),
        width=sealed(width),
        of_slice=sealed(place[of_slice]),
        deeper=deeper,
    )


def _parents(nesting: tuple[I64, I64], counted: Bool) -> I64:
    """int64[slices]: the innermost counted slice around each, -1 for none."""
    parent = np.full(len(counted) + 1, -1, np.int64)  # the last entry serves -1
    parent[nesting[0]] = nesting[1]
    known = np.append(counted, True)
    if not counted.all():
        wrong = np.flatnonzero(~known[parent])
        while len(wrong):
            parent[wrong] = parent[parent[wrong]]
            wrong = wrong[~known[parent[wrong]]]
    return parent[:-1]


def _merged(parent: I64, counted: Bool, group: I64) -> tuple[I64, I64, I64, I64, int]:
    """(the path of each slice; of each path, level by level, the path around it and its group of names; the first path
    of each level and the end; how many counted slices are too deep)."""
    order = np.argsort(parent, kind="stable")
    edges = np.searchsorted(parent[order], np.arange(len(parent) + 1))
    groups = int(group.max(initial=-1)) + 1
    of_slice = np.full(len(parent), -1, np.int64)
    above: list[I64] = []
    names: list[I64] = []
    first = [0]
    level = np.flatnonzero(counted & (parent < 0))
    inside = np.full(len(level), -1, np.int64)
    while len(level) and len(first) <= MOST_LEVELS:
        keys, place = numbered((inside + 1) * groups + group[level])
        of_slice[level] = first[-1] + place
        above.append(keys // groups - 1)
        names.append(keys % groups)
        first.append(first[-1] + len(keys))
        begin, end = edges[level], edges[level + 1]
        inside = np.repeat(of_slice[level], end - begin)
        level = order[expand(begin, end)]
        kept = counted[level]
        level, inside = level[kept], inside[kept]
    none = np.empty(0, np.int64)
    deeper = int(np.count_nonzero(counted & (of_slice < 0)))
    return of_slice, np.concatenate([none, *above]), np.concatenate([none, *names]), np.array(first, np.int64), deeper


def _arranged(first: I64, above: I64, total: F64) -> tuple[I64, F64, F64]:
    """(the paths in the order of their frames, the widest first; the left edge and the width of each frame in it)."""
    width = np.nan_to_num(total)
    levels = list(zip(first[:-1].tolist(), first[1:].tolist(), strict=True))
    for (outer, low), (_, high) in reversed(list(pairwise(levels))):
        inside = np.bincount(above[low:high] - outer, width[low:high], low - outer)
        width[outer:low] = np.maximum(width[outer:low], inside)
    order = np.empty(len(width), np.int64)
    left = np.zeros(len(width) + 1)
    rank = np.zeros(len(width) + 1, np.int64)
    for low, high in levels:
        own = above[low:high]
        order[low:high] = low + np.lexsort((-width[low:high], rank[own]))
        these = order[low:high]
        rank[these] = np.arange(low, high)
        edge = np.cumsum(width[these]) - width[these]
        heads = np.searchsorted(rank[above[these]], rank[above[these]], "left")
        left[these] = np.maximum.accumulate(left[above[these]] + (edge - edge[heads]))  # edges are rounded
    return order, left[order], width[order]
