"""What the ranks of an Ascend capture lose by waiting for each other, and by their links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.capture.links import LOCAL, RDMA, by_sdma, carried_by, links_of
from app.analysis.capture.operations import operations, waits_caused
from app.analysis.capture.ranks import (
    groups_of,
    listed_numbers,
    of_rank,
    rank_key,
    rank_name,
    same_texts,
    several,
    sums,
)
from app.analysis.capture.steps import StepTimes, collective_steps, step_times
from app.analysis.findings.capture_steps import NO_STEPS, STEPS
from app.analysis.findings.finding import Confidence, Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, Words, joined_words, sentence
from app.analysis.table import Unit
from app.analysis.time.floors import at_most
from app.language import plural, tr
from app.profile.arrays import F64, I64, Bool, among, combine_at, middle
from app.profile.ascend_capture import COLLECTIVE, POINT_TO_POINT, Packets
from app.profile.profile import Profile
from app.profile.selection import Selection

_LISTED: Final = 3
_STEPS: Final = 8
_SMALL_SDMA: Final = 16e6
_SMALL_RDMA: Final = 1e6
_LONGEST_RDMA: Final = 4.0
"""Seconds of an RDMA transfer from which it was sent again."""
_ALIGNED: Final = 512
_SDMA_BANDWIDTH: Final = 18e9
_CONTENDED: Final = 0.8
_NOTICED: Final = 1e-3
"""The share of a step that a slow link must lose: transfers of a few bytes reach no bandwidth on any link."""
ONE_RANK: Final = tr("the capture has one rank")
NO_PACKETS: Final = tr("the capture has no sizes of packets")


def _late(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    if not several(profile):
        return NotChecked(ONE_RANK)
    own, section, steps = operations(profile), profile.collectives, step_times(profile)
    together = own.kind == COLLECTIVE
    if section is None or not together.any():
        return NotChecked(tr("no collective is on two ranks or more"))
    if not (own.late[together] >= 0).any() and (own.delay[together] > 0).any():
        return NotChecked(tr("clocks differ: the ends of collectives differ by more than their starts"))
    whole = _mean_rank(profile, steps)
    if not whole > 0:
        return NotChecked(NO_STEPS)
    caused = waits_caused(profile)
    rows = np.flatnonzero(together & (own.late >= 0))
    most = sums(own.late[rows], own.delay[rows], len(caused))
    limit = thresholds.late_rank / 100 * whole
    late = [rank for rank in np.argsort(-caused, kind="stable").tolist() if min(caused[rank], most[rank]) > limit]
    return tuple(_late_finding(profile, rank, float(caused[rank]), float(most[rank]), whole) for rank in late[:_LISTED])


def _late_finding(profile: Profile, rank: int, caused: float, most: float, whole: float) -> Finding:
    own, section = operations(profile), profile.collectives
    assert section is not None
    rows = np.flatnonzero((own.late == rank) & (own.kind == COLLECTIVE))
    rows = rows[np.argsort(-own.delay[rows], kind="stable")]
    longest = int(rows[0])
    step = collective_steps(profile)[own.row]
    text = tr(
        "{rank} starts last in {count} of {all} collectives, by up to {delay} ({name}). The other ranks wait {caused} "
        "for it, an upper bound: the next collective may wait as well.",
        rank=of_rank(profile, rank),
        count=f"{len(rows):,}",
        all=f"{int(np.count_nonzero(own.kind == COLLECTIVE)):,}",
        delay=Amount(float(own.delay[longest]), "s"),
        name=section.strings.get(int(section.name[own.row[longest]])),
        caused=Amount(caused, "s"),
    )
    delays = tuple(
        Evidence(
            "collective-delays",
            section.strings.get(int(section.name[own.row[row]])),
            tr("delay in step {step}", step=int(step[row])) if step[row] >= 0 else tr("delay"),
            float(own.delay[row]),
            "s",
            Selection("collective", (_row_of(profile, row, rank),)),
        )
        for row in rows[:_LISTED].tolist()
    )
    evidence = (
        *delays,
        Evidence("collective-delays", "", tr("spread of ends"), float(own.end_spread[longest]), "s"),
        Evidence("collective-delays", "", tr("wait caused"), caused, "s"),
        Evidence(STEPS, "", tr("mean time of the ranks"), whole, "s"),
    )
    formula = tr("sum of the delays of the collectives in which it starts last")
    steps = [str(number) for number in listed_numbers(step[rows])]
    where = (
        plural(
            "It is late in step {steps}.",
            "It is late in {count:,} steps: {steps}.",
            count=len(steps),
            steps=", ".join(steps[:_STEPS]) + (" …" if len(steps) > _STEPS else ""),
        ),
    )
    shifted = _shifted(profile)
    title = tr("Rank {rank} comes late to collectives", rank=rank_key(profile, rank))
    confidence: Confidence = "estimated" if shifted else "measured"
    words = joined_words((sentence(text), where if steps else (), shifted))
    return Finding("warning", title, words, evidence, Saving(min(most, whole), "s", tr("run"), formula), confidence)


def _row_of(profile: Profile, operation: int, rank: int) -> int:
    """The row of a rank's collective in an operation."""
    section = profile.collectives
    assert section is not None
    return int(np.flatnonzero((operations(profile).of_row == operation) & (section.rank == rank))[0])


