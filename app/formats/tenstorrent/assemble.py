"""The sections that several files of a capture make together: worker cores, and one timeline of zones and operations
(Tenstorrent, section 5)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.part import Column
from app.formats.tenstorrent.device_log import MOST_DEVICE, Rows
from app.formats.tenstorrent.zones import TOGETHER, ZoneReader, whole
from app.formats.timeline_build import Events, build
from app.profile.arrays import I32, I64, Array, Bool, Integers, combine_at, distinct, sealed, union
from app.profile.ascend import Lines, TypedColumn
from app.profile.strings import Interner, Strings
from app.profile.tenstorrent import ON_DEVICE, DeviceRun, Operations, Runs, WorkerCores, Zones
from app.profile.timeline import Instants, Lanes, Pieces, Slices, Timeline

SIDE: Final = 1 << 12
OPERATIONS: Final = "Device operations"
NOWHERE: Final = -1
"""The key of no core."""


def core_keys(device: Integers, x: Integers, y: Integers, *, logical: bool = False) -> I64:
    """int64: a number for each core, in the order of WorkerCores; -1 for one that no chip has."""
    good = (device >= 0) & (device < MOST_DEVICE) & (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
    device, x, y = (np.where(good, part, 0).astype(np.int64) for part in (device, x, y))
    return np.where(good, ((device + logical * MOST_DEVICE) * SIDE + y) * SIDE + x, -1)


def core_key(device: object, x: object, y: object) -> int:
    """The same for one core of the network on chip that a file names."""
    if not (type(device) is int and type(x) is int and type(y) is int):
        return NOWHERE
    good = 0 <= device < MOST_DEVICE and 0 <= x < SIDE and 0 <= y < SIDE
    return (device * SIDE + y) * SIDE + x if good else NOWHERE


class Cores:
    """All cores that the files name. ``add`` takes keys; ``index`` is their place once all are known."""

    def __init__(self, look: Callable[[], None] = lambda: None) -> None:
        self._keys: I64 = np.empty(0, np.int64)
        self._look = look

    def add(self, keys: Array) -> None:
        for begin in range(0, len(keys), TOGETHER):
            some = keys[begin : begin + TOGETHER]
            self._keys = union(self._keys, distinct(some[some >= 0]))
            self._look()

    def index(self, keys: Array) -> I32:
        """int32: rows of the section, -1 for no core."""
        made = np.empty(len(keys), np.int32)
        for begin in range(0, len(keys), TOGETHER):
            some = slice(begin, begin + TOGETHER)
            made[some] = np.where(keys[some] < 0, -1, np.searchsorted(self._keys, np.maximum(keys[some], 0)))
            self._look()
        return sealed(made)

    def section(self, reader: ZoneReader | None) -> WorkerCores:
        """The cores, with what the log says of some."""
        device = self._keys // (SIDE * SIDE)
        of_log = np.full((3, len(device)), -1, np.int64)
        if reader is not None and reader.cores:
            rows = self.index(keys_of(reader))
            of_log[:, rows] = reader.core_zones, whole(reader.firmware), whole(reader.kernel)
        zones, firmware, kernel = of_log
        return WorkerCores(
            device=sealed((device % MOST_DEVICE).astype(np.int32)),
            x=sealed((self._keys % SIDE).astype(np.int32)),
            y=sealed((self._keys // SIDE % SIDE).astype(np.int32)),
            logical=sealed(device >= MOST_DEVICE),
            zones=sealed(zones),
            firmware=sealed(firmware),
            kernel=sealed(kernel),
        )


def keys_of(reader: ZoneReader) -> I64:
    """int64: the keys of the cores of a log."""
    return core_keys(*np.array(reader.cores, np.int64).reshape(-1, 3).T)


class OtherLanes(Struct, frozen=True, eq=False):
    """Lanes that another file makes where there is no device log. ``process``, ``thread``: text ids; ``keys``: int64,
    of the cores; ``points``: which ``events`` are instants; ``origin``: the time that theirs count from."""

    process: list[int]
    thread: list[int]
    keys: I64
    events: Events
    points: Bool
    origin: int


class Together:
    """The timeline: a lane for the operations of each device, then those of the cores. ``operations`` may be None, and
    so may ``reader``. ``log_file``: number of the log among the files."""

    def __init__(
        self,
        reader: ZoneReader | None,
        rows: Rows | None,
        operations: Operations | None,
        strings: Interner,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._reader, self._rows, self._own, self._strings, self._look = reader, rows, operations, strings, look
        self._columns = {name: Column(kind) for name, kind in _KINDS.items()}
        self._instants = Column(np.int64)
        self._first: list[Array] = [np.zeros(1, np.int64)]
        self._height: list[Array] = [np.zeros(1, np.int64)]
        self._slices = self._rows_so_far = 0
        self._timed, self._device, self._begin, self._end = _timed(operations)
        self.moved, self.origin, self.devices = self._moments()
        self._of_run: dict[tuple[int, int], int] = {}
        if operations is not None and reader is not None:
            rows_of = np.flatnonzero(operations.call >= 0)[::-1].tolist()
            device, call = operations.device.tolist(), operations.call.tolist()
            self._of_run = {(device[row], call[row]): row for row in rows_of}  # the first replay counts

    def _moments(self) -> tuple[I64, int, int]:
        """(int64[devices], what counts as 0 on each; the origin of the times, where there is one; devices)."""
        first = {} if self._rows is None else dict(self._rows.first)
        for device in distinct(self._device).tolist():
            low = int(self._begin[self._device == device].min())
            first[device] = min(low, first.get(device, low))
        moved = np.zeros(max(first, default=0) + 1, np.int64)
        moved[list(first)] = list(first.values())
        return moved, next(iter(first.values())) if len(first) == 1 else 0, len(first)

    def timeline(
        self, clock_hz: float | None, pieces: Pieces | None, others: OtherLanes | None = None
    ) -> tuple[Timeline | None, I64, I32]:
        """(the timeline, None without a slice; int64[lanes], keys of cores, -1 for operations; int32[slices], rows of
        operations)."""
        process, thread, keys = self._operation_lanes()
        if self._reader is not None:
            of_core = keys_of(self._reader)
            names = [self._strings(f"Device {device}, core ({x}, {y})") for device, x, y in self._reader.cores]
            for first, lanes, events, points, run in self._reader.events(self.moved):
                device = np.array([core[0] for core in self._reader.cores], np.int64)
                own = [self._reader.lanes[lane] for lane in range(first, first + lanes)]
                of_lane = device[[core for core, _ in own]] if own else device[:0]
                self._add(events, lanes, points, self._operations_of(of_lane[events.lane], run))
                process += [names[core] for core, _ in own]
                thread += [self._strings(processor) for _, processor in own]
                keys += [int(of_core[core]) for core, _ in own]
        elif others is not None and not self._slices and len(others.process):
            none = np.full(len(others.points), -1, np.int32)
            self._add(others.events, len(others.process), others.points, none)
            process, thread, keys, self.origin = others.process, others.thread, others.keys.tolist(), others.origin
        if not self._slices:
            return None, np.array(keys, np.int64), np.empty(0, np.int32)
        columns = {name: column.done() for name, column in self._columns.items()}
        operation: I32 = columns.pop("operation")
        untimed: Bool = columns.pop("untimed")
        made = Timeline(
            unit="cycles",
            seconds_per_unit=None if clock_hz is None else 1 / clock_hz,
            strings=self._strings.strings(),
            lanes=Lanes(
                sealed(np.array(process, np.int32)),
                sealed(np.array(thread, np.int32)),
                sealed(np.concatenate(self._height).astype(np.int32)),
            ),
            slices=Slices(
                **columns,
                first=sealed(np.concatenate(self._first)),
                untimed=untimed if untimed.any() else None,
            ),
            instants=Instants(self._instants.done()),
            pieces=pieces,
            origin=Decimal(self.origin),
        )
        return made, np.array(keys, np.int64), operation if self._own is not None else operation[:0]

    def _operation_lanes(self) -> tuple[list[int], list[int], list[int]]:
        """Adds the operations; (processes, threads, -1) of their lanes."""
        devices = distinct(self._device)
        if self._own is None or not len(devices):
            return [], [], []
        begin = (self._begin - self.moved[self._device]).astype(np.float64)
        name = np.array([self._strings(text) for text in self._own.strings.tolist()], np.int32)
        events = Events(
            np.searchsorted(devices, self._device).astype(np.int32),
            begin,
            (self._end - self._begin).astype(np.float64),
            name[self._own.code[self._timed]],
            np.full(len(begin), self._strings("operation"), np.int32),
        )
        self._add(events, len(devices), np.zeros(len(begin), np.bool_), self._timed.astype(np.int32))
        titles = [f"Device {device}" for device in devices.tolist()]
        threads = [self._strings(OPERATIONS)] * len(devices)
        return [self._strings(title) for title in titles], threads, [-1] * len(devices)

    def _operations_of(self, device: I64, run: I64) -> I32:
        """int32: the operation that each slice of a run belongs to."""
        if not self._of_run or not len(run):
            return np.full(len(run), -1, np.int32)
        runs, number = np.unique(run, return_inverse=True)
        devices = distinct(device)
        place = np.searchsorted(devices, device)
        table = [[self._of_run.get((own, one), -1) for one in runs.tolist()] for own in devices.tolist()]
        return np.array(table, np.int32)[place, number.reshape(-1)]

    def _add(self, events: Events, lanes: int, points: Bool, operation: I32) -> None:
        built = build(events, lanes, self._look)
        own = built.slices
        unended = -2 if self._reader is None else self._reader.open_id
        made = {
            "start": own.start,
            "duration": own.duration,
            "name": own.name,
            "category": own.category,
            "record": own.record,
            "address": own.address,
            "untimed": own.category == unended,
            "operation": operation[built.order],
        }
        for name, values in made.items():
            self._columns[name].add(values)
            self._look()
        self._instants.add(np.flatnonzero(points[built.order]) + self._slices)
        self._first.append(own.first[1:] + self._slices)
        self._height.append(built.first_row[1:].astype(np.int64) + self._rows_so_far)
        self._slices += len(own.start)
        self._rows_so_far += int(built.first_row[-1])


_KINDS: Final = {
    "start": np.float64,
    "duration": np.float64,
    "name": np.int32,
    "category": np.int32,
    "record": np.int64,
    "address": np.int64,
    "untimed": np.bool_,
    "operation": np.int32,
}


def _timed(own: Operations | None) -> tuple[I64, I64, I64, I64]:
    """(rows of operations with a time on a device; int64, its device, first and last cycle)."""
    if own is None:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    begin, end = own.number("DEVICE FW START CYCLE"), own.number("DEVICE FW END CYCLE")
    good = (own.place == ON_DEVICE) & (begin >= 0) & (end >= begin) & (end < 2.0**53)
    rows = np.flatnonzero(good & (own.device >= 0) & (own.device < MOST_DEVICE)).astype(np.int64)
    return rows, own.device[rows].astype(np.int64), begin[rows].astype(np.int64), end[rows].astype(np.int64)


def source_lines(zones: Zones, strings: Strings) -> Lines | None:
    """The lines that zones are at, with what they took; None without one."""
    rows = np.flatnonzero((zones.file >= 0) & (zones.line > 0))
    if not len(rows):
        return None
    places, first, of = np.unique(
        zones.file[rows].astype(np.int64) << 32 | zones.line[rows], return_index=True, return_inverse=True
    )
    of = of.reshape(-1)
    count, cycles, most = (np.zeros(len(places), np.int64) for _ in range(3))
    combine_at(np.add, count, of, zones.count[rows])
    combine_at(np.add, cycles, of, np.minimum(zones.cycles[rows], 1 << 50))
    combine_at(np.maximum, most, of, zones.most[rows])
    files = distinct(zones.file[rows])
    text = strings.tolist()
    named = [text[own] for own in zones.name[rows[first]].tolist()]
    ids = {name: number for number, name in enumerate(dict.fromkeys(named))}
    zone = np.array([ids[name] for name in named], np.int32)
    columns = (
        TypedColumn("Cycles", "int", sealed(cycles.reshape(-1, 1))),
        TypedColumn("Zone", "text", sealed(zone.reshape(-1, 1)), Strings.of(ids)),
        TypedColumn("Calls", "int", sealed(count.reshape(-1, 1))),
        TypedColumn("Longest Cycles", "int", sealed(most.reshape(-1, 1))),
    )
    none = sealed(np.empty(0, np.int64))
    return Lines(
        cores=(),
        paths=Strings.of(text[own] for own in files.tolist()),
        file=sealed(np.searchsorted(files, places >> 32).astype(np.int32)),
        line=sealed((places & 0xFFFFFFFF).astype(np.int32)),
        first_range=sealed(np.zeros(len(places) + 1, np.int64)),
        range_start=none,
        range_end=none,
        columns=columns,
    )


def device_run(
    arch: str,
    strings: Interner,
    clock_hz: float | None,
    rows: Rows | None,
    reader: ZoneReader | None,
    cores: Cores,
    lanes: tuple[I64, I32],
) -> DeviceRun:
    """What a log says besides its slices; of operations alone, their architecture and clock."""
    lane_core, operation = cores.index(lanes[0]), sealed(lanes[1])
    if reader is None:
        return DeviceRun(arch, strings.strings(), clock_hz, lane_core=lane_core, slice_operation=operation)
    zones, runs = reader.zones(), reader.runs()
    of_core = cores.index(keys_of(reader))
    slowest = sealed(of_core[runs.slowest]) if len(runs) else runs.slowest
    made = Runs(runs.device, runs.run, runs.start, runs.end, runs.cores, runs.cycles, runs.most, slowest)
    return DeviceRun(
        arch,
        strings.strings(),
        clock_hz,
        None if rows is None else rows.head.most_cores,
        reader.unended,
        reader.unbegun,
        zones,
        made,
        lane_core,
        operation,
    )
