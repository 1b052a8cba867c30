"""What slows the units of a core: scalar work, conflicts, cache misses, and registers that are nearly all live; and
where the code spends its cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.unit_use import Conflicts, conflicts, instruction_cache
from app.analysis.findings.ascend_pipes import about_cores, timed, work_evidence
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.hotspots import Hottest, hottest_instruction, hottest_line
from app.analysis.part import Amount, joined_words, sentence
from app.analysis.relations import NONE, translate
from app.analysis.table import Unit
from app.analysis.time.model import CoreUse, last_core, time_model
from app.analysis.time.path import WORK
from app.analysis.timeline.pipes import has_pipes
from app.language import plural, tr
from app.profile.arrays import among
from app.profile.ascend import LIVE_REGISTERS, TypedColumn, column_named
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection, selected_item

_SCALAR: Final = "SCALAR"
_SHORT: Final = 20e-6
"""Seconds below which an operator runs most of its code for the first time, which always misses."""


def _scalar(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    use = last_core(profile)
    if use is None or _SCALAR not in use.work:
        return NotChecked(tr("the file does not state how long the scalar units work"))
    if len(use.work) < 2:
        return NotChecked(tr("the file does not state how long the other pipes work"))
    if use.busiest != _SCALAR or 100 * use.share < thresholds.scalar:
        return ()
    own = use.work[_SCALAR]
    following, time = max(
        ((pipe, work) for pipe, work in use.work.items() if pipe != _SCALAR), key=lambda pair: pair[1]
    )
    text = sentence(
        tr(
            "It works {own} of {span}, the next pipe, {following}, {time}. To relieve it, use fewer, larger "
            "instructions, and compute addresses and loop bounds only once.",
            own=Amount(own, use.unit),
            span=Amount(use.span, use.unit),
            following=following,
            time=Amount(time, use.unit),
        )
    )
    title = tr("The scalar unit of {core} is the busiest pipe", core=use.name)
    saving = Saving(use.span - time, use.unit, use.name, tr("time of the core - work of the next pipe"))
    return (Finding("warning", title, text, work_evidence(use), saving),)


def _conflicts(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = conflicts(profile)
    if known is None:
        return NotChecked(tr("the file has no counts of bank and resource conflicts"))
    share = known.share
    use = last_core(profile)
    if share < thresholds.conflicts or (use is not None and "VECTOR" in use.work and use.busiest != "VECTOR"):
        return ()
    kind, _ = known.parts[0]
    text = sentence(
        tr(
            "{share} of {of}, mostly “{kind}”. To avoid them, place operands in different banks and bank groups of "
            "the unified buffer (other offsets, padding).",
            share=Amount(share, "%"),
            of=known.of,
            kind=kind,
        )
    )
    selection = selected_item("block", known.block)
    evidence = tuple(Evidence(known.table, name, name, value, known.unit, selection) for name, value in known.parts[:5])
    saving = _without_conflicts(known, use)
    severity: Severity = "info" if saving is None else "warning"
    return (Finding(severity, tr("Bank or resource conflicts in vector work"), text, evidence, saving),)


def _without_conflicts(known: Conflicts, use: CoreUse | None) -> Saving | None:
    """None where conflicts are counted, but not their cycles; a share of cycles if that is all that is known."""
    if not known.of_cycles:
        return None
    if use is None or use.busiest != "VECTOR":
        return Saving(known.share, "%", known.of, tr("conflict cycles / cycles of the vector cores"))
    other = max((work for pipe, work in use.work.items() if pipe != "VECTOR"), default=0.0)
    saved = min(known.share / 100 * use.span, use.span - other)
    formula = tr("min(conflict cycles, time of the core - work of the next pipe)")
    return Saving(saved, use.unit, use.name, formula)


def _icache(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = instruction_cache(profile)
    if known is None:
        return NotChecked(tr("the file has no counts of instruction cache misses"))
    if known.share < thresholds.icache_misses:
        return ()
    text = sentence(
        tr(
            "{share} of the accesses miss. Smaller code (fewer unrolled copies, shared functions) stays in the cache.",
            share=Amount(known.share, "%"),
        )
    )
    seconds = 0.0 if profile.operator is None else (profile.operator.duration_us or 0.0) / 1e6
    if 0 < seconds < _SHORT:
        first = tr(
            "An operator this short ({time}) runs most code once, and the first run always misses.",
            time=Amount(seconds, "s"),
        )
        text = joined_words((text, sentence(first)))
    selection = selected_item("block", known.block)
    evidence = tuple(
        Evidence(known.table, known.key, name, value, unit, selection) for name, value, unit in known.parts
    )
    return (Finding("info", tr("High miss rate of the instruction cache"), text, evidence),)


_SECTIONS: Final = ("memory_tables", "workload", "report_tables", "operator", "instructions")


def _lines(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    hot = hottest_line(profile)
    if hot is None:
        return NotChecked(tr("the file has no costs of source lines"))
    if hot.share < thresholds.hot_line or hot.of < 2:
        return ()
    text = sentence(
        plural(
            "{name}: {share} of the cost of {count:,} line.",
            "{name}: {share} of the cost of all {count:,} lines.",
            count=hot.of,
            name=hot.cost,
            share=Amount(hot.share, "%"),
        )
    )
    selection = Selection("line", (hot.row,))
    evidence = (Evidence("source-lines", hot.place, hot.cost, hot.value, _unit(hot.cost), selection),)
    saving = _on_path(profile, "line", hot) or Saving(
        hot.share, "%", tr("cost"), tr("cost of the line / cost of all lines")
    )
    return (Finding("info", tr("{place} is the hottest line", place=hot.place), text, evidence, saving),)


def _instructions(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    hot = hottest_instruction(profile)
    if hot is None:
        return NotChecked(tr("the file has no costs of instructions"))
    if hot.share < thresholds.hot_line or hot.of < 2:
        return ()
    text = sentence(
        plural(
            "{words}: {share} of the cost of {count:,} instruction ({name}).",
            "{words}: {share} of the cost of all {count:,} instructions ({name}).",
            count=hot.of,
            words=hot.words,
            share=Amount(hot.share, "%"),
            name=hot.cost,
        )
    )
    selection = Selection("instruction", (hot.row,))
    evidence = (Evidence("instructions", hot.place, hot.cost, hot.value, _unit(hot.cost), selection),)
    saving = _on_path(profile, "instruction", hot) or Saving(
        hot.share, "%", tr("cost"), tr("cost of the instruction / cost of all")
    )
    return (Finding("info", tr("One instruction at {place} dominates", place=hot.place), text, evidence, saving),)


def _on_path(profile: Profile, kind: Kind, hot: Hottest) -> Saving | None:
    """The time of its slices on the critical path; None without a timeline of pipes that has any of them."""
    line = profile.timeline
    own = NONE if line is None or not has_pipes(line) else translate(profile, Selection(kind, (hot.row,)), "slice")
    if line is None or not len(own):
        return None
    model = time_model(profile)
    works = model.path.part == WORK
    works &= among(model.graph.slice[np.maximum(model.path.node, 0)], own)
    time = float(model.path.times[works].sum())
    amount, unit = timed(line, time)
    return Saving(amount, unit, tr("critical path"), tr("time of its slices on the critical path"))


def _unit(name: str) -> Unit:
    return "cycles" if name == "Cycles" else ""


def _stalls(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    stalls = profile.stall_reasons
    known = np.empty(0) if stalls is None else np.where(np.isfinite(stalls.count), stalls.count, 0.0)
    if stalls is None or known.sum() <= 0:
        return NotChecked(tr("the file has no stall samples"))
    row = int(known.argmax())
    share = 100 * float(known[row] / known.sum())
    if share < thresholds.stall_reason:
        return ()
    reason = stalls.reasons[row]
    text = sentence(
        tr(
            "{share} of the samples of stalled warps have this reason.",
            share=Amount(share, "%"),
        )
    )
    evidence = (
        Evidence("stall-reasons", reason, tr("samples"), float(known[row])),
        Evidence("stall-reasons", "", tr("samples of all reasons"), float(known.sum())),
    )
    return (Finding("info", tr("Warps mostly stall for “{reason}”", reason=reason), text, evidence),)


BUDGETS: Final = (16, 32, 64, 127)
"""Registers of a thread for at most 2048, 1024, 512 and 256 threads (CANN community edition 9.1, Ascend C API,
__launch_bounds__)."""
_MOST_SELECTED: Final = 1000


def _spills(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.instructions
    column = _live(profile)
    if own is None or column is None:
        return NotChecked(tr("the file has no states of registers (GPR Status)"))
    live = column.values.max(axis=1, initial=-1)
    peak = int(live.max(initial=0))
    at_least = max(peak, thresholds.register_limit)
    limit = next((limit for limit in (thresholds.register_limit, *BUDGETS) if limit >= at_least), 0.0)
    near = np.flatnonzero(live >= max(limit * thresholds.register_use / 100, 1))
    if not limit or not len(near):
        return ()
    title = tr("Up to {peak:,} of {limit:,} registers are live", peak=peak, limit=round(limit))
    text = sentence(
        plural(
            "{count:,} instruction has at least {share} of the registers of a thread live. The compiler spills what "
            "does not fit to the stack in main memory. A smaller __launch_bounds__ gives a thread more registers; "
            "shorter lifetimes and less unrolling need fewer. The file does not state the limit.",
            "{count:,} instructions have at least {share} of the registers of a thread live. The compiler spills what "
            "does not fit to the stack in main memory. A smaller __launch_bounds__ gives a thread more registers; "
            "shorter lifetimes and less unrolling need fewer. The file does not state the limit.",
            count=len(near),
            share=Amount(thresholds.register_use, "%"),
        )
    )
    fullest = int(live.argmax())
    place = f"0x{int(own.address[fullest]):x}" if own.address[fullest] >= 0 else str(fullest)
    chosen = Selection("instruction", tuple(near[:_MOST_SELECTED].tolist()))
    evidence = (
        Evidence("instructions", place, tr("live registers"), peak, "", Selection("instruction", (fullest,))),
        Evidence("instructions", "", tr("instructions near the limit"), len(near), "", chosen),
        Evidence("", "", tr("registers of a thread"), limit),
    )
    return (Finding("info", title, text, evidence, confidence="estimated"),)


def _live(profile: Profile) -> TypedColumn | None:
    own = profile.instructions
    return None if own is None else column_named(own.columns, LIVE_REGISTERS)


RULES: Final = (
    Rule(
        "ascend.scalar-bound",
        tr("A scalar unit that is busier than all other pipes"),
        tr("Work of the scalar unit of the core that ends last / time of the core, compared with its other pipes."),
        ("timeline", "operator"),
        _scalar,
        ("scalar",),
        about_cores,
    ),
    Rule(
        "ascend.conflicts",
        tr("Bank and resource conflicts"),
        tr(
            "Conflict counts of the compute workload / active vector instructions; else conflict ratios of the "
            "report, weighted by cycles; else UB conflicts of instructions / their executions. Silent if the vector "
            "pipe is not the busiest."
        ),
        _SECTIONS,
        _conflicts,
        ("conflicts",),
    ),
    Rule(
        "ascend.instruction-cache",
        tr("Misses of the instruction cache"),
        tr("Misses / accesses (iCache of the memory tables); else miss rates of the report, weighted by cycles."),
        _SECTIONS,
        _icache,
        ("icache_misses",),
    ),
    Rule(
        "ascend.hot-line",
        tr("A source line with a large share of the cost"),
        tr("Cycles (else stall samples, else executions) of one line / those of all lines, over all cores."),
        ("lines",),
        _lines,
        ("hot_line",),
    ),
    Rule(
        "ascend.hot-instruction",
        tr("An instruction with a large share of the cost"),
        tr(
            "Cycles (else stall samples, else executions) of one instruction / those of all instructions, over all "
            "cores."
        ),
        ("instructions",),
        _instructions,
        ("hot_line",),
    ),
    Rule(
        "ascend.stall-reason",
        tr("A dominant stall reason"),
        tr("Samples of one reason / samples of all reasons."),
        ("stall_reasons",),
        _stalls,
        ("stall_reason",),
    ),
    Rule(
        "ascend.register-spills",
        tr("Live registers near the limit of a thread"),
        tr(
            "Registers that the states (GPR Status) list for an instruction, compared with the registers of a thread "
            "(127, 64, 32 or 16, by the number of threads that the kernel was compiled for)."
        ),
        ("instructions",),
        _spills,
        ("register_limit", "register_use"),
        lambda profile: _live(profile) is not None,
    ),
)
