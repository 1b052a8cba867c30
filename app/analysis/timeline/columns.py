"""Columns shared by several tables of a timeline."""

from __future__ import annotations

from app.analysis.table import Coded, Column
from app.language import tr
from app.profile.arrays import I32, I64, Integers
from app.profile.timeline import Timeline


def lane_columns(timeline: Timeline, lane: I32, key: str = "", title: str = "") -> tuple[Column, Column]:
    """Process and thread of each row's lane (-1 none)."""
    known = lane >= 0
    process, thread = timeline.lanes.process[lane * known], timeline.lanes.thread[lane * known]
    process[~known] = -1
    thread[~known] = -1
    return (
        Column(
            f"{key}process",
            tr("{title} process", title=title).strip().capitalize(),
            Coded(process, timeline.strings),
        ),
        Column(
            f"{key}thread",
            tr("{title} thread", title=title).strip().capitalize(),
            Coded(thread, timeline.strings),
        ),
    )


def slice_names(timeline: Timeline, index: I64) -> Coded:
    """Names of slices; no text for -1."""
    name = timeline.slices.name[index] if len(timeline.slices.name) else index.copy()
    name[index < 0] = -1
    return Coded(name, timeline.strings)


def track_columns(timeline: Timeline, track: Integers) -> tuple[Column, Column, Column]:
    """Process, counter and series of each row's counter track."""
    counters, texts = timeline.counters, timeline.strings
    return (
        Column("process", tr("Process"), Coded(counters.process[track], texts)),
        Column("counter", tr("Counter"), Coded(counters.name[track], texts)),
        Column("series", tr("Series"), Coded(counters.series[track], texts)),
    )
