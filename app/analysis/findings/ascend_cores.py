"""Cores of the chip that have nothing to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.ascend import waves as packing
from app.analysis.ascend.waves import Waves, waves
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.language import plural, tr
from app.profile.ascend import Operator
from app.profile.profile import Profile


def _waves(profile: Profile) -> tuple[Operator, Waves] | NotChecked:
    operator = profile.operator
    if operator is None:
        return NotChecked(tr("the file does not state how many blocks were launched"))
    known = waves(operator)
    return NotChecked(known.why) if isinstance(known, packing.NotChecked) else (operator, known)


def _unused(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _waves(profile)
    if isinstance(known, NotChecked):
        return known
    operator, own = known
    idle = own.cores - own.blocks
    if 100 * idle < thresholds.unused_cores * own.cores:
        return ()
    title = tr(
        "{blocks:,} of {cores:,} {core_word} of the chip have a block",
        blocks=own.blocks,
        cores=own.cores,
        core_word=own.core_word,
    )
    text = plural(
        "The operator was launched with {blocks}, and each core runs one at a time: {count:,} core stays idle. More, "
        "smaller blocks would use it, if the work can be divided.",
        "The operator was launched with {blocks}, and each core runs one at a time: {count:,} cores stay idle. More, "
        "smaller blocks would use them, if the work can be divided.",
        blocks=plural("{count:,} block", "{count:,} blocks", count=own.blocks),
        count=idle,
    )
    evidence = (
        Evidence("operator", "", tr("blocks launched"), own.blocks),
        Evidence("operator", "", tr("cores of {soc}", soc=operator.soc), own.cores),
    )
    return (Finding("warning", title, (text,), evidence, _saved_by_all_cores(operator, own), "estimated"),)


def _saved_by_all_cores(operator: Operator, own: Waves) -> Saving | None:
    if not operator.duration_us:
        return None
    seconds = operator.duration_us / 1e6 * (1 - own.blocks / own.cores)
    formula = tr("duration · (1 - blocks / cores), if the work were divided evenly among all cores")
    return Saving(seconds, "s", tr("operator"), formula)


def _tail(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _waves(profile)
    if isinstance(known, NotChecked):
        return known
    operator, own = known
    share = 100 * own.last / own.cores
    if own.count < 2 or share >= thresholds.last_wave:
        return ()
    title = tr(
        "The last of {count:,} waves has {last:,} of {cores:,} blocks", count=own.count, last=own.last, cores=own.cores
    )
    text = sentence(
        tr(
            "{blocks:,} blocks run in waves on {cores:,} cores. The last wave uses {share} of the cores while the "
            "others wait.",
            blocks=own.blocks,
            cores=own.cores,
            share=Amount(share, "%"),
        )
    )
    evidence = (
        Evidence("operator", "", tr("blocks launched"), own.blocks),
        Evidence("operator", "", tr("cores of {soc}", soc=operator.soc), own.cores),
    )
    return (Finding("warning", title, text, evidence, _saved_by_packing(operator, own), "estimated"),)


def _saved_by_packing(operator: Operator, own: Waves) -> Saving | None:
    if own.packing is None or not operator.duration_us:
        return None
    formula = tr("duration - max(longest block, sum of the blocks / cores)")
    return Saving(max(operator.duration_us - own.packing.perfect, 0.0) / 1e6, "s", tr("operator"), formula)


RULES: Final = (
    Rule(
        "ascend.unused-cores",
        tr("Cores without a block"),
        tr("Blocks launched, compared with the cores of the chip that can run them."),
        ("operator",),
        _unused,
        ("unused_cores",),
    ),
    Rule(
        "ascend.last-wave",
        tr("A last wave that leaves cores idle"),
        tr("Blocks modulo the cores of the chip, if there is more than one wave."),
        ("operator",),
        _tail,
        ("last_wave",),
    ),
)
