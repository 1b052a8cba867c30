"""The parts attached to events, and why a compilation or an execution has no report, as far as the log shows.

The options that decide are those of TensorFlow's ``create_ipu_config``: profiling, profile_execution,
report_every_nth_execution, max_report_size (the event's documentation, "Enabling tracing").
"""

from __future__ import annotations

from typing import Final

import numpy as np

from app.language import tr
from app.profile.arrays import I32, I64, Bool, among
from app.profile.strings import Interner, Strings
from app.profile.tensorflow import (
    CAPNP,
    CBOR,
    COMPILATION_REPORT,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    INSTRUCTION_INFO,
    JSON,
    LAYOUT_NEW,
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
    return np.flatnonzero(among(events.attached.event, rows)).astype(np.int64)


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
    with_report = runs[among(runs, reported)]
    return int(with_report[0]) if len(with_report) else -1


NEW: Final = tr("TensorFlow of SDK 2.2 or later writes no reports into events.")
NO_COMPILATION: Final = tr(
    "No compilation here has a report: profiling was off (enable_ipu_events alone gives events without reports), the "
    "reports were larger than max_report_size, or the executables came from a cache."
)
THIS_COMPILATION: Final = tr(
    "Other compilations have reports, so profiling was on: this one was larger than max_report_size, or its "
    "executable came from a cache."
)
NO_EXECUTION: Final = tr(
    "No execution here has a report: reports need profile_execution, and must not be larger than max_report_size."
)
THIS_MODULE: Final = tr("Executions of other modules have reports: those of this one were larger than max_report_size.")


def not_its_turn(every: int) -> str:
    return tr(
        "Not selected: one of {every:,} executions of this module has a report (report_every_nth_execution).",
        every=every,
    )


def its_turn(every: int) -> str:
    return tr(
        "One of {every:,} executions of this module has a report (report_every_nth_execution). This one was selected, "
        "but its report was larger than max_report_size.",
        every=every,
    )


def some(reports: int, executions: int) -> str:
    return tr(
        "{reports:,} of {executions:,} executions of this module have reports: this one was not selected "
        "(report_every_nth_execution), or its report was larger than max_report_size.",
        reports=reports,
        executions=executions,
    )


def missing_reports(events: HostEvents) -> tuple[I32, Strings]:
    """(int32[events] ids of the reasons, -1 if there is a report or none is expected; the reasons)."""
    has = np.zeros(len(events), np.bool_)
    has[events.attached.event[events.attached.role <= 1]] = True
    texts = Interner()
    why = np.full(len(events), -1, np.int32)
    ends = events.type == COMPILE_END
    without = ends & ~has
    why[without] = texts(THIS_COMPILATION if bool(np.any(ends & has)) else NO_COMPILATION) if without.any() else -1
    runs = events.type == EXECUTE
    if bool(np.any(runs & ~has)):
        _executions(events, runs, has, why, texts)
    new = (ends | runs) & ~has & (events.layout == LAYOUT_NEW)
    if new.any():
        why[new] = texts(NEW)
    return why, texts.strings()


def _executions(events: HostEvents, runs: Bool, has: Bool, why: I32, texts: Interner) -> None:
    """Set the reasons of executions, module by module."""
    rows = np.flatnonzero(runs)
    keys = np.stack((events.ordinal[rows], events.module[rows]), axis=1)
    _, of = np.unique(keys, axis=0, return_inverse=True)
    of = of.reshape(-1)
    bare = ~(np.bincount(of, has[rows]) > 0)[of]
    if bare.any():  # there may be very many of these
        why[rows[bare]] = texts(THIS_MODULE if bool(np.any(has[rows])) else NO_EXECUTION)
    rows, of = rows[~bare], of[~bare]
    order = np.argsort(of, kind="stable")
    for own in np.split(rows[order], np.flatnonzero(np.diff(of[order])) + 1):
        _module(own, has[own], why, texts)


def _module(rows: I64, has: Bool, why: I32, texts: Interner) -> None:
    """Set the reasons for a module of which some executions have a report."""
    reported, missing = np.flatnonzero(has), np.flatnonzero(~has)
    if not len(missing):
        return
    every = _every(reported)
    if every < 2:
        why[rows[missing]] = texts(some(len(reported), len(rows)))
        return
    due = (missing - reported[0]) % every == 0
    why[rows[missing[~due]]] = texts(not_its_turn(every))
    if due.any():
        why[rows[missing[due]]] = texts(its_turn(every))


def _every(reported: I64) -> int:
    """The regular interval between reports (some may be missing); 0 if there is none."""
    if len(reported) < 2:
        return 0
    steps = np.diff(reported)
    least = int(steps.min())
    return least if not np.any(steps % least) else 0
