"""What slows the units of a core: scalar work, conflicts, cache misses; and where the code spends its cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.hottest import hottest_instruction, hottest_line
from app.analysis.ascend.pipes import PipeUse, pipe_use
from app.analysis.ascend.unit_use import conflicts, instruction_cache
from app.analysis.findings.ascend_pipes import about_cores
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.table import Unit
from app.analysis.tables.ascend_memory import block_number
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item

_SCALAR: Final = "scalar"


def _scalar(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    uses = [use for use in pipe_use(profile) if use.mean == use.mean]
    scalars = [use for use in uses if use.pipe.lower() == _SCALAR]
    if not scalars:
        return NotChecked(tr("the file does not state how active the scalar units are"))
    worst = max(scalars, key=lambda use: use.mean)
    others = [use for use in uses if use.unit == worst.unit and use.pipe.lower() != _SCALAR]
    if not others:
        return NotChecked(tr("the file does not state how active the other pipes are"))
    others = sorted(others, key=lambda use: -use.mean)
    following = others[0].mean
    if worst.mean < thresholds.scalar or following >= worst.mean:
        return ()
    row = int(np.nanargmax(worst.active))
    title = tr("The scalar unit of {unit} is the busiest pipe", unit=worst.unit or tr("the core"))
    text = sentence(
        tr(
            "It is active in {share} of the cycles, the next pipe in {following}. To relieve it, use fewer, larger "
            "instructions, and compute addresses and loop bounds only once.",
            share=Amount(worst.mean, "%"),
            following=Amount(following, "%"),
        )
    )
    evidence = (
        _evidence(worst, row, tr("active rate")),
        *(_evidence(use, int(np.nanargmax(use.active)), tr("active rate")) for use in others[:2]),
    )
    formula = tr("active rate of the scalar unit - that of the next pipe")
    saving = Saving(worst.mean - following, "%", tr("cycles of the sub-core"), formula)
    return (Finding("warning", title, text, evidence, saving),)


def _evidence(use: PipeUse, row: int, figure: str) -> Evidence:
    selection = selected_item("block", block_number(use.block_name(row)))
    return Evidence(use.table, f"{use.block_name(row)}/{use.pipe}", figure, float(use.active[row]), "%", selection)


def _conflicts(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = conflicts(profile)
    if known is None:
        return NotChecked(tr("the file has no counts of bank and resource conflicts"))
    share = known.share
    if share < thresholds.conflicts:
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
    saving = Saving(share, "%", known.of, tr("conflicts / all"))
    return (Finding("warning", tr("Bank or resource conflicts in vector work"), text, evidence, saving),)


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
    selection = selected_item("block", known.block)
    evidence = tuple(
        Evidence(known.table, known.key, name, value, unit, selection) for name, value, unit in known.parts
    )
    return (Finding("warning", tr("High miss rate of the instruction cache"), text, evidence),)


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
    saving = Saving(hot.share, "%", tr("cost of all lines"), tr("cost of the line / cost of all lines"))
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
    saving = Saving(hot.share, "%", tr("cost of all instructions"), tr("cost of the instruction / cost of all"))
    return (Finding("info", tr("One instruction at {place} dominates", place=hot.place), text, evidence, saving),)


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


RULES: Final = (
    Rule(
        "ascend.scalar-bound",
        tr("A scalar unit that is busier than all other pipes"),
        tr("Mean active rate of the scalar unit over the blocks, compared with the other pipes of the sub-core."),
        ("operator",),
        _scalar,
        ("scalar",),
        about_cores,
    ),
    Rule(
        "ascend.conflicts",
        tr("Bank and resource conflicts"),
        tr(
            "Conflict counts of the compute workload / active vector instructions; else conflict ratios of the "
            "report, weighted by cycles; else UB conflicts of instructions / their executions."
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
)
