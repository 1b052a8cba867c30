"""Operators of the framework, from a database: what they took on the host by themselves and with those that they
called, and on the device by what they launched (Ascend captures, sections 2 to 4)."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_tasks import Compute, Kinds, Tasks, timed
from app.formats.ascend_capture.database_texts import Found, Texts, Words, numbered
from app.formats.spool import kept
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, combine_at, distinct, expand
from app.profile.ascend_capture import FrameworkOperators

OPERATOR: Final = "op"
_STEP: Final = "ProfilerStep#"
_CORES: Final = frozenset(("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV"))
"""Kernels on the AI Cores (of the sample: neither copies, random numbers, nor collectives)."""
_MORE: Final = 1 << 20
_TICK: Final = 1 << 16
MOST_FRAMES: Final = 256
MOST_STACKS: Final = 64 << 20
"""Characters of all call stacks: a frame may be part of any number."""


class Framework(Struct, frozen=True, eq=False):
    """PYTORCH_API: int64 columns with NONE, rows with a time. ``kind``: a number of ENUM_API_TYPE; ``thread``: process
    and thread, 32 bits each; ``name``, ``shapes``: ids of texts; ``chain``: id of a call stack. CONNECTION_IDS, by id:
    ``ids`` and ``connections``."""

    start: I64
    end: I64
    thread: I64
    connection: I64
    name: I64
    kind: I64
    shapes: I64
    chain: I64
    ids: I64
    connections: I64

    def __len__(self) -> int:
        return len(self.start)

    def pairs(self, rows: I64, look: Callable[[], None]) -> tuple[I64, I64]:
        """(row, connection) of all connections of ``rows``: several where an operator launches several tasks."""
        low, high = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        for at in range(0, len(rows), _TICK):
            look()
            some = slice(at, at + _TICK)
            wanted = self.connection[rows[some]]
            low[some] = np.searchsorted(self.ids, wanted, "left")
            high[some] = np.where(wanted == NONE, low[some], np.searchsorted(self.ids, wanted, "right"))
        if not (high > low + 1).any():
            one = np.flatnonzero(high > low)
            return rows[one], self.connections[low[one]]
        if int((high - low).sum()) > len(self.ids) + len(rows) + _MORE:  # many rows that share ids of many connections
            high = np.minimum(high, low + 1)
        return np.repeat(rows, high - low), self.connections[expand(low, high)]


_NAMES: Final = ("startNs", "endNs", "globalTid", "connectionId", "name", "type", "inputShapes", "callchainId")


def read_framework(database: Database) -> Framework:
    """Operators, queues and functions of the framework; rows without a time are reported."""
    empty = np.empty(0, np.int64)
    if not database.has("PYTORCH_API") or database.lacks("PYTORCH_API", *_NAMES[:3], "name"):
        return Framework(*(empty for _ in range(len(_NAMES) + 2)))
    fetched = database.read("PYTORCH_API", dict.fromkeys(_NAMES, "int"))
    columns = [fetched.ints(name) for name in _NAMES]
    good = timed(database, "PYTORCH_API", columns[0], columns[1])
    columns = columns if good.all() else [kept(column[good]) for column in columns]
    ids, connections = empty, empty
    if database.has("CONNECTION_IDS") and not database.lacks("CONNECTION_IDS", "id", "connectionId"):
        fetched = database.read("CONNECTION_IDS", {"id": "int", "connectionId": "int"})
        ids, connections = fetched.ints("id"), fetched.ints("connectionId")
        known = np.flatnonzero((ids != NONE) & (connections != NONE))
        order = known[np.argsort(ids[known], kind="stable")]
        ids, connections = kept(ids[order]), kept(connections[order])
        database.look()
    return Framework(*[*columns, ids, connections])


class Launched(Struct, frozen=True, eq=False):
    """What has a connection on the device: int64 nanoseconds of all of it, and of that on the AI Cores."""

    connection: I64
    total: I64
    aicore: I64


def launched(tasks: Tasks, kinds: Kinds, compute: Compute, texts: Texts, operations: tuple[I64, I64]) -> Launched:
    """Kernels and collectives. ``operations``: connections and durations of the collectives, without their tasks."""
    which = np.flatnonzero((kinds.communication < 0) & ~kinds.holds & (tasks.connection >= 0))
    row = kinds.compute[which]
    core = np.zeros(len(which), np.bool_)
    names = texts.by_id(compute.columns["taskType"])
    on_core = numbered(compute.columns["taskType"], {one: int(name in _CORES) for one, name in names.items()})
    core[row >= 0] = on_core[row[row >= 0]] == 1
    duration = (tasks.end - tasks.start)[which]
    return Launched(
        np.concatenate((tasks.connection[which], operations[0])),
        np.concatenate((duration, operations[1])),
        np.concatenate((np.where(core, duration, 0), np.zeros(len(operations[1]), np.int64))),
    )


def framework_operators(
    database: Database, framework: Framework, texts: Texts, levels: dict[int, str], device: Launched
) -> FrameworkOperators | None:
    """One row per operator, in the order of the file; None without any. Times on the device are those of what has the
    operator's connections: the databases seen have none for copies, which the text form counts as well."""
    kinds = [number for number, name in levels.items() if name == OPERATOR]
    database.look()
    rows = np.flatnonzero(_any(framework.kind, kinds) & ~texts.begin(framework.name, _STEP))
    if not len(rows):
        return None
    start, end = framework.start[rows], framework.end[rows]
    database.look()
    order, parent, until = _nested(framework.thread[rows], start, end, database.look)
    own = end - start
    inner = np.zeros(len(rows), np.int64)
    inside = np.flatnonzero(parent >= 0)
    combine_at(np.add, inner, order[parent[inside]], own[order[inside]])
    device_self, aicore_self = _on_device(framework, rows, device, database.look)
    database.look()
    device_total, aicore_total = (_with_callees(one, order, until) for one in (device_self, aicore_self))
    strings = Words(texts)
    return FrameworkOperators(
        rank=kept(np.zeros(len(rows), np.int32)),
        name=texts.column(framework.name[rows], strings, optional=False),
        shapes=texts.column(framework.shapes[rows], strings, changed=lambda text: text.replace("\r\n", "\n")),
        stack=_stacks(database, framework.chain[rows], texts, strings),
        host_self=_seconds(own - inner),
        host_total=_seconds(own),
        device_self=_seconds(device_self),
        device_total=_seconds(device_total),
        aicore_self=_seconds(aicore_self),
        aicore_total=_seconds(aicore_total),
        strings=strings.strings(),
    )


