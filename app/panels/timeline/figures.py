"""The tables below the timeline: statistics by name, slices, lanes, flows, counters. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.analysis.table import Coded, Table
from app.analysis.tables import timeline as tables
from app.analysis.tables.timeline_counters import counters
from app.analysis.tables.timeline_flows import flows
from app.analysis.timeline import by_name
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.widgets.timeline.rows import spread
from app.widgets.timeline.state import Shown

LIVE_MOST = 300_000
"""Statistics follow a range while it is drawn as long as it holds no more slices than this."""
SELECT_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Kind:
    """One tab. ``make`` gives None where the profile has nothing for it."""

    id: str
    title: str
    make: Callable[[Profile, Shown, TimeRange | None], Table | None]


def _windows(shown: Shown, stretch: TimeRange) -> tuple[I64, I64]:
    rows = shown.model.rows
    return rows.windows(np.arange(rows.count), stretch.start, stretch.end)


def slices_in(shown: Shown, stretch: TimeRange) -> I64:
    """int64: the slices that touch a stretch; looks at nothing else."""
    index, _ = spread(*_windows(shown, stretch))
    return index


def count_in(shown: Shown, stretch: TimeRange | None) -> int:
    """How many slices touch a stretch, or are there in all."""
    if stretch is None:
        return len(shown.model.rows.start)
    low, high = _windows(shown, stretch)
    return int(np.maximum(high - low, 0).sum())


def statistics(_profile: Profile, shown: Shown, stretch: TimeRange | None) -> Table | None:
    """Count, total, average, least, most and share by name."""
    timeline = shown.model.timeline
    if not len(timeline.slices.start):
        return None
    if stretch is None:
        return tables.statistics_table(timeline, by_name(timeline))
    return tables.statistics_table(timeline, by_name(timeline, stretch, slices_in(shown, stretch)))


def slices_named(shown: Shown, table: Table, rows: I64, stretch: TimeRange | None) -> I64:
    """The slices that rows of the statistics stand for, at most SELECT_MOST."""
    names = table.columns[0].values
    if not isinstance(names, Coded) or not len(rows):
        return np.empty(0, np.int64)
    slices = shown.model.timeline.slices
    index = np.arange(len(slices.name)) if stretch is None else slices_in(shown, stretch)
    return index[np.isin(slices.name[index], names.ids[rows])][:SELECT_MOST]


KINDS = (
    Kind("statistics", "By name", statistics),
    Kind("slices", "Slices", lambda profile, *_: tables.slices(profile)),
    Kind("lanes", "Lanes", lambda profile, _shown, stretch: tables.lanes(profile, stretch)),
    Kind("flows", "Flows", lambda profile, *_: flows(profile)),
    Kind("counters", "Counters", lambda profile, *_: counters(profile)),
    Kind("instants", "Instants", lambda profile, *_: tables.instants(profile)),
)


def offered(profile: Profile) -> tuple[Kind, ...]:
    """The tabs that this timeline fills, told without making them."""
    timeline = profile.timeline
    if timeline is None:
        return ()
    sizes = {
        "statistics": len(timeline.slices.start),
        "slices": len(timeline.slices.start),
        "lanes": len(timeline.lanes.thread),
        "flows": len(timeline.flows.category),
        "counters": len(timeline.counters.name),
        "instants": len(timeline.instants.time),
    }
    return tuple(kind for kind in KINDS if sizes[kind.id])
