"""Slices, lanes, instants, and a user's notes on a timeline as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice

import numpy as np
from msgspec.structs import replace

from app.analysis.table import Coded, Column, GroupedTable, RowItems, Table, subset
from app.analysis.time.available import plain_trace
from app.analysis.time.classes import lane_times
from app.analysis.timeline.intervals import lane_gaps, lane_spans, overlap, parallel
from app.analysis.timeline.name_groups import NameGroups
from app.analysis.timeline.slice_paths import MOST_LEVELS, SlicePaths, is_nested, slice_paths
from app.analysis.timeline.statistics import NameStatistics, by_name, gathered, self_time, together
from app.analysis.timeline.times import (
    extent,
    instant_counts,
    instant_mask,
    lane_columns,
    lane_counts,
    lasting,
    lengthless,
    lengthless_lanes,
    reach,
    slice_lanes,
    slice_names,
    slice_rows,
    time_column,
    timeline_table,
)
from app.language import plural, tr
from app.profile.arrays import F64, I64, Bool
from app.profile.file_state import NOTE_COLOURS, TimeNote
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Timeline

ID = "time-notes"
GROUPED = "slice-groups"
"""The table of groups of names in the window."""


def time_notes(timeline: Timeline, notes: Sequence[TimeNote]) -> Table:
    """One row per note, in the order of creation; a moment has no length."""
    start = np.array([note.start for note in notes], np.float64)
    end = np.array([note.end for note in notes], np.float64)
    moment = start == end
    columns = (
        Column("name", tr("Name"), tuple(note.text for note in notes)),
        time_column(timeline, "start", tr("Start"), start),
        Column(
            "duration",
            tr("Duration"),
            end - start,
            timeline.unit,
            tr("End minus start; a point in time has none."),
            moment,
        ),
        time_column(timeline, "end", tr("End"), end, missing=moment),
        Column("colour", tr("Colour"), tuple(NOTE_COLOURS[note.colour % len(NOTE_COLOURS)] for note in notes)),
    )
    return timeline_table(timeline, ID, tr("Notes"), columns)


MOST_PAIRS = 1_000
BOTH = tr("Time in which slices of both lanes run (union of each lane).")
LANE_SHARE_HELP = tr("100 × both busy / busy time of that lane.")


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
        Column(
            "first_share", tr("Of first"), share[:, 0], "%", LANE_SHARE_HELP, unknown, tr("the first lane's busy time")
        ),
        Column(
            "second_share",
            tr("Of second"),
            share[:, 1],
            "%",
            LANE_SHARE_HELP,
            unknown,
            tr("the second lane's busy time"),
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


SELF_HELP = tr("Duration without the slices nested in it; slices that only overlap subtract nothing.")
TOTAL_HELP = tr(
    "Sum of the durations. For a slice that the range cuts, only the part inside counts. Slices on several lanes add "
    "up."
)
CUT_HELP = tr("Slices that the range cuts: they count in the total, but not in average, median, minimum and maximum.")
EACH_HELP = tr("Duration of one slice, over the whole slices (excluding those that the range cuts).")
COLOUR_HELP = tr("The category or colour name in the file, which determines the colour; without it, the name does.")
PATH_HELP = tr(
    "The names of the slices around it, outermost first, then its own. Names that differ only in numbers are one; "
    "slices of all lanes with the same path are one row."
)
MOST_PATHS = 10_000
SLOW_PATHS = 1_000_000
NO_LENGTH = tr("The file does not state how long some of these took. They are not counted as zero.")
WITH_SELF = "with-self"
"""What self times are a part of, and so compared with."""
BUSY_HELP = tr(
    "Time in which any slice of the lane runs and none waits; overlaps count once. None for lanes of instants."
)
WAITING_HELP = tr(
    "Time in which the lane waits for a flag, a barrier, an event or a device, by the names of its slices. It is not "
    "busy then."
)
AT_ONCE_HELP = tr("Maximum number of slices of the lane at the same time: they overlap or are nested.")
SUMMED_HELP = tr("100 × sum of the durations / time. Exceeds the busy share, and 100 %, if slices overlap.")
SHARE_HELP = tr(
    "100 × work of its slices / work of all slices. The work of a slice that holds others is its self time. Waiting "
    "is not work."
)


def slices(profile: Profile) -> Table | None:
    """One row per slice; instants are none."""
    timeline = profile.timeline
    if timeline is None or len(timeline.slices.start) == len(timeline.instants.slice):
        return None
    own, lane = timeline.slices, slice_lanes(timeline)
    level = slice_rows(timeline) - timeline.lanes.first_row[lane]
    columns = [
        Column("name", tr("Name"), Coded(own.name, timeline.strings), role="name"),
        *lane_columns(timeline, lane),
        time_column(timeline, "start", tr("Start"), own.start, stored=True),
        _duration(timeline, own.duration, lengthless(timeline)),
        *_self(timeline, lambda: self_time(timeline), lengthless(timeline)),
        time_column(
            timeline, "end", tr("End"), own.start + own.duration, tr("Start plus duration."), missing=own.untimed
        ),
        Column(
            "level",
            tr("Level"),
            level,
            help=tr("Row within its lane: 0 is the top; overlapping slices are below."),
            role="key",
        ),
    ]
    columns += _categories(timeline)
    if bool(np.any(own.address >= 0)):
        missing = own.address < 0
        columns.append(Column("address", tr("Program counter"), own.address, missing=missing, hexadecimal=True))
    table = timeline_table(timeline, "slices", tr("Slices"), tuple(columns), "slice", note=_note(timeline))
    rows = lasting(timeline)
    return table if rows is None else subset(table, rows)


def lanes(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per lane, with how busy it is in ``stretch`` or overall."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.lanes.process):
        return None
    unit, count, instants = timeline.unit, lane_counts(timeline), instant_counts(timeline)
    times, empty = lane_times(timeline, stretch), (count == 0) | lengthless_lanes(timeline)
    whole = extent(timeline) if stretch is None else (stretch.start, stretch.end)
    length = whole[1] - whole[0] if whole is not None else 0.0
    start, end, longest = _spans(timeline)
    columns = (
        *lane_columns(timeline, np.arange(len(count), dtype=np.int32)),
        Column("slices", tr("Slices"), count - instants),
        Column("busy", tr("Busy"), times.work, unit, BUSY_HELP, empty, reach=reach(timeline)),
        *_waiting(profile, times.waiting, empty),
        Column(
            "busy_share",
            tr("Busy share"),
            100 * times.work / (length if length > 0 else np.nan),
            "%",
            tr("100 × busy / time from the first start to the last end of the timeline."),
            empty,
            share_of=tr("the whole timeline") if stretch is None else tr("the range"),
        ),
        *_parallel(timeline, stretch, length, empty),
        Column(
            "longest",
            tr("Longest slice"),
            longest,
            unit,
            tr("The largest duration of its slices."),
            empty,
            stored=True,
            adds_up=False,
        ),
        time_column(timeline, "start", tr("First start"), start, missing=count == 0, stored=True),
        time_column(timeline, "end", tr("Last end"), end, missing=count == 0),
        Column(
            "levels", tr("Levels"), np.diff(timeline.lanes.first_row), help=tr("Rows that overlapping slices need.")
        ),
        *((Column("instants", tr("Instants"), instants),) if instants.any() else ()),
    )
    return timeline_table(timeline, "lanes", tr("Lanes"), columns, "lane", note=_note(timeline))


def _waiting(profile: Profile, times: F64, missing: Bool) -> tuple[Column, ...]:
    """How long lanes wait, in a trace: in other files no names say so."""
    timeline = profile.timeline
    if timeline is None or not plain_trace(profile):
        return ()
    return (Column("waiting", tr("Waiting"), times, timeline.unit, WAITING_HELP, missing, reach=reach(timeline)),)


def _parallel(timeline: Timeline, stretch: TimeRange | None, length: float, missing: Bool) -> tuple[Column, ...]:
    """How many slices run at once, if any do."""
    if not (np.diff(timeline.lanes.first_row) > 1).any():
        return ()
    beside = parallel(timeline, stretch)
    share = 100 * beside.summed / (length if length > 0 else np.nan)
    of = tr("the whole timeline") if stretch is None else tr("the range")
    return (
        Column("at_once", tr("At once"), beside.at_once, help=AT_ONCE_HELP, missing=missing, adds_up=False),
        Column("summed_share", tr("Summed share"), share, "%", SUMMED_HELP, missing, share_of=of),
    )


def slice_statistics(profile: Profile) -> Table | None:
    """One row per name, over all slices, which it stands for."""
    timeline = profile.timeline
    if timeline is None or len(timeline.slices.start) == len(timeline.instants.slice):
        return None
    statistics, name, marks = by_name(timeline), timeline.slices.name, instant_mask(timeline)
    items = RowItems("slice", name if marks is None else np.where(marks, -1, name), statistics.name)
    return replace(statistics_table(timeline, statistics), row_items=items)


def statistics_table(
    timeline: Timeline, statistics: NameStatistics, note: str = "", names: Strings | None = None
) -> Table:
    """The table of statistics by name (of a range, of a selection). ``names``: the texts of the names, those of the
    timeline if None."""
    unit = timeline.unit
    columns = (
        Column("name", tr("Name"), Coded(statistics.name, timeline.strings if names is None else names), role="name"),
        Column("count", tr("Count"), statistics.count),
        Column("cut", tr("Cut"), statistics.cut, help=CUT_HELP),
        Column("total", tr("Total"), statistics.total, unit, TOTAL_HELP, compared=WITH_SELF),
        *_self(timeline, lambda: statistics.self_total),
        Column("average", tr("Average"), statistics.each.mean, unit, EACH_HELP, compared=EACH_HELP, adds_up=False),
        Column("median", tr("Median"), statistics.each.median, unit, EACH_HELP, compared=EACH_HELP, adds_up=False),
        Column(
            "minimum",
            tr("Minimum"),
            statistics.each.least,
            unit,
            EACH_HELP,
            compared=EACH_HELP,
            stored=True,
            adds_up=False,
        ),
        Column(
            "maximum",
            tr("Maximum"),
            statistics.each.most,
            unit,
            EACH_HELP,
            compared=EACH_HELP,
            stored=True,
            adds_up=False,
        ),
        Column("share", tr("Share"), 100 * statistics.share, "%", SHARE_HELP, share_of=tr("the work of all slices")),
    )
    note = " ".join(part for part in (note, _note(timeline)) if part)
    return timeline_table(timeline, "slice-statistics", tr("Slices by name"), columns, note=note)


def grouped_statistics(
    groups: NameGroups,
    single: NameStatistics,
    stretch: TimeRange | None = None,
    chosen: Bool | I64 | None = None,
    note: str = "",
) -> Table:
    """The same with a row for each group of several names, above those of its names; by falling total, and inside the
    groups, too. ``single``: statistics by name with this ``stretch`` and ``chosen``. The plain table if no names are
    alike."""
    timeline = groups.timeline
    group = groups.of_name[single.name]
    size = np.bincount(group)
    several = np.flatnonzero(size > 1)
    if not len(several):
        return statistics_table(timeline, single, note)
    place = np.full(len(size), -1, np.int64)
    place[several] = np.arange(len(several))
    own = place[group]
    above = together(timeline, single, own, stretch, chosen)
    above = replace(above, name=(len(timeline.strings) + several).astype(np.int32))
    parent = np.concatenate((np.where(own >= 0, len(single) + own, -1), np.full(len(above), -1)))
    order = _beneath(parent, np.concatenate((single.total, above.total)))
    moved = np.empty(len(order), np.int64)
    moved[order] = np.arange(len(order))
    parent = parent[order]
    table = statistics_table(timeline, gathered(single, above, order), note, groups.texts)
    return GroupedTable(
        GROUPED,
        table.title,
        table.columns,
        note=table.note,
        own_time=table.own_time,
        parent=np.where(parent >= 0, moved[parent], -1),
        plain=timeline.strings,
    )


def _beneath(parent: I64, total: F64) -> I64:
    """int64: the rows by falling total, those of a group after it."""
    falling = np.argsort(-total, kind="stable")
    rank = np.empty(len(total), np.int64)
    rank[falling] = np.arange(len(total))
    inside = parent >= 0
    return np.lexsort((rank, inside, np.where(inside, rank[parent], rank))).astype(np.int64)


class PathTable(Table, frozen=True, eq=False, kw_only=True):
    """``paths``: what its rows are the widest of, so that they can be drawn, too."""

    paths: SlicePaths


def paths(profile: Profile) -> Table | None:
    """One row per path of nested slices; None where no slices are nested."""
    timeline = profile.timeline
    return None if timeline is None or not is_nested(timeline) else paths_table(slice_paths(timeline))


def many_paths(profile: Profile) -> bool:
    """Whether the paths take long to make."""
    timeline = profile.timeline
    return timeline is not None and len(timeline.slices.start) > SLOW_PATHS and is_nested(timeline)


def paths_table(made: SlicePaths, note: str = "") -> PathTable:
    """The paths with the largest totals, at most MOST_PATHS, and the slices of each."""
    timeline, unit = made.timeline, made.timeline.unit
    rows = np.argsort(-np.nan_to_num(made.total), kind="stable")[:MOST_PATHS].astype(np.int64)
    level = np.searchsorted(made.first, rows, "right") - 1
    columns = (
        Column("path", tr("Path"), tuple(made.texts(rows)), help=PATH_HELP, role="name"),
        Column(
            "level", tr("Level"), level, help=tr("Number of names around it: 0 for slices in no other."), role="key"
        ),
        Column("count", tr("Count"), made.count[rows]),
        Column("total", tr("Total"), made.total[rows], unit, TOTAL_HELP, compared=WITH_SELF, adds_up=False),
        Column("self", tr("Self"), made.own[rows], unit, SELF_HELP, compared=WITH_SELF, reach=reach(timeline)),
    )
    left_out = (
        plural(
            "{count:,} path with a smaller total is not listed.",
            "{count:,} paths with smaller totals are not listed.",
            count=len(made) - len(rows),
        )
        if len(made) > len(rows)
        else ""
    )
    deeper = (
        plural(
            "{count:,} slice nested more than {levels} deep has no path.",
            "{count:,} slices nested more than {levels} deep have no path.",
            count=made.deeper,
            levels=MOST_LEVELS,
        )
        if made.deeper
        else ""
    )
    said = " ".join(part for part in (note, left_out, deeper, _note(timeline)) if part)
    table = timeline_table(timeline, "slice-paths", tr("Slices by path"), columns, note=said)
    items = RowItems("slice", made.of_slice, rows)
    return PathTable(
        table.id, table.title, table.columns, note=table.note, own_time=table.own_time, row_items=items, paths=made
    )


def instants(profile: Profile) -> Table | None:
    """One row per instant."""
    timeline = profile.timeline
    if timeline is None or not len(timeline.instants.slice):
        return None
    slices, index = timeline.slices, timeline.instants.slice
    columns = (
        Column("name", tr("Name"), Coded(slices.name[index], timeline.strings), role="name"),
        *lane_columns(timeline, slice_lanes(timeline)[index]),
        time_column(timeline, "time", tr("Time"), slices.start[index]),
        *_categories(timeline, index),
    )
    return timeline_table(timeline, "instants", tr("Instants"), columns, "slice", index)


def some_slices(timeline: Timeline, index: I64, table_id: str, title: str, note: str = "") -> Table:
    """One row per slice of ``index``, in that order: instances of a name, hits of a search."""
    own = timeline.slices
    row = np.searchsorted(own.first, index, "right") - 1
    lane = (np.searchsorted(timeline.lanes.first_row, row, "right") - 1).astype(np.int32)
    columns = (
        Column("name", tr("Name"), Coded(own.name[index], timeline.strings), role="name"),
        *lane_columns(timeline, lane),
        time_column(timeline, "start", tr("Start"), own.start[index], stored=True),
        _duration(timeline, own.duration[index], lengthless(timeline, index)),
        *_self(timeline, lambda: self_time(timeline)[index], lengthless(timeline, index)),
    )
    return timeline_table(timeline, table_id, title, columns, "slice", index, note)


def _note(timeline: Timeline) -> str:
    return "" if timeline.slices.untimed is None else NO_LENGTH


def _duration(timeline: Timeline, values: F64, missing: Bool | None) -> Column:
    return Column("duration", tr("Duration"), values, timeline.unit, missing=missing, compared=WITH_SELF, stored=True)


def _self(timeline: Timeline, times: Callable[[], F64], missing: Bool | None = None) -> tuple[Column, ...]:
    """Self times, if any slices are nested."""
    if not (np.diff(timeline.lanes.first_row) > 1).any():
        return ()
    own = Column(
        "self", tr("Self"), times(), timeline.unit, SELF_HELP, missing, compared=WITH_SELF, reach=reach(timeline)
    )
    return (own,)


def _categories(timeline: Timeline, index: I64 | None = None) -> tuple[Column, ...]:
    """What determines the colours of slices (of all, or of ``index``), if any has that."""
    category = timeline.slices.category if index is None else timeline.slices.category[index]
    if not bool(np.any(category >= 0)):
        return ()
    return (Column("category", tr("Colour"), Coded(category, timeline.strings), help=COLOUR_HELP),)


def _spans(timeline: Timeline) -> tuple[F64, F64, F64]:
    """float64[lanes]: first start, last end and longest duration, NaN for lanes without slices."""
    slices = timeline.slices
    first = slices.first[timeline.lanes.first_row]
    full = np.flatnonzero(np.diff(first) > 0)
    start, end, longest = (np.full(len(first) - 1, np.nan) for _ in range(3))
    if len(full):
        start[full] = np.minimum.reduceat(slices.start, first[full])
        end[full] = np.maximum.reduceat(slices.start + slices.duration, first[full])
        longest[full] = np.maximum.reduceat(slices.duration, first[full])
    return start, end, longest
