"""How the pipes of a core work together: waiting for each other, side by side, or not begun yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.ascend.pipes import (
    COMPUTING,
    TRANSFERS,
    CoreLanes,
    PipeUse,
    core_lanes,
    pipe_use,
    slices_of,
    spans_of,
    waits,
    working,
)
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tables.ascend_memory import block_number
from app.analysis.timeline.intervals import Spans, overlap
from app.analysis.timeline.pipes import has_pipes
from app.language import plural, tr
from app.profile.arrays import Bool
from app.profile.pipes import STATES
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.timeline import Timeline

_MOST_LISTED: Final = 5
_MOST_CORES: Final = 4096
_WORK: Final = (*TRANSFERS, *COMPUTING)
_NO_PIPES: Final = tr("the file has no timeline of pipes")


class Core(Struct, frozen=True, eq=False):
    """A core, and when any of its lanes runs."""

    lanes: CoreLanes
    busy: Spans

    @property
    def length(self) -> float:
        """From the first start to the last end."""
        return float(self.busy.end[-1] - self.busy.start[0])


def _cores(profile: Profile) -> tuple[Timeline, list[Core]] | NotChecked:
    """The cores whose lanes hold anything with a length."""
    timeline = profile.timeline
    if timeline is None or not has_pipes(timeline):
        return NotChecked(_NO_PIPES)
    made = [
        Core(lanes, spans_of(timeline, slices_of(timeline, lanes.all))) for lanes in core_lanes(timeline)[:_MOST_CORES]
    ]
    made = [core for core in made if len(core.busy)]
    return (timeline, made) if made else NotChecked(_NO_PIPES)


def _timed(timeline: Timeline, length: float) -> tuple[float, Literal["cycles", "s"]]:
    """A length of the timeline with its unit: seconds where a clock is known."""
    scale = timeline.seconds_per_unit
    return (length, "cycles") if scale is None else (length * scale, "s")


# -- waiting ------------------------------------------------------------------------------------------------


class Wait(Struct, frozen=True):
    """``time`` in which ``waiting`` waits for ``awaited`` ("" unknown) on a core, each moment counted once; ``count``
    waits, the longest of which is the slice ``longest``."""

    core: Core
    waiting: str
    awaited: str
    time: float
    count: int
    longest: int

    @property
    def pair(self) -> str:
        return (
            tr("{waiting} for {awaited}", waiting=self.waiting, awaited=self.awaited) if self.awaited else self.waiting
        )


def _waiting(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _cores(profile)
    made = [] if isinstance(known, NotChecked) else _on_timeline(*known, thresholds)
    uses = [] if made else pipe_use(profile)
    made = made or _counted(uses, thresholds)
    if not made and isinstance(known, NotChecked) and not _has_waits(uses):
        return NotChecked(tr("the file has neither a timeline of pipes nor their wait cycles"))
    return made


def _on_timeline(timeline: Timeline, cores: list[Core], thresholds: Thresholds) -> list[Finding]:
    pairs = sorted(_pairs(timeline, cores), key=lambda wait: -wait.time / wait.core.length)
    if not pairs or 100 * pairs[0].time < thresholds.pipe_wait * pairs[0].core.length:
        return []
    worst = pairs[0]
    name, share = worst.core.lanes.name, 100 * worst.time / worst.core.length
    amount, unit = _timed(timeline, worst.time)
    title = (
        tr("{waiting} waits for {awaited} on {core}", waiting=worst.waiting, awaited=worst.awaited, core=name)
        if worst.awaited
        else tr("{waiting} waits for flags on {core}", waiting=worst.waiting, core=name)
    )
    text = sentence(
        plural(
            "{share} of the core's time is spent in {count:,} wait for a flag. Double buffering, or setting the flag "
            "earlier, lets both pipes work at the same time.",
            "{share} of the core's time is spent in {count:,} waits for flags. Double buffering, or setting the flag "
            "earlier, lets both pipes work at the same time.",
            share=Amount(share, "%"),
            count=worst.count,
        )
    )
    evidence = tuple(
        Evidence(
            "slices",
            str(wait.longest),
            tr("{core}: {pair}", core=wait.core.lanes.name, pair=wait.pair),
            *_timed(timeline, wait.time),
            Selection("slice", (wait.longest,)),
        )
        for wait in pairs[:_MOST_LISTED]
    )
    formula = tr("time in which the pipe waits for the other one, overlaps counted once")
    return [Finding("warning", title, text, evidence, Saving(amount, unit, name, formula))]


def _pairs(timeline: Timeline, cores: list[Core]) -> list[Wait]:
    """The waits of each pipe of each core, by the pipe whose flag they wait for (as the arrows name it)."""
    wanted, flows = waits(timeline), timeline.flows
    if not wanted.any():
        return []
    said_by = timeline.slices.name.copy()
    ends = flows.to_slice >= 0
    said_by[flows.to_slice[ends]] = flows.category[ends]
    made = []
    for core in cores:
        for pipe, lanes in core.lanes.lanes.items():
            own = slices_of(timeline, lanes, wanted)
            own = own[np.argsort(said_by[own], kind="stable")]
            texts, first = np.unique(said_by[own], return_index=True)
            for text, part in zip(texts.tolist(), np.split(own, first[1:]), strict=False):  # a file may have many
                time = spans_of(timeline, part).total
                longest = int(part[timeline.slices.duration[part].argmax()])
                made.append(Wait(core, pipe, _setter(timeline.strings.get(text), pipe), time, len(part), longest))
    return made


def _setter(text: str, pipe: str) -> str:
    """The pipe that sets the flag: MTE2 of the arrow ``MTE2ToVECTOR`` or of the slice ``WAIT_FLAG.MTE2.V``."""
    setter, to, _ = text.partition("To")
    if not to:
        parts = text.split(".")
        setter = STATES.get(parts[1], "") if len(parts) > 2 else ""
    return setter if setter != pipe else ""


def _has_waits(uses: list[PipeUse]) -> bool:
    return any(not np.isnan(use.wait).all() for use in uses)


def _share(use: PipeUse) -> float:
    """Percent of the cycles of the sub-core that a pipe waits, over all blocks; NaN unknown."""
    whole = use.whole
    known = ~np.isnan(whole) & ~np.isnan(use.wait)
    total = float(whole[known].sum())
    return 100 * float(use.wait[known].sum()) / total if total > 0 else float("nan")


def _counted(uses: list[PipeUse], thresholds: Thresholds) -> list[Finding]:
    """By the wait cycles of tables, which do not say what a pipe waits for."""
    shares = [(share, use) for use in uses if (share := _share(use)) == share]
    shares = sorted(shares, key=lambda pair: -pair[0])
    if not shares or shares[0][0] < thresholds.pipe_wait:
        return []
    share, use = shares[0]
    title = tr("{pipe} of {unit} waits for other pipes", pipe=use.pipe, unit=use.unit or tr("the core"))
    text = sentence(
        tr(
            "It waits {share} of the cycles of the sub-core. The file does not state for which pipe; the timeline of "
            "a simulator does.",
            share=Amount(share, "%"),
        )
    )
    evidence = tuple(
        Evidence(
            own.table,
            f"{own.block_name(row)}/{own.pipe}",
            tr("wait cycles of {unit}, block {block}", unit=own.unit, block=own.block_name(row)),
            float(own.wait[row]),
            "cycles",
            _block(own, row),
        )
        for _, own in shares[:_MOST_LISTED]
        for row in [int(np.nanargmax(own.wait))]
    )
    saving = Saving(share, "%", tr("cycles of the sub-core"), tr("wait cycles / cycles of the sub-core, all blocks"))
    return [Finding("warning", title, text, evidence, saving)]


def _block(use: PipeUse, row: int) -> Selection | None:
    return selected_item("block", block_number(use.block_name(row)))


# -- side by side -------------------------------------------------------------------------------------------


def _overlapping(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _cores(profile)
    if isinstance(known, NotChecked):
        return known
    timeline, cores = known
    worst: tuple[float, float, Core, float, float, float] | None = None
    wanted = working(timeline)
    for core in cores:
        moves, work = (
            spans_of(timeline, slices_of(timeline, core.lanes.of(pipes), wanted)) for pipes in (TRANSFERS, COMPUTING)
        )
        both = overlap(moves, work).total
        saved = min(moves.total, work.total) - both
        share = 100 * saved / core.length
        if worst is None or share > worst[0]:
            worst = (share, saved, core, moves.total, work.total, both)
    if worst is None or worst[1] <= 0 or worst[0] < thresholds.overlap:
        return ()
    share, saved, core, moved, worked, both = worst
    title = tr("Transfers and computing do not overlap on {core}", core=core.lanes.name)
    text = sentence(
        tr(
            "Transfers take {moving}, computing {computing}, and both overlap for {both}. With full overlap, the core "
            "would finish {share} of its time earlier. Double buffering moves the next data during the current "
            "computation.",
            moving=Amount(*_timed(timeline, moved)),
            computing=Amount(*_timed(timeline, worked)),
            both=Amount(*_timed(timeline, both)),
            share=Amount(share, "%"),
        )
    )
    place = _longest(timeline, core.lanes.of(TRANSFERS), wanted)
    evidence = (
        Evidence("slices", str(place), tr("transfers"), *_timed(timeline, moved), Selection("slice", (place,))),
        Evidence("lanes", core.lanes.name, tr("computing"), *_timed(timeline, worked)),
        Evidence("lanes", core.lanes.name, tr("overlap"), *_timed(timeline, both)),
    )
    formula = tr("min(transfers, computing) - overlap, overlaps counted once")
    saving = Saving(*_timed(timeline, saved), core.lanes.name, formula)
    return (Finding("warning", title, text, evidence, saving),)


def _longest(timeline: Timeline, lanes: Sequence[int], wanted: Bool) -> int:
    own = slices_of(timeline, lanes, wanted)
    return int(own[timeline.slices.duration[own].argmax()])


# -- before the work ----------------------------------------------------------------------------------------


def _head(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _cores(profile)
    if isinstance(known, NotChecked):
        return known
    timeline, cores = known
    wanted = working(timeline)
    worst: tuple[float, float, Core, int] | None = None
    for core in cores:
        own = slices_of(timeline, core.lanes.of(_WORK), wanted)
        if not len(own):
            continue
        first = int(own[timeline.slices.start[own].argmin()])
        head = float(timeline.slices.start[first] - core.busy.start[0])
        if worst is None or head / core.length > worst[0]:
            worst = (head / core.length, head, core, first)
    if worst is None or 100 * worst[0] < thresholds.scalar_head:
        return ()
    share, head, core, first = worst
    title = tr("Long scalar prologue on {core}", core=core.lanes.name)
    text = sentence(
        tr(
            "The first transfer or computation starts after {head}, {share} of the core's time. To shorten this, "
            "compute the tiling on the host and reduce the set-up in the kernel.",
            head=Amount(*_timed(timeline, head)),
            share=Amount(100 * share, "%"),
        )
    )
    evidence = (
        Evidence(
            "slices",
            str(first),
            tr("time before the first work of a pipe"),
            *_timed(timeline, head),
            Selection("slice", (first,)),
        ),
        Evidence("lanes", core.lanes.name, tr("time of the core"), *_timed(timeline, core.length)),
    )
    formula = tr("first start of a transfer or computation - first start on the core")
    return (Finding("warning", title, text, evidence, Saving(*_timed(timeline, head), core.lanes.name, formula)),)


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
            "Time of WAIT_FLAG and wait_event slices by waiting pipe and the pipe of the flag (from the arrows), "
            "overlaps counted once, / time of the core; else wait cycles of the pipe tables."
        ),
        _SECTIONS,
        _waiting,
        ("pipe_wait",),
        _ABOUT,
    ),
    Rule(
        "ascend.overlap",
        tr("Transfers that do not overlap with computing"),
        tr("Unions of the slices of MTE and FIXP lanes, and of CUBE and VECTOR lanes, of each core."),
        _SECTIONS,
        _overlapping,
        ("overlap",),
        _ABOUT,
    ),
    Rule(
        "ascend.scalar-head",
        tr("Scalar work before the first transfer or computation"),
        tr("Time from the first start on a core to the first start on a pipe other than the scalar ones."),
        _SECTIONS,
        _head,
        ("scalar_head",),
        _ABOUT,
    ),
)
