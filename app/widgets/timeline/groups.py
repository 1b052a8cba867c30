"""Processes of a timeline with their lanes and counters, as columns: there may be as many as slices. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np

from app.profile.arrays import I64, Integers
from app.profile.strings import Strings
from app.profile.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Group:
    """A process: its name, the lanes to show of it (a lane that holds nothing but counters is none) and its
    counter tracks."""

    name: str
    lanes: tuple[int, ...]
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Groups(Sequence[Group]):
    """The lanes of process g are ``lanes[first_lane[g]:first_lane[g + 1]]``, its counter tracks
    ``counters[first_counter[g]:first_counter[g + 1]]``: int64. ``name``: ids in ``strings``, -1 for none."""

    strings: Strings
    name: Integers
    lanes: I64
    first_lane: I64
    counters: I64
    first_counter: I64

    @classmethod
    def of(cls, groups: Iterable[Group]) -> Groups:
        groups = tuple(groups)
        return cls(
            Strings.of([group.name for group in groups]),
            np.arange(len(groups)),
            np.array(list(chain.from_iterable(group.lanes for group in groups)), np.int64),
            _firsts([len(group.lanes) for group in groups]),
            np.array(list(chain.from_iterable(group.counters for group in groups)), np.int64),
            _firsts([len(group.counters) for group in groups]),
        )

    def __len__(self) -> int:
        return len(self.name)

    @overload
    def __getitem__(self, index: int) -> Group: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Group, ...]: ...
    def __getitem__(self, index: int | slice) -> Group | tuple[Group, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        lanes = self.lanes[self.first_lane[index] : self.first_lane[index + 1]]
        counters = self.counters[self.first_counter[index] : self.first_counter[index + 1]]
        return Group(self.group_name(index), tuple(lanes.tolist()), tuple(counters.tolist()))

    def group_name(self, index: int) -> str:
        return self.strings.get(int(self.name[index]))

    @property
    def headed(self) -> bool:
        """Whether processes have headings: a lone one without a name has none."""
        return len(self) > 1 or any(self.group_name(index) for index in range(len(self)))

    def of_lanes(self) -> I64:
        """int64[lanes that are shown]: the process of each entry of ``lanes``."""
        return np.repeat(np.arange(len(self)), np.diff(self.first_lane))

    def of_counters(self) -> I64:
        """int64[counters]: the process of each entry of ``counters``."""
        return np.repeat(np.arange(len(self)), np.diff(self.first_counter))


def grouped(timeline: Timeline) -> Groups:
    """Processes in the order of their lanes. Lanes of one process that do not follow one another make groups
    of their own, so that the lanes keep the order the file gave them; counters join the first."""
    shown = np.diff(timeline.lanes.first_row) > 0
    lanes = np.flatnonzero(shown)
    process = timeline.lanes.process[lanes].astype(np.int64)
    begins = np.flatnonzero(np.concatenate((np.ones(min(len(lanes), 1), np.bool_), process[1:] != process[:-1])))
    names = process[begins]
    names, group = _with_counters(names, timeline.counters.process.astype(np.int64))
    counters = np.argsort(group, kind="stable")
    first_lane = np.concatenate((begins, np.full(len(names) - len(begins) + 1, len(lanes)))).astype(np.int64)
    first_counter = np.searchsorted(group[counters], np.arange(len(names) + 1)).astype(np.int64)
    return Groups(timeline.strings, names, lanes, first_lane, counters, first_counter)


def _with_counters(names: I64, process: I64) -> tuple[I64, I64]:
    """(the processes, those that have nothing but counters last in the order of these; the group of each counter)."""
    joined = np.concatenate((names, process))
    _, first, number = np.unique(joined, return_index=True, return_inverse=True)
    new = np.sort(first[first >= len(names)])
    group_of = np.where(first < len(names), first, len(names) + np.searchsorted(new, first))
    return np.concatenate((names, joined[new])), group_of[number.reshape(-1)[len(names) :]].astype(np.int64)


def _firsts(lengths: Sequence[int]) -> I64:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.array(lengths, np.int64))))
