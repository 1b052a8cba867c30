"""The tables of a timeline: statistics by name, slices, lanes, flows, counters, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Coded, GroupedTable, Table, subset
from app.analysis.tables import timeline as tables
from app.analysis.tables.timeline import gaps_table, lane_name, overlap_table, time_notes
from app.analysis.tables.timeline_counters import counters, flows
from app.analysis.timeline.slice_paths import is_nested, slice_paths
from app.analysis.timeline.statistics import by_name
from app.language import plural, tr
from app.profile.arrays import I64, among, distinct
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.views.timeline.request import Follows, Request, slices_in

LIVE_MOST = 300_000
"""Statistics follow a range while it is drawn if it holds at most this many slices."""
SELECT_MOST = 100_000


class Tab(Struct, frozen=True):
    """One tab. ``make`` returns None if there is nothing to show, and ``empty`` says why; ``ready`` tells that without
    building it, ``offered`` whether the tab is available; ``follows``: the changes that rebuild it."""

    id: str
    title: str
    offered: Callable[[Request], bool]
    make: Callable[[Request], Table | None]
    follows: frozenset[Follows] = frozenset()
    empty: str = tr("No rows.")
    ready: Callable[[Request], bool] = lambda _: True


class Names(Struct, frozen=True, eq=False):
    """Names of slices. ``ids``: int64, their places in ``strings``, -1 for none; ``title``: what they have in
    common."""

    strings: Strings
    ids: I64
    title: str = ""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Names:
        strings = Strings.of(dict.fromkeys(texts))
        return cls(strings, np.arange(len(strings)))

    def __len__(self) -> int:
        return len(self.ids)

    def ids_in(self, strings: Strings) -> I64:
        """int64: the places of the same names in another table of texts."""
        if strings is self.strings:
            return self.ids
        texts = {self.strings.get(number, NO_NAME) for number in self.ids.tolist()}
        none: list[I64] = [np.array([-1])] if NO_NAME in texts else []
        if len(texts) > FEW:
            some = [place for place, text in enumerate(strings) if text in texts]
            return np.concatenate([*none, np.array(some, np.int64)])
        return np.concatenate([np.empty(0, np.int64), *none, *map(strings.find, texts)])


NO_NAME = ""
FEW = 16
"""More names than these are looked up in one pass over all texts."""


def statistics(request: Request) -> Table | None:
    """Count, total, average, min, max and share by name, of the selected lanes or of all; with a row for each group of
    names, if ``request`` has groups."""
    timeline, stretch = request.model.timeline, request.stretch
    everything = stretch is None and not request.only and not request.pipes_only
    chosen = None if everything else slices_in(request.model, request.counted, stretch, request.only)
    single, note = by_name(timeline, stretch, chosen), lanes_note(request)
    if request.groups is None:
        return tables.statistics_table(timeline, single, note)
    return tables.grouped_statistics(request.groups, single, stretch, chosen, note)


def by_path(request: Request) -> Table | None:
    """The paths of the same slices, with names in groups in any case."""
    timeline, stretch = request.model.timeline, request.stretch
    everything = stretch is None and not request.only and not request.pipes_only
    chosen = None if everything else slices_in(request.model, request.counted, stretch, request.only)
    return tables.paths_table(slice_paths(timeline, stretch, chosen, request.groups), lanes_note(request))


def lanes_note(request: Request) -> str:
    """The lanes that figures are limited to; "" if there is no limit."""
    if not request.only:
        return ""
    if len(request.only) == 1:
        return tr(
            "Only slices of lane {lane_name}.",
            lane_name=lane_name(request.model.timeline, request.only[0]),
        )
    return tr("Only slices of {count:,} lanes.", count=len(request.only))


def _names_of(table: Table) -> Coded:
    """The names in the rows of statistics; those of the comparison where it has them."""
    keys = ("name", "name_after")
    names = next((column.values for column in table.columns if column.key in keys), None)
    return names if isinstance(names, Coded) else Coded(np.empty(0, np.int32), Strings.of(()))


def _strings_of(table: Table) -> Strings:
    return table.plain if isinstance(table, GroupedTable) else _names_of(table).strings


def names_in(table: Table, rows: I64) -> Names:
    """The names in these rows of statistics, and in the groups among them."""
    ids = _names_of(table).ids
    alone = int(rows[0]) if len(rows) == 1 else -1
    title = "" if alone < 0 else _names_of(table).strings.get(int(ids[alone]), NO_NAME)
    inside = table.opened(rows) if isinstance(table, GroupedTable) else rows
    return Names(_strings_of(table), distinct(ids[inside]).astype(np.int64), title)


def rows_named(table: Table, names: Names) -> I64:
    """int64: the rows of statistics that have one of these names, and the groups that have no other names."""
    ids, strings = _names_of(table).ids, _strings_of(table)
    named = among(ids, names.ids_in(strings))
    if isinstance(table, GroupedTable):
        named = table.complete(named)
    return np.flatnonzero(named).astype(np.int64)


def slices_named(request: Request, names: Names) -> I64:
    """int64: the slices (no instants) with one of these names, rising."""
    timeline = request.model.timeline
    wanted = np.zeros(len(timeline.strings) + 1, np.bool_)  # the last entry serves -1, no name
    wanted[names.ids_in(timeline.strings)] = True
    named = wanted[timeline.slices.name]
    named[timeline.instants.slice] = False
    if request.stretch is None and not request.only and not request.pipes_only:
        return np.flatnonzero(named).astype(np.int64)
    index = slices_in(request.model, request.counted, request.stretch, request.only)
    return index[named[index]]


def instances(request: Request, names: Names) -> tuple[Table, I64]:
    """The slices with these names as a table, and their indices."""
    index = slices_named(request, names)
    timeline = request.model.timeline
    title = names.title or plural("{count:,} name", "{count:,} names", count=len(names))
    note = f"{len(index):,} × {title}"
    return tables.some_slices(timeline, index, "instances", tr("Instances"), note), index


def gaps(request: Request) -> Table | None:
    """Gaps of the first selected lane."""
    return gaps_table(request.model.timeline, request.lanes[0], request.stretch) if request.lanes else None


def overlaps(request: Request) -> Table | None:
    """Overlaps of the selected lanes, or of the one selected lane with the others of its process."""
    return overlap_table(request.model.timeline, request.lanes, request.stretch) if request.lanes else None


def slices_of_lanes(request: Request) -> Table | None:
    """The slices of the selected lanes, or all."""
    table = tables.slices(request.profile)
    if table is None or not request.only:
        return table
    chosen = slices_in(request.model, request.model.rows, None, request.only)
    rows = chosen if table.keys is None else np.flatnonzero(among(table.keys, chosen)).astype(np.int64)
    return subset(table, rows, lanes_note(request))


def hits_table(request: Request) -> Table | None:
    """The hits of the search as a table."""
    if request.hits is None:
        return None
    return tables.some_slices(request.model.timeline, request.hits, "found", tr("Matching slices"))


def _any_hits(request: Request) -> bool:
    return request.hits is not None and len(request.hits) > 0


def _any_slices(request: Request) -> bool:
    timeline = request.model.timeline
    return len(timeline.slices.start) > len(timeline.instants.slice)


def _any_lanes(request: Request) -> bool:
    return len(request.model.timeline.lanes.thread) > 0


def _any_flows(request: Request) -> bool:
    return len(request.model.timeline.flows.category) > 0


def _any_counters(request: Request) -> bool:
    return len(request.model.timeline.counters.name) > 0


def _any_instants(request: Request) -> bool:
    return len(request.model.timeline.instants.slice) > 0


RANGE: frozenset[Follows] = frozenset({"range"})
NOTES = Tab(
    "notes",
    tr("Notes"),
    lambda request: bool(request.notes),
    lambda request: time_notes(request.model.timeline, request.notes),
    frozenset({"notes"}),
)
FOUND = Tab("found", tr("Matches"), _any_hits, hits_table, frozenset({"hits"}))
GAPS = Tab(
    "gaps",
    tr("Gaps"),
    _any_slices,
    gaps,
    frozenset({"range", "lanes"}),
    tr("Click the name of a lane, or a slice on it, to see when nothing runs there."),
    lambda request: bool(request.lanes),
)
STATISTICS = Tab("statistics", tr("By name"), _any_slices, statistics, frozenset({"range", "only"}))
PATHS = Tab(
    "paths", tr("By path"), lambda request: is_nested(request.model.timeline), by_path, frozenset({"range", "only"})
)
TABS = (
    STATISTICS,
    PATHS,
    Tab("slices", tr("Slices"), _any_slices, slices_of_lanes, frozenset({"only"})),
    Tab("lanes", tr("Lanes"), _any_lanes, lambda request: tables.lanes(request.profile, request.stretch), RANGE),
    GAPS,
    Tab(
        "overlap",
        tr("Overlap"),
        _any_slices,
        overlaps,
        frozenset({"range", "lanes"}),
        tr("Click the name of a lane to see what its process does meanwhile, or Ctrl+click the names of several."),
        lambda request: bool(request.lanes),
    ),
    FOUND,
    Tab("flows", tr("Flows"), _any_flows, lambda request: flows(request.profile)),
    Tab("counters", tr("Counters"), _any_counters, lambda request: counters(request.profile, request.stretch), RANGE),
    Tab("instants", tr("Instants"), _any_instants, lambda request: tables.instants(request.profile)),
    NOTES,
)


def offered(request: Request) -> tuple[Tab, ...]:
    """The tabs that have something to show."""
    return tuple(tab for tab in TABS if tab.offered(request))


def with_note(tab: Tab, request: Request, table: Table | None) -> Table | None:
    """The table of a tab, with a note whether it follows the switch that shows only pipes."""
    if table is None or tab is NOTES or not request.pipes_only:
        return table
    follows = tab in (STATISTICS, PATHS, FOUND)
    note = (
        tr("Pipes only: flags, barriers and scalar lanes are not counted.")
        if follows
        else tr("“Pipes only” does not change this table: it includes hidden slices.")
    )
    return replace(table, note=f"{note} {table.note}".strip())


def table_of(tab: Tab, request: Request, profile: Profile) -> Table | None:
    """The table of a tab for a profile: that of the request, or its baseline."""
    own = profile.timeline is request.model.timeline or request.before is None
    of = request if own else request.before
    return None if of is None else with_note(tab, of, tab.make(of))


def instances_of(request: Request, names: Names, profile: Profile) -> Table | None:
    """The slices with these names of a profile: that of the request, or its baseline."""
    own = profile.timeline is request.model.timeline or request.before is None
    of = request if own else request.before
    return None if of is None else instances(of, names)[0]
