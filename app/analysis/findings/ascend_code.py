"""Where the code spends its cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.typed import TypedColumn, column_named

_COSTS: Final = ("Cycles", "Stall Sampling(All Samples)", "Instructions Executed")
"""Columns that rank lines and instructions, the best first."""


def _cost(columns: tuple[TypedColumn, ...]) -> tuple[str, F64] | None:
    """The name of the first known column of costs, and float64[rows], its sum over the cores."""
    for name in _COSTS:
        column = column_named(columns, name)
        if column is not None and column.numeric:
            values = column.values.astype(np.float64)
            known = np.isfinite(values) & (values >= 0)
            if known.any():
                return name, np.where(known, values, 0.0).sum(axis=1)
    return None


def _lines(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    lines = profile.lines
    cost = None if lines is None else _cost(lines.columns)
    if lines is None or cost is None or cost[1].sum() <= 0:
        return NotChecked(tr("the file has no costs of source lines"))
    name, values = cost
    row, total = int(values.argmax()), float(values.sum())
    share = 100 * float(values[row]) / total
    if share < thresholds.hot_line or len(values) < 2:
        return ()
    path = lines.paths.get(int(lines.file[row])).replace("\\", "/").rsplit("/", 1)[-1]
    place = f"{path}:{int(lines.line[row])}"
    text = (tr("{name}: ", name=name), Amount(share, "%"), tr(" of what all {count:,} lines cost.", count=len(values)))
    evidence = (Evidence("source-lines", place, name, float(values[row]), _unit(name), Selection("line", (row,))),)
    saving = Saving(share, "%", tr("cost of all lines"), tr("cost of the line / cost of all lines"))
    return (Finding("info", tr("{place} is the hottest line", place=place), text, evidence, saving),)


def _instructions(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    code = profile.instructions
    cost = None if code is None else _cost(code.columns)
    if code is None or cost is None or cost[1].sum() <= 0:
        return NotChecked(tr("the file has no costs of instructions"))
    name, values = cost
    row, total = int(values.argmax()), float(values.sum())
    share = 100 * float(values[row]) / total
    if share < thresholds.hot_line or len(values) < 2:
        return ()
    words = code.strings.get(int(code.text[row]))
    place = f"0x{int(code.address[row]):x}" if code.address[row] >= 0 else str(row)
    text = (
        tr("{words}: ", words=words),
        Amount(share, "%"),
        tr(" of what all {count:,} instructions cost ({name}).", count=len(values), name=name),
    )
    evidence = (
        Evidence("instructions", place, name, float(values[row]), _unit(name), Selection("instruction", (row,))),
    )
    saving = Saving(share, "%", tr("cost of all instructions"), tr("cost of the instruction / cost of all"))
    return (Finding("info", tr("One instruction at {place} dominates", place=place), text, evidence, saving),)


def _unit(name: str) -> Unit:
    return "cycles" if name == "Cycles" else ""


def _stalls(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    stalls = profile.stall_reasons
    known = np.empty(0) if stalls is None else np.where(np.isfinite(stalls.count), stalls.count, 0.0)
    if stalls is None or known.sum() <= 0:
        return NotChecked(tr("the file has no samples of stalls"))
    row = int(known.argmax())
    share = 100 * float(known[row] / known.sum())
    if share < thresholds.stall_reason:
        return ()
    reason = stalls.reasons[row]
    text = (Amount(share, "%"), tr(" of the samples of stalled warps have this reason."))
    evidence = (
        Evidence("stall-reasons", reason, tr("samples"), float(known[row])),
        Evidence("stall-reasons", "", tr("samples of all reasons"), float(known.sum())),
    )
    return (Finding("info", tr("Warps mostly stall for “{reason}”", reason=reason), text, evidence),)


RULES: Final = (
    Rule(
        "ascend.hot-line",
        tr("A source line that costs much of the whole"),
        tr("Cycles (else stall samples, else executions) of a line over those of all lines, over all cores."),
        ("lines",),
        _lines,
        ("hot_line",),
    ),
    Rule(
        "ascend.hot-instruction",
        tr("An instruction that costs much of the whole"),
        tr("Cycles (else stall samples, else executions) of an instruction over those of all, over all cores."),
        ("instructions",),
        _instructions,
        ("hot_line",),
    ),
    Rule(
        "ascend.stall-reason",
        tr("A reason that most stalls have"),
        tr("Samples of one reason over those of all."),
        ("stall_reasons",),
        _stalls,
        ("stall_reason",),
    ),
)
