"""Collectives of a database, and what the analysis beside it says about their transfers (Ascend captures, sections 3
and 5)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_tasks import Kinds, Steps, Tasks, timed
from app.formats.ascend_capture.database_texts import Found, Texts, Words, group_hash, named
from app.profile.arrays import F64, I64, Bool, among, combine_at, distinct, sealed
from app.profile.ascend_capture import COLLECTIVE, POINT_TO_POINT, Collectives

_P2P: Final = re.compile(r"hcom_(send|receive|batchSendRecv)", re.IGNORECASE)
_WAIT: Final = "Notify_Wait"
_STEP: Final = re.compile(r"(?:step)?\s*(\d{1,18})")
MEGA: Final = 1e6
_MS: Final = 1e-3
_GIGA: Final = 1e9
_AGREE: Final = 1e-6
"""Seconds by which the times of the tasks may differ from those of the producer."""
_TRANSFERS: Final = ("SDMA", "RDMA")


class Operations(Struct, frozen=True, eq=False):
    """COMMUNICATION_OP, rows with a time by their start: int64 columns with NONE."""

    start: I64
    end: I64
    columns: dict[str, I64]

    def __len__(self) -> int:
        return len(self.start)

    def at(self, rows: Bool) -> Operations:
        """The same with these rows alone."""
        return Operations(self.start[rows], self.end[rows], {name: own[rows] for name, own in self.columns.items()})

    def devices(self, transfers: Transfers, tasks: Tasks) -> I64:
        """int64[operations]: the device of each, of those that have tasks; where the file does not state it, that of
        its tasks; -1 none."""
        if not len(self):
            return self.start
        own = np.where(among(self.columns["deviceId"], distinct(tasks.device)), self.columns["deviceId"], NONE)
        task = Found(tasks.number).row(transfers.columns["globalTaskId"])
        there = np.flatnonzero(task >= 0)
        first = Found(transfers.columns["opId"][there]).row(self.columns["opId"])
        lacks = np.flatnonzero((own == NONE) & (first >= 0))
        own[lacks] = tasks.device[task[there[first[lacks]]]]
        return np.where(own == NONE, -1, own)


_OF_OPERATION: Final = [
    "opName",
    "startNs",
    "endNs",
    "connectionId",
    "groupName",
    "opId",
    "dataType",
    "algType",
    "count",
    "opType",
    "deviceId",
]


def read_operations(database: Database) -> Operations:
    """The collectives with their times."""
    if not database.has("COMMUNICATION_OP") or database.lacks("COMMUNICATION_OP", "opName", "startNs", "endNs"):
        return Operations(np.empty(0, np.int64), np.empty(0, np.int64), {})
    fetched = database.read("COMMUNICATION_OP", dict.fromkeys(_OF_OPERATION, "int"))
    start, end = fetched.ints("startNs"), fetched.ints("endNs")
    good = np.flatnonzero(timed(database, "COMMUNICATION_OP", start, end))
    good = good[np.argsort(start[good], kind="stable")]
    columns = {name: fetched.ints(name)[good] for name in _OF_OPERATION}
    return Operations(columns["startNs"], columns["endNs"], columns)


class Transfers(Struct, frozen=True, eq=False):
    """COMMUNICATION_TASK_INFO: int64 columns with NONE. ``transfer``, ``wait``: bool, what a task is."""

    columns: dict[str, I64]
    transfer: Bool
    wait: Bool

    def __len__(self) -> int:
        return len(self.wait)


_OF_TRANSFER: Final = [
    "globalTaskId",
    "taskType",
    "planeId",
    "groupName",
    "rdmaType",
    "srcRank",
    "dstRank",
    "transportType",
    "size",
    "linkType",
    "opId",
    "isMaster",
]


def read_transfers(database: Database, texts: Texts) -> Transfers:
    """The tasks of collectives. Those of SDMA that move data are transfers, and of RDMA the payload; a set or recorded
    notification is neither."""
    if database.has("COMMUNICATION_TASK_INFO"):
        database.lacks("COMMUNICATION_TASK_INFO", "globalTaskId", "taskType", "planeId", "opId")
    fetched = database.read("COMMUNICATION_TASK_INFO", dict.fromkeys(_OF_TRANSFER, "int"))
    columns = {name: fetched.ints(name) for name in _OF_TRANSFER}
    names = texts.by_id(columns["taskType"])
    waits = [one for one, name in names.items() if name.replace(" ", "_") == _WAIT]
    moves = [one for one, name in names.items() if name in ("Memcpy", "Reduce_Inline", "RDMASend", "Reduce_TBE")]
    payload = {one for one, name in texts.enumeration("ENUM_HCCL_RDMA_TYPE").items() if name == "RDMA_SEND_PAYLOAD"}
    by_rdma = among(columns["rdmaType"], list(payload)) if payload else np.zeros(fetched.count, np.bool_)
    rdma = [one for one, name in names.items() if name == "RDMASend"]
    transfer = _any(columns["taskType"], moves) & (~_any(columns["taskType"], rdma) | by_rdma)
    return Transfers(columns, transfer, _any(columns["taskType"], waits))


def _any(values: I64, wanted: list[int]) -> Bool:
    found = np.zeros(len(values), np.bool_)
    for one in wanted:
        found |= values == one
    return found


class Spent(Struct, frozen=True, eq=False):
    """float64[operations]: seconds on the plane of the main stream, NaN where no tasks are known."""

    transit: F64
    wait: F64
    synchronization: F64
    idle: F64


def spent(operations: Operations, transfers: Transfers, tasks: Tasks, kinds: Kinds) -> Spent:
    """What the tasks of each collective on one plane say (section 5): that of the tasks marked as the master's, else
    the one with the most tasks, of equal ones the lowest (as in both databases of the sample)."""
    which = np.flatnonzero(kinds.communication >= 0)
    row = kinds.communication[which]
    operation = Found(operations.columns["opId"]).row(transfers.columns["opId"][row])
    which, row, operation = which[operation >= 0], row[operation >= 0], operation[operation >= 0]
    plane = transfers.columns["planeId"][row]
    main = _main(operation, plane, transfers.columns["isMaster"][row], len(operations))
    which, row, operation = which[main], row[main], operation[main]
    order = np.lexsort((tasks.start[which], operation))
    which, row, operation = which[order], row[order], operation[order]
    duration = (tasks.end - tasks.start)[which]
    transfer, wait = transfers.transfer[row], transfers.wait[row]
    first = np.full(len(operations), np.iinfo(np.int64).max)
    combine_at(np.minimum, first, operation[transfer], tasks.start[which][transfer])
    before = wait & (tasks.start[which] < first[operation])

    def seconds(of: Bool) -> F64:
        total = np.zeros(len(operations), np.int64)
        combine_at(np.add, total, operation[of], duration[of])
        out: F64 = total.astype(np.float64) * 1e-9
        out[np.bincount(operation, minlength=len(operations)) == 0] = np.nan
        return sealed(out)

    transit, waiting = seconds(transfer), seconds(wait)
    elapsed = (operations.end - operations.start) * 1e-9
    return Spent(transit, waiting, seconds(before), sealed(np.maximum(elapsed - transit - waiting, 0)))


def _main(operation: I64, plane: I64, master: I64, count: int) -> Bool:
    """bool: the tasks on the main plane of their operation."""
    marked = master == 1
    has = np.zeros(count, np.bool_)
    has[operation[marked]] = True
    order = np.lexsort((plane, operation))
    pairs = np.ones(len(order), np.bool_)
    pairs[1:] = (operation[order][1:] != operation[order][:-1]) | (plane[order][1:] != plane[order][:-1])
    begins = np.flatnonzero(pairs)
    size = np.diff(begins, append=len(order))
    owner, own = operation[order][begins], plane[order][begins]
    best = np.lexsort((own, -size, owner))
    firsts = np.ones(len(best), np.bool_)
    firsts[1:] = owner[best][1:] != owner[best][:-1]
    chosen = np.full(count, NONE, np.int64)
    chosen[owner[best[firsts]]] = own[best[firsts]]
    main: Bool = np.where(has[operation], marked, plane == chosen[operation])
    return main


def collectives(
    operations: Operations, texts: Texts, types: dict[int, str], steps: Steps, own: Spent
) -> Collectives | None:
    """One row per operation; None without any. ``types``: the names of data types."""
    if not len(operations):
        return None
    strings, columns = Words(texts), operations.columns
    names = texts.by_id(columns["opName"])
    groups = {one: group_hash(name) for one, name in texts.by_id(columns["groupName"]).items() if name}
    p2p = [one for one, name in names.items() if _P2P.match(name)]
    return Collectives(
        rank=sealed(np.zeros(len(operations), np.int32)),
        step=sealed(steps.of(operations.start)),
        name=texts.column(columns["opName"], strings, optional=False),
        group=named(columns["groupName"], groups, strings),
        kind=sealed(np.where(_any(columns["opName"], p2p), POINT_TO_POINT, COLLECTIVE).astype(np.uint8)),
        start=sealed(operations.start),
        end=sealed(operations.end),
        transit=own.transit,
        wait=own.wait,
        synchronization=own.synchronization,
        idle=own.idle,
        algorithm=texts.column(columns["algType"], strings),
        data_type=named(columns["dataType"], types, strings),
        count=_known(columns["count"]),
        connection=_known(columns["connectionId"]),
        strings=strings.strings(),
    )


def _known(column: I64) -> I64:
    return sealed(np.where(column == NONE, -1, column))
