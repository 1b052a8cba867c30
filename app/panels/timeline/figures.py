"""The tables below the timeline: statistics by name, slices, lanes, flows, counters, notes. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from app.analysis.table import Coded, Table
from app.analysis.tables import timeline as tables
from app.analysis.tables.time_notes import time_notes
from app.analysis.tables.timeline_counters import counters
from app.analysis.tables.timeline_flows import flows
from app.analysis.timeline import by_name
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.time_note import TimeNote
from app.widgets.timeline.model import Model
from app.widgets.timeline.rows import spread

LIVE_MOST = 300_000
"""Statistics follow a range while it is drawn as long as it holds no more slices than this."""
SELECT_MOST = 100_000

Follows: TypeAlias = Literal["range", "notes"]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the figures are of: everything, or the stretch of time that is set."""

    profile: Profile
    model: Model
    stretch: TimeRange | None = None
    notes: tuple[TimeNote, ...] = ()

    @property
    def count(self) -> int:
        return count_in(self.model, self.stretch)


@dataclass(frozen=True, slots=True)
class Kind:
    """One tab. ``make`` gives None where there is nothing for it; ``offered`` tells without making it whether there
    is; ``follows``: what it is made anew for."""

    id: str
    title: str
    offered: Callable[[Asked], bool]
    make: Callable[[Asked], Table | None]
    follows: frozenset[Follows] = frozenset()


def _windows(model: Model, stretch: TimeRange) -> tuple[I64, I64]:
    return model.rows.windows(np.arange(model.rows.count), stretch.start, stretch.end)


def slices_in(model: Model, stretch: TimeRange) -> I64:
    """int64: the slices that touch a stretch; looks at nothing else."""
    index, _ = spread(*_windows(model, stretch))
    return index


def count_in(model: Model, stretch: TimeRange | None) -> int:
    """How many slices touch a stretch, or are there in all."""
    if stretch is None:
        return len(model.rows.start)
    low, high = _windows(model, stretch)
    return int(np.maximum(high - low, 0).sum())


def statistics(asked: Asked) -> Table | None:
    """Count, total, average, least, most and share by name."""
    timeline, stretch = asked.model.timeline, asked.stretch
    if stretch is None:
        return tables.statistics_table(timeline, by_name(timeline))
    return tables.statistics_table(timeline, by_name(timeline, stretch, slices_in(asked.model, stretch)))


def slices_named(asked: Asked, table: Table, rows: I64) -> I64:
    """The slices that rows of the statistics stand for, at most SELECT_MOST."""
    names = table.columns[0].values
    if not isinstance(names, Coded) or not len(rows):
        return np.empty(0, np.int64)
    slices = asked.model.timeline.slices
    index = np.arange(len(slices.name)) if asked.stretch is None else slices_in(asked.model, asked.stretch)
    return index[np.isin(slices.name[index], names.ids[rows])][:SELECT_MOST]


def _any_slices(asked: Asked) -> bool:
    return len(asked.model.timeline.slices.start) > 0


def _any_lanes(asked: Asked) -> bool:
    return len(asked.model.timeline.lanes.thread) > 0


def _any_flows(asked: Asked) -> bool:
    return len(asked.model.timeline.flows.category) > 0


def _any_counters(asked: Asked) -> bool:
    return len(asked.model.timeline.counters.name) > 0


def _any_instants(asked: Asked) -> bool:
    return len(asked.model.timeline.instants.time) > 0


RANGE: frozenset[Follows] = frozenset({"range"})
NOTES = Kind(
    "notes",
    "Notes",
    lambda asked: bool(asked.notes),
    lambda asked: time_notes(asked.model.timeline, asked.notes),
    frozenset({"notes"}),
)
STATISTICS = Kind("statistics", "By name", _any_slices, statistics, RANGE)
KINDS = (
    STATISTICS,
    Kind("slices", "Slices", _any_slices, lambda asked: tables.slices(asked.profile)),
    Kind("lanes", "Lanes", _any_lanes, lambda asked: tables.lanes(asked.profile, asked.stretch), RANGE),
    Kind("flows", "Flows", _any_flows, lambda asked: flows(asked.profile)),
    Kind("counters", "Counters", _any_counters, lambda asked: counters(asked.profile)),
    Kind("instants", "Instants", _any_instants, lambda asked: tables.instants(asked.profile)),
    NOTES,
)


def offered(asked: Asked) -> tuple[Kind, ...]:
    """The tabs that there is something for."""
    return tuple(kind for kind in KINDS if kind.offered(asked))
