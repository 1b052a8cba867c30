"""How hosts and devices work together, by the launches in a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.findings.capture_steps import exposed_in_steps, has_step_times
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.tiles import counts_by_tile
from app.analysis.time.devices import Device, Idle, between_launches, devices, idle
from app.analysis.time.floors import at_most
from app.analysis.time.graph import replay
from app.analysis.time.model import time_model
from app.analysis.timeline.pipes import has_pipes
from app.language import tr
from app.profile.arrays import F64, middle
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.timeline import Timeline, can_choose

_FEWEST: Final = 20
"""Kernels and launches below which there is no usual length of them."""


def _devices(profile: Profile) -> tuple[Timeline, tuple[Device, ...]] | NotChecked:
    timeline = profile.timeline
    known = () if timeline is None else tuple(one for one in devices(timeline) if one.span > 0)
    if timeline is None or not known:
        return NotChecked(tr("no launches are linked to kernels"))
    return timeline, known


def timed(timeline: Timeline, length: float) -> Amount:
    """A length of the timeline: in seconds where a clock is known."""
    scale = timeline.seconds_per_unit
    return Amount(length, "cycles") if scale is None else Amount(length * scale, "s")


def _time(timeline: Timeline, table: str, key: str, figure: str, length: float, slice_: int = -1) -> Evidence:
    amount = timed(timeline, length)
    selection = Selection("slice", (slice_,)) if slice_ >= 0 else None
    return Evidence(table, key, figure, amount.value, amount.unit, selection)


def _saving(timeline: Timeline, length: float, scope: str, formula: str) -> Saving:
    amount = timed(timeline, length)
    return Saving(amount.value, amount.unit, scope, formula)


def _called(timeline: Timeline, slice_: int) -> str:
    return timeline.strings.get(int(timeline.slices.name[slice_]))


def _exposed(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    if has_step_times(profile):
        return exposed_in_steps(profile, thresholds)
    known = _devices(profile)
    if isinstance(known, NotChecked):
        return known
    timeline, every = known
    device = max(every, key=lambda one: one.exposed.total / one.span)
    exposed = device.exposed
    share = 100 * exposed.total / device.span
    if not len(exposed) or share < thresholds.exposed_communication:
        return ()
    busiest = int(device.own.argmax())
    floor = float(device.own[busiest])
    most = at_most(device.span, floor)
    text = sentence(
        tr(
            "On {device}, collectives run for {time} while no kernel computes, {share} of the time from its first to "
            "its last kernel; {hidden} overlap with computing. Start them earlier, or split them, so that they run "
            "while the device computes. Even then, {lane} works for {floor}.",
            device=device.name,
            time=timed(timeline, exposed.total),
            share=Amount(share, "%"),
            hidden=timed(timeline, device.communicating.total - exposed.total),
            lane=timeline.strings.get(int(timeline.lanes.thread[busiest])),
            floor=timed(timeline, floor),
        )
    )
    longest = int((exposed.end - exposed.start).argmax())
    starts = timeline.slices.start[device.collectives]
    ends = starts + timeline.slices.duration[device.collectives]
    there = device.collectives[(starts < exposed.end[longest]) & (ends > exposed.start[longest])]
    length = float(exposed.end[longest] - exposed.start[longest])
    first = int(there[0])
    evidence = (
        _time(timeline, "slices", _called(timeline, first), tr("longest time without computing"), length, first),
        _time(timeline, "lanes", device.name, tr("computing, overlaps counted once"), device.computing.total),
        _time(timeline, "lanes", device.name, tr("communicating, overlaps counted once"), device.communicating.total),
        _time(timeline, "lanes", device.name, tr("from the first to the last kernel"), device.span),
    )
    formula = tr("time from the first to the last kernel - largest work of one lane of the device")
    much = 100 * most >= thresholds.exposed_communication * device.span
    saving = _saving(timeline, most, device.name, formula) if most > 0 else None
    title = tr("Communication does not overlap with computing")
    return (Finding("warning" if much else "info", title, text, evidence, saving),)


class _Idle(Struct, frozen=True, eq=False):
    """The device that idles the largest share of its time (``percent``): ``lost``, the sum of its gaps; ``longest``
    one."""

    timeline: Timeline
    device: Device
    lost: float
    percent: float
    longest: tuple[float, int]

    def evidence(self, figure: str) -> tuple[Evidence, Evidence]:
        """The longest gap, and the time of the device."""
        length, following = self.longest
        return (
            _time(self.timeline, "slices", _called(self.timeline, following), figure, length, following),
            _time(self.timeline, "lanes", self.device.name, tr("from the first to the last kernel"), self.device.span),
        )


def _idlest(profile: Profile, threshold: float, gaps: Callable[[Idle], F64]) -> _Idle | NotChecked | None:
    """By the ``gaps`` of its idle times; None below the threshold, in percent."""
    known = _devices(profile)
    if isinstance(known, NotChecked):
        return known
    timeline, every = known
    times = [idle(timeline, device) for device in every]
    lost = [float(gaps(own).sum()) for own in times]
    worst = max(range(len(every)), key=lambda place: lost[place] / every[place].span)
    percent = 100 * lost[worst] / every[worst].span
    lengths = gaps(times[worst])
    if percent < threshold or not len(lengths):
        return None
    place = int(lengths.argmax())
    longest = float(lengths[place]), int(times[worst].slice[place])
    return _Idle(timeline, every[worst], lost[worst], percent, longest)


def _late(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _idlest(profile, thresholds.late_launches, lambda gaps: gaps.launch - gaps.start)
    if not isinstance(own, _Idle):
        return own or ()
    model = time_model(profile)
    factors = np.where(own.device.hosts[model.graph.lane], 0.0, 1.0)
    most = at_most(model.span, replay(model.graph, factors, lags=False).span)
    if 100 * most < thresholds.late_launches * own.device.span:
        return ()
    text = sentence(
        tr(
            "{device} is idle for {time} because the host has not launched the next kernel yet, {share} of the time "
            "from its first to its last kernel. Fewer synchronisations and less work on the host between launches, "
            "graphs of kernels, or larger kernels help.",
            device=own.device.name,
            time=timed(own.timeline, own.lost),
            share=Amount(own.percent, "%"),
        )
    )
    saving = _saving(own.timeline, most, tr("run"), tr("run - longest path if the host takes no time"))
    evidence = own.evidence(tr("longest time until its launch"))
    return (Finding("warning", tr("The device waits for launches of the host"), text, evidence, saving),)


def _gaps(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _idlest(profile, thresholds.launch_gaps, lambda gaps: gaps.end - gaps.launch)
    if not isinstance(own, _Idle):
        return own or ()
    model = time_model(profile)
    most = at_most(model.span, model.floor)
    if 100 * most < thresholds.launch_gaps * own.device.span:
        return ()
    text = sentence(
        tr(
            "{device} is idle for {time} although the next kernel is launched, {share} of the time from its first to "
            "its last kernel. Larger or fused kernels, and graphs of kernels, have fewer gaps.",
            device=own.device.name,
            time=timed(own.timeline, own.lost),
            share=Amount(own.percent, "%"),
        )
    )
    saving = _saving(own.timeline, most, tr("run"), tr("run - longest path without gaps"))
    evidence = own.evidence(tr("longest time after its launch"))
    return (Finding("warning", tr("Gaps between launched kernels"), text, evidence, saving),)


def _small(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _devices(profile)
    if isinstance(known, NotChecked):
        return known
    timeline, every = known
    device = max(every, key=lambda one: len(one.kernels))
    apart = between_launches(timeline, device)
    if min(len(device.kernels), len(apart)) < _FEWEST:
        return ()
    kernel = middle(timeline.slices.duration[device.kernels])
    launch = middle(apart)
    if kernel >= launch:
        return ()
    text = sentence(
        tr(
            "Half of the kernels on {device} take less than {kernel}, and half of the launches come more than {launch} "
            "after the one before. The device finishes faster than the host launches. Fused kernels, larger batches or "
            "graphs of kernels help.",
            device=device.name,
            kernel=timed(timeline, kernel),
            launch=timed(timeline, launch),
        )
    )
    evidence = (
        _time(timeline, "slices", device.name, tr("median time of a kernel"), kernel),
        _time(timeline, "slices", device.name, tr("median time between launches"), launch),
        Evidence("slices", device.name, tr("kernels"), len(device.kernels)),
    )
    return (Finding("info", tr("Kernels are shorter than the time between their launches"), text, evidence),)


def _is_trace(profile: Profile) -> bool:
    """Whether it is a trace of hosts and devices, not of the pipes of a core, of tiles, or of a format's own steps."""
    timeline = profile.timeline
    own = timeline is not None and (can_choose(timeline) or profile.capture is not None)
    return timeline is not None and own and not has_pipes(timeline) and not counts_by_tile(timeline)


