"""What a Tenstorrent capture says: idle and uneven cores, gaps between operations, what bounds operations, L1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tenstorrent import (
    BANDWIDTH,
    COMPUTE,
    DRAM_USE,
    HOST,
    IDEAL,
    MEAN,
    NANOSECOND,
    NOC_USE,
    SLOWEST,
    gaps,
    idle,
    kernels,
    l1_peaks,
    limit_of,
    name_of_core,
)
from app.language import plural, tr
from app.profile.arrays import F64, I64, Bool, combine_at
from app.profile.ascend import TypedColumn
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.tenstorrent import CORES, ON_DEVICE, Operations

_LISTED: Final = 3
_LONG_GAP: Final = 6.5e-6
NO_LOG: Final = tr("the capture has no device log")
NO_OPERATIONS: Final = tr("the capture has no operations (ops_perf_results)")
WHOLE: Final = tr("time of all kernels")


def _idle(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    cores, run = profile.worker_cores, profile.device_run
    if cores is None or run is None or not len(run.runs):
        return NotChecked(NO_LOG)
    rows, known = np.flatnonzero(idle(cores)), int(np.count_nonzero(cores.zones >= 0))
    if not len(rows) or 100 * len(rows) < thresholds.idle_worker_cores * known:
        return ()
    clock = profile.target.clock_hz if profile.target is not None else None
    spans = float((run.runs.end - run.runs.start).sum())
    bound = spans * len(rows) / known / (clock or 1.0)
    text = plural(
        "{count:,} of {known} cores runs firmware and no kernel. If the work can be divided further, it could take "
        "part.",
        "{count:,} of {known} cores run firmware and no kernel. If the work can be divided further, they could take "
        "part.",
        count=len(rows),
        known=f"{known:,}",
    )
    formula = tr("time of all runs × idle cores / cores, if the work can be spread evenly")
    saving = Saving(bound, "s" if clock else "cycles", WHOLE, formula)
    evidence = (
        Evidence("worker-cores", "", tr("idle cores"), float(len(rows))),
        *(
            Evidence(
                "worker-cores",
                name_of_core(profile, row),
                tr("kernel"),
                0.0,
                "cycles",
                Selection("worker_core", (row,)),
            )
            for row in rows[:_LISTED].tolist()
        ),
    )
    title = plural(
        "{count:,} of {known} cores is idle", "{count:,} of {known} cores are idle", count=len(rows), known=f"{known:,}"
    )
    return (Finding("warning", title, sentence(text), evidence, saving, "estimated"),)


def _uneven(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own, run = profile.operations, profile.device_run
    clock = profile.target.clock_hz if profile.target is not None else None
    if run is not None and len(run.runs) and clock:
        spread = (run.runs.most - run.runs.cycles / np.maximum(run.runs.cores, 1)) / clock
        whole = float(run.runs.most.sum()) / clock
        worst = int(spread.argmax())
        core = int(run.runs.slowest[worst])
        name = name_of_core(profile, core)
        chosen, table = Selection("worker_core", (core,)), "worker-cores"
        figure = tr("longer than the mean, in run {run}", run=int(run.runs.run[worst]))
        most: str = tr("run {run}", run=int(run.runs.run[worst]))
    elif own is not None and np.isfinite(own.number(SLOWEST)).any():
        spread = np.nan_to_num((own.number(SLOWEST) - own.number(MEAN)) * NANOSECOND)
        whole = float(np.nansum(own.number(SLOWEST))) * NANOSECOND
        worst = int(spread.argmax())
        name, chosen, table = own.strings.get(int(own.code[worst])), Selection("operation", (worst,)), "operations"
        figure, most = tr("slowest core minus mean"), name
    else:
        return NotChecked(tr("the capture has no device log with a clock and no times per core"))
    lost = float(np.maximum(spread, 0).sum())
    if not whole or 100 * lost < thresholds.uneven_worker_cores * whole:
        return ()
    text = tr(
        "The slowest core of each run takes {lost} longer than the mean of its cores, {share} of all kernels. The "
        "others wait for it.",
        lost=Amount(lost, "s"),
        share=Amount(100 * lost / whole, "%"),
    )
    saving = Saving(lost, "s", WHOLE, tr("sum over runs of slowest core - mean of the cores"))
    evidence = (Evidence(table, name, figure, float(spread[worst]), "s", chosen),)
    title = tr("Cores are loaded unevenly, most in {name}", name=most)
    return (Finding("warning", title, sentence(text), evidence, saving),)


def _gaps(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.operations
    if own is None or not np.isfinite(gaps(own)).any():
        return NotChecked(NO_OPERATIONS)
    gap, time = gaps(own), kernels(own)
    lost, whole = float(np.nansum(gap)), float(np.nansum(gap) + np.nansum(time))
    if not whole or 100 * lost < thresholds.operation_gaps * whole:
        return ()
    text = tr(
        "Between operations, the devices wait {lost}, {share} of the time. Gaps are measured with the profiler, which "
        "makes them longer; replays of a trace avoid most of them.",
        lost=Amount(lost, "s"),
        share=Amount(100 * lost / whole, "%"),
    )
    saving = Saving(lost, "s", tr("run of the devices, one after the other"), tr("sum of OP TO OP LATENCY"))
    evidence = _longest(own, gap, np.isfinite(gap), tr("gap before it"))
    title = tr("Devices wait {share} of the time between operations", share=f"{100 * lost / whole:.0f} %")
    return (Finding("warning", title, sentence(text), evidence, saving),)


def _host(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.operations
    if own is None or not np.isfinite(own.number(HOST)).any():
        return NotChecked(NO_OPERATIONS)
    gap, time, host = gaps(own), kernels(own), own.number(HOST) * NANOSECOND
    bound = (own.place == ON_DEVICE) & (gap > _LONG_GAP) & (host > time)
    lost, whole = float(gap[bound].sum()), float(np.nansum(gap) + np.nansum(time))
    if not bound.any() or 100 * lost < thresholds.operation_gaps * whole:
        return ()
    text = plural(
        "{count:,} operation takes longer on the host than its kernel, and the device waited {lost} before it: the "
        "host bounds the run.",
        "{count:,} operations take longer on the host than their kernels, and the devices waited {lost} before them: "
        "the host bounds the run.",
        count=int(np.count_nonzero(bound)),
        lost=Amount(lost, "s"),
    )
    formula = tr("sum of the gaps above 6.5 µs before operations that take longer on the host than their kernel")
    saving = Saving(lost, "s", tr("run of the devices, one after the other"), formula)
    title = plural(
        "The host delays {count:,} operation",
        "The host delays {count:,} operations",
        count=int(np.count_nonzero(bound)),
    )
    return (Finding("warning", title, sentence(text), _longest(own, host, bound, HOST), saving),)


def _bound(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.operations
    if own is None:
        return NotChecked(NO_OPERATIONS)
    dram, noc = own.number(DRAM_USE), own.number(NOC_USE)
    bandwidth, compute = own.number(BANDWIDTH), own.number(COMPUTE)
    measured = np.isfinite(dram) | np.isfinite(noc) | (np.isfinite(bandwidth) & np.isfinite(compute))
    if not measured.any():
        return NotChecked(tr("the operations have no figures of DRAM, NoC or of the performance model"))
    time = np.nan_to_num(kernels(own))
    busy = (dram >= thresholds.busy_link) | (noc >= thresholds.busy_link)
    modelled = ~np.isfinite(dram) & ~np.isfinite(noc) & (bandwidth > compute) & (bandwidth > 0)
    chosen = busy | modelled
    share = 100 * float(time[chosen].sum()) / (float(time.sum()) or 1.0)
    if not chosen.any() or share < thresholds.bound_operations:
        return ()
    text = plural(
        "{count:,} operation with {share} of the kernel time is bound by DRAM or the NoC: its links are busy, or the "
        "performance model needs more time for bytes than for computing.",
        "{count:,} operations with {share} of the kernel time are bound by DRAM or the NoC: their links are busy, or "
        "the performance model needs more time for bytes than for computing.",
        count=int(np.count_nonzero(chosen)),
        share=Amount(share, "%"),
    )
    limit = np.nan_to_num(np.maximum(np.nan_to_num(compute), 0.0)) * NANOSECOND
    saving = Saving(
        float(np.maximum(time - limit, 0.0)[chosen].sum()),
        "s",
        WHOLE,
        tr("sum of their kernel times - PM COMPUTE, if bytes took no time"),
    )
    evidence = _longest(own, time, chosen, tr("kernel time"))
    title = plural(
        "{count:,} operation is bound by DRAM or the NoC",
        "{count:,} operations are bound by DRAM or the NoC",
        count=int(np.count_nonzero(chosen)),
    )
    return (Finding("warning", title, sentence(text), evidence, saving, "estimated"),)


def _low(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.operations
    if own is None:
        return NotChecked(NO_OPERATIONS)
    ideal, time = own.number(IDEAL) * NANOSECOND, kernels(own)
    known = (ideal > 0) & (time > 0)
    if not known.any():
        return NotChecked(tr("the operations have no ideal time (PM IDEAL)"))
    low = known & (100 * ideal < thresholds.low_use * time)
    lost = float((time - ideal)[low].sum())
    if not low.any() or 100 * lost < thresholds.bound_operations * float(np.nansum(time)):
        return ()
    text = plural(
        "{count:,} operation takes {time}; the performance model's ideal is {ideal}. The ideal knows neither the "
        "number of cores that can be used nor the layout.",
        "{count:,} operations take {time}; the performance model's ideal is {ideal}. The ideal knows neither the "
        "number of cores that can be used nor the layout.",
        count=int(np.count_nonzero(low)),
        time=Amount(float(time[low].sum()), "s"),
        ideal=Amount(float(ideal[low].sum()), "s"),
    )
    saving = Saving(lost, "s", WHOLE, tr("sum of kernel time - PM IDEAL"))
    evidence = _longest(own, np.where(low, time - ideal, 0.0), low, tr("above the ideal"))
    title = plural(
        "{count:,} operation is far from its ideal",
        "{count:,} operations are far from their ideal",
        count=int(np.count_nonzero(low)),
    )
    return (Finding("info", title, sentence(text), evidence, saving, "estimated"),)


def _sharding(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.operations
    if own is None:
        return NotChecked(NO_OPERATIONS)
    memories = [column for column in own.columns if column.name.endswith("_MEMORY") and column.strings is not None]
    if not memories:
        return NotChecked(tr("the operations do not state the memory of their inputs and outputs"))
    sharded, other = (_any_memory(memories, wanted, len(own)) for wanted in (True, False))
    mixed = sharded & other
    time = np.nan_to_num(kernels(own))
    spent = float(time[mixed].sum())
    if not mixed.any() or 100 * spent < thresholds.bound_operations * float(time.sum()):
        return ()
    text = plural(
        "{count:,} operation with {time} of kernels mixes sharded and interleaved tensors, so that data moves between "
        "cores before or after it.",
        "{count:,} operations with {time} of kernels mix sharded and interleaved tensors, so that data moves between "
        "cores before or after them.",
        count=int(np.count_nonzero(mixed)),
        time=Amount(spent, "s"),
    )
    saving = Saving(spent, "s", WHOLE, tr("sum of their kernel times"))
    evidence = _longest(own, time, mixed, tr("kernel time"))
    title = plural(
        "{count:,} operation mixes layouts in memory",
        "{count:,} operations mix layouts in memory",
        count=int(np.count_nonzero(mixed)),
    )
    return (Finding("info", title, sentence(text), evidence, saving, "estimated"),)


def _any_memory(columns: Sequence[TypedColumn], sharded: bool, rows: int) -> Bool:
    """Which rows have an input or output that is (not) sharded."""
    found = np.zeros(rows, np.bool_)
    for column in columns:
        assert column.strings is not None
        is_so = [("SHARDED" in text) == sharded for text in column.strings.tolist()]
        ids = column.values[:, 0]
        found |= np.array([*is_so, False], np.bool_)[np.where(ids < 0, len(is_so), ids)]
    return found


def _l1(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own, cores = profile.core_memory, profile.worker_cores
    if own is None or cores is None or not len(own.memory.used):
        return NotChecked(tr("the capture has no report with buffers in L1"))
    row = int(own.memory.used.argmax())
    core = int(own.memory.core[row])
    limit, used = limit_of(profile, core), int(own.memory.used[row])
    if limit <= 0:
        return NotChecked(tr("the report does not state the size of L1 (worker_l1_size)"))
    if 100 * used < thresholds.l1_full * limit:
        return ()
    text = tr(
        "{core} holds {used} of {limit} in L1 at operation {number}, {share}. What circular buffers of kernels take is "
        "not in the report.",
        core=name_of_core(profile, core),
        used=Amount(used, "B"),
        limit=Amount(limit, "B"),
        number=int(own.operations.number[own.memory.operation[row]]),
        share=Amount(100 * used / limit, "%"),
    )
    full = np.flatnonzero(l1_peaks(profile) * 100 >= thresholds.l1_full * limit)
    evidence = (
        Evidence(
            "l1-per-core",
            name_of_core(profile, core),
            tr("peak of L1"),
            float(used),
            "B",
            Selection("worker_core", (core,)),
        ),
        Evidence("l1-per-core", "", tr("cores as full as this"), float(len(full))),
    )
    saving = Saving(float(max(used - limit, 0)), "B", tr("L1 of a core"), tr("peak - size of L1, at least 0"))
    severity: Severity = "error" if used > limit else "warning"
    title = tr("L1 of {core} is {share} full", core=name_of_core(profile, core), share=f"{100 * used / limit:.0f} %")
    return (Finding(severity, title, sentence(text), evidence, saving if used > limit else None),)


def _longest(own: Operations, values: F64, chosen: Bool, figure: str) -> tuple[Evidence, ...]:
    """The operations among ``chosen`` with the largest values, one of each name."""
    rows: I64 = np.flatnonzero(chosen & np.isfinite(values)).astype(np.int64)
    sums = np.zeros(len(own.strings))
    combine_at(np.add, sums, own.code[rows], values[rows])
    made = []
    for code in np.argsort(-sums, kind="stable")[:_LISTED].tolist():
        of = rows[own.code[rows] == code]
        if len(of):
            most = int(of[values[of].argmax()])
            chosen_one = Selection("operation", (most,))
            made.append(Evidence("op-codes", own.strings.get(code), figure, float(sums[code]), "s", chosen_one))
    return tuple(made)


def _cores(profile: Profile) -> bool:
    return profile.worker_cores is None or profile.worker_cores.kind == CORES


RULES: Final = (
    Rule(
        "tenstorrent.idle-cores",
        tr("Worker cores without a kernel"),
        tr("Cores of the device log with zones of the firmware and none of a kernel."),
        ("device_run",),
        _idle,
        ("idle_worker_cores",),
        _cores,
    ),
    Rule(
        "tenstorrent.uneven-cores",
        tr("Worker cores that differ"),
        tr(
            "Per run, the slowest core minus the mean of its cores (device log, else the columns PER CORE MAX and AVG)."
        ),
        ("device_run", "operations"),
        _uneven,
        ("uneven_worker_cores",),
        _cores,
    ),
    Rule(
        "tenstorrent.gaps",
        tr("Gaps between operations"),
        tr("Sum of OP TO OP LATENCY without the first operation of each device, as a share of gaps and kernels."),
        ("operations",),
        _gaps,
        ("operation_gaps",),
    ),
    Rule(
        "tenstorrent.host-bound",
        tr("Operations that wait for the host"),
        tr("Operations with a gap above 6.5 µs whose time on the host is longer than their kernel."),
        ("operations",),
        _host,
        ("operation_gaps",),
    ),
    Rule(
        "tenstorrent.memory-bound",
        tr("Operations bound by DRAM or the NoC"),
        tr("DRAM BW UTIL or NOC UTIL from a share on; without both, PM BANDWIDTH above PM COMPUTE."),
        ("operations",),
        _bound,
        ("busy_link", "bound_operations"),
    ),
    Rule(
        "tenstorrent.low-utilisation",
        tr("Operations far from their ideal"),
        tr("PM IDEAL as a share of the kernel duration."),
        ("operations",),
        _low,
        ("low_use", "bound_operations"),
    ),
    Rule(
        "tenstorrent.sharding",
        tr("Operations that mix layouts in memory"),
        tr("Operations with sharded and with interleaved inputs or outputs (the columns that end with MEMORY)."),
        ("operations",),
        _sharding,
        ("bound_operations",),
    ),
    Rule(
        "tenstorrent.l1-full",
        tr("L1 of the fullest core"),
        tr("Largest sum of the pages in L1 of one core, as a share of worker_l1_size."),
        ("core_memory",),
        _l1,
        ("l1_full",),
    ),
)
