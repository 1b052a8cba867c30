"""Blocks and cores that take longer than the others, and a chip that runs slower than it could."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend import durations
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tables.ascend_operator import block_keys
from app.language import tr
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.profile.selection import selected_item


def _blocks(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    operator = profile.operator
    stored = np.empty((0, 0)) if operator is None else durations.of_blocks(operator)
    known = np.flatnonzero(~np.isnan(stored).all(axis=1)) if stored.size else np.empty(0, np.int64)
    if operator is None or len(known) < 2:
        return NotChecked(tr("the file has durations for fewer than two blocks"))
    if durations.doubtful(operator):
        return NotChecked(tr("the unit of the block durations is doubtful"))
    length = np.fmax.reduce(stored[known], axis=1)
    place, mean = int(length.argmax()), float(length.mean())
    longest = float(length[place])
    over = 100 * (longest - mean) / mean if mean > 0 else 0.0
    if over < thresholds.block_imbalance:
        return ()
    row = int(known[place])
    name = durations.block_names(operator)[row]
    selection = selected_item("block", int(block_keys(operator)[row]))
    text = sentence(
        tr(
            "It runs for {longest}; the mean of {count:,} blocks is {mean} ({more} longer). The operator ends with "
            "its slowest block.",
            longest=Amount(longest / 1e6, "s"),
            mean=Amount(mean / 1e6, "s"),
            count=len(known),
            more=Amount(over, "%"),
        )
    )
    evidence = (
        Evidence("block-details", name, tr("duration"), longest / 1e6, "s", selection),
        Evidence("block-details", "", tr("mean duration"), mean / 1e6, "s"),
    )
    formula = tr("longest block - mean of all blocks")
    saving = Saving((longest - mean) / 1e6, "s", tr("operator"), formula)
    title = tr("Block {name} takes longer than the others", name=name)
    return (Finding("warning", title, text, evidence, saving),)


def _cores(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    load = profile.core_load
    if load is None or np.isnan(load.cycles).all():
        return NotChecked(tr("the file has no cycles per core"))
    made = []
    for kind in distinct(load.type).tolist():
        rows = np.flatnonzero((load.type == kind) & ~np.isnan(load.cycles))
        mean = float(load.cycles[rows].mean()) if len(rows) > 1 else 0.0
        if mean <= 0:
            continue
        row = int(rows[load.cycles[rows].argmax()])
        most = float(load.cycles[row])
        over = 100 * (most - mean) / mean
        if over < thresholds.core_imbalance:
            continue
        core = int(load.core[row])
        sub_core = " ".join(load.strings.get(int(ids[row])) for ids in (load.type, load.sub_core))
        title = tr("Core {core} ({sub_core}) runs longer than the others", core=core, sub_core=sub_core)
        text = sentence(
            tr(
                "It takes {most}; the mean of the {count:,} sub-cores of its kind is {mean} ({more} more).",
                most=Amount(most, "cycles"),
                mean=Amount(mean, "cycles"),
                count=len(rows),
                more=Amount(over, "%"),
            )
        )
        evidence = (
            Evidence("core-load", str(core), tr("cycles"), most, "cycles", selected_item("core", core)),
            Evidence("core-load", "", tr("mean cycles"), mean, "cycles"),
        )
        saving = Saving(most - mean, "cycles", tr("longest core"), tr("maximum cycles - mean of its kind"))
        made.append(Finding("warning", title, text, evidence, saving))
    return made


def _frequency(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    operator = profile.operator
    actual = None if operator is None else operator.frequency_mhz
    rated = None if operator is None else operator.rated_frequency_mhz
    if operator is None or not actual or not rated or actual < 0 or rated < 0:
        return NotChecked(tr("the file does not state both the current and the rated frequency"))
    below = 100 * (rated - actual) / rated
    if below < thresholds.frequency:
        return ()
    text = sentence(
        tr(
            "It ran {below} slower than rated. Compare only runs at the same frequency, or compare cycles instead of "
            "times.",
            below=Amount(below, "%"),
        )
    )
    evidence = (
        Evidence("operator", "", tr("current frequency"), actual * 1e6, "Hz"),
        Evidence("operator", "", tr("rated frequency"), rated * 1e6, "Hz"),
    )
    seconds = (operator.duration_us or 0.0) / 1e6
    formula = tr("duration · (1 - current / rated frequency)")
    saving = Saving(seconds * (1 - actual / rated), "s", tr("operator"), formula) if seconds > 0 else None
    return (Finding("warning", tr("The chip ran below its rated frequency"), text, evidence, saving),)


RULES: Final = (
    Rule(
        "ascend.block-imbalance",
        tr("A block that takes longer than the others"),
        tr("Longest block duration, compared with the mean of all blocks."),
        ("operator",),
        _blocks,
        ("block_imbalance",),
    ),
    Rule(
        "ascend.core-imbalance",
        tr("A core that runs longer than the others"),
        tr("Cycles of each sub-core, compared with the mean of its kind."),
        ("core_load",),
        _cores,
        ("core_imbalance",),
    ),
    Rule(
        "ascend.frequency",
        tr("A frequency below the rated one"),
        tr("Current frequency, compared with the rated frequency of the base information."),
        ("operator",),
        _frequency,
        ("frequency",),
    ),
)