def _communicates(profile: Profile) -> bool:
    """Whether it is such a trace, or a capture of ranks with the times of their steps."""
    return _is_trace(profile) or has_step_times(profile)


_TRACE: Final = ("timeline",)
RULES: Final = (
    Rule(
        "trace.exposed-communication",
        tr("Communication that does not overlap with computing"),
        tr(
            "Time in which collectives run and no kernel computes, as a share of the time from the first to the last "
            "kernel of a device. Kernels are what hosts launch, by the arrows of the trace; copies do not compute. Of "
            "a capture of ranks: as a share of their training steps."
        ),
        (*_TRACE, "capture"),
        _exposed,
        ("exposed_communication", "exposed_in_step"),
        _communicates,
    ),
    Rule(
        "trace.host-bound",
        tr("Devices that wait for launches of the host"),
        tr("Time in which a device holds nothing, until the launch of what it runs next, as a share of its time."),
        _TRACE,
        _late,
        ("late_launches",),
        _is_trace,
    ),
    Rule(
        "trace.launch-gaps",
        tr("Gaps between launched kernels"),
        tr("Time in which a device holds nothing, after the launch of what it runs next, as a share of its time."),
        _TRACE,
        _gaps,
        ("launch_gaps",),
        _is_trace,
    ),
    Rule(
        "trace.small-kernels",
        tr("Kernels that are shorter than the time between launches"),
        tr("Median time of a kernel, compared with the median time from one launch of a host thread to its next."),
        _TRACE,
        _small,
        (),
        _is_trace,
    ),
)