def _shifted(profile: Profile) -> Words:
    if not operations(profile).shift.any():
        return ()
    return (tr("Clocks of ranks differ and are shifted, so that this is an estimate."),)


def _mean_rank(profile: Profile, steps: StepTimes) -> float:
    """Seconds of the steps of a rank, the mean over the ranks."""
    spans = steps.sums(steps.span, 0 if profile.capture is None else len(profile.capture))
    known = spans[np.isfinite(spans)]
    return float(known.mean()) if len(known) else 0.0


@np.errstate(over="ignore", invalid="ignore")
def _uneven(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    if not several(profile):
        return NotChecked(ONE_RANK)
    steps = step_times(profile)
    rows = np.flatnonzero(np.isfinite(steps.computing) & np.isfinite(steps.span))
    if not len(rows):
        return NotChecked(NO_STEPS)
    of, first = groups_of(steps.step[rows])
    least, most = np.full(len(first), np.inf), np.full(len(first), -np.inf)
    combine_at(np.minimum, least, of, steps.computing[rows])
    combine_at(np.maximum, most, of, steps.computing[rows])
    count = np.bincount(of)
    mean = sums(of, steps.computing[rows], len(first)) / count
    span = sums(of, steps.span[rows], len(first)) / count
    share = np.divide(100 * (most - least), span, out=np.zeros(len(first)), where=span > 0)
    worst = int(share.argmax())
    if share[worst] <= thresholds.uneven_ranks:
        return ()
    here = rows[of == worst]
    slow, fast = (int(here[place]) for place in (steps.computing[here].argmax(), steps.computing[here].argmin()))
    step = int(steps.step[slow])
    text = tr(
        "{where} computes for {most}, {other} for {least}: they differ by {share} of the mean step, {span}.",
        where=of_rank(profile, int(steps.rank[slow]), step),
        most=Amount(float(most[worst]), "s"),
        other=rank_name(profile, int(steps.rank[fast])),
        least=Amount(float(least[worst]), "s"),
        share=Amount(float(share[worst]), "%"),
        span=Amount(float(span[worst]), "s"),
    )
    pipeline = profile.collectives is not None and bool((profile.collectives.kind == POINT_TO_POINT).any())
    stages = (tr("The ranks may be stages of a pipeline, which have different work."),) if pipeline else ()
    evidence = tuple(
        Evidence(
            STEPS,
            of_rank(profile, int(steps.rank[row]), step),
            tr("computing"),
            float(steps.computing[row]),
            "s",
            row=int(row),
        )
        for row in (slow, fast)
    )
    saved = at_most(float(most[worst]), float(mean[worst]))
    saving = Saving(
        saved, "s", tr("step {step}", step=step) if step >= 0 else tr("run"), tr("longest - mean computing")
    )
    words = joined_words((sentence(text), stages))
    return (Finding("warning", tr("Ranks compute for different times"), words, evidence, saving),)


@np.errstate(over="ignore", invalid="ignore")
def _slow_links(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = links_of(profile)
    if own is None:
        return NotChecked(tr("the capture has no communication matrix"))
    local = own.strings.find(LOCAL)
    there = np.isfinite(own.bandwidth) & (own.size > 0) & (own.source != own.target)
    there &= ~among(own.transport, local)
    rows = np.flatnonzero(there)
    if not len(rows):
        return NotChecked(tr("the communication matrix has no transfers between ranks"))
    same = same_texts(own.strings)[own.transport[rows]]
    of, first = groups_of(same)
    usual = np.array([middle(own.bandwidth[rows[of == group]]) for group in range(len(first))])
    share = 100 * own.bandwidth[rows] / usual[of]
    slow = np.flatnonzero(share < thresholds.slow_link)
    if not len(slow):
        return ()
    lost = own.time[rows[slow]] * (1 - share[slow] / 100)
    if not lost.max() > _NOTICED * _mean_rank(profile, step_times(profile)):
        return ()
    order = slow[np.argsort(share[slow], kind="stable")]
    text = plural(
        "{count:,} link has less than {limit} of the median bandwidth of its transport. The slowest, {link}, moves "
        "{rate} GB/s, the median is {usual} GB/s.",
        "{count:,} links have less than {limit} of the median bandwidth of their transport. The slowest, {link}, moves "
        "{rate} GB/s, the median is {usual} GB/s.",
        count=len(slow),
        limit=Amount(thresholds.slow_link, "%"),
        link=_link(int(own.source[rows[order[0]]]), int(own.target[rows[order[0]]])),
        rate=f"{own.bandwidth[rows[order[0]]] / 1e9:.1f}",
        usual=f"{usual[of[order[0]]] / 1e9:.1f}",
    )
    evidence = tuple(
        Evidence(
            "links",
            own.strings.get(int(own.transport[row])),
            tr("bandwidth of {link}", link=_link(int(own.source[row]), int(own.target[row]))),
            float(own.bandwidth[row]) / 1e9,
            "GB/s",
            row=row,
        )
        for row in rows[order[:_LISTED]].tolist()
    )
    saving = Saving(float(lost.max()), "s", tr("link"), tr("time of the link × (1 - bandwidth / median)"))
    return (Finding("info", tr("Links are slower than others of their transport"), sentence(text), evidence, saving),)


def _link(source: int, target: int) -> str:
    return f"{source} → {target}"


@np.errstate(over="ignore", invalid="ignore")
def _small(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.packets
    if own is None or not len(own):
        return NotChecked(NO_PACKETS)
    sdma, rdma = by_sdma(profile), carried_by(profile, RDMA)
    sent = np.nan_to_num(own.size) * own.count
    small = (sdma & (own.size < _SMALL_SDMA)) | (rdma & (own.size < _SMALL_RDMA))
    count = 0 if profile.capture is None else len(profile.capture)
    whole = sums(own.rank, np.where(sdma | rdma, sent, 0.0), count)
    part = sums(own.rank, np.where(small, sent, 0.0), count)
    share = np.divide(100 * part, whole, out=np.zeros(count), where=whole > 0)
    if not count or share.max() <= thresholds.small_packets:
        return ()
    rank = int(share.argmax())
    text = tr(
        "{where}: {share} of {bytes} are in packets below 16 MB (SDMA) or 1 MB (RDMA), too small for the full "
        "bandwidth. Larger buckets of gradients, or fewer and larger operations, help.",
        where=of_rank(profile, rank),
        share=Amount(float(share[rank]), "%"),
        bytes=Amount(float(whole[rank]), "B"),
    )
    rows = np.flatnonzero(small & (own.rank == rank))
    evidence = (
        Evidence("", "", tr("bytes in small packets"), float(part[rank]), "B"),
        Evidence("", "", tr("bytes in all packets"), float(whole[rank]), "B"),
        *_of_operations(profile, own, rows, sent, tr("bytes in small packets")),
    )
    return (Finding("info", tr("Communication in small packets"), sentence(text), evidence),)


def _of_operations(profile: Profile, own: Packets, rows: I64, sent: F64, figure: str) -> tuple[Evidence, ...]:
    """The operations with most of these packets' bytes."""
    of, first = groups_of(same_texts(own.strings)[own.name[rows]])
    total = sums(of, sent[rows], len(first))
    return tuple(
        _of_operation(
            profile,
            int(own.rank[rows[first[group]]]),
            own.strings.get(int(own.name[rows[first[group]]])),
            figure,
            float(total[group]),
            "B",
        )
        for group in np.argsort(-total, kind="stable")[:_LISTED].tolist()
    )


def _of_operation(profile: Profile, rank: int, name: str, figure: str, value: float, unit: Unit) -> Evidence:
    """In the row of the operation, or in no table where the capture has not got it."""
    chosen = _collective(profile, rank, name)
    return Evidence("collectives" if chosen is not None else "", name, figure, value, unit, chosen)


def _collective(profile: Profile, rank: int, name: str) -> Selection | None:
    own = profile.collectives
    if own is None:
        return None
    rows = [row for text in own.strings.find(name).tolist() for row in np.flatnonzero(own.name == text).tolist()]
    return next((Selection("collective", (row,)) for row in rows if own.rank[row] == rank), None)


@np.errstate(over="ignore", invalid="ignore")
def _again(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.packets
    if own is None or not len(own):
        return NotChecked(NO_PACKETS)
    rows = np.flatnonzero(carried_by(profile, RDMA) & np.isfinite(own.time))
    if not len(rows):
        return NotChecked(tr("the capture has no transfers by RDMA"))
    same = same_texts(own.strings)
    of, first = groups_of(own.rank[rows], own.step[rows], same[own.name[rows]], same[own.group[rows]])
    time = sums(of, own.time[rows], len(first))
    long = np.flatnonzero(time > _LONGEST_RDMA)
    if not len(long):
        return ()
    worst = int(long[time[long].argmax()])
    row = int(rows[first[worst]])
    name, rank = own.strings.get(int(own.name[row])), int(own.rank[row])
    text = plural(
        "The RDMA transfers of {count:,} operation take more than 4 s: they were sent again. The longest: "
        "{where}, {name}, {time}. Check the network.",
        "The RDMA transfers of {count:,} operations take more than 4 s: they were sent again. The longest: "
        "{where}, {name}, {time}. Check the network.",
        count=len(long),
        where=rank_name(profile, rank),
        name=name,
        time=Amount(float(time[worst]), "s"),
    )
    evidence = (_of_operation(profile, rank, name, tr("RDMA transit"), float(time[worst]), "s"),)
    return (Finding("warning", tr("RDMA transfers were sent again"), sentence(text), evidence),)


@np.errstate(over="ignore", invalid="ignore")
def _unaligned(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    own = profile.packets
    if own is None or not len(own):
        return NotChecked(NO_PACKETS)
    sdma = by_sdma(profile) & (own.size > 0) & (own.count > 0)
    if not sdma.any():
        return NotChecked(tr("the capture has no transfers by SDMA"))
    size = np.round(np.nan_to_num(own.size)).astype(np.int64)
    odd = np.flatnonzero(sdma & (size % _ALIGNED != 0))
    if not len(odd):
        return ()
    count = int(own.count[odd].sum())
    text = plural(
        "{count:,} packet by SDMA has a size that is not a multiple of 512 bytes, which lowers its bandwidth.",
        "{count:,} packets by SDMA have sizes that are not multiples of 512 bytes, which lowers their bandwidth.",
        count=count,
    )
    evidence = (
        Evidence("", "", tr("unaligned packets"), float(count)),
        *_of_operations(profile, own, odd, np.nan_to_num(own.size) * own.count, tr("bytes in unaligned packets")),
    )
    return (Finding("info", tr("Packets are not aligned"), (text,), evidence),)


@np.errstate(over="ignore", invalid="ignore")
def _contention(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    own, section, kernels = profile.packets, profile.collectives, profile.kernels
    if own is None or section is None or kernels is None or not len(own):
        return NotChecked(tr("the capture lacks sizes of packets, communication operations or kernels"))
    rows = np.flatnonzero(by_sdma(profile) & np.isfinite(own.time) & (own.time > 0))
    if not len(rows):
        return NotChecked(tr("the capture has no transfers by SDMA"))
    busy = _with_kernels(profile)
    beside = {
        (int(section.rank[row]), section.strings.get(int(section.name[row]))) for row in np.flatnonzero(busy).tolist()
    }
    of, first = groups_of(own.rank[rows], same_texts(own.strings)[own.name[rows]])
    size = sums(of, own.size[rows] * own.count[rows], len(first))
    rate = size / sums(of, own.time[rows], len(first))
    slow = []
    for group in np.flatnonzero((rate < _CONTENDED * _SDMA_BANDWIDTH) & (size > 0)).tolist():
        row = int(rows[first[group]])
        name = own.strings.get(int(own.name[row]))
        if (int(own.rank[row]), name) in beside:
            slow.append((float(rate[group]), int(own.rank[row]), name))
    if not slow:
        return ()
    slow.sort()
    text = plural(
        "{count:,} operation moves less than 80 % of 18 GB/s by SDMA while kernels run: both may compete for memory.",
        "{count:,} operations move less than 80 % of 18 GB/s by SDMA while kernels run: both may compete for memory.",
        count=len(slow),
    )
    evidence = tuple(
        _of_operation(profile, rank, name, tr("bandwidth"), float(rate / 1e9), "GB/s")
        for rate, rank, name in slow[:_LISTED]
    )
    return (Finding("info", tr("Communication and kernels compete for bandwidth"), (text,), evidence),)


def _with_kernels(profile: Profile) -> Bool:
    """bool[collectives]: whether kernels of the rank start or run while it does."""
    own, kernels = profile.collectives, profile.kernels
    assert own is not None
    assert kernels is not None
    busy = np.zeros(len(own), np.bool_)
    order = np.lexsort((kernels.start, kernels.rank))
    first = np.searchsorted(kernels.rank[order], np.arange(int(own.rank.max(initial=-1)) + 2))
    for rank in range(len(first) - 1):
        mine = order[first[rank] : first[rank + 1]]
        rows = np.flatnonzero(own.rank == rank) if len(mine) else np.empty(0, np.int64)
        start = kernels.start[mine]
        reach = np.maximum.accumulate(start + np.maximum(kernels.duration[mine], 0)) if len(mine) else start
        before = np.searchsorted(start, own.end[rows])
        busy[rows] = (before > 0) & (reach[np.maximum(before - 1, 0)] > own.start[rows])
    return busy


_CAPTURE: Final = ("capture",)
RULES: Final = (
    Rule(
        "trace.late-rank",
        tr("Ranks that come late to collectives"),
        tr(
            "What the other ranks wait for a rank over the collectives where it starts last, as a share of the mean "
            "time of the ranks' steps. Where ends differ by more than the delay, clocks differ and no rank is named."
        ),
        _CAPTURE,
        _late,
        ("late_rank",),
    ),
    Rule(
        "ascend.capture.uneven-ranks",
        tr("Ranks that compute for different times"),
        tr("Largest minus smallest computing time of the ranks in a step, as a share of the mean step."),
        _CAPTURE,
        _uneven,
        ("uneven_ranks",),
    ),
    Rule(
        "ascend.capture.slow-link",
        tr("Links that are slower than others"),
        tr("Bandwidth of a link, compared with the median of the links of its transport."),
        _CAPTURE,
        _slow_links,
        ("slow_link",),
    ),
    Rule(
        "ascend.capture.small-packets",
        tr("Communication in small packets"),
        tr("Bytes in packets below 16 MB (SDMA) or 1 MB (RDMA), as a share of all bytes of a rank."),
        _CAPTURE,
        _small,
        ("small_packets",),
    ),
    Rule(
        "ascend.capture.retransmission",
        tr("Transfers that were sent again"),
        tr("RDMA transfers of an operation that take more than 4 s."),
        _CAPTURE,
        _again,
    ),
    Rule(
        "ascend.capture.unaligned",
        tr("Packets that are not aligned"),
        tr("Packets by SDMA whose size is not a multiple of 512 bytes."),
        _CAPTURE,
        _unaligned,
    ),
    Rule(
        "ascend.capture.contention",
        tr("Communication that competes with kernels"),
        tr("Operations that move less than 80 % of 18 GB/s by SDMA while kernels run."),
        _CAPTURE,
        _contention,
    ),
)
