"""Counter tracks as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Column, Table
from app.analysis.timeline.columns import track_columns
from app.analysis.timeline.places import time_column
from app.analysis.timeline.units import timeline_table
from app.language import tr
from app.profile.arrays import F64, Bool
from app.profile.profile import Profile


def counters(profile: Profile) -> Table | None:
    """One row per counter track."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.counters.name):
        return None
    own = timeline.counters
    begin, end = own.first[:-1], own.first[1:]
    full = end > begin
    time, value = own.time, own.value
    columns = (
        *track_columns(timeline, np.arange(len(own.name))),
        Column("points", tr("Points"), end - begin),
        Column("minimum", tr("Minimum"), _spread(np.minimum.reduceat(value, begin[full]), full), stored=True),
        Column("maximum", tr("Maximum"), _spread(np.maximum.reduceat(value, begin[full]), full), stored=True),
        Column("last", tr("Last value"), _spread(value[end[full] - 1], full), stored=True),
        time_column(timeline, "start", tr("First time"), _spread(time[begin[full]], full)),
        time_column(timeline, "end", tr("Last time"), _spread(time[end[full] - 1], full)),
    )
    return timeline_table(timeline, "counters", tr("Counters"), columns)


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
