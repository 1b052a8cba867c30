"""Where the code spends its cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.hottest import hottest_instruction, hottest_line
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.table import Unit
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection


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
