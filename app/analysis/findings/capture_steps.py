"""What the training steps of an Ascend capture lose: exposed communication, free time, waits of pipelines, the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.floors import floors
from app.analysis.capture.ranks import SECOND, of_rank, rank_name, several, starting_with, sums
from app.analysis.capture.steps import collective_steps, kernel_steps, step_times
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, Words, joined_words, sentence
from app.analysis.time.floors import at_most
from app.language import plural, tr
from app.profile.arrays import F64, I32, Bool, among
from app.profile.ascend_capture import POINT_TO_POINT
from app.profile.profile import Profile
from app.profile.selection import Selection

NO_STEPS: Final = tr("the capture has no times of steps, kernels or communication")
NO_CALLS: Final = tr("the capture has no calls of the host")
_LISTED: Final = 3
_MEMORY_CALLS: Final = ("aclrtMalloc", "aclrtFree", "aclMallocMemInner", "FreePhysical")
_LOADER: Final = "enumerate(dataloader)"
STEPS: Final = "steps-of-training"


class _Worst(Struct, frozen=True, eq=False):
    """The rank whose steps lose the largest ``share`` (percent) of their time: ``lost`` of ``span``; ``row``: the step
    that loses most; ``floor``: what its steps take at least, NaN where that is unknown; ``shares``: float64, those of
    all ranks."""

    rank: int
    row: int
    lost: float
    span: float
    floor: float
    shares: F64

    @property
    def share(self) -> float:
        return 100 * self.lost / self.span

    @property
    def at_most(self) -> float:
        """What can be saved at most; NaN where that is unknown."""
        return at_most(self.span, self.floor) if self.floor == self.floor else self.floor

    def evidence(self, profile: Profile, figure: str, values: F64) -> tuple[Evidence, ...]:
        """The step that loses most, and all steps of the rank."""
        steps = step_times(profile)
        where = of_rank(profile, self.rank, int(steps.step[self.row]))
        return (
            Evidence(STEPS, where, figure, float(values[self.row]), "s", row=self.row),
            Evidence(STEPS, where, tr("time of the step"), float(steps.span[self.row]), "s", row=self.row),
            Evidence(STEPS, of_rank(profile, self.rank), tr("all its steps"), self.span, "s", row=self.row),
        )


def _worst(profile: Profile, values: F64, threshold: float) -> _Worst | None:
    """By a column of step times; None where no rank exceeds the ``threshold`` (percent), or nothing can be saved."""
    steps = step_times(profile)
    known = np.isfinite(values) & np.isfinite(steps.span)
    if profile.capture is None or not known.any():
        return None
    count = len(profile.capture)
    lost, span, floor = (
        sums(steps.rank[known], column[known], count) for column in (values, steps.span, floors(profile))
    )
    shares = np.divide(100 * lost, span, out=np.zeros(count), where=span > 0)
    rank = int(shares.argmax())
    if not shares[rank] > threshold:
        return None
    rows = np.flatnonzero(known & (steps.rank == rank))
    row = int(rows[values[rows].argmax()])
    own = _Worst(rank, row, float(lost[rank]), float(span[rank]), float(floor[rank]), shares)
    return None if own.at_most <= 0 else own


def has_step_times(profile: Profile) -> bool:
    """Whether steps of a capture have communication to judge."""
    return profile.capture is not None and bool(np.isfinite(step_times(profile).exposed).any())


def exposed_in_steps(profile: Profile, thresholds: Thresholds) -> Sequence[Finding]:
    """Communication of a capture that no kernel hides."""
    steps = step_times(profile)
    own = _worst(profile, steps.exposed, thresholds.exposed_in_step)
    if own is None:
        return ()
    text = tr(
        "{where}: communication runs for {exposed} while no kernel computes, {share} of {span}; {hidden} overlap with "
        "computing. Start it earlier, or split it, so that it runs while the device computes.",
        where=of_rank(profile, own.rank),
        exposed=Amount(own.lost, "s"),
        share=Amount(own.share, "%"),
        span=Amount(own.span, "s"),
        hidden=Amount(float(np.nansum(steps.overlapped[steps.rank == own.rank])), "s"),
    )
    evidence = (*own.evidence(profile, tr("exposed communication"), steps.exposed), *_longest(profile, own))
    title = tr("Communication does not overlap with computing")
    words = joined_words((sentence(text), _others(profile, own, thresholds.exposed_in_step)))
    return (_finding(profile, own, title, words, evidence, thresholds.exposed_in_step),)


def _longest(profile: Profile, own: _Worst) -> tuple[Evidence, ...]:
    """The longest communication operations of the worst step."""
    section = profile.collectives
    if section is None:
        return ()
    rows = np.flatnonzero((section.rank == own.rank) & (collective_steps(profile) == step_times(profile).step[own.row]))
    length = (section.end - section.start)[rows]
    rows = rows[np.argsort(-length, kind="stable")][:_LISTED]
    return tuple(
        Evidence(
            "collectives",
            section.strings.get(int(section.name[row])),
            tr("duration"),
            int(section.end[row] - section.start[row]) / SECOND,
            "s",
            Selection("collective", (row,)),
        )
        for row in rows.tolist()
    )


def _others(profile: Profile, own: _Worst, threshold: float) -> Words:
    """How many ranks are above the threshold, if there are several."""
    if not several(profile):
        return ()
    count = int(np.count_nonzero(own.shares > threshold))
    text = plural(
        "{count:,} of {ranks:,} ranks is above the threshold.",
        "{count:,} of {ranks:,} ranks are above the threshold.",
        count=count,
        ranks=len(own.shares),
    )
    return (text,)


def _finding(
    profile: Profile, own: _Worst, title: str, text: Words, evidence: tuple[Evidence, ...], threshold: float
) -> Finding:
    formula = tr("time of the steps - largest work of one stream or communication group")
    known = own.at_most == own.at_most
    saving = Saving(own.at_most, "s", rank_name(profile, own.rank), formula) if known else None
    much = 100 * own.at_most >= threshold * own.span
    return Finding("warning" if much else "info", title, text, evidence, saving)


def _free(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    steps = step_times(profile)
    if not np.isfinite(steps.free).any():
        return NotChecked(NO_STEPS)
    own = _worst(profile, steps.free, thresholds.free)
    if own is None:
        return ()
    text = tr(
        "{where}: neither kernels nor communication run for {free}, {share} of {span}. The device waits for the host, "
        "for memory, or for data. Fewer synchronisations, fused kernels and graphs of kernels help.",
        where=of_rank(profile, own.rank),
        free=Amount(own.lost, "s"),
        share=Amount(own.share, "%"),
        span=Amount(own.span, "s"),
    )
    evidence = (*own.evidence(profile, tr("free"), steps.free), *_gaps(profile, own))
    words = joined_words((sentence(text), _others(profile, own, thresholds.free)))
    return (_finding(profile, own, tr("The device is free"), words, evidence, thresholds.free),)


def _gaps(profile: Profile, own: _Worst) -> tuple[Evidence, ...]:
    """The longest times without kernels and communication in the worst step, by the kernels that end them."""
    kernels, collectives = profile.kernels, profile.collectives
    if kernels is None:
        return ()
    step = step_times(profile).step[own.row]
    rows = np.flatnonzero((kernels.rank == own.rank) & (kernel_steps(profile) == step) & (kernels.start >= 0))
    start, end, row = kernels.start[rows], (kernels.start + np.maximum(kernels.duration, 0))[rows], rows
    if collectives is not None:
        others = np.flatnonzero((collectives.rank == own.rank) & (collective_steps(profile) == step))
        start = np.concatenate((start, collectives.start[others]))
        end = np.concatenate((end, collectives.end[others]))
        row = np.concatenate((row, -1 - others))
    order = np.argsort(start, kind="stable")
    start, row = start[order], row[order]
    reach = np.maximum.accumulate(end[order])
    gap = np.maximum(start[1:] - reach[:-1], 0)
    longest = np.argsort(-gap, kind="stable")[:_LISTED]
    return tuple(_gap(profile, int(row[place + 1]), int(gap[place])) for place in longest.tolist() if gap[place] > 0)


def _gap(profile: Profile, row: int, length: int) -> Evidence:
    figure = tr("longest free time before it")
    kernels, collectives = profile.kernels, profile.collectives
    if row >= 0 and kernels is not None:
        name = kernels.strings.get(int(kernels.name[row]))
        return Evidence("kernels", name, figure, length / SECOND, "s", Selection("kernel", (row,)))
    assert collectives is not None
    name = collectives.strings.get(int(collectives.name[-1 - row]))
    return Evidence("collectives", name, figure, length / SECOND, "s", Selection("collective", (-1 - row,)))


def _pipeline(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own, steps = profile.collectives, step_times(profile)
    if own is None:
        return NotChecked(tr("the capture has no communication operations"))
    rows = np.flatnonzero((own.kind == POINT_TO_POINT) & (own.start >= 0) & (own.end >= own.start))
    if not len(rows):
        return ()
    times = np.zeros(len(steps))
    place = {key: row for row, key in enumerate(zip(steps.rank.tolist(), steps.step.tolist(), strict=True))}
    length = ((own.end - own.start)[rows] / SECOND).tolist()
    keys = zip(own.rank[rows].tolist(), collective_steps(profile)[rows].tolist(), strict=True)
    for key, time in zip(keys, length, strict=True):
        if key in place:
            times[place[key]] += time
    worst = _worst(profile, times, thresholds.pipeline_wait)
    if worst is None:
        return ()
    text = tr(
        "{where}: point-to-point operations take {time}, {share} of {span}. They contain the waits for other stages of "
        "the pipeline. More micro batches, or stages of equal work, shorten them.",
        where=of_rank(profile, worst.rank),
        time=Amount(worst.lost, "s"),
        share=Amount(worst.share, "%"),
        span=Amount(worst.span, "s"),
    )
    evidence = worst.evidence(profile, tr("sum of point-to-point operations"), times)
    most = min(worst.lost, worst.at_most) if worst.at_most == worst.at_most else worst.lost
    formula = tr("sum of the durations of point-to-point operations")
    saving = Saving(most, "s", rank_name(profile, worst.rank), formula)
    return (Finding("warning", tr("Stages of a pipeline wait"), sentence(text), evidence, saving),)


def _memory_calls(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.calls
    if own is None:
        return NotChecked(NO_CALLS)
    chosen = np.zeros(len(own), np.bool_)
    for name in _MEMORY_CALLS:
        chosen |= among(own.name, own.strings.find(name))
    rank, time = _most_per_step(profile, own.rank[chosen], own.total[chosen])
    if 1e6 * time <= thresholds.memory_calls:
        return ()
    text = tr(
        "{where}: calls that take and release memory of the device take {time} per step. More reserved memory, or "
        "expandable segments of the allocator, avoid them.",
        where=of_rank(profile, rank),
        time=Amount(time, "s"),
    )
    row = _largest(chosen & (own.rank == rank), own.total)
    evidence = (Evidence("calls", of_rank(profile, rank), tr("time per step"), time, "s", row=row),)
    return (Finding("info", tr("The host waits for memory of the device"), sentence(text), evidence),)


def _loading(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.framework_operators
    if own is None:
        return NotChecked(tr("the capture has no operators of the framework"))
    chosen = starting_with(own.strings, _LOADER)[own.name]
    rank, time = _most_per_step(profile, own.rank[chosen], own.host_total[chosen])
    if 1e6 * time <= thresholds.data_loading:
        return ()
    text = tr(
        "{where}: the training script waits {time} per step for data. More workers, pinned memory or faster storage "
        "help.",
        where=of_rank(profile, rank),
        time=Amount(time, "s"),
    )
    row = _largest(chosen & (own.rank == rank), own.host_total)
    evidence = (Evidence("framework-operators", of_rank(profile, rank), tr("time per step"), time, "s", row=row),)
    return (Finding("info", tr("Steps wait for data"), sentence(text), evidence),)


def _largest(rows: Bool, values: F64) -> int:
    """The one of these rows with the largest value."""
    chosen = np.flatnonzero(rows)
    return int(chosen[np.nan_to_num(values[chosen]).argmax()])


def _most_per_step(profile: Profile, rank: I32, time: F64) -> tuple[int, float]:
    """(the rank with the largest sum of ``time`` per step, that sum in seconds)."""
    if profile.capture is None or not len(profile.capture):
        return 0, 0.0
    count = len(profile.capture)
    each = sums(rank, np.nan_to_num(time), count)
    each /= np.maximum(np.bincount(step_times(profile).rank, minlength=count)[:count], 1)
    return int(each.argmax()), float(each.max())


def _synchronizing(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.calls
    if own is None:
        return NotChecked(NO_CALLS)
    names = np.array(["SynchronizeStream" in text for text in own.strings.tolist()], np.bool_)
    known, count = np.maximum(own.count, 0), 0 if profile.capture is None else len(profile.capture)
    launched = among(own.name, own.strings.find("launch")) & among(own.level, own.strings.find("node"))
    waits, launches = (sums(own.rank[rows], known[rows], count) for rows in (names[own.name], launched))
    if not launches.any():
        return NotChecked(tr("the calls of the host have no launches"))
    share = np.divide(100 * waits, launches, out=np.zeros(count), where=launches > 0)
    rank = int(share.argmax())
    if share[rank] <= thresholds.synchronizing:
        return ()
    text = plural(
        "{where}: the host synchronises with a stream {waits} times for {count:,} launch, so that the device waits "
        "for the next launch each time.",
        "{where}: the host synchronises with a stream {waits} times for {count:,} launches, so that the device waits "
        "for the next launch each time.",
        where=of_rank(profile, rank),
        waits=f"{int(waits[rank]):,}",
        count=int(launches[rank]),
    )
    where, total = of_rank(profile, rank), known.astype(np.float64)
    row, launch = (_largest(rows & (own.rank == rank), total) for rows in (names[own.name], launched))
    evidence = (
        Evidence("calls", where, tr("synchronisations with a stream"), float(waits[rank]), row=row),
        Evidence("calls", where, tr("launches"), float(launches[rank]), row=launch),
    )
    return (Finding("info", tr("The host often synchronises with a stream"), sentence(text), evidence),)


_CAPTURE: Final = ("capture",)
RULES: Final = (
    Rule(
        "ascend.capture.free",
        tr("Free time of the device"),
        tr("Time from the first start to the last end of a step in which neither kernels nor communication run."),
        _CAPTURE,
        _free,
        ("free",),
    ),
    Rule(
        "ascend.capture.pipeline-wait",
        tr("Waits between the stages of a pipeline"),
        tr("Sum of the durations of point-to-point operations, as a share of the time of the steps."),
        _CAPTURE,
        _pipeline,
        ("pipeline_wait",),
    ),
    Rule(
        "ascend.capture.memory-calls",
        tr("Calls that take and release memory of the device"),
        tr("Time per step of aclrtMalloc, aclrtFree, aclMallocMemInner and FreePhysical together."),
        _CAPTURE,
        _memory_calls,
        ("memory_calls",),
    ),
    Rule(
        "ascend.capture.sync",
        tr("Synchronisations with a stream"),
        tr("Calls of SynchronizeStream, as a share of the launches."),
        _CAPTURE,
        _synchronizing,
        ("synchronizing",),
    ),
    Rule(
        "ascend.capture.dataloader",
        tr("Loading of data"),
        tr("Time per step in the iterator of the data loader."),
        _CAPTURE,
        _loading,
        ("data_loading",),
    ),
)
