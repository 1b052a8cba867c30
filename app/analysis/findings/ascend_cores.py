"""Cores that have nothing to do or take longer than others, and how far the operator is from what its chip allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend import launch
from app.analysis.ascend import launch as packing
from app.analysis.ascend.launch import Waves, waves
from app.analysis.ascend.roofline import BOUND_RATIO, ceiling, ratios, verdicts
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tables.ascend_report import block_keys
from app.language import plural, tr
from app.profile.arrays import distinct
from app.profile.ascend import Operator
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item


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


def _blocks(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    operator = profile.operator
    stored = np.empty((0, 0)) if operator is None else launch.of_blocks(operator)
    known = np.flatnonzero(~np.isnan(stored).all(axis=1)) if stored.size else np.empty(0, np.int64)
    if operator is None or len(known) < 2:
        return NotChecked(tr("the file has durations for fewer than two blocks"))
    if launch.doubtful(operator):
        return NotChecked(tr("the unit of the block durations is doubtful"))
    length = np.fmax.reduce(stored[known], axis=1)
    place, mean = int(length.argmax()), float(length.mean())
    longest = float(length[place])
    over = 100 * (longest - mean) / mean if mean > 0 else 0.0
    if over < thresholds.block_imbalance:
        return ()
    row = int(known[place])
    name = launch.block_names(operator)[row]
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


def _roofs(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not len(shares) or np.isnan(shares).all():
        return NotChecked(tr("the file has no roof with a point"))
    row = int(np.nanargmax(shares))
    share = float(shares[row])
    names = [roofs.strings.get(int(ids[row])) for ids in (roofs.bandwidth_name, roofs.compute_name)]
    roof = " / ".join(name for name in names if name)
    bound, percent = share > BOUND_RATIO, Amount(100 * share, "%")
    if bound:
        title = tr("{bound}: near the roof {roof}", bound=verdicts(roofs)[row].capitalize(), roof=roof)
        text = tr(
            "It reaches {share} of what the hardware allows there. Less work or less data helps; better overlap "
            "hardly does.",
            share=percent,
        )
    else:
        title = tr("Latency bound: no roof is near")
        text = tr(
            "It reaches {share} of its nearest roof ({roof}). Waiting, not hardware, is the limit: check overlap, "
            "flags and small transfers.",
            share=percent,
            roof=roof,
        )
    evidence = (
        Evidence("roofline", roof, tr("share of the roof"), 100 * share, "%", Selection("roof", (row,))),
        Evidence("roofline", roof, tr("performance"), float(roofs.performance[row]), "TOps/s"),
        Evidence("roofline", roof, tr("roof at this intensity"), float(ceiling(roofs)[row]), "TOps/s"),
    )
    return (Finding("info" if bound else "warning", title, sentence(text), evidence, _saving(profile, share)),)


def _saving(profile: Profile, share: float) -> Saving | None:
    duration = profile.operator.duration_us if profile.operator is not None else None
    if not duration or not 0 < share < 1:
        return None
    formula = tr("duration · (1 - share of the nearest roof), if the same work reached the roof")
    return Saving(duration / 1e6 * (1 - share), "s", tr("operator"), formula)


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
    Rule(
        "ascend.roofline",
        tr("The bound of the operator and its distance from the roof"),
        tr("Largest performance / min(intensity · bandwidth, compute). Above 0.8 the operator is bound by that roof."),
        ("roofline",),
        _roofs,
    ),
)
