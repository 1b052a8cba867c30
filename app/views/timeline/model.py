"""A timeline made ready to be drawn: rows, processes with their lanes, colour slots, how far it goes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np
from msgspec import Struct

from app.analysis.time.classes import waiting
from app.analysis.timeline.times import instant_mask, moment_rows
from app.language import tr
from app.profile.arrays import I32, I64, Bool, Integers, distinct
from app.profile.selection import TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from app.views.timeline.colour_choice import ColourBy
from app.views.timeline.colouring import Colours
from app.views.timeline.rows import Rows
from app.views.timeline.times import Clock
from app.views.timeline.view import Bounds

NO_NAME = tr("(no name)")
MOST_NAMED = 100_000
"""Slices whose names are looked at."""
HOME = 0.8
"""Share of the whole below which the slices alone are the first view."""
FINEST = 256
"""A view is never shorter than so many steps of the clock's float64."""


class Process(Struct, frozen=True):
    """A process: its name, the lanes to show of it (a lane that holds nothing but counters is none) and its
    counter tracks."""

    name: str
    lanes: tuple[int, ...]
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Processes(Sequence[Process]):
    """The lanes of process g are ``lanes[first_lane[g]:first_lane[g + 1]]``, its counter tracks
    ``counters[first_counter[g]:first_counter[g + 1]]``: int64. ``name``: ids in ``strings``, -1 for none."""

    strings: Strings
    name: Integers
    lanes: I64
    first_lane: I64
    counters: I64
    first_counter: I64

    @classmethod
    def of(cls, groups: Iterable[Process]) -> Processes:
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
    def __getitem__(self, index: int) -> Process: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Process, ...]: ...
    def __getitem__(self, index: int | slice) -> Process | tuple[Process, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        lanes = self.lanes[self.first_lane[index] : self.first_lane[index + 1]]
        counters = self.counters[self.first_counter[index] : self.first_counter[index + 1]]
        return Process(self.group_name(index), tuple(lanes.tolist()), tuple(counters.tolist()))

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


def grouped(timeline: Timeline) -> Processes:
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
    return Processes(timeline.strings, names, lanes, first_lane, counters, first_counter)


def _with_counters(names: I64, process: I64) -> tuple[I64, I64]:
    """(the processes, those that have nothing but counters last in the order of these; the group of each counter)."""
    joined = np.concatenate((names, process))
    _, first, number = np.unique(joined, return_index=True, return_inverse=True)
    new = np.sort(first[first >= len(names)])
    group_of = np.where(first < len(names), first, len(names) + np.searchsorted(new, first))
    return np.concatenate((names, joined[new])), group_of[number.reshape(-1)[len(names) :]].astype(np.int64)


def _firsts(lengths: Sequence[int]) -> I64:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.array(lengths, np.int64))))


