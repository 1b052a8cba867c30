"""The parts attached to events: their file names, and which of them belong together."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.profile.arrays import I64
from app.profile.tensorflow import (
    CAPNP,
    CBOR,
    COMPILATION_REPORT,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    INSTRUCTION_INFO,
    JSON,
    PATH,
    TENSOR_MAP,
    TEXT,
    HostEvents,
)

_STEMS: Final = ("compile_report", "execute_report", "serialized_graph", "tensor_map", "instruction_info")
_ENDINGS: Final = {JSON: "json", CBOR: "cbor", TEXT: "txt", PATH: "txt", CAPNP: "capnp"}
_SHOWN: Final = (COMPILATION_REPORT, EXECUTION_REPORT, TENSOR_MAP)


def file_name(events: HostEvents, part: int) -> str:
    """``cluster_1.compile_report.json``: named like the files that TensorFlow writes to report_directory."""
    own = events.attached
    module = events.strings.get(int(events.module[own.event[part]])) or "module"
    return f"{module}.{_STEMS[own.role[part]]}.{_ENDINGS.get(int(own.content[part]), 'bin')}"


def opens(events: HostEvents, part: int) -> bool:
    """Whether panels can show the part: reports and tensor maps contained in the log itself."""
    own = events.attached
    return int(own.role[part]) in _SHOWN and int(own.content[part]) in (JSON, CBOR, TEXT)


def is_path(events: HostEvents, part: int) -> bool:
    """Whether the log contains only the path of the part (report_directory was set)."""
    return int(events.attached.content[part]) == PATH and int(events.attached.role[part]) != INSTRUCTION_INFO


def parts_of(events: HostEvents, rows: I64) -> I64:
    """The parts attached to these events, in the order of the log."""
    return np.flatnonzero(np.isin(events.attached.event, rows)).astype(np.int64)


def together(events: HostEvents, part: int) -> I64:
    """The parts that form one profile with this one: the compilation report, an execution report and the tensor map of
    one module. For an execution, those of the preceding compilation; for a compilation, those of the first execution
    after it that has a report and belongs to it. The part itself is always included."""
    event = int(events.attached.event[part])
    end, run = (event, -1) if events.type[event] == COMPILE_END else (_end_before(events, event), event)
    if run < 0:
        run = _run_after(events, end)
    rows = [int(one) for one in parts_of(events, np.array([end, run])) if opens(events, int(one))]
    rows = sorted({*rows, part}, key=lambda one: (int(events.attached.role[one]), one))
    return np.array(rows, np.int64)


def _same_module(events: HostEvents, event: int, kind: int) -> I64:
    mine = (events.module == events.module[event]) & (events.ordinal == events.ordinal[event])
    return np.flatnonzero(mine & (events.type == kind)).astype(np.int64)


def _end_before(events: HostEvents, event: int) -> int:
    ends = _same_module(events, event, COMPILE_END)
    before = ends[ends < event]
    return int(before[-1]) if len(before) else -1


def _run_after(events: HostEvents, end: int) -> int:
    """The first execution with a report before the module is compiled again."""
    ends, runs = _same_module(events, end, COMPILE_END), _same_module(events, end, EXECUTE)
    later = ends[ends > end]
    limit = int(later[0]) if len(later) else len(events)
    runs = runs[(runs > end) & (runs < limit)]
    own = events.attached
    reported = own.event[(own.role == EXECUTION_REPORT) & (own.content != PATH)]
    with_report = runs[np.isin(runs, reported)]
    return int(with_report[0]) if len(with_report) else -1
