"""Counter tracks as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Column, Table
from app.analysis.timeline.columns import track_columns
from app.analysis.timeline.places import time_column
from app.analysis.timeline.self_times import before
from app.analysis.timeline.units import timeline_table
from app.language import tr
from app.profile.arrays import F64, I64, Bool
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
