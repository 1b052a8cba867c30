"""Arrows between slices as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.columns import lane_columns, slice_names
from app.analysis.timeline.places import reach
from app.analysis.timeline.units import timeline_table
from app.language import tr
from app.profile.arrays import combine_at
from app.profile.profile import Profile


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
