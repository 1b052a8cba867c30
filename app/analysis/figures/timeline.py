"""Main figures of timelines of any source."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import numpy as np

from app.analysis.figures import Figure
from app.analysis.table import Unit
from app.analysis.tiles import tile_events
from app.analysis.time.classes import lane_times
from app.analysis.timeline.pipes import overlaps, work_lanes
from app.analysis.timeline.times import absolute, extent, instant_counts, lane_counts, length_of, unit_text
from app.language import tr
from app.profile.arrays import F64
from app.profile.profile import Profile
from app.profile.task_time import on_grid
from app.profile.timeline import Timeline

DECIMALS: Final = {"ns": 9, "µs": 6}


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a timeline. Times are in seconds if the clock is known, else in
    cycles."""
    timeline = profile.timeline
    if timeline is None:
        return []
    instants = len(timeline.instants.slice)
    lanes = int(np.count_nonzero(lane_counts(timeline) > instant_counts(timeline)))
    return [
        Figure(
            "timeline.slices",
            tr("Slices"),
            len(timeline.slices.start) - instants,
            help=tr("Complete events of all lanes, without instants."),
        ),
        *(
            [Figure("timeline.instants", tr("Instants"), instants, help=tr("Events without a duration."))]
            if instants
            else []
        ),
        Figure("timeline.lanes", tr("Lanes"), lanes, help=tr("Lanes (process and thread) with slices.")),
        Figure("timeline.flows", tr("Flows"), len(timeline.flows.category), help=tr("Arrows with two known ends.")),
        Figure(
            "timeline.counters",
            tr("Counters"),
            len(timeline.counters.name),
            help=tr("One for each series of a counter."),
        ),
        *_times(timeline),
        *_unit(profile, timeline),
        *_work(timeline),
        *_tiles(profile),
    ]


def _times(timeline: Timeline) -> list[Figure]:
    whole = extent(timeline)
    unit: Unit = "cycles" if timeline.seconds_per_unit is None else "s"
    if whole is None:
        return []
    start, end = (in_seconds(timeline, absolute(timeline, time)) for time in whole)
    length = in_seconds(timeline, length_of(timeline))
    # with an origin both times are large and look alike, so people see only the span
    labels = ("", "") if timeline.origin else (tr("First start"), tr("Last end"))
    return [
        Figure("timeline.start", labels[0], start, unit, tr("Start of the first slice."), clocked=False),
        Figure("timeline.end", labels[1], end, unit, tr("Largest start plus duration of a slice."), clocked=False),
        Figure(
            "timeline.span",
            tr("Span"),
            length,
            unit,
            tr("Last end minus first start, with all digits of the file."),
            clocked=False,
        ),
        *_origin(timeline),
        Figure("timeline.unit", "", unit, help=tr("Cycles if the clock is unknown.")),
    ]


def _unit(profile: Profile, timeline: Timeline) -> list[Figure]:
    """The unit of times and the reason for it, where the format does not state it."""
    if timeline.basis == "format":
        return []
    unit = unit_text(timeline)
    if timeline.basis == "hand":
        assert timeline.read_in is not None
        code = "set-by-hand"
        text = tr("{unit}, set manually instead of {read_in}", unit=unit, read_in=unit_text(timeline.read_in))
    elif timeline.basis == "words":
        code, text = "names-of-slices", tr("{unit}, because the slices are named like device instructions", unit=unit)
    elif timeline.basis == "tiles":
        code, text = "names-of-processes", tr("{unit}, because the processes are tiles of an AMD AI Engine", unit=unit)
    elif on_grid(timeline, profile.target.clock_hz if profile.target is not None else None):
        code, text = "whole-cycles", tr("{unit}, because all starts are whole cycles of the clock", unit=unit)
    else:
        code, text = "as-in-all-traces", tr("{unit}, as in all traces", unit=unit)
    help_ = tr(
        "Traces do not state it: displayTimeUnit only says how to show times. View > Time unit sets another one."
    )
    return [
        Figure("timeline.unit_reason", tr("Time unit"), code, help=help_, shown=text),
        Figure("timeline.file_unit", "", timeline.unit, help=tr("The unit of the times in tables.")),
        Figure("timeline.unit_by_hand", "", timeline.basis == "hand"),
    ]


def _origin(timeline: Timeline) -> list[Figure]:
    """The origin of times in tables, if it is not zero: exact, in the unit of the file."""
    if not timeline.origin:
        return []
    text = tr("The timestamp of the first slice in the file; times in tables are relative to it.")
    return [Figure("timeline.origin", tr("Time zero"), f"{timeline.origin:f} {timeline.unit}", help=text)]


def in_seconds(timeline: Timeline, time: Decimal) -> float:
    """``time`` in seconds, or unchanged (cycles) if the clock is unknown."""
    digits = DECIMALS.get(timeline.unit)
    if digits is not None:
        return float(time.scaleb(-digits)) if timeline.origin else float(time) / 10**digits
    return float(time) if timeline.seconds_per_unit is None else float(time) * timeline.seconds_per_unit


def _tiles(profile: Profile) -> list[Figure]:
    """Of tiles that count each for itself no replay says what their events cost, so what differs is added up."""
    own = tile_events(profile)
    if own is None:
        return []
    text = tr("Sum of the table tile-events. Events are on at once, so the sum is not the length of the run.")
    label, cycles = tr("Events of all tiles together"), float(own.cycles.sum())
    return [Figure("timeline.tile_event_cycles", label, cycles, "cycles", text, clocked=False)]


def _work(timeline: Timeline) -> list[Figure]:
    if not len(timeline.slices.start):
        return []
    times = lane_times(timeline)
    return [*_busiest(timeline, times.work), *_overlap(timeline, times.held)]


def _overlap(timeline: Timeline, used: F64) -> list[Figure]:
    """What the devices of a PyTorch profile spend their time on."""
    devices = overlaps(timeline, used)
    if not devices:
        return []
    of = {device.process: f" ({device.process})" if len(devices) > 1 else "" for device in devices}
    shares = {
        f"{part}{of[device.process]}": 100 * time / device.span
        for device in devices
        for part, time in device.busy.items()
    }
    text = tr(
        "100 × union of the slices of a lane of Overlap Analysis / time from the first start to the last end of its "
        "lanes. Communication has two lanes: all communication, and the part not hidden by computing."
    )
    return [Figure("timeline.overlap_percent", tr("Overlap Analysis, share of span"), shares, "%", text)]


def _busiest(timeline: Timeline, work: F64) -> list[Figure]:
    used = np.where(work_lanes(timeline), work, 0.0)
    lane = int(np.argmax(used))
    if not used[lane] > 0:
        return []
    process = timeline.strings.get(int(timeline.lanes.process[lane]))
    name = f"{process}/{timeline.strings.get(int(timeline.lanes.thread[lane]))}"
    text = tr("The lane that works longest. Overlaps count once; waits, regions and marks do not count.")
    return [Figure("timeline.busiest_lane", tr("Busiest lane"), name, help=text)]
