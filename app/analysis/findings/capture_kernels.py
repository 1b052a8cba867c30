"""What kernels and memory of an Ascend capture say: bounds of kernels, AI CPU, shapes, the peak of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.capture.kernels import AI_CPU, bounds, kernel_types, on_core, timed
from app.analysis.capture.memory import peak
from app.analysis.capture.ranks import SECOND, of_rank, rank_key, rank_name, sums
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.language import plural, tr
from app.profile.arrays import I64, Bool, among
from app.profile.ascend_capture import Kernels
from app.profile.profile import Profile
from app.profile.selection import Selection

NO_KERNELS: Final = tr("the capture has no kernels")
NO_COUNTERS: Final = tr("the capture has no counters of kernels (they need Level1 and aic_metrics)")
_LISTED: Final = 3
_MOSTLY: Final = 0.5


def _memory_bound(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own, known = profile.kernels, bounds(profile)
    if own is None or not known.measured.any():
        return NotChecked(NO_KERNELS if own is None else NO_COUNTERS)
    if not _types(profile, known.memory, thresholds.bound_kernels):
        return ()
    rows, total, whole = _rows_of_worst(profile, known.memory)
    text = plural(
        "{where}: {count:,} kernel is bound by memory, {time} of {whole}: its transfers are busy for at least 70 % of "
        "its time. Fused kernels, or data types with fewer bytes, move less.",
        "{where}: {count:,} kernels are bound by memory, {time} of {whole}: their transfers are busy for at least 70 % "
        "of their time. Fused kernels, or data types with fewer bytes, move less.",
        count=len(rows),
        where=of_rank(profile, int(own.rank[rows[0]])),
        time=Amount(total, "s"),
        whole=Amount(whole, "s"),
    )
    saving = Saving(total, "s", rank_name(profile, int(own.rank[rows[0]])), tr("sum of their durations"))
    evidence = _of_types(profile, own, rows)
    return (Finding("warning", tr("Kernels are bound by memory"), sentence(text), evidence, saving),)


def _no_bound(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own, known = profile.kernels, bounds(profile)
    if own is None or not known.measured.any():
        return NotChecked(NO_KERNELS if own is None else NO_COUNTERS)
    if not _types(profile, known.none, thresholds.bound_kernels):
        return ()
    rows, total, whole = _rows_of_worst(profile, known.none)
    text = plural(
        "{where}: no unit of the core is busy for 80 % of the time of {count:,} kernel, {time} of {whole}: latency, "
        "few blocks or bad tiling bound it.",
        "{where}: no unit of the core is busy for 80 % of the time of {count:,} kernels, {time} of {whole}: latency, "
        "few blocks or bad tiling bound them.",
        count=len(rows),
        where=of_rank(profile, int(own.rank[rows[0]])),
        time=Amount(total, "s"),
        whole=Amount(whole, "s"),
    )
    return (Finding("info", tr("No unit bounds kernels"), sentence(text), _of_types(profile, own, rows)),)


def _types(profile: Profile, chosen: Bool, threshold: float) -> bool:
    """Whether the ``chosen`` kernels of any type take more than ``threshold`` percent of the kernels of their rank."""
    own, made = profile.kernels, kernel_types(profile)
    assert own is not None
    durations = timed(own)
    rank = own.rank[made.row]
    part = sums(made.of_row, np.where(chosen, durations, 0), len(made.row))
    whole = np.bincount(own.rank, durations)[rank]
    return bool((100 * part > threshold * whole).any())


def _rows_of_worst(profile: Profile, chosen: Bool) -> tuple[I64, float, float]:
    """(the ``chosen`` kernels of the rank where they take most, longest first; their time; that of all its kernels)."""
    own = profile.kernels
    assert own is not None
    durations = timed(own)
    part = np.bincount(own.rank, np.where(chosen, durations, 0))
    rank = int(part.argmax())
    rows = np.flatnonzero(chosen & (own.rank == rank))
    rows = rows[np.argsort(-durations[rows], kind="stable")].astype(np.int64)
    return rows, float(part[rank]) / SECOND, int(durations[own.rank == rank].sum()) / SECOND


def _of_types(profile: Profile, own: Kernels, rows: I64) -> tuple[Evidence, ...]:
    """The types with most of the time of these kernels, and the longest kernel of each."""
    made = kernel_types(profile)
    total = sums(made.of_row[rows], timed(own)[rows], len(made.row))
    evidence = []
    for group in np.argsort(-total, kind="stable")[:_LISTED].tolist():
        longest = rows[made.of_row[rows] == group]
        if len(longest):
            name = own.strings.get(int(own.type[made.row[group]])) or own.strings.get(int(own.name[longest[0]]))
            chosen = Selection("kernel", (int(longest[0]),))
            evidence.append(
                Evidence("kernel-types", name, tr("time of these kernels"), float(total[group] / SECOND), "s", chosen)
            )
    return tuple(evidence)


def _ai_cpu(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.kernels
    if own is None or not (own.core >= 0).any():
        return NotChecked(NO_KERNELS if own is None else tr("the capture does not state the cores of kernels"))
    slow = on_core(own, AI_CPU) & (own.duration >= thresholds.ai_cpu_kernel * 1000)
    if not slow.any():
        return ()
    rows, total, whole = _rows_of_worst(profile, slow)
    text = plural(
        "{where}: {count:,} kernel runs on the AI CPU, {time} of {whole}. Other data types or shapes may run on an AI "
        "Core.",
        "{where}: {count:,} kernels run on the AI CPU, {time} of {whole}. Other data types or shapes may run on an AI "
        "Core.",
        count=len(rows),
        where=of_rank(profile, int(own.rank[rows[0]])),
        time=Amount(total, "s"),
        whole=Amount(whole, "s"),
    )
    saving = Saving(total, "s", rank_name(profile, int(own.rank[rows[0]])), tr("sum of their durations"))
    evidence = _of_types(profile, own, rows)
    return (Finding("warning", tr("Kernels run on the AI CPU"), sentence(text), evidence, saving),)


def _dynamic(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    own, calls = profile.kernels, profile.calls
    if own is None or not (own.state >= 0).any():
        return NotChecked(NO_KERNELS if own is None else tr("the capture does not state whether shapes are dynamic"))
    if calls is None:
        return NotChecked(tr("the capture has no calls of the host"))
    dynamic = among(own.state, own.strings.find("dynamic"))
    compiling = [text == "opCompile" or text.endswith("_Tiling") for text in calls.strings.tolist()]
    there = np.array([*compiling, False], np.bool_)[calls.name] & (calls.count > 0)
    if np.count_nonzero(dynamic) <= _MOSTLY * len(own) or not there.any():
        return ()
    compiled, tiled = int(calls.count[there].sum()), float(np.nansum(calls.total[there]))
    text = plural(
        "{dynamic} of {count:,} kernel has dynamic shapes, and the host makes {calls} calls to compile or tile it. "
        "torch_npu.npu.set_compile_mode(jit_compile=False), or static shapes, avoid compilation.",
        "{dynamic} of {count:,} kernels have dynamic shapes, and the host makes {calls} calls to compile or tile them. "
        "torch_npu.npu.set_compile_mode(jit_compile=False), or static shapes, avoid compilation.",
        dynamic=f"{int(np.count_nonzero(dynamic)):,}",
        count=len(own),
        calls=f"{compiled:,}",
    )
    names = np.flatnonzero(there)
    names = names[np.argsort(-np.nan_to_num(calls.total[names]), kind="stable")][:_LISTED]
    evidence = (
        Evidence("kernels", "", tr("kernels with dynamic shapes"), float(np.count_nonzero(dynamic))),
        Evidence("kernels", "", tr("kernels"), float(len(own))),
        Evidence("calls", "", tr("time of these calls"), tiled, "s"),
        *(
            Evidence("calls", name, tr("total"), float(calls.total[row]), "s", row=row)
            for row in names.tolist()
            for name in (calls.strings.get(int(calls.name[row])),)
        ),
    )
    return (Finding("info", tr("Shapes are dynamic"), sentence(text), evidence),)


def _peak(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    count = 0 if profile.capture is None else len(profile.capture)
    known = [(rank, own) for rank in range(count) if (own := peak(profile, rank)) is not None]
    if not known:
        return NotChecked(tr("the capture has no memory of the framework's allocator over time"))
    rank, worst = max(known, key=lambda one: one[1].reserved / max(one[1].allocated, 1))
    extra = worst.reserved - worst.allocated
    if worst.reserved < 0 or 100 * extra <= thresholds.reserved_memory * worst.allocated:
        return ()
    operators = profile.memory_operators
    text = tr(
        "{where}: at its peak, the allocator holds {reserved} for {allocated}: {extra} are cached or fragmented. "
        "{before} of what is allocated then was taken before the capture or is unknown.",
        where=of_rank(profile, rank),
        reserved=Amount(worst.reserved, "B"),
        allocated=Amount(worst.allocated, "B"),
        extra=Amount(extra, "B"),
        before=Amount(max(worst.allocated - worst.held, 0), "B"),
    )
    holders: tuple[Evidence, ...] = ()
    if operators is not None:
        holders = tuple(
            Evidence(
                "memory-operators",
                operators.strings.get(int(operators.name[row])),
                tr("held at the peak"),
                float(operators.size[row]),
                "B",
                row=row,
            )
            for row in worst.holders[:_LISTED].tolist()
        )
    evidence = (
        Evidence("memory-record", "PTA", tr("reserved"), float(worst.reserved), "B", row=worst.row),
        Evidence("memory-record", "PTA", tr("allocated"), float(worst.allocated), "B", row=worst.row),
        *holders,
    )
    formula = tr("reserved - allocated at the peak")
    saving = Saving(float(extra), "B", tr("memory of rank {rank}", rank=rank_key(profile, rank)), formula)
    return (Finding("info", tr("More memory is reserved than used"), sentence(text), evidence, saving),)


_CAPTURE: Final = ("capture",)
RULES: Final = (
    Rule(
        "ascend.capture.memory-bound",
        tr("Kernels that are bound by memory"),
        tr(
            "Vector kernels with MTE2 or MTE3, and cube kernels with MTE2, busy for at least 70 % of their time, where "
            "those of one type take a share of the time of all kernels."
        ),
        _CAPTURE,
        _memory_bound,
        ("bound_kernels",),
    ),
    Rule(
        "ascend.capture.no-bound",
        tr("Kernels that no unit bounds"),
        tr("Kernels none of whose units is busy for 80 % of their time, as a share of the time of all kernels."),
        _CAPTURE,
        _no_bound,
        ("bound_kernels",),
    ),
    Rule(
        "ascend.capture.ai-cpu",
        tr("Kernels on the AI CPU"),
        tr("Kernels whose core is AI_CPU and that take long."),
        _CAPTURE,
        _ai_cpu,
        ("ai_cpu_kernel",),
    ),
    Rule(
        "ascend.capture.dynamic-shapes",
        tr("Dynamic shapes"),
        tr("Whether most kernels have dynamic shapes, and the host compiles or tiles them."),
        _CAPTURE,
        _dynamic,
    ),
    Rule(
        "ascend.capture.memory-peak",
        tr("Reserved memory at the peak"),
        tr("Reserved minus allocated bytes of the framework's allocator when it has most allocated."),
        _CAPTURE,
        _peak,
        ("reserved_memory",),
    ),
)
