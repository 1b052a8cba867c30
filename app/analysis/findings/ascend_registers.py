"""Instructions at which nearly all registers of a thread are live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.language import plural, tr
from app.profile.ascend import LIVE_REGISTERS, TypedColumn, column_named
from app.profile.profile import Profile
from app.profile.selection import Selection

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