def _any(values: I64, wanted: list[int]) -> Bool:
    found = np.zeros(len(values), np.bool_)
    for one in wanted:
        found |= values == one
    return found


def _nested(thread: I64, start: I64, end: I64, look: Callable[[], None]) -> tuple[I64, I64, I64]:
    """int64: the rows by thread and start, callers first; of each in this order, the place of its caller, -1 none, and
    the place behind all that it called."""
    order = np.lexsort((-end, start, thread))
    parents, until = array("q"), array("q")
    open_: list[tuple[int, int, int]] = []
    for at in range(0, len(order), _TICK):
        look()
        some = order[at : at + _TICK]
        columns = zip(thread[some].tolist(), start[some].tolist(), end[some].tolist(), strict=True)
        for place, (own, begin, last) in enumerate(columns, at):
            while open_ and (open_[-1][1] != own or open_[-1][2] <= begin):
                until[open_.pop()[0]] = place
            parents.append(open_[-1][0] if open_ else -1)
            until.append(len(order))
            open_.append((place, own, last))
    return order, np.array(parents, np.int64), np.array(until, np.int64)


def _with_callees(values: I64, order: I64, until: I64) -> I64:
    """int64: the sum of each value and those of what it called."""
    sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(values[order])))
    total = np.empty_like(values)
    total[order] = sums[until] - sums[:-1]
    return total


def _on_device(framework: Framework, rows: I64, device: Launched, look: Callable[[], None]) -> tuple[I64, I64]:
    """int64 nanoseconds by operator: of all that it launched itself, and of that on the AI Cores."""
    place, connection = framework.pairs(rows, look)
    known = distinct(device.connection)
    look()
    sums = []
    at = np.searchsorted(known, device.connection)
    where = Found(known).row(connection)
    look()
    row = np.searchsorted(rows, place)
    for spent in (device.total, device.aicore):
        by_connection = np.zeros(len(known), np.int64)
        combine_at(np.add, by_connection, at, spent)
        out = np.zeros(len(rows), np.int64)
        combine_at(np.add, out, row[where >= 0], by_connection[where[where >= 0]])
        sums.append(out)
    return sums[0], sums[1]


def _stacks(database: Database, chains: I64, texts: Texts, strings: Words) -> I32:
    """The text of each call stack, the innermost frame first, as operator_details has it."""
    wanted = distinct(chains[chains != NONE])
    made = dict.fromkeys(distinct(chains).tolist(), -1)
    if len(wanted) and not database.lacks("PYTORCH_CALLCHAINS", "id", "stack", "stackDepth"):
        fetched = database.read("PYTORCH_CALLCHAINS", dict.fromkeys(("id", "stack", "stackDepth"), "int"))
        order = np.lexsort((fetched.ints("stackDepth"), fetched.ints("id")))
        ids, frames = fetched.ints("id")[order], fetched.ints("stack")[order]
        names, left = texts.by_id(frames), MOST_STACKS
        low, high = np.searchsorted(ids, wanted, "left"), np.searchsorted(ids, wanted, "right")
        for one, first, last in zip(wanted.tolist(), low.tolist(), high.tolist(), strict=True):
            lines = [names[frame] for frame in frames[first : min(last, first + MOST_FRAMES)].tolist()]
            left -= sum(map(len, lines))
            if left < 0:
                text = tr("more than {most:,} characters of call stacks; the others are skipped", most=MOST_STACKS)
                database.problems.add("info", tr("call stacks beyond the first"), None, text)
                break
            made[one] = strings(";\n".join(lines)) if lines else -1
            database.look()
    return numbered(chains, made)


def _seconds(nanoseconds: I64) -> F64:
    return kept(nanoseconds.astype(np.float64) * 1e-9)