class Model(Struct, frozen=True, eq=False):
    """``colours``: those of ``rows``, as they are without a choice; ``instant``: bool[slices], those without
    length, None where there are none; ``moments``: bool[rows], those that hold nothing else; ``lane_of_row``:
    int32[rows]; ``group_of_lane``: int64[lanes], 0 where a lane is not shown; ``scale``: where colours stand for
    signed differences, how strong that of each name is, -1 to 1; ``elides_baseline``: frames that are striped are
    those of the baseline; ``waits``: whether any slices have the slot WAITING."""

    timeline: Timeline
    rows: Rows
    instant: Bool | None
    moments: Bool
    groups: Processes
    group_of_lane: I64
    lane_of_row: I32
    colours: Colours
    start: float
    end: float
    clock: Clock
    scale: Mapping[str, float] | None = None
    elides_baseline: bool = False
    waits: bool = False

    @classmethod
    def of(cls, timeline: Timeline, scale: Mapping[str, float] | None = None) -> Model:
        slices = timeline.slices
        waits = waiting(timeline) if scale is None else None
        colours = Colours.of(timeline, waits, "auto" if scale is None else "category")
        groups = grouped(timeline)
        of_lane = np.zeros(len(timeline.lanes.thread), np.int64)
        of_lane[groups.lanes] = groups.of_lanes()
        first_row = timeline.lanes.first_row
        start, end = extent(timeline)
        return cls(
            timeline,
            Rows(slices.start, slices.duration, colours.key, colours.slots, slices.first),
            instant_mask(timeline),
            moment_rows(timeline),
            groups,
            of_lane,
            np.repeat(np.arange(len(first_row) - 1, dtype=np.int32), np.diff(first_row)),
            colours,
            start,
            end,
            Clock.of(timeline),
            scale,
            waits=waits is not None,
        )

    @property
    def bounds(self) -> Bounds:
        span = self.end - self.start
        grain = FINEST * float(np.spacing(max(abs(self.start), abs(self.end), 1e-300)))
        return Bounds(self.start, self.end, max(grain, span * 1e-12, 1e-300))

    @property
    def home(self) -> tuple[float, float]:
        """What is worth seeing first: the slices, where counters alone reach much farther (those of a device are
        sampled long before and after its work); else everything."""
        start, end = slice_extent(self.timeline)
        return (start, end) if 0 < end - start < HOME * (self.end - self.start) else (self.start, self.end)

    @property
    def waiting_key(self) -> int:
        """The ``key`` of slices that only wait."""
        return len(self.timeline.strings)

    def coloured(self, wanted: ColourBy, like: Colours | None = None) -> Colours:
        """Colours by another choice; ``like``: those of a timeline that this one is compared with."""
        own = self.colours
        if wanted == own.wanted and (like is None or like.by == own.by):
            return own
        waits = self.rows.key == self.waiting_key if self.waits else None
        return Colours.of(self.timeline, waits, wanted, like)

    def name(self, index: int) -> str:
        return self.timeline.strings.get(int(self.timeline.slices.name[index]), NO_NAME)

    def names_of(self, index: I64) -> frozenset[str]:
        """The names of slices, of the first MOST_NAMED of them."""
        ids = distinct(self.timeline.slices.name[index[:MOST_NAMED]])
        return frozenset(self.timeline.strings.get(text) for text in ids.tolist())

    def category(self, index: int) -> str:
        return self.timeline.strings.get(int(self.timeline.slices.category[index]))

    def start_of(self, index: int) -> float:
        return float(self.rows.start[index])

    def duration_of(self, index: int) -> float:
        return float(self.rows.duration[index])

    def is_instant(self, index: int) -> bool:
        """Whether a slice is a moment without length."""
        return self.instant is not None and bool(self.instant[index])

    def timed(self, index: int) -> bool:
        """Whether the length of a slice is known."""
        return self.timeline.slices.timed(index)

    def stretch_of(self, index: I64) -> TimeRange | None:
        """From the first start to the last end of slices; None of none."""
        if not len(index):
            return None
        start = self.rows.start[index]
        return TimeRange(float(start.min()), float((start + self.rows.duration[index]).max()))

    def stretch_of_lanes(self, lanes: Iterable[int]) -> TimeRange | None:
        """From the first start to the last end of what lies on lanes; None where they are empty, or not there."""
        first_row, rows = self.timeline.lanes.first_row, self.rows
        known = [lane for lane in lanes if 0 <= lane < len(first_row) - 1]
        row = np.concatenate([np.arange(first_row[lane], first_row[lane + 1]) for lane in known] or [np.empty(0, int)])
        first, last = rows.first[row], rows.first[row + 1] - 1  # starts and ends rise inside a row
        first, last = first[first <= last], last[first <= last]
        if not len(first):
            return None
        return TimeRange(float(rows.start[first].min()), float((rows.start[last] + rows.duration[last]).max()))

    def slices_of(self, lane: int) -> slice:
        """The slices of a lane, by row."""
        first, last = self.timeline.lanes.first_row[lane : lane + 2].tolist()
        return slice(int(self.rows.first[first]), int(self.rows.first[last]))

    def lane_of(self, index: int) -> int:
        return int(self.lane_of_row[self.rows.row_of(index)])

    def thread(self, lane: int) -> str:
        return self.timeline.strings.get(int(self.timeline.lanes.thread[lane]))

    def process(self, lane: int) -> str:
        return self.timeline.strings.get(int(self.timeline.lanes.process[lane]))

    def lane_label(self, lane: int) -> str:
        """Process and thread in one line."""
        return " / ".join(part for part in (self.process(lane), self.thread(lane)) if part)

    def counter_label(self, track: int) -> str:
        """Name and series of a counter track; the series only where it says more."""
        counters, text = self.timeline.counters, self.timeline.strings
        name, series = text.get(int(counters.name[track])), text.get(int(counters.series[track]))
        return f"{name}: {series}" if series and series != name else name

    def counter_path(self, track: int) -> str:
        """Process, name and series of a counter track."""
        process = self.timeline.strings.get(int(self.timeline.counters.process[track]))
        return f"{process} / {self.counter_label(track)}"


def extent(timeline: Timeline) -> tuple[float, float]:
    """(first moment, last moment) of slices and counters; (0, 1) where there is none."""
    slices, counters = timeline.slices, timeline.counters
    first, last = _ends(slices.first)
    starts = [slices.start[first]]
    ends = [slices.start[last] + slices.duration[last]]
    first, last = _ends(counters.first)
    starts.append(counters.time[first])
    ends.append(counters.time[last])
    start = min((float(part.min()) for part in starts if len(part)), default=0.0)
    end = max((float(part.max()) for part in ends if len(part)), default=1.0)
    if not (math.isfinite(start) and math.isfinite(end)):
        return 0.0, 1.0
    return (start, end) if end > start else (start, start + max(abs(start) * 1e-6, 1.0))


def slice_extent(timeline: Timeline) -> tuple[float, float]:
    """First start and last end of the slices alone; (0, 0) where there are none."""
    slices = timeline.slices
    first, last = _ends(slices.first)
    if not len(first):
        return 0.0, 0.0
    return float(slices.start[first].min()), float((slices.start[last] + slices.duration[last]).max())


def _ends(first: I64) -> tuple[I64, I64]:
    """First and last index of each stretch that is not empty."""
    full = np.diff(first) > 0
    return first[:-1][full], first[1:][full] - 1
