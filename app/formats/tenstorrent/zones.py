"""The zones of a device log: starts and ends paired, what runs, cores and places in sources did, and their slices
(Tenstorrent, section 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.part import Column
from app.formats.tenstorrent.device_log import END, POINT, START, TOTAL, Rows
from app.formats.timeline_build import Events
from app.profile.arrays import F64, I32, I64, Array, Bool, Integers, combine_at, numbered, sealed
from app.profile.orders import stable_order
from app.profile.strings import Interner
from app.profile.tenstorrent import Runs, Zones

TOGETHER: Final = 1 << 18
"""Rows that are paired at a time, of whole cores."""
PROCESSORS: Final = ("BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2")
_CLASSES: Final = ("zone", "firmware", "kernel", "zone without an end", "data point")
_ZONE, _FIRMWARE, _KERNEL, _OPEN, _DATA = range(len(_CLASSES))

Core = tuple[int, int, int]
"""Device, x, y."""


class Paired(Struct, frozen=True, eq=False):
    """``begin``, ``end``: int64, rows of pairs; ``open``: int64, rows of starts without an end; ``unbegun``: how many
    ends have no start."""

    begin: I64
    end: I64
    open: I64
    unbegun: int


def pairs(key: I64, time: I64, starts: Bool) -> Paired:
    """Pairs starts with ends of the same ``key`` by their times, as brackets; equal times in the order of the file. All
    rows are one or the other."""
    order = stable_order(key, int(key.max(initial=0)) + 1)
    if ((np.diff(time[order]) < 0) & (np.diff(key[order]) == 0)).any():  # most files have the times of a core in order
        order = np.lexsort((time, key))
    step = np.where(starts[order], 1, -1)
    new = np.concatenate((np.ones(min(len(order), 1), np.bool_), np.diff(key[order]) != 0))
    group = np.cumsum(new) - 1
    total = np.cumsum(step)
    depth = total - (total - step)[new][group]
    apart = group * (len(order) + 1)
    least = np.minimum.accumulate(np.minimum(depth, 0) - apart) + apart
    before = np.where(new, 0, np.concatenate((np.zeros(1, np.int64), least[:-1]))[: len(order)])
    unbegun = (step < 0) & (depth - step == before)
    level = np.where(step > 0, depth - least, depth - least + 1)
    rows, own, level = order[~unbegun], group[~unbegun], level[~unbegun]
    if len(level) and int(level.max()) > 1:
        nested = np.lexsort((level, own))
        rows, own, level = rows[nested], own[nested], level[nested]
    begins = starts[rows]
    closed = begins[:-1] & ~begins[1:] & (own[1:] == own[:-1]) & (level[1:] == level[:-1])
    closed = np.append(closed, False)[: len(rows)]
    place = np.flatnonzero(closed)
    return Paired(rows[place], rows[place + 1], rows[begins & ~closed], int(np.count_nonzero(unbegun)))


class ZoneReader:
    """Pairs the zones of ``rows`` and adds up what they took. ``strings``: of the timeline and all other texts."""

    def __init__(self, rows: Rows, strings: Interner, look: Callable[[], None]) -> None:
        self._rows, self._strings, self._look = rows, strings, look
        self.cores: list[Core] = sorted({lane[:3] for lane in rows.lanes}, key=lambda core: (core[0], core[2], core[1]))
        number = {core: place for place, core in enumerate(self.cores)}
        order = sorted(range(len(rows.lanes)), key=lambda lane: self._place(lane, number))
        self.lanes: list[tuple[int, str]] = [(number[rows.lanes[lane][:3]], rows.lanes[lane][3]) for lane in order]
        self._rank = np.empty(len(order), np.int64)
        self._rank[order] = np.arange(len(order))
        self._lane_core = np.array([core for core, _ in self.lanes], np.int64)
        self._core_device = np.array([core[0] for core in self.cores], np.int64)
        known: dict[tuple[str, str, int], int] = {}
        self._zone = np.array(
            [known.setdefault((zone.name, zone.file, zone.line), len(known)) for zone in rows.zones], np.int64
        )
        self._named = list(known)
        names = [name for name, _, _ in known]
        self._class = np.array(
            [_FIRMWARE if name.endswith("-FW") else _KERNEL if name.endswith("-KERNEL") else _ZONE for name in names],
            np.int64,
        )
        self._name_id = np.array([strings(name) if name else -1 for name in names], np.int64)
        self._class_id = np.array([strings(text) for text in _CLASSES], np.int64)
        self.open_id = int(self._class_id[_OPEN])
        self._processors = sorted({processor for _, processor in self.lanes})
        self._lane_processor = np.array([self._processors.index(own) for _, own in self.lanes], np.int64)
        kinds = len(known) * len(self._processors)
        self._count, self._most, self._kind_cores = (np.zeros(kinds, np.int64) for _ in range(3))
        self._cycles, self._total = np.zeros(kinds), np.full(kinds, -1.0)
        self.core_zones = np.zeros(len(self.cores), np.int64)
        self.firmware, self.kernel = np.zeros(len(self.cores)), np.zeros(len(self.cores))
        self._ran = {name: Column(np.int64) for name in ("core", "run", "start", "end")}
        self.unended = self.unbegun = 0

    def _place(self, lane: int, number: dict[Core, int]) -> tuple[int, int, str]:
        *core, processor = self._rows.lanes[lane]
        known = PROCESSORS.index(processor) if processor in PROCESSORS else len(PROCESSORS)
        return number[core[0], core[1], core[2]], known, processor

    def events(self, moved: I64) -> Iterator[tuple[int, int, Events, Bool, I64]]:
        """(first lane, lanes, their slices with lanes counted from there, which are instants, run of each) of one group
        of lanes after the other. ``moved``: int64[devices], the time that counts as 0."""
        rows = self._rows
        ends = np.cumsum(rows.sizes[np.argsort(self._rank)])
        borders, reached = [0], 0
        for place in range(1, len(self.lanes)):
            whole = self._lane_core[place] != self._lane_core[place - 1]
            if whole and int(ends[place - 1]) - reached >= TOGETHER:
                borders.append(place)
                reached = int(ends[place - 1])
        parts = self._parted(borders)[::-1]
        for first, last in pairwise([*borders, len(self.lanes)]):
            own = parts.pop()
            self._look()
            yield first, last - first, *self._group(own, self._rank[rows.lane[own]], first, moved)

    def _parted(self, borders: list[int]) -> list[Array]:
        """int32: the rows of the lanes from each border to the next, in the order of the file."""
        part_of = np.searchsorted(np.array(borders[1:]), self._rank, "right").astype(np.uint16)
        lanes = self._rows.lane
        found: list[list[Array]] = [[] for _ in borders]
        for begin in range(0, len(lanes), TOGETHER):
            part = part_of[lanes[begin : begin + TOGETHER]]
            order = np.argsort(part, kind="stable").astype(np.int32) + np.int32(begin)
            ends = np.cumsum(np.bincount(part, minlength=len(borders)))
            for own, rows in zip(found, np.split(order, ends[:-1]), strict=True):
                own.append(rows)
            self._look()
        made = []
        for own in found:
            made.append(np.concatenate([np.empty(0, np.int32), *own]))
            self._look()
        return made

    def _group(self, own: Array, lane: I64, first: int, moved: I64) -> tuple[Events, Bool, I64]:
        rows = self._rows
        kind, zone, run = rows.type[own], self._zone[rows.zone[own]], rows.run[own].astype(np.int64)
        core = self._lane_core[lane]
        time = rows.time[own].astype(np.int64) - moved[self._core_device[core]]
        self._totals(lane, zone, kind, rows.data[own])
        ends = np.flatnonzero((kind == START) | (kind == END))
        runs, run_of = numbered(run + 1)
        timer = numbered(rows.zone[own])[1]
        key = (lane * (len(runs) + 1) + run_of) * (len(self._rows.zones) + 1) + timer
        self._look()
        paired = pairs(key[ends], time[ends], kind[ends] == START)
        self._look()
        begin, end, opened = ends[paired.begin], ends[paired.end], ends[paired.open]
        self.unended += len(opened)
        self.unbegun += paired.unbegun
        self._pairs(lane[begin], core[begin], zone[begin], time[end] - time[begin])
        self._look()
        self._cores(core[begin], run[begin], zone[begin], time[begin], time[end])
        points = np.flatnonzero(kind == POINT)
        latest = np.zeros(len(self.lanes), np.int64)
        combine_at(np.maximum, latest, lane, time)
        which = np.concatenate((begin, opened, points))
        until = np.concatenate((time[end], latest[lane[opened]], time[points]))
        category = np.concatenate(
            (self._class[zone[begin]], np.full(len(opened), _OPEN), np.full(len(points), _DATA))
        ).astype(np.int64)
        name = self._name_id[zone[which]]
        name = np.where(name < 0, self._strings("TS_DATA"), name) if (name < 0).any() else name
        events = Events(
            (lane[which] - first).astype(np.int32),
            time[which].astype(np.float64),
            (until - time[which]).astype(np.float64),
            name.astype(np.int32),
            self._class_id[category].astype(np.int32),
            rows.record[own[which]].astype(np.int64),
        )
        return events, category == _DATA, run[which]

    def _totals(self, lane: I64, zone: I64, kind: Array, data: Integers) -> None:
        some = np.flatnonzero((kind == TOTAL) & (data >= 0))
        of = zone[some] * len(self._processors) + self._lane_processor[lane[some]]
        self._total[of] = np.maximum(self._total[of], 0.0)
        combine_at(np.add, self._total, of, data[some])

    def _pairs(self, lane: I64, core: I64, zone: I64, length: I64) -> None:
        """Adds pairs to their zones and cores."""
        of = zone * len(self._processors) + self._lane_processor[lane]
        combine_at(np.add, self._count, of, np.ones(len(of), np.int64))
        combine_at(np.add, self._cycles, of, length)
        combine_at(np.maximum, self._most, of, length)
        combine_at(np.add, self.core_zones, core, np.ones(len(core), np.int64))
        both = numbered(of * len(self.cores) + core)[0]
        combine_at(np.add, self._kind_cores, both // max(len(self.cores), 1), np.ones(len(both), np.int64))

    def _cores(self, core: I64, run: I64, zone: I64, start: I64, end: I64) -> None:
        """Adds the time from the first start to the last end of each run on each core."""
        for wanted, sums in ((_FIRMWARE, self.firmware), (_KERNEL, self.kernel)):
            some = np.flatnonzero(self._class[zone] == wanted)
            runs, run_of = numbered(run[some] + 1)
            known, of = numbered(core[some] * max(len(runs), 1) + run_of)
            low, high = np.full(len(known), np.iinfo(np.int64).max), np.full(len(known), np.iinfo(np.int64).min)
            combine_at(np.minimum, low, of, start[some])
            combine_at(np.maximum, high, of, end[some])
            cores = known // max(len(runs), 1)
            combine_at(np.add, sums, cores, high - low)
            if wanted == _KERNEL:
                made = {"core": cores, "run": runs[known % max(len(runs), 1)] - 1, "start": low, "end": high}
                for name, values in made.items():
                    self._ran[name].add(values)

    def zones(self) -> Zones:
        """The kinds of zones, the most cycles first."""
        there = np.flatnonzero((self._count > 0) | (self._total >= 0))
        there = there[np.argsort(-self._cycles[there], kind="stable")]
        named = [self._named[kind] for kind in (there // max(len(self._processors), 1)).tolist()]
        processor = [self._processors[own] for own in (there % max(len(self._processors), 1)).tolist()]
        return Zones(
            name=_ids(self._strings, [name for name, _, _ in named]),
            file=_ids(self._strings, [file for _, file, _ in named], none=True),
            processor=_ids(self._strings, processor),
            line=sealed(np.array([line for _, _, line in named], np.int32)),
            count=sealed(self._count[there]),
            cycles=whole(self._cycles[there]),
            most=sealed(self._most[there]),
            cores=sealed(self._kind_cores[there].astype(np.int32)),
            total=whole(self._total[there]),
        )

    def runs(self) -> Runs:
        """The runs, by device and first start."""
        ran = {name: np.asarray(column.done()) for name, column in self._ran.items()}
        device = self._core_device[ran["core"]] if len(ran["core"]) else ran["core"]
        numbers, number = numbered(ran["run"] + 1)
        known, of = numbered(device * max(len(numbers), 1) + number)
        low, high = np.full(len(known), np.iinfo(np.int64).max), np.full(len(known), np.iinfo(np.int64).min)
        combine_at(np.minimum, low, of, ran["start"])
        combine_at(np.maximum, high, of, ran["end"])
        length = ran["end"] - ran["start"]
        cores, most, cycles = np.zeros(len(known), np.int64), np.zeros(len(known), np.int64), np.zeros(len(known))
        combine_at(np.add, cores, of, np.ones(len(of), np.int64))
        combine_at(np.add, cycles, of, length)
        combine_at(np.maximum, most, of, length)
        slowest = np.zeros(len(known), np.int64)
        rising = np.argsort(length, kind="stable")
        slowest[of[rising]] = ran["core"][rising]
        order = np.lexsort((low, known // max(len(numbers), 1)))
        return Runs(
            device=sealed((known // max(len(numbers), 1))[order].astype(np.int32)),
            run=sealed((numbers[known % max(len(numbers), 1)] - 1)[order]),
            start=sealed(low[order].astype(np.float64)),
            end=sealed(high[order].astype(np.float64)),
            cores=sealed(cores[order].astype(np.int32)),
            cycles=whole(cycles[order]),
            most=sealed(most[order]),
            slowest=sealed(slowest[order].astype(np.int32)),
        )


def whole(values: F64) -> I64:
    """int64: sums of whole numbers, at most 2**62."""
    return sealed(np.minimum(values, float(1 << 62)).astype(np.int64))


def _ids(strings: Interner, texts: list[str], *, none: bool = False) -> I32:
    return sealed(np.array([strings(text) if text or not none else -1 for text in texts], np.int32))
