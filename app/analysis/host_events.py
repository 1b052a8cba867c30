"""Formulas over the events that TensorFlow for the IPU logs, all pure functions of their columns: the parts attached to
events, why a compilation or an execution has no report, and totals (counts, seconds of compilation, bytes in each
direction; by tensor, by device and module).

The options that decide on reports are those of TensorFlow's ``create_ipu_config``: profiling, profile_execution,
report_every_nth_execution, max_report_size (the event's documentation, "Enabling tracing").
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.amounts import Spread, spread
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, among, combine_at
from app.profile.strings import Interner, Strings
from app.profile.tensorflow import (
    CAPNP,
    CBOR,
    COMPILATION_REPORT,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    FROM_DEVICE,
    INSTRUCTION_INFO,
    JSON,
    LAYOUT_NEW,
    LOAD_ENGINE,
    PATH,
    TENSOR_MAP,
    TEXT,
    TO_DEVICE,
    HostEvents,
    event_type,
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
        _missing_executions(events, runs, has, why, texts)
    new = (ends | runs) & ~has & (events.layout == LAYOUT_NEW)
    if new.any():
        why[new] = texts(NEW)
    return why, texts.strings()


def _missing_executions(events: HostEvents, runs: Bool, has: Bool, why: I32, texts: Interner) -> None:
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


DIRECTIONS = (TO_DEVICE, FROM_DEVICE)


class TensorTraffic(Struct, frozen=True, eq=False):
    """One row for each tensor and direction, most bytes first. ``direction``: int32 type of the transfers; ``name``:
    int32 text id, -1 none; ``transfers``: int64; ``bytes``: int64; ``unknown``: int64, transfers that do not state its
    bytes; ``each``: statistics of the bytes of one transfer, over those that state them."""

    direction: I32
    name: I32
    transfers: I64
    bytes: I64
    unknown: I64
    each: Spread

    def __len__(self) -> int:
        return len(self.name)


def counts(events: HostEvents) -> dict[str, int]:
    """Number of events by the name of their type, only types that occur."""
    kinds, numbers = np.unique(events.type, return_counts=True)
    return {event_type(kind): count for kind, count in zip(kinds.tolist(), numbers.tolist(), strict=True)}


def compile_seconds(events: HostEvents) -> F64:
    """float64[events]: seconds that a COMPILE_END states, else those since its COMPILE_BEGIN; NaN for other events."""
    since = np.where(events.begin >= 0, events.time - events.starts(), np.nan)
    seconds = np.where(np.isnan(events.duration), since, events.duration)
    return np.where(events.type == COMPILE_END, seconds, np.nan)


def bytes_moved(events: HostEvents, direction: int) -> int | None:
    """Sum of the bytes that transfers of a direction state; None where none does."""
    stated = events.bytes[(events.type == direction) & (events.bytes >= 0)]
    return sum(stated.tolist()) if len(stated) else None


def reports(events: HostEvents) -> I64:
    """Rows of ``attached`` that are compilation or execution reports (or the paths of such)."""
    return np.flatnonzero(among(events.attached.role, (COMPILATION_REPORT, EXECUTION_REPORT))).astype(np.int64)


def traffic(events: HostEvents) -> TensorTraffic:
    """The traffic of all transfers by tensor name and direction."""
    direction = events.type[events.tensors.event]
    keys = np.stack((direction, events.tensors.name), axis=1)
    pairs, of = np.unique(keys, axis=0, return_inverse=True)
    of, size = of.reshape(-1), events.tensors.bytes
    known = size >= 0
    moved = np.bincount(of[known], size[known].astype(np.float64), minlength=len(pairs))
    total = np.minimum(moved, 2.0**62).astype(np.int64)
    order = np.argsort(-total, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return TensorTraffic(
        direction=pairs[order, 0].astype(np.int32),
        name=pairs[order, 1].astype(np.int32),
        transfers=np.bincount(of, minlength=len(pairs))[order].astype(np.int64),
        bytes=total[order],
        unknown=np.bincount(of[~known], minlength=len(pairs))[order].astype(np.int64),
        each=spread(place[of[known]], size[known], len(pairs)),
    )


class Modules(Struct, frozen=True, eq=False):
    """One row per device and module, in the order of their first events. ``device``: int32; ``module``: int32 text id;
    ``compilations``, ``loads``, ``executions``, ``reports``: int64; ``compile_seconds``: float64, NaN unknown;
    ``first``, ``last``: float64 seconds since 1970 of the executions, NaN without any; ``gap``: float64 seconds, mean
    time from one execution to the next, NaN for fewer than two; ``gaps``: statistics of these times."""

    device: I32
    module: I32
    compilations: I64
    compile_seconds: F64
    loads: I64
    executions: I64
    reports: I64
    first: F64
    last: F64
    gap: F64
    gaps: Spread

    def __len__(self) -> int:
        return len(self.module)


def modules(events: HostEvents) -> Modules:
    """The totals of the events that name a module; transfers name none."""
    rows = np.flatnonzero(events.module >= 0)
    keys = np.stack((events.ordinal[rows], events.module[rows]), axis=1)
    pairs, first_seen, of = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first_seen, kind="stable")
    place = np.empty(len(pairs), np.int64)
    place[order] = np.arange(len(pairs))
    of, count = place[of.reshape(-1)], len(pairs)
    kind, seconds = events.type[rows], compile_seconds(events)[rows]

    def counted(number: int) -> I64:
        return np.bincount(of[kind == number], minlength=count).astype(np.int64)

    timed = ~np.isnan(seconds)
    total = np.bincount(of[timed], seconds[timed], minlength=count)
    any_time = np.bincount(of[timed], minlength=count) > 0
    first, last, runs = _execution_times(events.time[rows], of, kind == EXECUTE, count)
    has_report = np.bincount(events.attached.event[events.attached.role <= 1], minlength=len(events))
    return Modules(
        device=pairs[order, 0].astype(np.int32),
        module=pairs[order, 1].astype(np.int32),
        compilations=counted(COMPILE_END),
        compile_seconds=np.where(any_time, total, np.nan),
        loads=counted(LOAD_ENGINE),
        executions=counted(EXECUTE),
        reports=np.bincount(of, has_report[rows], minlength=count).astype(np.int64),
        first=first,
        last=last,
        gap=np.where(runs > 1, (last - first) / np.maximum(runs - 1, 1), np.nan),
        gaps=_gaps(events.time[rows], of, kind == EXECUTE, count),
    )


def _gaps(time: F64, of: I64, executed: np.ndarray, count: int) -> Spread:
    """Statistics of the times from one execution of a module to its next."""
    known = executed & np.isfinite(time)
    of, time = of[known], time[known]
    order = np.lexsort((time, of))
    of, time = of[order], time[order]
    same = of[1:] == of[:-1]
    return spread(of[1:][same], np.diff(time)[same], count)


def _execution_times(time: F64, of: I64, executed: np.ndarray, count: int) -> tuple[F64, F64, I64]:
    """(first, last time, how many have a time) of the executions by module."""
    known = executed & np.isfinite(time)
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    combine_at(np.minimum, first, of[known], time[known])
    combine_at(np.maximum, last, of[known], time[known])
    runs = np.bincount(of[known], minlength=count).astype(np.int64)
    return np.where(runs > 0, first, np.nan), np.where(runs > 0, last, np.nan), runs
