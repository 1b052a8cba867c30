"""What a device did, from a database: tasks, compute kernels with the counters of the device, and the training steps
that they belong to (Ascend captures, sections 3 to 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_texts import Found, Texts, Words, numbered
from app.formats.spool import kept
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, Bool, combine_at, distinct
from app.profile.ascend import TypedColumn
from app.profile.ascend_capture import Kernels

NO_CONTEXT: Final = 4294967295
MOST_DEVICES: Final = 64
_LATEST: Final = 1 << 62
"""Times from there on, and those before 0, are no times."""


class Tasks(Struct, frozen=True, eq=False):
    """TASK: int64 columns, -1 for none. ``start``, ``end``: nanoseconds, the end not before the start; ``number``:
    globalTaskId; ``kind``: id of the text of its type."""

    start: I64
    end: I64
    device: I64
    connection: I64
    number: I64
    kind: I64
    context: I64
    stream: I64
    task: I64

    def __len__(self) -> int:
        return len(self.start)

    def at(self, rows: Bool) -> Tasks:
        """The same with these rows alone."""
        return Tasks(*(kept(getattr(self, name)[rows]) for name in self.__struct_fields__))


def read_tasks(database: Database) -> Tasks:
    """Every task on the device that has a time; those without one are reported."""
    names = [
        "startNs",
        "endNs",
        "deviceId",
        "connectionId",
        "globalTaskId",
        "taskType",
        "contextId",
        "streamId",
        "taskId",
    ]
    if database.lacks("TASK", "startNs", "endNs"):
        return Tasks(*(np.empty(0, np.int64) for _ in names))
    fetched = database.read("TASK", dict.fromkeys(names, "int"))
    columns = [fetched.ints(name) for name in names]
    good = timed(database, "TASK", columns[0], columns[1])
    columns = [column if good.all() else column[good] for column in columns]
    known = distinct(columns[2])
    if len(known) > MOST_DEVICES:
        text = tr("the tasks are of more than {most:,} devices, which are not distinguished", most=MOST_DEVICES)
        database.problems.add("warning", tr("very many devices"), None, text)
        columns[2] = np.broadcast_to(np.int64(NONE), len(columns[2]))
    context = columns[6]
    columns[6] = np.where(context == NO_CONTEXT, -1, context)
    return Tasks(*(kept(np.where(column == NONE, -1, column)) for column in columns))


def timed(database: Database, table: str, start: I64, end: I64) -> Bool:
    """bool: rows whose times are times, the end not before the start; the others are reported."""
    good: Bool = (start >= 0) & (end >= start) & (end < _LATEST)
    bad = len(good) - int(np.count_nonzero(good))
    if bad:
        text = plural(
            "{table}: {count:,} row has no time, or ends before it starts, and is skipped",
            "{table}: {count:,} rows have no time, or end before they start, and are skipped",
            count=bad,
            table=table,
        )
        database.problems.add("warning", tr("rows without a time"), None, text)
    return good


class Kinds(Struct, frozen=True, eq=False):
    """What the tasks are. ``compute``: int64[tasks], the row of COMPUTE_TASK_INFO, -1 none; ``communication``: the
    same of COMMUNICATION_TASK_INFO; ``holds``: bool, tasks that only hold others of their number on the stream, which
    have contexts: the trace of the text form leaves them out (17 of 552 in the sample)."""

    compute: I64
    communication: I64
    holds: Bool


def kinds_of(tasks: Tasks, compute: I64, communication: I64) -> Kinds:
    """``compute``, ``communication``: int64, globalTaskId of the rows of both tables."""
    computes, communicates = Found(compute).row(tasks.number), Found(communication).row(tasks.number)
    inside = tasks.context >= 0
    holds = np.zeros(len(tasks), np.bool_)
    alone = np.flatnonzero(~inside & (computes < 0) & (communicates < 0))
    which = np.concatenate((np.flatnonzero(inside), alone)) if inside.any() else alone[:0]
    keys = (tasks.connection, tasks.task, tasks.stream, tasks.device)
    order = which[np.lexsort([key[which] for key in keys])]
    if len(order):
        new = np.ones(len(order), np.bool_)
        new[1:] = False
        for column in keys:
            new[1:] |= column[order[1:]] != column[order[:-1]]
        begins = np.flatnonzero(new)
        held = np.logical_or.reduceat(inside[order], begins)
        holds[order] = np.repeat(held, np.diff(begins, append=len(order))) & ~inside[order]
    return Kinds(kept(computes), kept(communicates), holds)


class HostCalls(Struct, frozen=True, eq=False):
    """CANN_API: int64 columns with NONE. ``start``, ``end``: nanoseconds; ``kind``: a number of ENUM_API_TYPE;
    ``thread``: process and thread, 32 bits each; ``name``: id of a text."""

    start: I64
    end: I64
    kind: I64
    thread: I64
    connection: I64
    name: I64

    def __len__(self) -> int:
        return len(self.start)


def read_calls(database: Database) -> HostCalls:
    """The calls on the host that have a time; those without one are reported."""
    names = ("startNs", "endNs", "type", "globalTid", "connectionId", "name")
    if not database.has("CANN_API") or database.lacks("CANN_API", "startNs", "endNs", "name"):
        return HostCalls(*(np.empty(0, np.int64) for _ in names))
    fetched = database.read("CANN_API", dict.fromkeys(names, "int"))
    columns = [fetched.ints(name) for name in names]
    good = timed(database, "CANN_API", columns[0], columns[1])
    return HostCalls(*(column if good.all() else kept(column[good]) for column in columns))


class Steps(Struct, frozen=True, eq=False):
    """Training steps, by their start on the device. int64: ``number``; ``start``, ``end`` on the host; ``first``,
    ``last`` on the device, -1 none."""

    number: I64
    start: I64
    end: I64
    first: I64
    last: I64

    def of(self, time: I64) -> I64:
        """int64: the number of the step in whose range on the device each time lies, the latest of several; -1 none."""
        known = np.flatnonzero(self.first >= 0)
        if not len(known):
            return np.full(len(time), -1, np.int64)
        place = np.searchsorted(self.first[known], time, "right") - 1
        row = known[np.maximum(place, 0)]
        return np.where((place >= 0) & (time <= self.last[row]), self.number[row], -1)


def read_steps(database: Database, tasks: Tasks, calls: HostCalls) -> Steps:
    """The range of a step on the device begins with the earliest of the tasks that were launched within it on the
    host, and ends with the latest end of these, or with the step on the host (section 5)."""
    empty = np.empty(0, np.int64)
    if not database.has("STEP_TIME") or database.lacks("STEP_TIME", "id", "startNs", "endNs"):
        return Steps(empty, empty, empty, empty, empty)
    fetched = database.read("STEP_TIME", {"id": "int", "startNs": "int", "endNs": "int"})
    number, start, end = fetched.known("id"), fetched.ints("startNs"), fetched.ints("endNs")
    good = timed(database, "STEP_TIME", start, end) & (number >= 0)
    number, start, end = number[good], start[good], end[good]
    order = np.argsort(start, kind="stable")
    number, start, end = number[order], start[order], end[order]
    first, last = np.full(len(start), -1, np.int64), np.full(len(start), -1, np.int64)
    if len(start):
        call = Found(calls.connection).row(np.where(tasks.connection < 0, NONE, tasks.connection))
        launched = np.flatnonzero(call >= 0)
        moment = calls.start[call[launched]]
        step = np.searchsorted(start, moment, "right") - 1
        inside = (step >= 0) & (moment <= end[np.maximum(step, 0)])
        task, step = launched[inside], step[inside]
        low, high = np.full(len(start), _LATEST, np.int64), np.full(len(start), -1, np.int64)
        combine_at(np.minimum, low, step, tasks.start[task])
        combine_at(np.maximum, high, step, tasks.end[task])
        some = high >= 0
        first[some], last[some] = low[some], np.maximum(high, end)[some]
    order = np.argsort(first, kind="stable")
    return Steps(number[order], start[order], end[order], first[order], last[order])


class Compute(Struct, frozen=True, eq=False):
    """COMPUTE_TASK_INFO: int64 columns with NONE, those of texts as ids."""

    number: I64
    columns: dict[str, I64]

    def at(self, rows: Bool) -> Compute:
        """The same with these rows alone."""
        columns = {name: kept(column[rows]) for name, column in self.columns.items()}
        return Compute(columns["globalTaskId"], columns)

    def only(self, *names: str) -> Compute:
        """The same with these columns alone."""
        return Compute(self.number, {name: self.columns[name] for name in names})


_OF_COMPUTE: Final = [
    "name",
    "globalTaskId",
    "blockDim",
    "blockNum",
    "mixBlockDim",
    "mixBlockNum",
    "taskType",
    "opType",
    "opState",
    "inputFormats",
    "inputDataTypes",
    "inputShapes",
    "outputFormats",
    "outputDataTypes",
    "outputShapes",
]


def read_compute(database: Database) -> Compute:
    """What is known of compute kernels beside their times."""
    if database.has("COMPUTE_TASK_INFO"):
        database.lacks("COMPUTE_TASK_INFO", "globalTaskId", "name", "taskType", "opType")
    fetched = database.read("COMPUTE_TASK_INFO", dict.fromkeys(_OF_COMPUTE, "int"))
    columns = {name: fetched.ints(name) for name in _OF_COMPUTE}
    return Compute(columns["globalTaskId"], columns)


def kernels(
    database: Database,
    texts: Texts,
    tasks: Tasks,
    kinds: Kinds,
    compute: Compute,
    steps: Steps,
    others: tuple[I64, I64],
) -> Kernels | None:
    """The compute kernels by their start; None without any. ``others``: starts and ends of the collectives, which count
    for the time that a kernel waits: from the end of whatever ran before (as in kernel_details of the sample, 191 of
    191 rows)."""
    which = np.flatnonzero(kinds.compute >= 0)
    lost = len(compute.number) - len(distinct(kinds.compute[which]))
    if lost:
        text = plural(
            "{count:,} row of COMPUTE_TASK_INFO matches no task, so it has no time and is skipped",
            "{count:,} rows of COMPUTE_TASK_INFO match no task, so they have no time and are skipped",
            count=lost,
        )
        database.problems.add("warning", tr("kernels without a task"), None, text)
    if not len(which):
        return None
    which = which[np.argsort(tasks.start[which], kind="stable")]
    database.look()
    row, start, end = kept(kinds.compute[which]), kept(tasks.start[which]), kept(tasks.end[which])
    strings = Words(texts)
    database.look()

    def texts_of(name: str, *, optional: bool = True, changed: Callable[[str], str] | None = None) -> I32:
        return texts.column(compute.columns[name][row], strings, optional=optional, changed=changed)

    def unquoted(text: str) -> str:
        return text.strip('"')

    def number(*names: str) -> I64:
        out = np.full(len(row), NONE, np.int64)
        for name in names:
            out = np.where(out == NONE, compute.columns[name][row], out)
        return kept(np.where(out == NONE, -1, out))

    return Kernels(
        rank=kept(np.zeros(len(row), np.int32)),
        step=kept(steps.of(start)),
        name=texts_of("name", optional=False),
        type=texts_of("opType"),
        core=texts_of("taskType"),
        stream=kept(tasks.stream[which]),
        task=kept(tasks.task[which]),
        context=kept(tasks.context[which]),
        start=kept(start),
        duration=kept(end - start),
        wait=kept(_waits(start, end, *others)),
        blocks=number("blockNum", "blockDim"),
        mix_blocks=number("mixBlockNum", "mixBlockDim"),
        connection=kept(tasks.connection[which]),
        state=texts_of("opState"),
        input_shapes=texts_of("inputShapes", changed=unquoted),
        input_types=texts_of("inputDataTypes"),
        input_formats=texts_of("inputFormats"),
        output_shapes=texts_of("outputShapes", changed=unquoted),
        output_types=texts_of("outputDataTypes"),
        output_formats=texts_of("outputFormats"),
        pmu=_counters(database, texts, tasks.number[which]),
        strings=strings.strings(),
    )


def _waits(start: I64, end: I64, starts: I64, ends: I64) -> I64:
    """int64: from the latest end of what started before, 0 for the first and for those that overlap."""
    both, until = np.concatenate((start, starts)), np.concatenate((end, ends))
    order = np.argsort(both, kind="stable")
    reach = np.maximum.accumulate(until[order])
    waits = np.zeros(len(both), np.int64)
    waits[order[1:]] = np.maximum(both[order[1:]] - reach[:-1], 0)
    return waits[: len(start)]


_TOTALS: Final = {"aic_total_time": "aicore_time(us)", "aiv_total_time": "aiv_time(us)"}
_NS_PER_US: Final = 1000.0
MOST_COUNTERS: Final = 256


def _counters(database: Database, texts: Texts, number: I64) -> tuple[TypedColumn, ...]:
    """TASK_PMU_INFO with a column for each counter, by the titles of kernel_details: times there are microseconds."""
    if not database.has("TASK_PMU_INFO") or database.lacks("TASK_PMU_INFO", "globalTaskId", "name", "value"):
        return ()
    fetched = database.read("TASK_PMU_INFO", {"globalTaskId": "int", "name": "int", "value": "float"})
    found, value = Found(number), fetched.floats("value")
    database.look()
    row = found.row(fetched.ints("globalTaskId"))
    database.look()
    names = texts.by_id(fetched.ints("name"))
    several = [name for name in names if names[name]]
    if len(several) > MOST_COUNTERS:
        text = tr("more than {most:,} counters; the first are shown", most=MOST_COUNTERS)
        database.problems.add("warning", tr("counters beyond the first"), None, text)
    place = numbered(fetched.ints("name"), {one: at for at, one in enumerate(names)})
    database.look()
    order = np.argsort(place, kind="stable")
    database.look()
    begins = np.searchsorted(place[order], np.arange(len(names) + 1))
    made = []
    for at, one in enumerate(names):
        if one not in several[:MOST_COUNTERS]:
            continue
        own = order[begins[at] : begins[at + 1]]
        own = own[row[own] >= 0]
        column: F64 = np.full((len(number), 1), np.nan)
        column[row[own], 0] = value[own]
        title = names[one]
        if title.endswith("_time"):
            column /= _NS_PER_US
            title = _TOTALS.get(title, f"{title}(us)")
        if len(own):
            made.append(TypedColumn(title, "float", kept(column)))
    return tuple(made)
