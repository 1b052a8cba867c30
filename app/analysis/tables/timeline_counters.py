"""Counter tracks, and arrows between slices, as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.statistics import before
from app.analysis.timeline.times import lane_columns, reach, slice_names, time_column, timeline_table, track_columns
from app.language import tr
from app.profile.arrays import F64, I64, Bool, combine_at
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Counters


def counters(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per counter track, of all its points or of a range: with the value that is in force at its start."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.counters.name):
        return None
    own = timeline.counters
    begin, end, inside = own.first[:-1], own.first[1:], own.first[:-1]
    if stretch is not None:
        begin, end, inside = _in_range(own, stretch)
    full, pointed = end > begin, end > inside
    time, value = own.time, own.value
    columns = (
        *track_columns(timeline, np.arange(len(own.name))),
        Column("points", tr("Points"), end - inside),
        Column("minimum", tr("Minimum"), _reduced(np.minimum, value, begin, end), stored=True),
        Column("maximum", tr("Maximum"), _reduced(np.maximum, value, begin, end), stored=True),
        Column("last", tr("Last value"), _spread(value[end[full] - 1], full), stored=True),
        time_column(timeline, "start", tr("First time"), _spread(time[inside[pointed]], pointed)),
        time_column(timeline, "end", tr("Last time"), _spread(time[end[pointed] - 1], pointed)),
    )
    note = "" if stretch is None else tr("Values in the range, including those at its start.")
    return timeline_table(timeline, "counters", tr("Counters"), columns, note=note)


def _in_range(own: Counters, stretch: TimeRange) -> tuple[I64, I64, I64]:
    """(begin, end, inside), int64[tracks] each: of each track, points begin .. end are in force during the range, of
    which those from inside on lie in it."""
    first, after = own.first[:-1], own.first[1:]
    count = len(first)
    inside = before(own.time, first, after, np.full(count, np.nextafter(stretch.start, -np.inf))) + 1
    end = before(own.time, first, after, np.full(count, stretch.end)) + 1
    at_start = np.zeros(count, np.bool_)
    at_start[inside < end] = own.time[inside[inside < end]] == stretch.start
    begin = np.where(at_start, inside, np.maximum(inside - 1, first))
    return begin, end, inside


def _reduced(reduce: np.ufunc, value: F64, begin: I64, end: I64) -> F64:
    """float64[tracks]: ``reduce`` over values begin .. end of each track, NaN without any."""
    full = end > begin
    edges = np.stack((begin[full], end[full]), 1).reshape(-1)
    return _spread(reduce.reduceat(np.append(value, 0.0), edges)[::2] if len(edges) else np.empty(0), full)


def counter_values(profile: Profile) -> Table | None:
    """One row per point of a counter track."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.counters.time):
        return None
    own = timeline.counters
    track = np.repeat(np.arange(len(own.name)), np.diff(own.first))
    columns = (
        *track_columns(timeline, track),
        time_column(timeline, "time", tr("Time"), own.time),
        Column("value", tr("Value"), own.value, stored=True),
    )
    return timeline_table(timeline, "counter-values", tr("Values of counters"), columns)


def _spread(values: F64, full: Bool) -> F64:
    """float64[tracks]: ``values`` of the tracks that have points, NaN for the others."""
    result = np.full(len(full), np.nan)
    result[full] = values
    return result


def flows(profile: Profile) -> Table | None:
    """One row per arrow."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.flows.category):
        return None
    arrows, unit, far = timeline.flows, timeline.unit, reach(timeline)
    columns = (
        Column("category", tr("Category"), Coded(arrows.category, timeline.strings)),
        Column("from_time", tr("From"), arrows.from_time, unit, stored=True, role="place"),
        *lane_columns(timeline, arrows.from_lane, "from_", tr("from")),
        Column("from_slice", tr("From slice"), slice_names(timeline, arrows.from_slice)),
        Column("to_time", tr("To"), arrows.to_time, unit, stored=True, role="place"),
        *lane_columns(timeline, arrows.to_lane, "to_", tr("to")),
        Column("to_slice", tr("To slice"), slice_names(timeline, arrows.to_slice)),
        Column("delay", tr("Delay"), arrows.to_time - arrows.from_time, unit, tr("To - from."), reach=far),
    )
    keys = np.where(arrows.to_slice >= 0, arrows.to_slice, arrows.from_slice)
    selectable = bool(np.all(keys >= 0))
    return timeline_table(
        timeline, "flows", tr("Flows"), columns, "slice" if selectable else None, keys if selectable else None
    )


def flow_statistics(profile: Profile) -> Table | None:
    """One row per category of arrows."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.flows.category):
        return None
    arrows, unit, far = timeline.flows, timeline.unit, reach(timeline)
    category, place = np.unique(arrows.category, return_inverse=True)
    delay = arrows.to_time - arrows.from_time
    count = np.bincount(place)
    least, most = np.full(len(category), np.inf), np.full(len(category), -np.inf)
    combine_at(np.minimum, least, place, delay)
    combine_at(np.maximum, most, place, delay)
    columns = (
        Column("category", tr("Category"), Coded(category, timeline.strings)),
        Column("count", tr("Count"), count),
        Column(
            "average",
            tr("Average delay"),
            np.bincount(place, delay) / count,
            unit,
            tr("Mean of to - from."),
            reach=far,
            adds_up=False,
        ),
        Column("minimum", tr("Minimum delay"), least, unit, reach=far, adds_up=False),
        Column("maximum", tr("Maximum delay"), most, unit, reach=far, adds_up=False),
    )
    return timeline_table(timeline, "flow-statistics", tr("Flows by category"), columns)
