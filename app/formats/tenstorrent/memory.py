"""Reads db.sqlite of a ttnn report: operations, buffers and tensors, and L1 of each core while an operation runs
(Tenstorrent, section 4). Tables of buffers and pages may have 100 million rows: they are added up piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.formats.ascend_bin.part import Column
from app.formats.ascend_capture.database_columns import NONE, Kind
from app.formats.ascend_capture.database_safe import Database, Fetched
from app.formats.ascend_capture.joining import Texts
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.formats.numbering import batches
from app.formats.tenstorrent.assemble import SIDE, Cores, core_keys
from app.formats.tenstorrent.device_log import MOST_DEVICE
from app.language import plural, tr
from app.profile.arrays import I64, Array, combine_at, distinct, sealed, union
from app.profile.orders import by_integers, in_steps
from app.profile.tenstorrent import (
    BUFFER_TYPES,
    IN_L1,
    Buffers,
    CoreMemory,
    CoreMemoryReport,
    MemoryDevices,
    MemoryOperations,
    Tensors,
)

TABLES: Final = frozenset(("DEVICES", "OPERATIONS", "TENSORS", "BUFFERS", "BUFFER_PAGES"))
TOGETHER: Final = 1 << 17
"""Rows that are added up at a time."""
MERGED: Final = 1 << 19
"""Buffers of pieces that are collected before those that are the same become one."""
FIRST: Final = 1 << 14
"""Rows of each table that a preview reads."""
MOST_BUFFERS: Final = 1 << 20
"""Buffers that are listed; further ones count in sums only, so that memory stays bounded."""
MOST_ALIKE: Final = 1 << 22
"""Pairs of an operation and a core that are listed where all cores of a device are alike."""
LARGEST: Final = 1 << 40
"""Addresses and sizes in a memory are below this."""
MOST_CORES: Final = 1 << 16
_PLACE: Final = ("device_id", "address", "operation_id")
_PAGES: Final = ("operation_id", "device_id", "core_x", "core_y", "page_address", "page_size", "buffer_type")
_DEVICES: Final = ("device_id", "num_y_compute_cores", "num_x_compute_cores", "worker_l1_size")


class MemoryReport:
    """What was read; the rows of cores are known once all files are read."""

    def __init__(self, made: dict[str, Any], keys: Array, of_memory: Array) -> None:
        self._made, self._keys, self._of_memory = made, keys, of_memory

    def announce(self, cores: Cores) -> None:
        """Adds the cores of the report."""
        cores.add(self._keys)

    def section(self, cores: Cores) -> CoreMemoryReport:
        """The section with the rows of its cores."""
        memory = CoreMemory(core=cores.index(self._of_memory), **self._made["memory"])
        return CoreMemoryReport(**(self._made | {"memory": memory}))


def read_report(path: Path, sink: Sink, tell: Callable[[int], None], most: int | None = None) -> MemoryReport:
    """Reads a report; with ``most``, the first operations, of which all is in the first so many rows of each table.
    Raises FormatError where the database cannot be opened or is none."""
    problems = Problems(sink, path.name)
    with Database(path, problems, tell, TABLES) as database:
        if not database.has("OPERATIONS") or not database.has("BUFFERS", "TENSORS"):
            raise FormatError(tr("this database has no operations and buffers of ttnn"), path=str(path))
        database.expect()
        made = _Report(database, problems, most).read()
    problems.finish()
    return made


def _ints(*names: str) -> dict[str, Kind]:
    return dict.fromkeys(names, "int")


class _Report:
    def __init__(self, database: Database, problems: Problems, most: int | None) -> None:
        self._database, self._problems, self._most = database, problems, most
        self._texts = Texts()
        self._foreign = 0
        self._number: I64 = np.empty(0, np.int64)
        self._made: dict[str, Any] = {}
        self._memory = {name: Column(kind) for name, kind in _MEMORY.items()}
        self._keys: Array = np.empty(0, np.int64)

    def read(self) -> MemoryReport:
        devices = self._devices()
        names, durations = self._operations()
        self._cut()
        buffer_rows, dram, alive, alike = self._buffers(devices)
        page_rows = self._pages(devices)
        if not page_rows:
            self._alike(alike, devices)
        memory, of_memory = self._once()
        tensors, columns = self._tensors()
        if self._foreign:
            text = plural(
                "{count:,} row names an operation or a core that the report does not have and is skipped",
                "{count:,} rows name operations or cores that the report does not have and are skipped",
                count=self._foreign,
            )
            self._problems.add("warning", tr("rows of unknown operations"), None, text)
        strings, ids = self._texts.finish()
        name, duration = ids[names][: len(self._number)], durations[: len(self._number)]
        operations = MemoryOperations(sealed(self._number), sealed(name), sealed(duration), sealed(dram), sealed(alive))
        made = self._made | {
            "strings": strings,
            "devices": devices,
            "operations": operations,
            "memory": {name: sealed(values) for name, values in memory.items()},
            "tensors": Tensors(**tensors | {name: ids[place] for name, place in columns.items()}),
            "buffer_rows": buffer_rows,
            "page_rows": page_rows,
            "by_pages": page_rows > 0,
        }
        return MemoryReport(made, self._keys, of_memory)

    def _pieces(self, table: str, wanted: dict[str, Kind]) -> Iterator[Fetched]:
        """Some rows of a table after the others; the first ones only where few are wanted."""
        rows = self._most or TOGETHER
        yield from islice(self._database.pieces(table, wanted, rows), 1 if self._most else None)

    def _cut(self) -> None:
        """Leaves the operations that come first, and whose rows are all among the first; none if these are mixed."""
        for table in ("BUFFERS", "BUFFER_PAGES") if self._most else ():
            for read in self._pieces(table, _ints("operation_id")):
                number = read.ints("operation_id")
                if read.count >= (self._most or 0):
                    rises = bool((number[1:] >= number[:-1]).all())
                    self._number = self._number[self._number < (int(number[-1]) if rises else NONE)]

    def _devices(self) -> MemoryDevices:
        wanted = _ints(*_DEVICES, "address_at_first_l1_bank")
        read = self._database.read("DEVICES", wanted)
        device, rows, columns, size, base = (_within(read.known(name), LARGEST) for name in wanted)
        first = np.unique(device, return_index=True)[1]
        first = first[(device[first] >= 0) & (device[first] < MOST_CORES)]
        numbers, down, across = (
            sealed(np.minimum(part, 1 << 30)[first].astype(np.int32)) for part in (device, rows, columns)
        )
        return MemoryDevices(numbers, down, across, sealed(size[first]), sealed(base[first]))

    def _operations(self) -> tuple[int, Array]:
        """(the column of their names, float64: durations); they are sorted by number, each once."""
        wanted: dict[str, Kind] = {"operation_id": "int", "name": "text", "duration": "float"}
        read = self._database.read("OPERATIONS", wanted)
        number = read.ints("operation_id")
        known, first = np.unique(number, return_index=True)
        there = known != NONE
        self._number, first = known[there], first[there]
        duration = read.floats("duration")[first]
        duration = np.where(duration >= 0, duration, np.nan)
        return self._texts.add(first.astype(np.int32), read.texts("name")), duration

    def _of_operation(self, read: Fetched) -> I64:
        """int64: the row of each operation, -1 for one that the report does not have."""
        number = read.ints("operation_id")
        place = np.searchsorted(self._number, number)
        inside = np.minimum(place, max(len(self._number) - 1, 0))
        found = self._number[inside] == number if len(self._number) else np.zeros(len(number), np.bool_)
        return np.where(found, inside, -1)

    def _buffers(self, devices: MemoryDevices) -> tuple[int, I64, I64, Array]:
        """(rows; int64[operations]: bytes in DRAM, and buffers; int64[operations, devices]: bytes of a bank of L1)."""
        rows, count = 0, len(self._number)
        dram, alive = np.zeros(count, np.int64), np.zeros(count, np.int64)
        few = count * len(devices.device) <= 1 << 26
        alike = np.zeros(count * len(devices.device) if few else 0, np.int64)
        lives: list[Array] = []
        held, full = 0, False
        wanted = _ints("operation_id", "device_id", "address", "max_size_per_bank", "buffer_type", "buffer_layout")
        for read in self._pieces("BUFFERS", wanted):
            rows += read.count
            operation = self._of_operation(read)
            device, address, size = (
                _within(read.known(name), LARGEST) for name in ("device_id", "address", "max_size_per_bank")
            )
            kind = _types(read.known("buffer_type"))
            good = (operation >= 0) & (size >= 0) & (device < MOST_CORES)
            self._foreign += int(np.count_nonzero(~good))
            keep = np.flatnonzero(good)
            operation, device, address, size, kind = (part[keep] for part in (operation, device, address, size, kind))
            combine_at(np.add, alive, operation, np.ones(len(keep), np.int64))
            combine_at(np.add, dram, operation, np.where(kind == 0, size, 0))
            if len(alike):
                place = np.searchsorted(devices.device, device)
                there = (place < len(devices.device)) & ((kind == IN_L1[0]) | (kind == IN_L1[1]))
                there &= devices.device[np.minimum(place, len(devices.device) - 1)] == device
                combine_at(np.add, alike, (operation * len(devices.device) + place)[there], size[there])
            if full:
                continue
            layout = _within(read.known("buffer_layout"), 1 << 30)[keep]
            rows_of_piece = np.stack((device, kind, address, size, layout, operation, operation))
            lives.append(_lives(rows_of_piece, self._database.look))
            held += lives[-1].shape[1]
            if held > MERGED:
                lives = [_lives(_emptied(lives), self._database.look)]
                held = 0
                full = lives[0].shape[1] >= MOST_BUFFERS
            self._database.look()
        own = _lives(_emptied(lives), self._database.look)
        device, kind, address, size, layout, first, last = own
        if full:
            text = tr(
                "the first {count:,} buffers are listed, up to operation {number}; sums and curves count all",
                count=len(first),
                number=int(self._number[int(last.max())]),
            )
            self._problems.add("warning", tr("very many buffers"), None, text)
        self._made["buffers"] = Buffers(
            device=sealed(device.astype(np.int32)),
            type=sealed(kind.astype(np.uint8)),
            layout=sealed(layout.astype(np.int32)),
            address=sealed(address),
            size=sealed(size),
            first=sealed(first.astype(np.int32)),
            last=sealed(last.astype(np.int32)),
        )
        return rows, dram, alive, alike

    def _alike(self, alike: Array, devices: MemoryDevices) -> None:
        """L1 without pages: every core of a device has the largest bank of each buffer."""
        some = np.flatnonzero(alike)
        operation, place = np.divmod(some, max(len(devices.device), 1))
        across, down = np.maximum(devices.columns[place], 1), np.maximum(devices.rows[place], 1)
        cores = np.minimum(across.astype(np.int64) * down, MOST_CORES)
        if int(cores.sum()) > MOST_ALIKE:
            text = tr("all cores of a device hold the same, as pages are not in the report; the first one is listed")
            self._problems.add("info", tr("cores that are alike"), None, text)
            cores = np.ones(len(some), np.int64)
        for few in batches(cores, TOGETHER):
            row = np.repeat(np.arange(few.start, few.stop), cores[few])
            number = np.arange(len(row)) - np.repeat(np.cumsum(cores[few]) - cores[few], cores[few])
            keys = core_keys(devices.device[place[row]], number % across[row], number // across[row], logical=True)
            none = np.full(len(row), -1, np.int64)
            self._add(
                {
                    "operation": operation[row],
                    "key": keys,
                    "used": alike[some[row]],
                    "parts": none,
                    "gap": none,
                    "free": none,
                }
            )

    def _add(self, columns: dict[str, Array]) -> None:
        """Adds rows of CoreMemory."""
        self._keys = union(self._keys, distinct(columns["key"]))
        for name, values in columns.items():
            self._memory[name].add(values)
        self._database.look()

    def _pages(self, devices: MemoryDevices) -> int:
        """Adds L1 by the pages; how many rows these are."""
        rest, rows = np.empty((4, 0), np.int64), 0
        for read in self._pieces("BUFFER_PAGES", _ints(*_PAGES)):
            rows += read.count
            operation, kind = self._of_operation(read), _types(read.known("buffer_type"))
            device, x, y, address, size = (read.known(name) for name in _PAGES[1:6])
            key = core_keys(device, x, y, logical=True)
            good = (operation >= 0) & (key >= 0) & (address >= 0) & (address < LARGEST) & (size >= 0) & (size < LARGEST)
            self._foreign += int(np.count_nonzero(~good))
            keep = np.flatnonzero(good & ((kind == IN_L1[0]) | (kind == IN_L1[1])))
            own = np.concatenate((rest, np.stack((operation, key, address, size))[:, keep]), axis=1)
            last = own[0] == own[0, -1] if own.shape[1] else np.zeros(0, np.bool_)
            if own.shape[1] > 8 * TOGETHER:  # an operation with more pages than any has
                last[:] = False
            rest = own[:, last]
            self._add(_added_up(own[:, ~last], devices))
        self._add(_added_up(rest, devices))
        return rows

    def _once(self) -> tuple[dict[str, Array], Array]:
        """(the columns of CoreMemory but its cores, the keys of these), sorted, each operation and core once."""
        columns: dict[str, Array] = {name: column.done() for name, column in self._memory.items()}
        key, operation = columns.pop("key"), columns["operation"]
        self._database.look()
        rises = (operation[1:] > operation[:-1]) | ((operation[1:] == operation[:-1]) & (key[1:] > key[:-1]))
        if rises.all():  # as reports are written
            return columns, key
        made = {name: Column(kind) for name, kind in _MEMORY.items()}
        order = in_steps(operation, len(self._number), self._database.look)
        sizes = np.bincount(operation, minlength=len(self._number))
        ends = np.cumsum(sizes)
        for few in batches(sizes, TOGETHER):
            rows = order[ends[few.start] - sizes[few.start] : ends[few.stop - 1]]
            for name, values in _merged({name: own[rows] for name, own in (columns | {"key": key}).items()}).items():
                made[name].add(values)
            self._database.look()
        columns = {name: column.done() for name, column in made.items()}
        return columns, columns.pop("key")

    def _tensors(self) -> tuple[dict[str, Any], dict[str, int]]:
        """(columns of Tensors; which columns of texts belong to them)."""
        texts = {"shape": "shape", "dtype": "dtype", "layout": "layout", "memory": "memory_config"}
        wanted: dict[str, Kind] = _ints("tensor_id", "device_id", "address", "buffer_type")
        wanted |= dict.fromkeys(texts.values(), "text")
        first = next(self._pieces("TENSORS", wanted), None) if self._most else None
        read = first or self._database.read("TENSORS", wanted)
        row = np.arange(read.count, dtype=np.int32)
        places = {own: self._texts.add(row, read.texts(name)) for own, name in texts.items()}
        device = _within(read.known("device_id"), MOST_CORES)
        columns: dict[str, Array] = {
            "number": read.known("tensor_id"),
            "device": device.astype(np.int32),
            "address": _within(read.known("address"), 1 << 62),
            "type": _types(read.known("buffer_type")).astype(np.uint8),
        }
        return {name: sealed(values) for name, values in columns.items()}, places


_MEMORY: Final = {
    "operation": np.int32,
    "key": np.int64,
    "used": np.int64,
    "parts": np.int64,
    "gap": np.int64,
    "free": np.int64,
}


def _within(values: I64, limit: int) -> I64:
    """``values`` from 0 to ``limit`` - 1, -1 for others."""
    return np.where((values >= 0) & (values < limit), values, -1)


def _types(values: I64) -> I64:
    """Indices of BUFFER_TYPES."""
    other = len(BUFFER_TYPES) - 1
    return np.where((values >= 0) & (values < other), values, other)


def _emptied(lives: list[Array]) -> Array:
    """int64[7, n]: all of ``lives``, which is empty afterwards."""
    rows = np.concatenate([np.empty((7, 0), np.int64), *lives], axis=1)
    lives.clear()
    return rows


def _lives(rows: Array, look: Callable[[], None]) -> Array:
    """int64[7, n]: buffers (device, type, address, size, layout, first and last operation) in which those that are the
    same in consecutive operations are one; ``rows`` is overwritten. ``look``: asks for cancel."""
    order = np.arange(rows.shape[1])
    for key in (5, 4, 3, 2, 1, 0):
        if (rows[key, 1:] != rows[key, :-1]).any():
            look()
            order = order[np.argsort(rows[key, order], kind="stable")]
    for key in range(len(rows)):
        look()
        rows[key] = rows[key, order]
    new = np.ones(rows.shape[1], np.bool_)
    new[1:] = rows[5, 1:] > rows[6, :-1] + 1
    for key in range(5):
        look()
        new[1:] |= rows[key, 1:] != rows[key, :-1]
    begins = np.flatnonzero(new)
    for key in range(6):
        look()
        rows[key, : len(begins)] = rows[key, begins]
    if len(begins):
        rows[6, : len(begins)] = np.maximum.reduceat(rows[6], begins)
    made = rows[:, : len(begins)]
    return made if 2 * len(begins) > rows.shape[1] else made.copy()


def _added_up(rows: Array, devices: MemoryDevices) -> dict[str, Array]:
    """Rows of CoreMemory from (operation, core, address, size) of pages, sorted or not: used bytes, and free stretches
    between pages and up to the size of L1."""
    if not rows.shape[1]:
        return {name: np.empty(0, kind) for name, kind in _MEMORY.items()}
    rows = rows[:, np.lexsort(rows[[2, 1, 0]])]
    operation, key, address, size = rows
    new = np.ones(len(key), np.bool_)
    new[1:] = (operation[1:] != operation[:-1]) | (key[1:] != key[:-1])
    begins = np.flatnonzero(new)
    group = np.cumsum(new) - 1
    apart = group * (2 * LARGEST)
    reach = np.maximum.accumulate(address + size + apart) - apart
    free = np.zeros(len(key), np.int64)
    free[1:] = np.where(new[1:], 0, np.maximum(address[1:] - reach[:-1], 0))
    ends = np.append(begins[1:], len(key)) - 1
    limit = _limits(key[begins], devices)
    tail = np.where(limit < 0, -1, np.maximum(limit - reach[ends], 0))
    gap, whole = np.maximum.reduceat(free, begins), np.add.reduceat(free, begins)
    return {
        "operation": operation[begins],
        "key": key[begins],
        "used": np.add.reduceat(size, begins),
        "parts": np.diff(np.append(begins, len(key))),
        "gap": np.where(tail < 0, -1, np.maximum(gap, tail)),
        "free": np.where(tail < 0, -1, whole + tail),
    }


def _merged(columns: dict[str, Array]) -> dict[str, Array]:
    """Rows of CoreMemory, each operation and core once; where that came twice, gaps are not known."""
    order = by_integers(columns["operation"].astype(np.int64), columns["key"])
    columns = {name: values[order] for name, values in columns.items()}
    new = np.ones(len(order), np.bool_)
    new[1:] = np.diff(columns["operation"]).astype(np.bool_) | np.diff(columns["key"]).astype(np.bool_)
    begins = np.flatnonzero(new)
    if len(begins) == len(order):
        return columns
    twice = np.diff(np.append(begins, len(order))) > 1
    made = {name: values[begins] for name, values in columns.items()}
    for name in ("used", "parts"):
        made[name] = np.add.reduceat(columns[name], begins)
    for name in ("gap", "free"):
        made[name] = np.where(twice, -1, made[name])
    return made


def _limits(keys: I64, devices: MemoryDevices) -> I64:
    """int64: the size of L1 on the device of each core; -1 not stated."""
    device = keys // SIDE**2 % MOST_DEVICE
    place = np.searchsorted(devices.device, device)
    size = np.append(devices.l1, -1)[place]
    return np.where((np.append(devices.device, -1)[place] == device) & (size > 0), size, -1)
