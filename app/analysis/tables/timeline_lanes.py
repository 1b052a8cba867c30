"""Lanes compared with one another and over time, as tables: what they do concurrently, when they are idle."""

from __future__ import annotations

from itertools import combinations, islice

import numpy as np

from app.analysis.table import Column, Table
from app.analysis.timeline.columns import lane_columns, slice_names
from app.analysis.timeline.intervals import lane_gaps, lane_spans, overlap
from app.analysis.timeline.places import reach, time_column
from app.analysis.timeline.rows import lengthless_lanes
from app.analysis.timeline.units import timeline_table
from app.language import tr
from app.profile.arrays import Bool
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

MOST_PAIRS = 1_000
BOTH = tr("Time in which slices of both lanes run (union of each lane).")
SHARE_HELP = tr("100 × both busy / busy time of that lane.")


def gaps_table(timeline: Timeline, lane: int, stretch: TimeRange | None = None) -> Table:
    """One row per gap in which the lane is idle, longest first; its key is the slice that ends it, else the one before
    it, -1 if there is neither."""
    gaps, unit = lane_gaps(timeline, lane, stretch), timeline.unit
    length = gaps.end - gaps.start
    order = np.argsort(-length, kind="stable")
    before, after = gaps.before[order], gaps.after[order]
    columns = (
        Column("duration", tr("Duration"), length[order], unit, tr("End minus start."), reach=reach(timeline)),
        time_column(timeline, "start", tr("Start"), gaps.start[order], tr("End of the slice before.")),
        time_column(timeline, "end", tr("End"), gaps.end[order], tr("Start of the slice after.")),
        Column(
            "before", tr("Slice before"), slice_names(timeline, before), help=tr("The slice that ends last before it.")
        ),
        Column("after", tr("Slice after"), slice_names(timeline, after), help=tr("The slice that starts at its end.")),
    )
    if lengthless_lanes(timeline)[lane]:
        note = tr(
            "The durations of the slices of {lane_name} are unknown, so gaps are times between their starts.",
            lane_name=lane_name(timeline, lane),
        )
        return timeline_table(timeline, "gaps", tr("Gaps"), columns, None, np.where(after >= 0, after, before), note)
    name = lane_name(timeline, lane)
    note = tr("Gaps of {lane} between its first and its last slice.", lane=name)
    if stretch is not None:
        note = tr("Gaps of {lane} in the range.", lane=name)
    idle = float(length.sum())
    whole = (stretch.end - stretch.start) if stretch is not None else idle + lane_spans(timeline, lane).total
    if whole > 0:
        note = tr("{note} They take {idle} % of the time.", note=note, idle=f"{100 * idle / whole:.1f}")
    return timeline_table(timeline, "gaps", tr("Gaps"), columns, None, np.where(after >= 0, after, before), note)


def overlap_table(timeline: Timeline, lanes: tuple[int, ...], stretch: TimeRange | None = None) -> Table:
    """One row per pair of ``lanes`` (for a single lane: with each other lane of its process): the time in which both
    are at work, longest first. A row selects its second lane."""
    pairs = lane_pairs(timeline, lanes)
    wanted = sorted({lane for pair in pairs for lane in pair})
    spans = {lane: lane_spans(timeline, lane, stretch) for lane in wanted}
    shared = [overlap(spans[one], spans[other]) for one, other in pairs]
    total = np.array([both.total for both in shared], np.float64)
    parts = np.array([len(both) for both in shared], np.int64)
    without = lengthless_lanes(timeline)
    busy = np.array([[spans[lane].total for lane in pair] for pair in pairs], np.float64).reshape(-1, 2)
    order = np.argsort(-total, kind="stable")
    pair = np.array(pairs, np.int64).reshape(-1, 2)[order]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 100 * total[order, None] / busy[order]
    unknown: Bool = np.asarray(without[pair].any(axis=1))
    unit = timeline.unit
    columns = (
        *lane_columns(timeline, pair[:, 0].astype(np.int32), "first_", tr("first")),
        *lane_columns(timeline, pair[:, 1].astype(np.int32), "second_", tr("second")),
        Column(
            "overlap",
            tr("Both busy"),
            total[order],
            unit,
            BOTH,
            unknown,
            reach=reach(timeline),
        ),
        Column("first_share", tr("Of first"), share[:, 0], "%", SHARE_HELP, unknown, tr("the first lane's busy time")),
        Column(
            "second_share", tr("Of second"), share[:, 1], "%", SHARE_HELP, unknown, tr("the second lane's busy time")
        ),
        Column(
            "stretches",
            tr("Stretches"),
            parts[order],
            help=tr("Number of stretches in which both are busy."),
            missing=unknown,
        ),
    )
    note = (
        ""
        if len(pairs) < MOST_PAIRS
        else tr("Only the first {most_pairs:,} pairs of these lanes are compared.", most_pairs=MOST_PAIRS)
    )
    return timeline_table(timeline, "overlap", tr("Overlap"), columns, "lane", pair[:, 1], note)


def lane_pairs(timeline: Timeline, lanes: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs of lanes that contain slices, at most MOST_PAIRS."""
    first = timeline.slices.first[timeline.lanes.first_row]
    full = np.flatnonzero(np.diff(first) > 0)
    if len(lanes) == 1:
        process = timeline.lanes.process
        others = full[(process[full] == process[lanes[0]]) & (full != lanes[0])]
        return [(lanes[0], other) for other in others.tolist()][:MOST_PAIRS]
    known = [lane for lane in dict.fromkeys(lanes) if lane in full]
    return list(islice(combinations(known, 2), MOST_PAIRS))


def lane_name(timeline: Timeline, lane: int) -> str:
    """Process and thread."""
    strings, lanes = timeline.strings, timeline.lanes
    names = (strings.get(int(lanes.process[lane])), strings.get(int(lanes.thread[lane])))
    return " / ".join(name for name in names if name) or tr("lane {lane}", lane=lane)
