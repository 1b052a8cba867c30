"""What slows the units of a core: scalar work, conflicts, a cache that misses instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.cache_use import instruction_cache
from app.analysis.ascend.conflicts import conflicts
from app.analysis.ascend.pipe_use import PipeUse, pipe_use
from app.analysis.findings.ascend_pipes import about_cores
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tables.ascend_memory import block_number
from app.language import tr
from app.profile.profile import Profile
from app.profile.selection import selected_item

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
)
