"""What decides about an Ascend capture: how its steps spend their time, and which rank comes late."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.capture.operations import largest_delay, operations, waits_caused
from app.analysis.capture.ranks import listed_numbers, of_rank, rank_key, several
from app.analysis.capture.steps import StepTimes, step_times
from app.analysis.findings.capture_kernels import RULES as OF_KERNELS
from app.analysis.findings.capture_ranks import RULES as OF_RANKS
from app.analysis.findings.capture_steps import RULES as OF_STEPS
from app.analysis.findings.finding import Finding, NotChecked
from app.analysis.findings.thresholds import DEFAULT
from app.analysis.findings.trace import RULES as OF_TRACES
from app.analysis.part import Amount, Words, sentence
from app.analysis.verdicts.answer import Detail, Verdict
from app.language import plural, tr
from app.profile.arrays import F64
from app.profile.profile import Profile
from app.profile.selection import Selection

_TRACE_RULES = ("trace.exposed-communication",)


def verdicts(profile: Profile, _: dict[str, object]) -> Iterator[Verdict]:
    """One sentence about the steps, and with several ranks one about the late rank."""
    if profile.capture is None:
        return
    steps = step_times(profile)
    whole = float(np.nansum(steps.span))
    if several(profile):
        yield from _ranks(profile, steps)
    elif len(steps) and whole > 0:
        yield _one(steps, whole)


def _one(steps: StepTimes, whole: float) -> Verdict:
    """Of one rank: the time of a step and its shares."""
    count = max(len(listed_numbers(steps.step)), 1)
    step = Amount(whole / count, "s")
    parts = {
        "computing": _share(steps, steps.computing, whole),
        "exposed": _share(steps, steps.exposed, whole),
        "free": _share(steps, steps.free, whole),
    }
    text = tr(
        "A step takes {step}: computing {computing}, exposed communication {exposed}, free {free}",
        step=step,
        computing=parts["computing"],
        exposed=parts["exposed"],
        free=parts["free"],
    )
    return Verdict("plain", sentence(text), _longest(steps), about="capture", short=_short(parts, step))


def _share(steps: StepTimes, values: F64, whole: float) -> Amount:
    return Amount(100 * float(np.nansum(values[np.isfinite(steps.span)])) / whole, "%")


def _short(parts: dict[str, Amount], step: Amount) -> Words:
    """The largest part of a step."""
    most = max(parts, key=lambda part: parts[part].value)
    if most == "exposed":
        text = tr("{step} a step, {share} exposed communication", step=step, share=parts[most])
    elif most == "free":
        text = tr("{step} a step, {share} free", step=step, share=parts[most])
    else:
        text = tr("{step} a step, {share} computing", step=step, share=parts[most])
    return sentence(text)


def _longest(steps: StepTimes) -> tuple[Words, ...]:
    """How far steps differ, if there are several."""
    spans = steps.span[np.isfinite(steps.span)]
    if len(spans) < 2:
        return ()
    text = tr(
        "{count} steps, from {shortest} to {longest}",
        count=f"{len(spans):,}",
        shortest=Amount(float(spans.min()), "s"),
        longest=Amount(float(spans.max()), "s"),
    )
    return (sentence(text),)


def _ranks(profile: Profile, steps: StepTimes) -> Iterator[Verdict]:
    """Of several ranks: who comes late, and how far they differ."""
    assert profile.capture is not None
    ranks = plural("{count:,} rank", "{count:,} ranks", count=len(profile.capture))
    detail = _spread(profile, steps)
    own, section, worst = operations(profile), profile.collectives, largest_delay(profile)
    if worst >= 0 and section is not None:
        late = int(own.late[worst])
        delay = Amount(float(own.delay[worst]), "s")
        text = tr(
            "{ranks}: rank {rank} comes {delay} late to {name}; the others wait {caused} for it",
            ranks=ranks,
            rank=rank_key(profile, late),
            delay=delay,
            name=section.strings.get(int(section.name[own.row[worst]])),
            caused=Amount(float(waits_caused(profile)[late]), "s"),
        )
        rows = np.flatnonzero((own.of_row == worst) & (section.rank == late))
        short = sentence(tr("rank {rank} late by {delay}", rank=rank_key(profile, late), delay=delay))
        chosen = Selection("collective", (int(rows[0]),))
        yield Verdict("plain", sentence(text), detail, about="capture", short=short, selection=chosen)
    elif len(own):
        text = tr("{ranks}: clocks differ or ranks are level, no rank is late", ranks=ranks)
        yield Verdict("plain", (text,), detail, about="capture", short=(ranks,))
    elif detail:
        yield Verdict("plain", (ranks,), detail, about="capture", short=(ranks,))


def _spread(profile: Profile, steps: StepTimes) -> tuple[Words, ...]:
    """Computing, exposed communication and free time of the ranks: least to most, as shares of their steps."""
    count = 0 if profile.capture is None else len(profile.capture)
    span = steps.sums(steps.span, count)
    known = np.flatnonzero(np.isfinite(span) & (span > 0))
    if not len(known):
        return ()
    whole = float(span[known].mean())
    parts = [steps.sums(values, count)[known] for values in (steps.computing, steps.exposed, steps.free)]
    shares = [Amount(100 * float(np.nanmean(part)) / whole, "%") for part in parts]
    slow = int(known[np.nan_to_num(parts[0]).argmax()])
    words = tr(
        "Mean of the ranks: {time} in steps, computing {computing}, exposed communication {exposed}, free {free}",
        time=Amount(whole, "s"),
        computing=shares[0],
        exposed=shares[1],
        free=shares[2],
    )
    spread = tr(
        "Computing differs by {spread} between ranks, {share} of the mean; most: {rank}",
        spread=Amount(float(np.nanmax(parts[0]) - np.nanmin(parts[0])), "s"),
        share=Amount(100 * float(np.nanmax(parts[0]) - np.nanmin(parts[0])) / whole, "%"),
        rank=of_rank(profile, slow),
    )
    return sentence(words), sentence(spread)


def of_capture(profile: Profile) -> Iterator[Detail]:
    """The findings that could save most time."""
    if profile.capture is None:
        return
    rules = [rule for rule in OF_TRACES if rule.id in _TRACE_RULES]
    found: list[Finding] = []
    for rule in (*rules, *OF_RANKS, *OF_STEPS, *OF_KERNELS):
        made = rule.check(profile, DEFAULT) if rule.applies(profile) else ()
        if not isinstance(made, NotChecked):
            found += [one for one in made if one.saving is not None and one.saving.unit == "s"]
    found.sort(key=lambda one: -one.saving.at_most if one.saving is not None else 0.0)
    for one in found[:1]:
        if one.saving is not None:
            text = tr(
                "Largest finding: {title}; saves at most {time}", title=one.title, time=Amount(one.saving.at_most, "s")
            )
            chosen = next((own.selection for own in one.evidence if own.selection is not None), None)
            yield Detail(sentence(text), chosen)
