"""The critical path of a timeline, and who waited for whom, as tables."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec.structs import replace

from app.analysis.ascend.addresses import line_at
from app.analysis.table import Coded, Column, RowItems, Table
from app.analysis.tables.timeline import lane_name
from app.analysis.time.available import NO_CAUSES
from app.analysis.time.graph import Graph
from app.analysis.time.links import STATED
from app.analysis.time.model import TimeModel, time_model
from app.analysis.time.path import PARTS, Path, critical_path, no_path, register_note
from app.analysis.time.waits import MARKS, Waits, all_waits, named_pipe, path_causes
from app.analysis.timeline.times import reach, slice_names, time_column, timeline_table
from app.language import tr
from app.profile.arrays import I64, U8, Integers, distinct
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.timeline import Timeline

PATH, WAITS = "critical-path", "waits"
KINDS: Final = ("gap", "wait")
PATH_HELP = tr(
    "The chain of work and waits that fills the time from the first start to the last end. See Help > How Tilesight "
    "reasons."
)
PART_HELP = tr(
    "work; data_wait: the gap after what it depends on had ended; resource_wait: the gap after what its lane did "
    "before, for which the file states no cause; outside: before the first and after the last work."
)
CAUSE_HELP = tr(
    "What was waited for. Inferred: the file does not state it. For a resource wait, that is work of the same core "
    "that ended when the wait did. Inferred from registers: it wrote a register that the next work reads."
)
KIND_HELP = tr("wait: a wait or barrier of the file; gap: a gap before work on the critical path.")
WAITED_HELP = tr("Sum of the lengths. Gaps elsewhere are idle: nothing says that the lane waits.")
ON_PATH_HELP = tr("The part of it on the critical path. Only this can make the whole longer.")
SOURCE_HELP = tr("File and line of the source that the instruction belongs to.")


def path_table(profile: Profile) -> Table:
    """One row per piece of the critical path, in the order of time."""
    model = time_model(profile)
    return _path_of(profile, model, model.graph, model.path, PATH)


def path_of_core(profile: Profile, table_id: str) -> Table | None:
    """The same for ``critical-path/CORE``: the path of one core by itself."""
    model, name = time_model(profile), table_id.partition("/")[2]
    core = next((core for core in model.cores if core.name == name), None)
    return None if core is None else _path_of(profile, model, core.graph, critical_path(core.graph), table_id)


def _path_of(profile: Profile, model: TimeModel, graph: Graph, path: Path, table_id: str) -> Table:
    timeline = model.timeline
    if not model.has_dependencies:
        path = no_path()
    index = np.where(path.node >= 0, graph.slice[path.node], -1)
    lane = np.where(path.node >= 0, graph.lane[path.node], -1)
    cause, origin = path_causes(timeline, graph, path)
    number_help = tr("The row of the table slices.")
    columns = (
        Column("order", tr("Order"), np.arange(1, len(path) + 1), help=PATH_HELP, role="key"),
        Column("slice", tr("Slice number"), index, help=number_help, missing=index < 0, role="key"),
        Column("name", tr("Name"), slice_names(timeline, index), role="name"),
        Column("lane", tr("Lane"), _lanes(timeline, lane)),
        Column("part", tr("Part"), Coded(path.part.astype(np.int32), Strings.of(PARTS)), help=PART_HELP, role="kind"),
        time_column(timeline, "start", tr("Start"), path.start),
        Column(
            "time", tr("Time"), path.times, timeline.unit, tr("Together they fill the span."), reach=reach(timeline)
        ),
        Column("cause", tr("Cause"), _causes(model, graph, cause, origin), help=CAUSE_HELP),
        *_places(profile, index),
    )
    return timeline_table(timeline, table_id, tr("Critical path"), columns, "slice", index, _note(model))


def waits_table(profile: Profile, timeline: Timeline) -> Table:
    """One row per lane, lane that it waited for, what released it, and place in the source; the longest first."""
    model = time_model(profile)
    graph, own = model.graph, all_waits(model)
    index = graph.slice[own.node]
    known = own.cause >= 0
    waiting = graph.lane[own.node].astype(np.int64)
    released = np.where(known, timeline.slices.name[graph.slice[own.cause]], -1)
    awaited, texts = _awaited(model, own)
    inferred = (own.origin != STATED) | (~known & (awaited >= 0))
    place = _place_keys(profile, index)
    group, first = _grouped((waiting, awaited, released, own.held.astype(np.int64), inferred.astype(np.int64), place))
    time, on_path = np.bincount(group, own.time), np.bincount(group, own.on_path)
    order = np.argsort(-time, kind="stable")
    row = first[order]
    span, unit = reach(timeline), timeline.unit
    columns = (
        Column("waiting", tr("Waiting lane"), _lanes(timeline, waiting[row])),
        Column("awaited", tr("Lane waited for"), Coded(awaited[row].astype(np.int32), texts), help=CAUSE_HELP),
        Column(
            "released_by",
            tr("Released by"),
            Coded(released[row].astype(np.int32), timeline.strings),
            help=tr("The slice whose end, or whose arrow, ended the wait."),
        ),
        Column("kind", tr("Kind"), Coded(own.held[row].astype(np.int32), Strings.of(KINDS)), help=KIND_HELP),
        Column("count", tr("Count"), np.bincount(group)[order]),
        Column("time", tr("Time"), time[order], unit, WAITED_HELP, reach=span),
        Column("on_path", tr("On critical path"), on_path[order], unit, ON_PATH_HELP, reach=span),
        Column(
            "inferred",
            tr("Inferred"),
            inferred[row],
            help=tr("The file does not state what was waited for: it is inferred."),
        ),
        *_places(profile, index[row]),
    )
    of_slice = np.full(len(timeline.slices.start), -1, np.int64)
    of_slice[index] = group
    table = timeline_table(timeline, WAITS, tr("Waits"), columns, note=_note(model))
    return replace(table, row_items=RowItems("slice", of_slice, order))


def _awaited(model: TimeModel, own: Waits) -> tuple[I64, Strings]:
    """(int64[waits]: what each waited for, -1 unknown; their texts): a lane, or the pipe that the wait names."""
    timeline, graph = model.timeline, model.graph
    texts = _lane_names(timeline)
    awaited = np.where(own.cause >= 0, graph.lane[own.cause], -1).astype(np.int64)
    numbers: dict[str, int] = {}
    of_name: dict[int, int] = {}
    for place in np.flatnonzero(own.held & (own.cause < 0)).tolist():
        node = int(own.node[place])
        name = int(timeline.slices.name[graph.slice[node]])
        if name not in of_name:
            pipe = named_pipe(timeline, graph, node)
            of_name[name] = numbers.setdefault(pipe, len(texts) + len(numbers)) if pipe else -1
        awaited[place] = of_name[name]
    return awaited, Strings.of((*texts, *numbers))


def _place_keys(profile: Profile, index: I64) -> I64:
    """int64: the source line of slices, else their address, which tell waits apart."""
    assert profile.timeline is not None
    address = profile.timeline.slices.address[index]
    line = line_at(profile, address)
    return np.where(line >= 0, -2 - line, address)


def _places(profile: Profile, index: I64) -> tuple[Column, ...]:
    """Where in the program, and in the source, slices are (-1: none), if the file says so."""
    assert profile.timeline is not None
    address = np.where(index >= 0, profile.timeline.slices.address[index], -1) if len(index) else index
    if not (address >= 0).any():
        return ()
    help_ = tr("Of the first of these, where a row stands for several.")
    made = [Column("address", tr("Program counter"), address, help=help_, missing=address < 0, hexadecimal=True)]
    line, lines = line_at(profile, address), profile.lines
    if lines is not None and (line >= 0).any():
        used = distinct(line[line >= 0])
        texts = [f"{lines.paths.get(int(lines.file[one]))}:{int(lines.line[one])}" for one in used.tolist()]
        ids = np.where(line >= 0, np.searchsorted(used, line), -1)
        made.append(
            Column("source", tr("Source line"), Coded(ids.astype(np.int32), Strings.of(texts)), help=SOURCE_HELP)
        )
    return tuple(made)


def _note(model: TimeModel) -> str:
    """What the table rests on."""
    if not model.has_dependencies:
        return NO_CAUSES
    if model.registers is not None:
        return register_note(model.registers)
    if model.inferred <= 0:
        return ""
    share = f"{100 * model.inferred:.1f}"
    return tr("Causes that the file does not state make up {share} % of the critical path.", share=share)


def _grouped(keys: tuple[I64, ...]) -> tuple[I64, I64]:
    """(int64[n]: the group of equal keys that each is in; int64[groups]: the first of each group)."""
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    return group, order[new]


def _lane_names(timeline: Timeline) -> list[str]:
    return [lane_name(timeline, number) for number in range(len(timeline.lanes.thread))]


def _lanes(timeline: Timeline, lane: Integers) -> Coded:
    """Process and thread of each row's lane; no text for -1."""
    return Coded(lane.astype(np.int32), Strings.of(_lane_names(timeline)))


def _causes(model: TimeModel, graph: Graph, cause: I64, origin: U8) -> Coded:
    """The names of the slices that were waited for, marked where the file does not state them."""
    timeline = model.timeline
    name = np.where(cause >= 0, timeline.slices.name[graph.slice[cause]], -1).astype(np.int64)
    key = np.where(name >= 0, len(MARKS) * name + origin, -1)
    used = distinct(key[key >= 0])
    texts = [timeline.strings.get(one // len(MARKS)) + MARKS[one % len(MARKS)] for one in used.tolist()]
    ids = np.where(key >= 0, np.searchsorted(used, key), -1)
    return Coded(ids.astype(np.int32), Strings.of(texts))
