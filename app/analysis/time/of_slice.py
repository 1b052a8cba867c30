"""What one slice waited for, what waits for it, and its part of the critical path."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.part import Amount, Fact, Part, Pointer, Words, sentence
from app.analysis.relations import translate
from app.analysis.time.available import NO_CAUSES
from app.analysis.time.classes import BARRIER, WAIT
from app.analysis.time.graph import Graph
from app.analysis.time.links import INFERRED, REGISTERS, STATED
from app.analysis.time.model import TimeModel
from app.analysis.time.path import DATA_WAIT, WORK
from app.analysis.time.register_links import registers_passed
from app.language import plural, tr
from app.profile.arrays import I64, among, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.timeline import Timeline

MOST: Final = 8
"""Links to slices that wait for one."""
SOURCE: Final = "details"
AT_ONCE: Final = 1e-6
"""Share of the length of the timeline below which nothing passes between two moments: files round them."""
TITLE: Final = tr("Waiting")
INFERRED_HELP: Final = tr("The file does not state it: it is the last work that ended before.")
WRITTEN_HELP: Final = tr(
    "The file does not state it: by the register states of the instructions, it is the last work that wrote a register "
    "that this one reads."
)
ABOUT_PATH: Final = tr("The chain of work and waits that fills the time from the first to the last slice.")


class Release(Struct, frozen=True):
    """What let a slice go: ``slice``, at ``time``. ``by_lane``: it had only occupied the lane; ``origin``: how that is
    known (as in a graph)."""

    slice: int
    time: float
    by_lane: bool
    origin: int


def released_by(graph: Graph, index: int) -> Release | None:
    """What a slice waited for last, as on a critical path: what it depends on, or the slice before it in its lane; of a
    wait only what it depends on. None if nothing is known, and for slices without nodes."""
    nodes = np.flatnonzero(graph.slice == index)
    return _released(graph, int(nodes[np.argmin(graph.arrival[nodes])])) if len(nodes) else None


def _released(graph: Graph, node: int) -> Release | None:
    a, b = graph.first[node : node + 2].tolist()
    edges = a + np.flatnonzero(graph.slice[graph.source[a:b]] != graph.slice[node])
    lane, waits = int(graph.before[node]), int(graph.kind[node]) in (WAIT, BARRIER)
    ended = float(graph.end[lane]) if lane >= 0 else -np.inf
    if len(edges):
        edge = int(edges[np.argmax(graph.release[edges])])
        release = float(graph.release[edge])
        if release >= ended - graph.near or waits:
            return Release(int(graph.slice[graph.source[edge]]), release, False, int(graph.origin[edge]))
    return None if lane < 0 or waits else Release(int(graph.slice[lane]), ended, True, STATED)


def waiting_for(graph: Graph, index: int) -> I64:
    """int64: the slices that wait for a slice, by their start: those that depend on it, else what its lane did next, if
    nothing else let that go."""
    mine = graph.slice == index
    held = np.flatnonzero(mine[graph.source])
    targets = np.searchsorted(graph.first, held, "right") - 1
    targets = targets[~mine[targets]]
    if not len(targets):
        after = np.flatnonzero((graph.before >= 0) & mine[graph.before] & ~mine)
        targets = np.array([node for node in after.tolist() if _freed_by_lane(graph, node)], np.int64)
    slices = graph.slice[targets[np.argsort(graph.start[targets], kind="stable")]]
    return np.array(list(dict.fromkeys(slices.tolist())), np.int64)


def _freed_by_lane(graph: Graph, node: int) -> bool:
    release = _released(graph, node)
    return release is not None and release.by_lane


def beside(graph: Graph, index: int, direction: int) -> int | None:
    """The slice that a slice waited for (-1), or the first that waits for it (+1)."""
    if direction > 0:
        waiting = waiting_for(graph, index)
        return int(waiting[0]) if len(waiting) else None
    release = released_by(graph, index)
    return None if release is None else release.slice


def slice_part(profile: Profile, model: TimeModel, index: int) -> Part | None:
    """The section of the details of a slice; None for remarks, which hold no lane, and for work in a file without
    dependencies."""
    graph, line = model.graph, model.timeline
    nodes = np.flatnonzero(graph.slice == index)
    if not len(nodes):
        return None
    waits = int(graph.kind[nodes[0]]) in (WAIT, BARRIER)
    if not model.has_dependencies:
        return Part(TITLE, (Fact(tr("Waited for"), (NO_CAUSES,)),)) if waits else None
    release, follow = released_by(graph, index), waiting_for(graph, index)
    facts = [_waited(profile, line, index, release) if waits else _started(profile, model, index, release)]
    facts.append(_on_path(model, nodes))
    before = [] if release is None else [_pointer(line, tr("Waited for: "), release.slice)]
    pointers = before + [_pointer(line, tr("Waits for it: "), other) for other in follow[:MOST].tolist()]
    rest = len(follow) - MOST
    more = plural("{count:,} more slice waits for it", "{count:,} more slices wait for it", count=rest)
    return Part(TITLE, tuple(facts), tuple(pointers), (Fact(tr("Others"), (more,)),) if rest > 0 else ())


def _waited(profile: Profile, line: Timeline, index: int, release: Release | None) -> Fact:
    """How long a wait was, for whom, and where the flag was set."""
    time = _amount(line, float(line.slices.duration[index]))
    if release is None:
        return Fact(tr("Waited"), sentence(tr("{time}, for what is not in the file", time=time)))
    lane, at = lane_name(line, release.slice), _source_line(profile, release.slice)
    if release.time < float(line.slices.start[index]):
        words = sentence(tr("{time}; {lane} had released it before", time=time, lane=lane))
    elif at is None:
        words = sentence(tr("{time} for {lane}", time=time, lane=lane))
    elif release.origin != STATED:
        words = sentence(tr("{time} for {lane}, at line {line}", time=time, lane=lane, line=at))
    else:
        words = sentence(tr("{time} for {lane}, set at line {line}", time=time, lane=lane, line=at))
    return Fact(tr("Waited"), words, INFERRED_HELP if release.origin != STATED else "")


def _started(profile: Profile, model: TimeModel, index: int, release: Release | None) -> Fact:
    """What let a slice that works begin, and how long after that it did."""
    graph, line = model.graph, model.timeline
    if release is None:
        return Fact(tr("Started"), (tr("what it waited for is not in the file"),))
    help_ = INFERRED_HELP if release.origin == INFERRED else ""
    passed = float(line.slices.start[index]) - release.time
    late, at_once = _amount(line, max(passed, 0.0)), passed <= AT_ONCE * (graph.end.max() - graph.start.min())
    lane = lane_name(line, release.slice)
    if release.origin == REGISTERS:
        return _read(profile, late, at_once, (release.slice, index), lane)
    if not release.by_lane and at_once:
        return Fact(tr("Started"), (tr("as soon as {lane} had released it", lane=lane),), help_)
    if not release.by_lane:
        words = sentence(tr("{late} after {lane} had released it", late=late, lane=lane))
        return Fact(tr("Started"), words, help_)
    cause = released_by(graph, release.slice) if is_wait(graph, release.slice) else None
    if cause is not None and not cause.by_lane:
        waited = _amount(line, float(line.slices.duration[release.slice]))
        text = tr("after its lane had waited {waited} for {lane}", waited=waited, lane=lane_name(line, cause.slice))
        return Fact(tr("Started"), sentence(text))
    if at_once:
        return Fact(tr("Started"), (tr("as soon as its lane was free"),))
    return Fact(tr("Started"), sentence(tr("{late} after its lane was free", late=late)))


def _read(profile: Profile, late: Amount, at_once: bool, slices: tuple[int, int], lane: str) -> Fact:
    """How long after what it reads was written a slice began."""
    registers, help_ = ", ".join(registers_passed(profile, *slices)[:MOST]), WRITTEN_HELP
    if at_once:
        text = tr("as soon as {lane} had written {registers}", lane=lane, registers=registers)
        return Fact(tr("Started"), (text,), help_)
    text = tr("{late} after {lane} had written {registers}", late=late, lane=lane, registers=registers)
    return Fact(tr("Started"), sentence(text), help_)


def is_wait(graph: Graph, index: int) -> bool:
    """Whether a slice is a wait or a barrier: its length is what it waited."""
    nodes = np.flatnonzero(graph.slice == index)
    return bool(len(nodes)) and int(graph.kind[nodes[0]]) in (WAIT, BARRIER)


def _on_path(model: TimeModel, nodes: I64) -> Fact:
    """Whether a slice is on the critical path, with which parts."""
    path, line = model.path, model.timeline
    own = np.flatnonzero(among(path.node, nodes))
    if not len(own):
        return Fact(tr("Critical path"), (tr("not on it"),), ABOUT_PATH)
    words: Words = ()
    for part in distinct(path.part[own]).tolist():
        time = _amount(line, float(path.times[own[path.part[own] == part]].sum()))
        words += ((", ",) if words else ()) + _part_words(part, time)
    share = 100 * float(path.times[own].sum()) / model.span if model.span > 0 else 0.0
    words += sentence(tr(" ({share} of {span})", share=Amount(share, "%"), span=_amount(line, model.span)))
    return Fact(tr("Critical path"), words, ABOUT_PATH)


def _part_words(part: int, time: Amount) -> Words:
    if part == WORK:
        return sentence(tr("{time} of work", time=time))
    if part == DATA_WAIT:
        return sentence(tr("{time} of waiting for data", time=time))
    return sentence(tr("{time} of waiting for its lane", time=time))


def _pointer(line: Timeline, label: str, index: int) -> Pointer:
    name = line.strings.get(int(line.slices.name[index]), tr("(no name)"))
    return Pointer((label, name), Selection("slice", (index,), SOURCE))


def lane_name(line: Timeline, index: int) -> str:
    """The lane of a slice, by its thread, else its process."""
    lanes = line.lanes
    row = int(np.searchsorted(line.slices.first, index, "right")) - 1
    lane = int(np.searchsorted(lanes.first_row, row, "right")) - 1
    return line.strings.get(int(lanes.thread[lane])) or line.strings.get(int(lanes.process[lane]))


def _source_line(profile: Profile, index: int) -> int | None:
    """The line of the source that a slice belongs to; None if none, or several."""
    found = translate(profile, Selection("slice", (index,)), "line")
    return int(profile.lines.line[found[0]]) if profile.lines is not None and len(found) == 1 else None


def _amount(line: Timeline, time: float) -> Amount:
    seconds = line.seconds_per_unit
    return Amount(time, "cycles") if seconds is None or line.unit == "cycles" else Amount(time * seconds, "s")
