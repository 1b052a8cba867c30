"""The smaller CSV files of a rank: steps, memory, calls, operators of the framework (Ascend captures, section 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from app.formats.ascend_capture.joining import Texts
from app.formats.ascend_capture.kinds import Kind
from app.formats.ascend_capture.sheet import CellKind, Sheet, rounded
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend_capture import (
    Calls,
    FrameworkOperators,
    MemoryOperators,
    MemoryRecord,
    TrainingSteps,
)
from app.profile.profile import Section

KIB: Final = 1 << 10
MIB: Final = 1 << 20
_DEVICE: Final = re.compile(r"NPU:(\d{1,9})", re.ASCII)
_TIMES: Final = frozenset(("timestamp(us)", "allocationtime(us)", "releasetime(us)", "activereleasetime(us)"))
_TEXTS: Final = frozenset(("component", "name", "level", "apiname", "inputshapes", "callstack", "devicetype"))
STEP_COLUMNS: Final = (
    ("computing", "computing"),
    ("exposed", "communication(notoverlapped)"),
    ("overlapped", "overlapped"),
    ("communication", "communication"),
    ("free", "free"),
    ("stage", "stage"),
    ("bubble", "bubble"),
    ("exposed_without_receive", "communication(notoverlappedandexcludereceive)"),
    ("preparing", "preparing"),
)
"""(field of TrainingSteps, title in step_trace_time.csv); the file counts microseconds."""


def kind_of(title: str) -> CellKind:
    """What the cells of a column are."""
    return "time" if title in _TIMES else "text" if title in _TEXTS else "number"


def _no_rank(rows: int) -> I32:
    return sealed(np.zeros(rows, np.int32))


def seconds(values: F64) -> F64:
    """Microseconds as seconds."""
    return sealed(values / 1e6)


def training_steps(sheet: Sheet) -> TrainingSteps:
    """step_trace_time.csv."""
    none = sealed(np.full(sheet.rows, -1, np.int64))
    return TrainingSteps(
        rank=_no_rank(sheet.rows),
        step=sealed(sheet.integers("step")),
        start=none,
        end=none,
        device_start=none,
        device_end=none,
        **{field: seconds(sheet.numbers(title)) for field, title in STEP_COLUMNS},
    )


def memory_record(sheet: Sheet) -> MemoryRecord:
    """memory_record.csv of either profiler: MB or KB by the titles. Rows without a time are left out; the others are
    sorted by component and time."""
    ids, strings = sheet.texts("component")
    time = sheet.times("timestamp(us)")
    texts = Texts()
    texts.add(ids, strings, required=True)
    strings, (component,) = texts.finish()
    rank = {text: place for place, text in enumerate(sorted(set(strings.tolist())))}
    place = np.array([rank[text] for text in strings.tolist()], np.int32)
    order = np.lexsort((time, place[component])) if len(component) else np.empty(0, np.int64)
    order = order[time[order] >= 0]

    def size(name: str) -> I64:
        return sealed(_bytes(sheet, name)[order])

    return MemoryRecord(
        strings=strings,
        rank=_no_rank(len(order)),
        component=sealed(component[order]),
        time=sealed(time[order]),
        allocated=size("totalallocated"),
        reserved=size("totalreserved"),
        active=size("totalactive"),
    )


def _bytes(sheet: Sheet, name: str) -> I64:
    """Bytes of a column in MB (2^20) or KB; -1 for no data."""
    if sheet.has(f"{name}(kb)"):
        return sheet.integers(f"{name}(kb)", times=KIB)
    return sheet.integers(f"{name}(mb)", times=MIB)


def memory_operators(sheet: Sheet) -> MemoryOperators:
    """operator_memory.csv. Rows without a size are left out."""
    size = sheet.numbers("size(kb)") * KIB
    here = np.flatnonzero(np.isfinite(size))
    ids, strings = sheet.texts("name")
    texts = Texts()
    texts.add(ids[here], strings, required=True)
    strings, (name,) = texts.finish()
    return MemoryOperators(
        strings=strings,
        rank=_no_rank(len(here)),
        name=name,
        size=rounded(size[here]),
        allocated_at=sealed(sheet.times("allocationtime(us)")[here]),
        released_at=sealed(sheet.times("releasetime(us)")[here]),
        inactive_at=sealed(sheet.times("activereleasetime(us)")[here]),
    )


def calls(sheet: Sheet) -> Calls:
    """api_statistic.csv."""
    texts = Texts()
    for title in ("level", "apiname"):
        texts.add(*sheet.texts(title), required=True)
    strings, (level, name) = texts.finish()
    return Calls(
        strings=strings,
        rank=_no_rank(sheet.rows),
        level=level,
        name=name,
        count=sealed(sheet.integers("count")),
        total=seconds(sheet.numbers("time(us)")),
        shortest=seconds(sheet.numbers("min(us)")),
        longest=seconds(sheet.numbers("max(us)")),
    )


def framework_operators(sheet: Sheet) -> FrameworkOperators:
    """operator_details.csv."""
    texts = Texts()
    for title in ("name", "inputshapes", "callstack"):
        texts.add(*sheet.texts(title), required=title == "name")
    strings, (name, shapes, stack) = texts.finish()

    def time(title: str) -> F64:
        return seconds(sheet.numbers(title))

    return FrameworkOperators(
        strings=strings,
        rank=_no_rank(sheet.rows),
        name=name,
        shapes=shapes,
        stack=stack,
        host_self=time("hostselfduration(us)"),
        host_total=time("hosttotalduration(us)"),
        device_self=time("deviceselfduration(us)"),
        device_total=time("devicetotalduration(us)"),
        aicore_self=time("deviceselfdurationwithaicore(us)"),
        aicore_total=time("devicetotaldurationwithaicore(us)"),
    )


def device_of(sheet: Sheet) -> int:
    """The number of the device ("NPU:4" in tables of memory, or a column of its own), -1 without one."""
    numbers = sheet.integers("device_id")[:1].tolist() if sheet.has("device_id") else []
    if sheet.has("devicetype"):
        texts = sheet.texts("devicetype")[1].tolist()
        numbers += [int(match[1]) for text in texts if (match := _DEVICE.fullmatch(text))]
    return next((number for number in numbers if number >= 0), -1)


MADE: Final[dict[Kind, Callable[[Sheet], Section]]] = {
    "steps": training_steps,
    "memory": memory_record,
    "memory_operators": memory_operators,
    "calls": calls,
    "operators": framework_operators,
}
"""By the kind of the file."""
