"""Memory and calls of a database (Ascend captures, sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from app.formats.ascend_capture.database_columns import NONE, Kind
from app.formats.ascend_capture.database_safe import Database
from app.formats.ascend_capture.database_tasks import HostCalls
from app.formats.ascend_capture.database_texts import Texts, Words
from app.profile.arrays import F64, I32, I64, Bool, among, combine_at, distinct, numbered, sealed
from app.profile.ascend_capture import Calls, MemoryOperators, MemoryRecord

_APP: Final = "app"
PROCESS: Final = "APP"
"""What memory_record calls the component whose rows NPU_MEM has under the type ``app``."""


Owns = Callable[[I64], Bool]
"""bool: the rows that count, of int64 numbers of devices."""


def memory_record(database: Database, texts: Texts, owns: Owns) -> MemoryRecord | None:
    """MEMORY_RECORD, and what the process holds by NPU_MEM. Without the first, the totals that NPU_OP_MEM has at each
    of its changes (msprof writes only these). None without any row. ``owns``: which numbers of devices count."""
    strings = Words(texts)
    parts = [_process(database, texts, strings, owns)]
    if database.has("MEMORY_RECORD"):
        names = ("component", "timestamp", "totalAllocated", "totalReserved", "totalActive")
        parts.append(_record(database, texts, strings, "MEMORY_RECORD", names, owns))
    elif database.has("NPU_OP_MEM"):
        names = ("component", "timestampNs", "totalAllocate", "totalReserve", "totalActive")
        parts.append(_record(database, texts, strings, "NPU_OP_MEM", names, owns))
    component, time, allocated, reserved, active = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((time, component))
    order = order[(time[order] >= 0) & (component[order] >= 0)]
    if not len(order):
        return None
    return MemoryRecord(
        strings=strings.strings(),
        rank=sealed(np.zeros(len(order), np.int32)),
        component=sealed(component[order].astype(np.int32)),
        time=sealed(time[order]),
        allocated=sealed(allocated[order]),
        reserved=sealed(reserved[order]),
        active=sealed(active[order]),
    )


_Rows = tuple[I32, I64, I64, I64, I64]


def _process(database: Database, texts: Texts, strings: Words, owns: Owns) -> _Rows:
    fetched = database.read("NPU_MEM", dict.fromkeys(("type", "ddr", "hbm", "timestampNs", "deviceId"), "int"))
    apps = [one for one, name in texts.by_id(fetched.ints("type")).items() if name == _APP]
    which = np.flatnonzero(among(fetched.ints("type"), apps) & owns(fetched.ints("deviceId")))
    sizes = [fetched.ints(name)[which] for name in ("ddr", "hbm")]
    known = [np.where((size < 0) | (size > 1 << 60), 0, size) for size in sizes]
    held = np.where((sizes[0] == NONE) & (sizes[1] == NONE), -1, known[0] + known[1])
    none = np.full(len(which), -1, np.int64)
    component = np.full(len(which), strings(PROCESS) if len(which) else -1, np.int32)
    return component, fetched.known("timestampNs")[which], none, held, none


def _record(database: Database, texts: Texts, strings: Words, table: str, names: tuple[str, ...], owns: Owns) -> _Rows:
    database.lacks(table, *names[:2])
    fetched = database.read(table, dict.fromkeys((*names, "deviceId"), "int"))
    own = owns(fetched.ints("deviceId"))
    component = texts.column(fetched.ints(names[0])[own], strings)
    time, allocated, reserved, active = (fetched.known(name)[own] for name in names[1:])
    return component, time, allocated, reserved, active


def memory_operators(database: Database, texts: Texts, owns: Owns) -> MemoryOperators | None:
    """OP_MEMORY, rows with a size, of the devices that ``owns`` says; None without any."""
    names = ("name", "size", "allocationTime", "releaseTime", "activeReleaseTime")
    if not database.has("OP_MEMORY") or database.lacks("OP_MEMORY", "name", "size"):
        return None
    wanted: dict[str, Kind] = dict.fromkeys((*names, "deviceId"), "int")
    fetched = database.read("OP_MEMORY", wanted)
    which = np.flatnonzero((fetched.ints("size") != NONE) & owns(fetched.ints("deviceId")))
    if not len(which):
        return None
    strings = Words(texts)
    return MemoryOperators(
        rank=sealed(np.zeros(len(which), np.int32)),
        name=texts.column(fetched.ints("name")[which], strings, optional=False),
        size=sealed(fetched.ints("size")[which]),
        allocated_at=sealed(fetched.known("allocationTime")[which]),
        released_at=sealed(fetched.known("releaseTime")[which]),
        inactive_at=sealed(fetched.known("activeReleaseTime")[which]),
        strings=strings.strings(),
    )


def calls(rows: HostCalls, texts: Texts, levels: dict[int, str]) -> Calls | None:
    """The calls by level and name; None without any. ``levels``: the names of their types."""
    if not len(rows):
        return None
    duration, kinds, names = rows.end - rows.start, rows.kind, rows.name
    known = distinct(kinds), distinct(names)
    key = np.searchsorted(known[0], kinds) * len(known[1]) + np.searchsorted(known[1], names)
    found, place = numbered(key)
    count = np.bincount(place, minlength=len(found)).astype(np.int64)
    total, longest = np.zeros(len(count), np.int64), np.zeros(len(count), np.int64)
    shortest = np.full(len(count), np.iinfo(np.int64).max)
    combine_at(np.add, total, place, duration)
    combine_at(np.maximum, longest, place, duration)
    combine_at(np.minimum, shortest, place, duration)
    strings = Words(texts)
    level = [
        strings(levels.get(number, "" if number == NONE else str(number)))
        for number in known[0][found // len(known[1])].tolist()
    ]
    order = np.argsort(-total, kind="stable")
    return Calls(
        rank=sealed(np.zeros(len(count), np.int32)),
        level=sealed(np.array(level, np.int32)[order]),
        name=sealed(texts.column(known[1][found % len(known[1])], strings, optional=False)[order]),
        count=sealed(count[order]),
        total=_seconds(total[order]),
        shortest=_seconds(shortest[order]),
        longest=_seconds(longest[order]),
        strings=strings.strings(),
    )


def _seconds(nanoseconds: I64) -> F64:
    return sealed(nanoseconds.astype(np.float64) * 1e-9)
