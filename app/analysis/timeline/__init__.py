"""Figures of timelines: pure functions over their columns, fast for a million slices."""

from app.analysis.timeline.busy import Parallel, busy, parallel
from app.analysis.timeline.intervals import Gaps, Spans, lane_gaps, lane_spans, overlap
from app.analysis.timeline.rows import (
    extent,
    flow_counts,
    flows_of,
    instant_counts,
    instant_mask,
    lane_counts,
    lane_slices,
    lasting,
    lengthless,
    lengthless_lanes,
    moment_rows,
    row_lanes,
    slice_lanes,
    slice_rows,
    within,
)
from app.analysis.timeline.self_times import self_time
from app.analysis.timeline.statistics import NameStatistics, by_name, named

__all__ = [
    "Gaps",
    "NameStatistics",
    "Parallel",
    "Spans",
    "busy",
    "by_name",
    "extent",
    "flow_counts",
    "flows_of",
    "instant_counts",
    "instant_mask",
    "lane_counts",
    "lane_gaps",
    "lane_slices",
    "lane_spans",
    "lasting",
    "lengthless",
    "lengthless_lanes",
    "moment_rows",
    "named",
    "overlap",
    "parallel",
    "row_lanes",
    "self_time",
    "slice_lanes",
    "slice_rows",
    "within",
]
