"""Cores that have nothing to do or take longer than others, and how far the operator is from what its chip allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend import launch as packing
from app.analysis.ascend.block_times import BlockTimes, above, block_times, difference
from app.analysis.ascend.launch import Waves, waves
from app.analysis.ascend.paths import BOUND_RATIO, ceiling, ratios, roof_name, verdicts
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, Words, joined_words, sentence
from app.analysis.time.floors import at_most, even_floor
from app.analysis.time.verdict import beside_roofs
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.ascend import Operator
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item

_MOST_LISTED: Final = 5
_MOST_NAMED: Final = 8
_MORE: Final = 1.1
"""From which ratio on counts of instructions explain a difference."""


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
    return (Finding("warning", title, (text,), evidence, _saved_by_all_cores(profile, own), "estimated"),)


def _saved_by_all_cores(profile: Profile, own: Waves) -> Saving | None:
    times = block_times(profile)
    if isinstance(times, BlockTimes) and times.kind == "block" and len(times.names) == own.blocks and times.spread > 0:
        formula = tr("duration - (time outside the blocks + sum of the blocks / cores, for each kind of core)")
        return Saving(at_most(times.most, times.spread), "s", tr("operator"), formula)
    operator = profile.operator
    if operator is None or not operator.duration_us:
        return None
    formula = tr("duration · (1 - blocks / cores), if the work were divided evenly among all cores")
    return Saving(operator.duration_us / 1e6 * (1 - own.blocks / own.cores), "s", tr("operator"), formula)


def _tail(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _waves(profile)
    if isinstance(known, NotChecked):
        return known
    operator, own = known
    share = 100 * own.last / own.cores
    if own.count < 2 or share >= thresholds.last_wave:
        return ()
    saving = _saved_by_packing(profile, own)
    if saving is not None and saving.at_most <= 0:
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
    severity: Severity = "info" if saving is None else "warning"
    return (Finding(severity, title, text, evidence, saving, "estimated"),)


def _saved_by_packing(profile: Profile, own: Waves) -> Saving | None:
    """None without the durations of all blocks."""
    times = block_times(profile)
    if not isinstance(times, BlockTimes) or times.kind != "block" or len(times.names) != own.blocks:
        return None
    formula = tr("duration - (time outside the blocks + max(longest block, sum of the blocks / cores))")
    return Saving(at_most(times.latest, times.packed), "s", tr("operator"), formula)


# -- uneven work --------------------------------------------------------------------------------------------


def _uneven(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    times = block_times(profile)
    if not isinstance(times, BlockTimes):
        return NotChecked(times.why)
    if len(times.names) < 2 and times.time.shape[1] < 2:
        return NotChecked(tr("the file has durations for fewer than two blocks"))
    saved = at_most(times.latest, times.even)
    whole = times.duration or times.most
    high = above(times)
    apart = times.most - even_floor(times.by_kind)
    if not saved < np.inf or 100 * min(saved, apart) < thresholds.uneven_work * whole or not high.any():
        return ()
    severe = np.flatnonzero(high)[np.argsort(-times.longest[high], kind="stable")]
    evidence = (
        *(
            Evidence(
                times.table, times.names[row], tr("time"), float(times.longest[row]), times.unit, _item(times, row)
            )
            for row in severe[:_MOST_LISTED].tolist()
        ),
        Evidence(times.table, "", tr("time if the work were even"), times.even, times.unit),
        *(() if times.duration is None else (Evidence("operator", "", tr("duration"), times.duration, "s"),)),
    )
    formula = (
        tr("duration - (time outside the blocks + largest mean of a kind of core)")
        if times.duration is not None
        else tr("longest core - largest mean of a kind of core")
    )
    scope = tr("operator") if times.kind == "block" else tr("longest core")
    return (
        Finding(
            "warning",
            _uneven_title(times, severe),
            _uneven_text(profile, times, severe),
            evidence,
            Saving(saved, times.unit, scope, formula),
        ),
    )


def _time_of(times: BlockTimes, row: int, figure: str) -> Evidence:
    return Evidence(times.table, times.names[row], figure, float(times.longest[row]), times.unit, _item(times, row))


def _item(times: BlockTimes, row: int) -> Selection | None:
    return selected_item(times.kind, int(times.key[row]))


def _uneven_title(times: BlockTimes, severe: I64) -> str:
    name = times.names[int(severe[0])]
    count, of = len(severe), len(times.names)
    if times.kind == "core":
        return plural(
            "Core {name} runs longer than the others",
            "{count:,} of {of:,} cores run longer than the others",
            count=count,
            name=name,
            of=of,
        )
    return plural(
        "Block {name} takes longer than the others",
        "{count:,} of {of:,} blocks take longer than the others",
        count=count,
        name=name,
        of=of,
    )


def _uneven_text(profile: Profile, times: BlockTimes, severe: I64) -> Words:
    """Which take how long, how long the others take, and why."""
    rest = np.ones(len(times.names), np.bool_)
    rest[severe] = False
    listed = ", ".join(times.names[row] for row in severe[:_MOST_NAMED].tolist())
    if len(severe) > _MOST_NAMED:
        listed = tr("{listed}, {count:,} more", listed=listed, count=len(severe) - _MOST_NAMED)
    long = Amount(float(times.longest[severe].mean()), times.unit)
    short = Amount(float(times.longest[rest].mean()), times.unit)
    even = Amount(times.even, times.unit)
    text = (
        plural(
            "Core {listed} runs for {long}, the others for {short} on average. Spread evenly, it would take {even}.",
            "Cores {listed} run for {long}, the others for {short} on average. Spread evenly, it would take {even}.",
            count=len(severe),
            listed=listed,
            long=long,
            short=short,
            even=even,
        )
        if times.kind == "core"
        else plural(
            "Block {listed} takes {long}, the others {short} on average. Spread evenly, it would take {even}.",
            "Blocks {listed} take {long}, the others {short} on average. Spread evenly, it would take {even}.",
            count=len(severe),
            listed=listed,
            long=long,
            short=short,
            even=even,
        )
    )
    return joined_words((sentence(text), _why(profile, times.key[severe], times.key[rest])))


def _why(profile: Profile, longer: I64, others: I64) -> Words:
    """What the longer blocks do more than the others, as far as the file counts it."""
    reason = difference(profile, longer, others)
    if reason is not None and reason.instructions >= _MORE:
        return (tr("Instructions per block: {times} × those of the others.", times=f"{reason.instructions:.2g}"),)
    if reason is None or reason.share != reason.share:
        return (tr("The file does not state what they do more."),)
    if reason.pipe:
        more = Amount(100 * reason.share, "%")
        text = tr("{pipe} works longer there: {more} of the difference.", pipe=reason.pipe, more=more)
        return sentence(text)
    return (tr("Their pipes work as long as those of the others: they wait longer."),)


def _pairs(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """The two vector cores of a block."""
    times = block_times(profile)
    if not isinstance(times, BlockTimes):
        return NotChecked(times.why)
    vectors = [place for place, kind in enumerate(times.kinds) if kind == "vector"]
    if len(vectors) != 2:
        return ()
    both = times.time[:, vectors]
    apart = np.abs(both[:, 0] - both[:, 1])
    evened = times.time.copy()
    evened[:, vectors] = np.where(np.isnan(both), both, both.mean(axis=1, keepdims=True))
    saved = at_most(times.most, float(np.fmax.reduce(evened, axis=1).max()))
    row = int(np.nanargmax(np.where(np.isnan(apart), -1.0, times.longest)))
    share = 100 * float(apart[row]) / times.most
    if not times.at_once or not saved > 0 or not share >= thresholds.vector_pair:
        return ()
    slow = int(both[row].argmax())
    text = sentence(
        tr(
            "Vector core {slow} takes {long}, vector core {fast} {short}. The block ends with the slower one. Divide "
            "the work of the block evenly between both.",
            slow=slow,
            fast=1 - slow,
            long=Amount(float(both[row, slow]), times.unit),
            short=Amount(float(both[row, 1 - slow]), times.unit),
        )
    )
    name = times.names[row]
    title = (
        tr("The vector cores of block {name} differ", name=name)
        if times.kind == "block"
        else tr("The vector cores of core {name} differ", name=name)
    )
    evidence = tuple(
        Evidence(
            times.table,
            name,
            tr("time of vector core {place}", place=place),
            float(both[row, place]),
            times.unit,
            _item(times, row),
        )
        for place in (slow, 1 - slow)
    )
    formula = tr("longest block - longest block if both vector cores of each took their mean")
    return (Finding("warning", title, text, evidence, Saving(saved, times.unit, tr("operator"), formula)),)


def _outside(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    times = block_times(profile)
    if not isinstance(times, BlockTimes):
        return NotChecked(times.why)
    if times.duration is None or times.kind != "block":
        return NotChecked(tr("the file does not state the durations of the operator and of its blocks"))
    least, most = times.outside
    if 100 * least < thresholds.outside_blocks * times.duration:
        return ()
    text = sentence(
        tr(
            "{outside} of {duration} ({share}) pass before the first block starts or after the last one ends: launch, "
            "set-up of the cores, synchronisation. It does not shrink with the work of the blocks: fuse small "
            "operators, or give this one more work.",
            outside=Amount(least, "s"),
            duration=Amount(times.duration, "s"),
            share=Amount(100 * least / times.duration, "%"),
        )
    )
    row = int(times.longest.argmax())
    evidence = (
        Evidence("operator", "", tr("duration"), times.duration, "s"),
        _time_of(times, row, tr("longest block")),
    )
    formula = tr("duration - longest block") if times.at_once else tr("duration - max(longest block, blocks / cores)")
    saving = Saving(most, "s", tr("operator"), formula)
    return (Finding("warning", tr("Much of the operator's time passes outside its blocks"), text, evidence, saving),)


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
    roof = roof_name(roofs, row)
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
            "It reaches {share} of its nearest roof ({roof}). The rates of the hardware are not the limit: check "
            "overlap, flags and small transfers.",
            share=percent,
            roof=roof,
        )
    evidence = (
        Evidence("roofline", roof, tr("share of the roof"), 100 * share, "%", Selection("roof", (row,))),
        Evidence("roofline", roof, tr("performance"), float(roofs.performance[row]), "TOps/s"),
        Evidence("roofline", roof, tr("roof at this intensity"), float(ceiling(roofs)[row]), "TOps/s"),
    )
    words = joined_words((sentence(text), *((*line.words, ".") for line in beside_roofs(profile))))
    return (Finding("info" if bound else "warning", title, words, evidence, _saving(profile, share)),)


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
        "ascend.uneven-work",
        tr("Blocks or cores that take longer than the others"),
        tr(
            "Durations of the blocks (else cycles of the cores), compared with the largest mean of a kind of core: "
            "what remains if the work of each kind were spread evenly."
        ),
        ("operator", "core_load"),
        _uneven,
        ("uneven_work",),
        aliases=("ascend.block-imbalance", "ascend.core-imbalance"),
    ),
    Rule(
        "ascend.vector-pair",
        tr("Two vector cores of a block that differ"),
        tr("Durations (else cycles) of the two vector cores of the block that ends last."),
        ("operator", "core_load"),
        _pairs,
        ("vector_pair",),
    ),
    Rule(
        "ascend.time-outside-blocks",
        tr("Time outside the blocks"),
        tr("Duration of the operator - longest block; with several waves, - the longest time that they can take."),
        ("operator",),
        _outside,
        ("outside_blocks",),
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
