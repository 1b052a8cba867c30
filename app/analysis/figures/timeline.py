"""Main figures of timelines of any source."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.analysis.figures.figure import Figure
from app.analysis.table import Unit
from app.analysis.timeline import busy, extent, lane_counts
from app.analysis.timeline.pipes_only import work_lanes
from app.analysis.timeline.places import absolute, length_of
from app.language import tr
from app.profile.profile import Profile
from app.profile.timeline import Timeline


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a timeline. Times are in seconds if the clock is known, else in
    cycles."""
    timeline = profile.timeline
    if timeline is None:
        return []
    lanes = int(np.count_nonzero(lane_counts(timeline)))
    return [
        Figure("timeline.slices", tr("Slices"), len(timeline.slices.start), help=tr("Complete events of all lanes.")),
        Figure("timeline.lanes", tr("Lanes"), lanes, help=tr("Lanes (process and thread) that hold slices.")),
        Figure(
            "timeline.flows", tr("Flows"), len(timeline.flows.category), help=tr("Arrows of which both ends are known.")
        ),
        Figure(
            "timeline.counters",
            tr("Counters"),
            len(timeline.counters.name),
            help=tr("One for each series of a counter."),
        ),
        *_times(timeline),
        *_busiest(timeline),
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
        Figure("timeline.start", labels[0], start, unit, tr("Start of the first slice.")),
        Figure("timeline.end", labels[1], end, unit, tr("Greatest start plus duration of a slice.")),
        Figure(
            "timeline.span", tr("Span"), length, unit, tr("Last end minus first start, to the last digit of the file.")
        ),
        *_origin(timeline),
        Figure("timeline.unit", "", unit, help=tr("Cycles where no clock is known.")),
    ]


def _origin(timeline: Timeline) -> list[Figure]:
    """The origin of times in tables, if it is not zero: exact, in the unit of the file."""
    if not timeline.origin:
        return []
    text = tr("The timestamp of the first slice in the file, which times in tables count from.")
    return [Figure("timeline.origin", tr("Times count from"), f"{timeline.origin:f} µs", help=text)]


def in_seconds(timeline: Timeline, time: Decimal) -> float:
    """``time`` in seconds, or unchanged (cycles) if the clock is unknown."""
    if timeline.unit == "µs":
        return float(time.scaleb(-6)) if timeline.origin else float(time) / 1e6
    return float(time) if timeline.seconds_per_unit is None else float(time) * timeline.seconds_per_unit


def _busiest(timeline: Timeline) -> list[Figure]:
    if not len(timeline.slices.start):
        return []
    used = np.where(work_lanes(timeline), busy(timeline), 0.0)
    lane = int(np.argmax(used))
    if not used[lane] > 0:
        return []
    process = timeline.strings.get(int(timeline.lanes.process[lane]))
    name = f"{process}/{timeline.strings.get(int(timeline.lanes.thread[lane]))}"
    text = tr("The lane whose slices cover the most time, overlaps counted once; regions and marks do not count.")
    return [Figure("timeline.busiest_lane", tr("Busiest lane"), name, help=text)]
