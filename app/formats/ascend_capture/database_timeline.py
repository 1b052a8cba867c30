"""The timeline of a database: the lanes, arrows and counters that the trace of the text form has (Ascend captures,
sections 2 and 3), in nanoseconds since its first slice.

Whatever overlaps in a lane gets rows of its own. The lanes of "Overlap Analysis" are derived from kernels and
collectives (section 5). Tasks that only hold others have no slice, and neither events nor placeholders have an arrow,
as in the trace of the sample.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_communication import Operations, Transfers
from app.formats.ascend_capture.database_counters import counters, of_device
from app.formats.ascend_capture.database_operators import Framework
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_tasks import Compute, HostCalls, Kinds, Tasks, timed
from app.formats.ascend_capture.database_texts import Found, Texts, Words, named
from app.formats.integers import Flat, narrow
from app.formats.spool import KEPT_BYTES, kept
from app.formats.timeline_build import arrange
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Bool, Integers, among, distinct, numbered, sealed
from app.profile.orders import by_values
from app.profile.timeline import Flows, Lanes, Slices, Timeline

PYTHON, MARKS, CANN, HARDWARE, COMMUNICATION, OVERLAP = (
    "Python",
    "MSTX",
    "CANN",
    "Ascend Hardware",
    "Communication",
    "Overlap Analysis",
)
"""Names of processes."""
COMPUTING, COMMUNICATING, EXPOSED, FREE = "Computing", "Communication", "Communication(Not Overlapped)", "Free"
MOST_LANES: Final = 4096
_LEVELS: Final = {"acl": "AscendCL", "node": "Node", "hccl": "Hccl", "runtime": "Runtime", "model": "Model"}
"""How names of calls begin in the trace, by their level."""
_QUEUE: Final = "queue"
_CATEGORIES: Final = {"op": "cpu_op", _QUEUE: "enqueue", "trace": "python_function", "mstx": "user_annotation"}
_DEQUEUE: Final = "Dequeue"
_NO_ARROW: Final = ("EVENT_", "PROFILING_", "PLACE_HOLDER")
_THREAD: Final = 0xFFFFFFFF
_LARGEST: Final = (1 << 62) - 1


class _Arrows(Struct, frozen=True, eq=False):
    """Numbers of slices, as they were added, at both ends of arrows of one category."""

    category: str
    source: Integers
    target: Integers


class Device(Struct, eq=False):
    """What other readers have read of the device. Nobody else keeps it, so that what is released leaves memory."""

    tasks: Tasks
    kinds: Kinds
    compute: Compute
    operations: Operations
    transfers: Transfers
    calls: HostCalls
    framework: Framework

    def release(self, *names: str) -> None:
        """Forgets these fields."""
        for name in names:
            delattr(self, name)


def timeline(database: Database, texts: Texts, device: Device, levels: dict[int, str]) -> Timeline | None:
    """The timeline; None where there is nothing to show. ``levels``: names of the types of calls and operators. The
    ``device`` is released before its slices are sorted, which takes the most memory."""
    maker = _Maker(database, texts, device, levels)
    maker.collect()
    return maker.finish()


class _Maker:
    def __init__(self, database: Database, texts: Texts, device: Device, levels: dict[int, str]) -> None:
        self._database = database
        self._texts = texts
        self._device = device
        self._levels = levels
        self._strings = Words(texts)
        self._lanes: dict[tuple[str, str, int], int] = {}
        self._columns = {name: Flat(KEPT_BYTES) for name in _COLUMNS}
        self._arrows: list[_Arrows] = []
        tasks = device.tasks
        self._of_operation = device.operations.devices(device.transfers, tasks)
        numbers = distinct(np.concatenate((tasks.device, self._of_operation))).tolist()
        if len(numbers) > 1 and numbers[0] < 0:  # what no device is stated of is with the first
            self._of_operation = np.maximum(self._of_operation, numbers[1])
            device.tasks = replace(tasks, device=np.maximum(tasks.device, numbers[1]))
            del numbers[0]
        self._devices = [(one, of_device(one) if len(numbers) > 1 else "") for one in numbers]
        """The numbers of the devices, and what the names of their processes end with."""
        self._first = -1
        self._count = 0
        self._beyond = 0

    def collect(self) -> None:
        """Everything but the counters; releases the device."""
        self._python()
        self._marks()
        calls = self._calls()
        launched = self._hardware()
        collective = self._communication()
        self._launches(calls, launched, collective)
        self._database.look()
        self._framework_launches(launched, collective)
        self._overlap()
        self._database.look()
        if self._beyond:
            text = tr("only the first {most:,} lanes are shown", most=MOST_LANES)
            self._database.problems.add("warning", tr("lanes beyond the first"), None, text)
        self._device.release("tasks", "kinds", "compute", "operations", "transfers", "calls")
        self._api_connection = self._api_slice = _NO

    def finish(self) -> Timeline | None:
        """The timeline of what was collected."""
        tracks, origin = counters(self._database, self._texts, self._strings, self._first)
        if origin < 0:
            return None
        look = self._database.look
        start = kept((self._joined("start", np.int64) - origin).astype(np.float64))
        lane, duration = self._joined("lane", np.int32), self._joined("duration", np.float64)
        look()
        made = arrange(lane, start, duration, None, len(self._lanes), look=look)
        order, lane, first_row, first = kept(made.order), kept(made.lane), made.first_row, made.first
        del made
        look()
        start, duration = kept(start[order]), kept(duration[order])
        name, category = (kept(self._joined(of, np.int32)[order]) for of in ("name", "category"))
        look()
        flows = self._flows(lane, start, order)
        none = kept(np.full(len(start), -1, np.int64))
        process = np.array([self._strings(process) for process, _, _ in self._lanes], np.int32)
        thread = np.array([self._strings(thread) for _, thread, _ in self._lanes], np.int32)
        look()
        return Timeline(
            unit="ns",
            seconds_per_unit=1e-9,
            lanes=Lanes(sealed(process), sealed(thread), first_row),
            slices=Slices(start, duration, name, category, record=none, address=none, first=first),
            flows=flows,
            counters=tracks,
            origin=Decimal(origin),
            strings=self._strings.strings(),
        )

    def _flows(self, lane: I32, start: F64, order: I64) -> Flows:
        """The arrows, from start to start, by the time at which they leave. ``lane``, ``start``: of the slices in
        ``order``."""
        look = self._database.look
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        source = kept(place[np.concatenate([one.source for one in self._arrows] or [_NO])].astype(np.int64))
        target = kept(place[np.concatenate([one.target for one in self._arrows] or [_NO])].astype(np.int64))
        del place
        names = [np.full(len(one.source), self._strings(one.category), np.int32) for one in self._arrows]
        category = np.concatenate([*names, _NO], dtype=np.int32, casting="unsafe")
        look()
        row = by_values(kept(start[source]), kept(start[target]))
        look()
        source, target, category = kept(source[row]), kept(target[row]), kept(category[row])
        del row
        look()
        return Flows(
            category=category,
            from_time=kept(start[source]),
            from_lane=kept(lane[source]),
            from_slice=source,
            to_time=kept(start[target]),
            to_lane=kept(lane[target]),
            to_slice=target,
        )

    def _add(self, lane: I32, start: I64, end: I64, name: I32, category: I32 | None = None) -> I64:
        """Adds slices (lane -1: none is left for them); int64: the number of each, -1 for those without a lane."""
        self._database.look()
        good = lane >= 0
        number = np.full(len(lane), -1, np.int64)
        count = int(np.count_nonzero(good))
        number[good] = np.arange(self._count, self._count + count)
        self._count += count
        if not count:
            return number
        self._first = min(int(start[good].min()), self._first if self._first >= 0 else _LARGEST)
        category = np.full(len(lane), -1, np.int32) if category is None else category
        columns: tuple[Integers, ...] = (lane, start, end - start, name, category)
        for of, column in zip(_COLUMNS, columns, strict=True):
            self._columns[of].add(column if count == len(lane) else column[good])
        return kept(number)

    def _joined(self, of: str, kind: type[np.generic]) -> Array:
        """A column of all slices, whose parts are released."""
        return kept(self._columns.pop(of).done().astype(kind))

    def _lane(self, process: str, thread: str, number: int = 0) -> int:
        """The lane of a thread; -1 where there are too many. ``number``: tells apart what is called the same."""
        key = (process, thread, number)
        if key not in self._lanes and len(self._lanes) >= MOST_LANES:
            self._beyond += 1
            return -1
        return self._lanes.setdefault(key, len(self._lanes))

    def _numbered_lanes(self, process: str, word: str, values: I64) -> I32:
        """int32: a lane for each distinct value (0 or above, else "?"), in their order."""
        known, place = numbered(np.where(values < 0, 0, np.minimum(values, _LARGEST) + 1))
        titles = [f"{word} {one - 1}" if one else f"{word} ?" for one in known.tolist()]
        lanes = np.array([self._lane(process, title) for title in titles], np.int32)
        return lanes[place] if len(known) else np.empty(0, np.int32)

    def _threads(self, process: str, ids: I64) -> I32:
        """int32: the lanes of threads by globalTid: process and thread, 32 bits each."""
        return self._numbered_lanes(process, "Thread", np.where(ids == NONE, -1, ids & _THREAD))

    def _python(self) -> None:
        """Operators, queues, functions of Python and collections, and the arrows between them."""
        database = self._database
        self._api_connection, self._api_slice = _NO, _NO
        own = self._device.framework
        if len(own):
            category = named(own.kind, self._categories(), self._strings)
            queue = self._of_type(own.kind, _QUEUE)
            out = queue & self._texts.begin(own.name, _DEQUEUE)
            category = np.where(out, self._strings("dequeue"), category).astype(np.int32) if out.any() else category
            names = self._texts.column(own.name, self._strings, optional=False)
            number = self._add(self._threads(PYTHON, own.thread), own.start, own.end, names, category)
            start, launches = own.start, own.pairs(np.flatnonzero(number >= 0), database.look)
            database.look()
            del own
            self._device.release("framework")
            self._connect(start, launches, number, queue)
        if database.has("GC_RECORD") and not database.lacks("GC_RECORD", "startNs", "endNs", "globalTid"):
            fetched = database.read("GC_RECORD", dict.fromkeys(("startNs", "endNs", "globalTid"), "int"))
            start, end = fetched.ints("startNs"), fetched.ints("endNs")
            good = timed(database, "GC_RECORD", start, end)
            lanes = self._threads(PYTHON, fetched.ints("globalTid")[good])
            names = np.full(len(lanes), self._strings.known("GC"), np.int32)
            self._add(lanes, start[good], end[good], names, names)

    def _marks(self) -> None:
        """What the user marked: annotations, moments where they have no end."""
        database = self._database
        if not database.has("MSTX_EVENTS") or database.lacks("MSTX_EVENTS", "startNs", "globalTid", "message"):
            return
        fetched = database.read("MSTX_EVENTS", dict.fromkeys(("startNs", "endNs", "globalTid", "message"), "int"))
        start = fetched.ints("startNs")
        end = np.maximum(np.where(fetched.ints("endNs") <= 0, start, fetched.ints("endNs")), start)
        good = timed(database, "MSTX_EVENTS", start, end)
        self._add(
            self._threads(MARKS, fetched.ints("globalTid")[good]),
            start[good],
            end[good],
            self._texts.column(fetched.ints("message")[good], self._strings, optional=False),
            np.full(int(np.count_nonzero(good)), self._strings("user_annotation"), np.int32),
        )

    def _categories(self) -> dict[int, str]:
        return {number: _CATEGORIES[name] for number, name in self._levels.items() if name in _CATEGORIES}

    def _of_type(self, types: I64, word: str) -> Bool:
        return _among(types, [number for number, name in self._levels.items() if name == word])

    def _connect(self, start: I64, launches: tuple[I64, I64], number: I64, queue: Bool) -> None:
        """Resolves connections: each row has an id, which CONNECTION_IDS maps to one or several connections. Two rows
        with one connection that is no task's: what is taken from the queue, or backward of what was forward."""
        each, connection = launches
        is_queue = queue[each]
        self._api_connection, self._api_slice = connection[~is_queue], number[each[~is_queue]]
        tasks = distinct(self._device.tasks.connection)
        self._database.look()
        no_task = Found(tasks).row(connection) < 0
        self._database.look()
        self._pairs("async_task_queue", connection[is_queue], number[each[is_queue]], start[each[is_queue]])
        rest = np.flatnonzero(~is_queue & no_task)
        self._pairs("fwdbwd", connection[rest], number[each[rest]], start[each[rest]])

    def _pairs(self, category: str, connection: I64, number: I64, start: I64) -> None:
        """Arrows between the only two slices of a connection."""
        order = np.lexsort((start, connection))
        self._database.look()
        value = connection[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = value[1:] != value[:-1]
        begins = np.flatnonzero(new)
        two = begins[np.diff(begins, append=len(order)) == 2]
        self._arrow(category, number[order[two]], number[order[two + 1]] if len(two) else two)

    def _arrow(self, category: str, source: I64, target: I64) -> None:
        good = (source >= 0) & (target >= 0)
        if good.any():
            self._arrows.append(_Arrows(category, kept(narrow(source[good])), kept(narrow(target[good]))))

    def _calls(self) -> tuple[I64, I64]:
        """(connections of calls, numbers of their slices)."""
        calls = self._device.calls
        lanes = self._threads(CANN, calls.thread)
        return calls.connection, self._add(lanes, calls.start, calls.end, self._names_of_calls(calls.kind, calls.name))

    def _names_of_calls(self, kinds: I64, names: I64) -> I32:
        known = distinct(kinds), distinct(names)
        if not len(kinds):
            return np.empty(0, np.int32)
        found, place = numbered(np.searchsorted(known[0], kinds) * len(known[1]) + np.searchsorted(known[1], names))
        texts, plain = self._texts.by_id(known[1]), self._texts.column(known[1], self._strings, optional=False)
        made = []
        for key in found.tolist():
            level = self._levels.get(int(known[0][key // len(known[1])]), "")
            prefix = _LEVELS.get(level, level)
            name = key % len(known[1])
            text = texts[int(known[1][name])]
            made.append(self._strings(f"{prefix}@{text}") if prefix else int(plain[name]))
        return np.array(made, np.int32)[place]

    def _hardware(self) -> tuple[I64, I64]:
        """(connections of tasks that are launched, numbers of their slices): neither those of collectives, whose arrow
        leads to the collective, nor events."""
        tasks, kinds = self._device.tasks, self._device.kinds
        which = np.flatnonzero(~kinds.holds)
        compute = kinds.compute[which]
        own = self._texts.column(tasks.kind[which], self._strings, optional=False)
        name = own.copy()
        del own
        some = compute >= 0
        name[some] = self._texts.column(
            self._device.compute.columns["name"][compute[some]], self._strings, optional=False
        )
        lane = np.full(len(which), -1, np.int32)
        for device, suffix in self._devices:
            here = tasks.device[which] == device
            lane[here] = self._numbered_lanes(f"{HARDWARE}{suffix}", "Stream", tasks.stream[which[here]])
        number = self._add(lane, tasks.start[which], tasks.end[which], name)
        kind = self._texts.by_id(tasks.kind[which])
        events = [one for one, text in kind.items() if text.startswith(_NO_ARROW)]
        launched = (kinds.communication[which] < 0) & ~_among(tasks.kind[which], events)
        return tasks.connection[which[launched]], number[launched]

    def _communication(self) -> tuple[I64, I64]:
        """(connections of collectives, numbers of their slices)."""
        operations, transfers = self._device.operations, self._device.transfers
        tasks, kinds = self._device.tasks, self._device.kinds
        which = np.flatnonzero(kinds.communication >= 0)
        row = kinds.communication[which]
        own = operations.columns["groupName"] if len(operations) else _NO
        theirs = transfers.columns["groupName"][row]
        plane = transfers.columns["planeId"][row]
        names = self._texts.column(transfers.columns["taskType"][row], self._strings, optional=False)
        numbers = np.full(len(operations), -1, np.int64)
        titles = self._texts.column(operations.columns["opName"], self._strings, optional=False) if len(own) else None
        groups = enumerate(dict.fromkeys([*own.tolist(), *theirs.tolist()]))
        for (at, group), (device, suffix) in product(groups, self._devices):
            process = f"{COMMUNICATION}{suffix}"
            here = np.flatnonzero((own == group) & (self._of_operation == device))
            if len(here) and titles is not None:
                lane = np.full(len(here), self._lane(process, f"Group {at} Communication"), np.int32)
                numbers[here] = self._add(lane, operations.start[here], operations.end[here], titles[here])
            here = np.flatnonzero((theirs == group) & (tasks.device[which] == device))
            lane = np.full(len(here), -1, np.int32)
            for one in distinct(plane[here]).tolist():
                lane[plane[here] == one] = self._lane(process, f"Plane {one}" if one >= 0 else "Plane ?", at)
            self._add(lane, tasks.start[which[here]], tasks.end[which[here]], names[here])
        return (operations.columns["connectionId"] if len(operations) else _NO), numbers

    def _launches(self, calls: tuple[I64, I64], launched: tuple[I64, I64], collective: tuple[I64, I64]) -> None:
        connection, number = (np.concatenate(both) for both in zip(launched, collective, strict=True))
        row = Found(calls[0]).row(np.where(connection < 0, NONE, connection))
        some = np.flatnonzero(row >= 0)
        self._arrow("HostToDevice", calls[1][row[some]], number[some])

    def _framework_launches(self, launched: tuple[I64, I64], collective: tuple[I64, I64]) -> None:
        """From operators of the framework to what they launched; several tasks may have one connection."""
        connection, number = (np.concatenate(both) for both in zip(launched, collective, strict=True))
        row = Found(self._api_connection).row(np.where(connection < 0, NONE, connection))
        some = np.flatnonzero(row >= 0)
        self._arrow("async_npu", self._api_slice[row[some]], number[some])

    def _overlap(self) -> None:
        """When each device computes, communicates, does not compute meanwhile, and does neither."""
        tasks, operations = self._device.tasks, self._device.operations
        for device, suffix in self._devices:
            which = np.flatnonzero((self._device.kinds.compute >= 0) & (tasks.device == device))
            own = self._of_operation == device
            computing = union(tasks.start[which], tasks.end[which])
            communicating = union(operations.start[own], operations.end[own])
            busy = union(*(np.concatenate(both) for both in zip(computing, communicating, strict=True)))
            free = busy[1][:-1], busy[0][1:]
            exposed = without(communicating, computing)
            for name, (start, end) in (
                (COMPUTING, computing),
                (COMMUNICATING, communicating),
                (EXPOSED, exposed),
                (FREE, free),
            ):
                if len(start):
                    lane = np.full(len(start), self._lane(f"{OVERLAP}{suffix}", name), np.int32)
                    self._add(lane, start, end, np.full(len(start), self._strings.known(name), np.int32))


_COLUMNS: Final = ("lane", "start", "duration", "name", "category")
_NO: Final[I64] = sealed(np.empty(0, np.int64))


Spans = tuple[I64, I64]
"""(starts, ends), ascending, apart from each other."""


def union(start: I64, end: I64) -> Spans:
    """When any of the intervals runs; those of no length are left out, and those that touch are one."""
    order = np.flatnonzero(end > start)
    order = order[np.argsort(start[order], kind="stable")]
    start, reach = start[order], np.maximum.accumulate(end[order])
    new = np.ones(len(start), np.bool_)
    new[1:] = start[1:] > reach[:-1]
    begins = np.flatnonzero(new)
    return start[begins], reach[np.append(begins[1:], len(start)) - 1] if len(begins) else reach


def without(spans: Spans, others: Spans) -> Spans:
    """The parts of ``spans`` outside of ``others``."""
    edges = distinct(np.concatenate((*spans, *others)))
    begin, end = edges[:-1], edges[1:]
    inside = _covered(begin, spans) & ~_covered(begin, others)
    return union(begin[inside], end[inside])


def _covered(time: I64, spans: Spans) -> Bool:
    place = np.searchsorted(spans[0], time, "right") - 1
    inside: Bool = place >= 0
    inside[inside] = time[inside] < spans[1][place[inside]]
    return inside


def _among(values: I64, wanted: list[int]) -> Bool:
    return among(values, np.array(wanted, np.int64))
