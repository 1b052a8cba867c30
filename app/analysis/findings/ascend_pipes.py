"""How the pipes of the core that ends last work together: waiting for each other, side by side, or not begun yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import numpy as np

from app.analysis.ascend.pipes import COMPUTING, TRANSFERS, slices_of, spans_of, working
from app.analysis.ascend.sub_cores import CUBE, SubCores, sub_cores
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, Words, joined_words, sentence
from app.analysis.time.model import CoreTime, CoreUse, last_core, time_model, work_of
from app.analysis.time.waits import Wait, waits_of
from app.analysis.timeline.intervals import overlap
from app.analysis.timeline.pipes import has_pipes
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.timeline import Timeline

_MOST_LISTED: Final = 5
_WORK: Final = (*TRANSFERS, *COMPUTING)
_NO_PIPES: Final = tr("the file has no timeline of pipes")
_NO_WAITS: Final = tr("the file has neither a timeline of pipes nor their wait cycles")
_NO_WORK: Final = tr("the file does not state how long pipes work")
_FLOOR: Final = tr("time of the core - (work of its busiest pipe, what must come before it, what must follow it)")
_SUMS: Final = tr("time of the core - work of its busiest pipe")


def _on_timeline(profile: Profile) -> tuple[Timeline, CoreUse, CoreTime] | None:
    """The core that ends last, if a timeline shows it."""
    use = None if profile.timeline is None or not has_pipes(profile.timeline) else last_core(profile)
    if use is None or use.core is None or profile.timeline is None:
        return None
    return profile.timeline, use, use.core


def timed(timeline: Timeline, length: float) -> tuple[float, Literal["cycles", "s"]]:
    """A length of the timeline with its unit: seconds where a clock is known."""
    scale = timeline.seconds_per_unit
    return (length, "cycles") if scale is None else (length * scale, "s")


def _saving(use: CoreUse) -> Saving:
    return Saving(use.at_most, use.unit, use.name, _SUMS if use.core is None else _FLOOR)


def _little(use: CoreUse, thresholds: Thresholds) -> bool:
    """Whether the busiest pipe, with what must come before and after it, fills the core."""
    return 100 * use.at_most < thresholds.overlap * use.span


# -- waiting ------------------------------------------------------------------------------------------------


def _waiting(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    use = last_core(profile)
    if use is None or (use.core is None and not use.wait):
        return NotChecked(_NO_WAITS)
    if _little(use, thresholds):
        return ()
    if use.core is None or profile.timeline is None:
        return _counted(use, thresholds)
    waits = _much(waits_of(profile.timeline, use.core), use.core, thresholds)
    return _flagged(profile.timeline, use, waits) if waits else ()


def _much(waits: list[Wait], core: CoreTime, thresholds: Thresholds) -> list[Wait]:
    """The waits, if the longest is long enough for the rule."""
    return waits if waits and 100 * waits[0].time >= thresholds.pipe_wait * core.span else []


def _flagged(timeline: Timeline, use: CoreUse, waits: list[Wait]) -> list[Finding]:
    worst = waits[0]
    title = (
        tr("{waiting} waits for {awaited} on {core}", waiting=worst.waiting, awaited=worst.awaited, core=use.name)
        if worst.awaited
        else tr("{waiting} waits for flags on {core}", waiting=worst.waiting, core=use.name)
    )
    amount, _ = timed(timeline, worst.time)
    text = sentence(
        plural(
            "{time} of {span} ({share}) pass in {count:,} wait. Double buffering, or setting the flag earlier, lets "
            "both pipes work at the same time.",
            "{time} of {span} ({share}) pass in {count:,} waits. Double buffering, or setting the flag earlier, lets "
            "both pipes work at the same time.",
            time=Amount(amount, use.unit),
            span=Amount(use.span, use.unit),
            share=Amount(100 * amount / use.span, "%"),
            count=worst.count,
        )
    )
    evidence = tuple(_wait_evidence(timeline, wait) for wait in waits[:_MOST_LISTED])
    busiest = Evidence("lanes", use.name, tr("work of {pipe}", pipe=use.busiest), use.work[use.busiest], use.unit)
    words = joined_words((text, _least(use)))
    confidence: Literal["measured", "estimated"] = "estimated" if worst.inferred else "measured"
    return [Finding("warning", title, words, (*evidence, busiest), _saving(use), confidence)]


def _wait_evidence(timeline: Timeline, wait: Wait) -> Evidence:
    selection = Selection("slice", (wait.longest,))
    return Evidence("slices", str(wait.longest), wait.pair, *timed(timeline, wait.time), selection)


def _least(use: CoreUse) -> Words:
    """What the core takes at least."""
    floor = use.floor
    if not floor.by:
        return sentence(tr("Its longest chain of data takes {least}.", least=Amount(floor.value, use.unit)))
    if floor.own == floor.value:
        return sentence(tr("{pipe} alone works {own}.", pipe=floor.by, own=Amount(floor.own, use.unit)))
    text = tr(
        "{pipe} alone works {own}; with what must come before and after it, the core takes at least {least}.",
        pipe=floor.by,
        own=Amount(floor.own, use.unit),
        least=Amount(floor.value, use.unit),
    )
    return sentence(text)


def _counted(use: CoreUse, thresholds: Thresholds) -> list[Finding]:
    """By the wait cycles of tables, which do not say what a pipe waits for."""
    waits = sorted(use.wait.items(), key=lambda pair: -pair[1])
    pipe, time = waits[0]
    if 100 * time < thresholds.pipe_wait * use.span:
        return []
    text = sentence(
        tr(
            "It waits {share} of the time of {core}. The file does not state for which pipe; the timeline of a "
            "simulator does. {busiest} alone works {own} of {span}.",
            share=Amount(100 * time / use.span, "%"),
            core=use.name,
            busiest=use.busiest,
            own=Amount(use.floor.own, use.unit),
            span=Amount(use.span, use.unit),
        )
    )
    evidence = tuple(
        Evidence(use.table, f"{use.key}/{own}", tr("waiting of {pipe}", pipe=own), waited, use.unit, use.selection)
        for own, waited in waits[:_MOST_LISTED]
        if waited > 0
    )
    title = tr("{pipe} of {core} waits for other pipes", pipe=pipe, core=use.name)
    return [Finding("warning", title, text, evidence, _saving(use))]


# -- side by side -------------------------------------------------------------------------------------------


def _overlapping(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """Silent where waits for flags are reported of the same core: they have the same cause and the same bound."""
    known = _on_timeline(profile)
    if known is None:
        return NotChecked(_NO_PIPES)
    timeline, use, core = known
    if _little(use, thresholds) or _much(waits_of(timeline, core), core, thresholds):
        return ()
    wanted = working(timeline)
    moves, work = (
        spans_of(timeline, slices_of(timeline, core.lanes.of(pipes), wanted)) for pipes in (TRANSFERS, COMPUTING)
    )
    lengths = (moves.total, work.total, overlap(moves, work).total)
    apart = min(lengths[:2]) - lengths[2]
    if apart <= 0 or 100 * apart < thresholds.overlap * core.span:
        return ()
    moved, worked, both = (timed(timeline, length)[0] for length in lengths)
    text = sentence(
        tr(
            "Transfers take {moving}, computing {computing}, and both overlap for {both} of {span}. Double buffering "
            "moves the next data during the current computation.",
            moving=Amount(moved, use.unit),
            computing=Amount(worked, use.unit),
            both=Amount(both, use.unit),
            span=Amount(use.span, use.unit),
        )
    )
    own = slices_of(timeline, core.lanes.of(TRANSFERS), wanted)
    place = int(own[timeline.slices.duration[own].argmax()])
    evidence = (
        Evidence("slices", str(place), tr("transfers"), moved, use.unit, Selection("slice", (place,))),
        Evidence("lanes", use.name, tr("computing"), worked, use.unit),
        Evidence("lanes", use.name, tr("overlap"), both, use.unit),
        Evidence("lanes", use.name, tr("work of {pipe}", pipe=use.busiest), use.work[use.busiest], use.unit),
    )
    title = tr("Transfers and computing overlap only in part on {core}", core=use.name)
    return (Finding("warning", title, joined_words((text, _least(use))), evidence, _saving(use)),)


# -- before the work ----------------------------------------------------------------------------------------


def _head(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _on_timeline(profile)
    if known is None:
        return NotChecked(_NO_PIPES)
    timeline, use, core = known
    own = slices_of(timeline, core.lanes.of(_WORK), working(timeline))
    if not len(own):
        return ()
    first = int(own[timeline.slices.start[own].argmin()])
    head, unit = timed(timeline, float(timeline.slices.start[first]) - core.start)
    if 100 * head < thresholds.scalar_head * use.span:
        return ()
    text = sentence(
        tr(
            "The first transfer or computation starts after {head}, {share} of the core's time. To shorten this, "
            "compute the tiling on the host and reduce the set-up in the kernel.",
            head=Amount(head, unit),
            share=Amount(100 * head / use.span, "%"),
        )
    )
    evidence = (
        Evidence(
            "slices", str(first), tr("time before the first work of a pipe"), head, unit, Selection("slice", (first,))
        ),
        Evidence("lanes", use.name, tr("time of the core"), use.span, unit),
    )
    title = tr("Long scalar prologue on {core}", core=use.name)
    formula = tr("first start of a transfer or computation - first start on the core")
    return (Finding("warning", title, text, evidence, Saving(head, unit, use.name, formula)),)


# -- no pipe is busy ----------------------------------------------------------------------------------------


def _latency(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    use = last_core(profile)
    if use is None:
        return NotChecked(_NO_WORK)
    if use.bound != "latency":
        return ()
    pipe, work = use.ordered[0]
    text = sentence(
        tr(
            "The busiest pipe, {pipe}, works {work} of {span} ({share}). In the rest the pipes wait for each other or "
            "for memory. More data in flight (double buffering, larger transfers, fewer barriers) shortens it.",
            pipe=pipe,
            work=Amount(work, use.unit),
            span=Amount(use.span, use.unit),
            share=Amount(100 * use.share, "%"),
        )
    )
    title = tr("No pipe works half of the time of {core}", core=use.name)
    saving = Saving(use.span - work, use.unit, use.name, _SUMS)
    return (Finding("warning", title, text, work_evidence(use), saving),)


def work_evidence(use: CoreUse) -> tuple[Evidence, ...]:
    """The work of the busiest pipes, and what it is a share of."""
    return (
        *(
            Evidence(
                use.table,
                use.key if use.core is not None else f"{use.key}/{pipe}",
                tr("work of {pipe}", pipe=pipe),
                time,
                use.unit,
                use.selection,
            )
            for pipe, time in use.ordered[:_MOST_LISTED]
        ),
        Evidence(use.table, use.key, tr("time of the core"), use.span, use.unit, use.selection),
    )


# -- the cube -----------------------------------------------------------------------------------------------

_IDLE: Final = 0.05
"""Share of its time below which a cube core does nothing that counts."""
_AROUND_CUBE: Final = ("MTE1", "FIXP", "MTE2")


def _idle_cube(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    cubes = _cube_cores(profile)
    if not cubes:
        return NotChecked(tr("the file has no times of cube cores"))
    idle = [own for own in cubes if own[1] < _IDLE * own[2]]
    if not idle:
        return ()
    name, work, span, unit, evidence = max(idle, key=lambda own: own[2])
    text = sentence(
        tr(
            "On {name}, the cube computes {work} of {span}. If the operator does not need the cube, launch it on "
            "vector cores only.",
            name=name,
            work=Amount(work, unit),
            span=Amount(span, unit),
        )
    )
    title = plural(
        "A cube core computes nothing or almost nothing",
        "{count:,} cube cores compute nothing or almost nothing",
        count=len(idle),
    )
    return (Finding("info", title, text, (evidence,)),)


_Cube: TypeAlias = tuple[str, float, float, Literal["s", "cycles"], Evidence]


def _cube_cores(profile: Profile) -> list[_Cube]:
    """(name, work of the cube, time of the core, unit, evidence) of each cube core."""
    known = _on_timeline(profile)
    if known is not None:
        timeline, _, _ = known
        model, made = time_model(profile), list[_Cube]()
        for core, length in zip(model.cores, work_of(model, "CUBE").tolist(), strict=True):
            if "cube" not in core.name.lower() and "CUBE" not in core.lanes.lanes:
                continue
            work, unit = timed(timeline, length)
            figure = Evidence("lanes", core.name, tr("work of {pipe}", pipe="CUBE"), work, unit)
            made.append((core.name, work, timed(timeline, core.span)[0], unit, figure))
        return made
    return [own for part in sub_cores(profile) if part.kind == CUBE for own in _cubes_of_blocks(part)]


def _cubes_of_blocks(part: SubCores) -> Iterator[_Cube]:
    work = part.work.get("CUBE", np.full(len(part.block), np.nan))
    for row in np.flatnonzero(~np.isnan(work) & (part.whole > 0)).tolist():
        block, cycles = int(part.block[row]), float(work[row])
        figure = Evidence(
            part.table, str(block), tr("work of {pipe}", pipe="CUBE"), cycles, "cycles", selected_item("block", block)
        )
        name = tr("{core} of block {block}", block=block, core=part.title)
        yield name, cycles, float(part.whole[row]), "cycles", figure


def _held_cube(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """Which pipe holds the cube: by the waits of the timeline, else by the work of the pipes around it."""
    known = _on_timeline(profile)
    if known is not None:
        timeline, use, core = known
        if "CUBE" not in use.work:
            return ()
        waits = [wait for wait in waits_of(timeline, core) if wait.waiting == "CUBE"]
        if not waits or 100 * sum(wait.time for wait in waits) < thresholds.pipe_wait * core.span:
            return ()
        evidence = tuple(
            Evidence(
                "slices", str(one.longest), one.pair, *timed(timeline, one.time), Selection("slice", (one.longest,))
            )
            for one in waits[:_MOST_LISTED]
        )
        waited = sum(wait.time for wait in waits) * (use.span / core.span)
        return _held(use, waited, waits[0].awaited, evidence)
    use_ = last_core(profile)
    if use_ is None:
        return NotChecked(_NO_WORK)
    waited = use_.wait.get("CUBE", 0.0)
    if not use_.work.get("CUBE", 0.0) > 0 or 100 * waited < thresholds.pipe_wait * use_.span:
        return ()
    holder = max(_AROUND_CUBE, key=lambda pipe: use_.work.get(pipe, 0.0))
    return _held(use_, waited, holder, work_evidence(use_))


def _held(use: CoreUse, waited: float, holder: str, evidence: tuple[Evidence, ...]) -> tuple[Finding, ...]:
    text = sentence(
        tr(
            "The cube waits {waited} of {span} ({share}) on {core}.",
            waited=Amount(waited, use.unit),
            span=Amount(use.span, use.unit),
            share=Amount(100 * waited / use.span, "%"),
            core=use.name,
        )
    )
    title = tr("{pipe} holds the cube", pipe=holder) if holder else tr("The cube waits")
    return (Finding("info", title, text, evidence),)


def about_cores(profile: Profile) -> bool:
    """Whether it is about an Ascend operator: it has base information, or a timeline of pipes."""
    return profile.operator is not None or (profile.timeline is not None and has_pipes(profile.timeline))


_SECTIONS: Final = ("timeline", "operator")
_ABOUT: Final[Callable[[Profile], bool]] = about_cores
RULES: Final = (
    Rule(
        "ascend.pipe-waits",
        tr("Pipes that wait for flags of other pipes"),
        tr(
            "On the core that ends last: time of its waits by waiting pipe and the pipe that releases it (by flags and "
            "arrows), overlaps counted once; else wait cycles of the pipe tables. Silent where the busiest pipe, "
            "with what must come before and after it, fills the core."
        ),
        _SECTIONS,
        _waiting,
        ("pipe_wait", "overlap"),
        _ABOUT,
    ),
    Rule(
        "ascend.overlap",
        tr("Transfers that do not overlap with computing"),
        tr(
            "On the core that ends last: its time, compared with the work of its busiest pipe and what must come "
            "before and after it. Silent if waits for flags are reported of that core."
        ),
        _SECTIONS,
        _overlapping,
        ("overlap",),
        _ABOUT,
    ),
    Rule(
        "ascend.latency-bound",
        tr("A core in which no pipe works half of the time"),
        tr("Work of the busiest pipe of the core that ends last / time of the core."),
        _SECTIONS,
        _latency,
        (),
        _ABOUT,
    ),
    Rule(
        "ascend.scalar-head",
        tr("Scalar work before the first transfer or computation"),
        tr("Time from the first start on the core that ends last to the first start on a pipe that is not scalar."),
        _SECTIONS,
        _head,
        ("scalar_head",),
        _ABOUT,
    ),
    Rule(
        "ascend.cube-idle",
        tr("Cube cores that compute nothing"),
        tr("Work of the cube below 5 % of the time of its core."),
        _SECTIONS,
        _idle_cube,
        (),
        _ABOUT,
    ),
    Rule(
        "ascend.cube-waits",
        tr("What the cube waits for"),
        tr("Waits of the cube by the pipe that releases it; else its wait cycles, and the busiest pipe around it."),
        _SECTIONS,
        _held_cube,
        ("pipe_wait",),
        _ABOUT,
    ),
)
