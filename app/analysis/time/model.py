"""The model of time of one timeline: its graph and critical path, each core by itself, and how the pipes of the core
that ends last share its time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.ascend.pipes import NO_PIPES, CoreLanes, core_lanes
from app.analysis.ascend.sub_cores import LastCore, last_of
from app.analysis.checks.task_length import longer
from app.analysis.time.classes import WORK
from app.analysis.time.floors import Floor, at_most, overlap_floor, worked
from app.analysis.time.graph import Graph, graph, nothing, part, replay
from app.analysis.time.path import Path, RegisterTrust, critical_path, register_trust
from app.analysis.time.register_links import instructions_with_states
from app.analysis.time.tasks import task_graph, tasks_with_path
from app.analysis.timeline.intervals import union_lengths
from app.analysis.timeline.pipes import has_pipes
from app.language import tr
from app.profile.arrays import F64, among, combine_at
from app.profile.ascend import Instructions
from app.profile.kept import is_kept, kept
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.timeline import Timeline

Bound: TypeAlias = Literal["pipe", "none", "latency"]
BOUND_FROM: Final = 0.8
"""Share of the span of a core from which on a pipe bounds it (as for rooflines)."""
LATENCY_BELOW: Final = 0.5
"""If no pipe reaches this share, the core is latency bound."""
MOST_CORES: Final = 4096
MODEL: Final = "time_model"
"""What the model is called where it is kept."""


class TimeModel(Struct, frozen=True, eq=False):
    """``graph`` of all lanes, ``path``: its critical path; ``cores``: those with lanes of pipes, in the order of the
    lanes, each by itself; ``floor``: the least that remains without gaps that nothing explains; times in the unit of
    the timeline. ``instructions``: those whose register states it was made with, if any."""

    timeline: Timeline
    instructions: Instructions | None
    graph: Graph
    path: Path
    floor: float
    cores: tuple[CoreTime, ...]

    @property
    def has_dependencies(self) -> bool:
        """Whether the file says what waits for what; else a path is only what ran last in each lane."""
        return bool(len(self.graph.source))

    @property
    def span(self) -> float:
        """From the first arrival to the last end."""
        return float(self.path.times.sum())

    @property
    def inferred(self) -> float:
        """The share of the span whose cause the file does not state, 0..1."""
        return float(self.path.times[self.path.inferred].sum()) / self.span if self.span > 0 else 0.0

    @property
    def registers(self) -> RegisterTrust | None:
        """What rests on registers; None where they play no part."""
        return register_trust(self.graph, self.path)

    @property
    def longest(self) -> CoreTime | None:
        """The core that ends last."""
        return max(self.cores, key=lambda core: core.end, default=None)


class CoreTime(Struct, frozen=True, eq=False, dict=True):
    """A core by itself, from the first arrival ``start`` to the last ``end``. Its ``graph`` is made of ``whole`` when
    it is first asked for: of most cores nobody asks."""

    lanes: CoreLanes
    whole: Graph
    start: float
    end: float

    @property
    def graph(self) -> Graph:
        return kept(self, _graph_of)

    @property
    def work(self) -> Mapping[str, float]:
        """By pipe the time in which it works, each moment once, without lanes that are no pipes (flow control, cache
        misses, marks)."""
        return kept(self, _work)

    @property
    def floor(self) -> Floor:
        """The least that remains if its pipes never wait for buffers."""
        return kept(self, _floor)

    @property
    def name(self) -> str:
        return self.lanes.name

    @property
    def span(self) -> float:
        return self.end - self.start

    @property
    def at_most(self) -> float:
        """What overlap can save at most."""
        return at_most(self.span, self.floor.value)

    @property
    def busiest(self) -> tuple[str, float]:
        """The pipe that works most, and its share of the span of the core, 0..1; ("", 0.0) without work."""
        pipe = max(self.work, key=lambda name: self.work[name], default="")
        return (pipe, self.work[pipe] / self.span) if pipe and self.span > 0 else ("", 0.0)

    @property
    def bound(self) -> Bound:
        """Whether one pipe bounds the core, none does, or none reaches half of its span."""
        return bound_by(self.busiest[1])


def bound_by(share: float) -> Bound:
    """The same for the share of the span in which the busiest pipe works, 0..1."""
    return "pipe" if share >= BOUND_FROM else "latency" if share < LATENCY_BELOW else "none"


def time_model(profile: Profile) -> TimeModel:
    """The model of the timeline of ``profile``, which must have one; made once for each timeline and its instructions.
    About four seconds for a million slices, with registers eight: not in the window's thread."""
    return looked_at(profile, nothing)


def looked_at(profile: Profile, look: Callable[[], None]) -> TimeModel:
    """The same; ``look`` is called at times, and may raise to stop."""
    line, own = profile.timeline, instructions_with_states(profile)
    assert line is not None
    return kept(line, lambda line: _made(line, own, _graph(profile, look), look), _name(profile))


def is_made(profile: Profile) -> bool:
    """Whether the model is there already."""
    line = profile.timeline
    return line is not None and is_kept(line, _name(profile))


def whole_graph(profile: Profile, look: Callable[[], None]) -> Graph:
    """The graph of the model, without the rest where that is not made yet."""
    return looked_at(profile, look).graph if is_made(profile) else _graph(profile, look)


def _graph(profile: Profile, look: Callable[[], None]) -> Graph:
    """That of the tasks of cores where the files say what these depend on, else that of all lanes."""
    line, tasks = profile.timeline, tasks_with_path(profile)
    assert line is not None
    return graph(line, look, instructions_with_states(profile)) if tasks is None else task_graph(profile, tasks)


def _name(profile: Profile) -> str:
    """What the model is called where it is kept: it holds its instructions, so that no others have their number."""
    instructions = instructions_with_states(profile)
    kind = MODEL if tasks_with_path(profile) is None else f"tasks_{MODEL}"
    return kind if instructions is None else f"{kind} {id(instructions)}"


def _made(timeline: Timeline, instructions: Instructions | None, whole: Graph, look: Callable[[], None]) -> TimeModel:
    path = critical_path(whole)
    floor = replay(whole, lags=False, look=look).span
    lanes = core_lanes(timeline)[:MOST_CORES]
    core_of = np.full(len(timeline.lanes.thread), -1, np.int64)
    for place, core in enumerate(lanes):
        core_of[core.all] = place
    look()
    start, end = np.full(len(lanes) + 1, np.inf), np.full(len(lanes) + 1, -np.inf)  # the last of no core
    combine_at(np.minimum, start, core_of[whole.lane], whole.arrival)
    combine_at(np.maximum, end, core_of[whole.lane], whole.end)
    times = zip(lanes, start.tolist(), end.tolist(), strict=False)
    cores = tuple(CoreTime(own, whole, first, last) for own, first, last in times if first <= last)
    return TimeModel(timeline, instructions, whole, path, floor, cores)


def work_of(model: TimeModel, pipe: str) -> F64:
    """float64[cores]: the time in which ``pipe`` of each core of ``model`` works, each moment once."""
    graph, of = model.graph, np.full(len(model.timeline.lanes.thread), -1, np.int64)
    for place, core in enumerate(model.cores):
        of[list(core.lanes.lanes.get(pipe, ()))] = place
    own = np.flatnonzero((graph.kind == WORK) & (of[graph.lane] >= 0))
    return union_lengths(graph.start[own], graph.end[own], of[graph.lane[own]], len(model.cores))


def _graph_of(core: CoreTime) -> Graph:
    return part(core.whole, core.lanes.all)


def _work(core: CoreTime) -> Mapping[str, float]:
    works, lane = core.graph.kind == WORK, core.graph.lane
    pipes = {pipe: lanes for pipe, lanes in core.lanes.lanes.items() if pipe not in NO_PIPES}
    return {pipe: worked(core.graph, np.flatnonzero(works & among(lane, lanes))) for pipe, lanes in pipes.items()}


def _floor(core: CoreTime) -> Floor:
    lanes = core.lanes.lanes.items()
    pipe_of = {lane: "" if pipe in NO_PIPES else pipe for pipe, members in lanes for lane in members}
    return overlap_floor(core.graph, [pipe_of[lane] for lane in core.graph.lane.tolist()])


class CoreUse(Struct, frozen=True, eq=False):
    """``name``: of the core; ``span``, ``work`` and ``wait`` (by pipe) in ``unit``, work without waiting; ``floor``:
    the least that remains; ``core``: the core of the timeline, None where only sums are known; ``table``, ``key`` and
    ``selection``: where its figures are."""

    name: str
    unit: Literal["s", "cycles"]
    span: float
    work: Mapping[str, float]
    floor: Floor
    table: str
    key: str
    selection: Selection | None
    wait: Mapping[str, float] = {}
    core: CoreTime | None = None

    @property
    def at_most(self) -> float:
        """What better scheduling can save at most."""
        return at_most(self.span, self.floor.value)

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """The pipes that work, with their work, the busiest first."""
        return sorted(((pipe, time) for pipe, time in self.work.items() if time > 0), key=lambda pair: -pair[1])

    @property
    def busiest(self) -> str:
        return self.ordered[0][0]

    @property
    def share(self) -> float:
        """Of the span in which the busiest pipe works, 0..1."""
        return self.ordered[0][1] / self.span

    @property
    def bound(self) -> Bound:
        return bound_by(self.share)


def last_core(profile: Profile) -> CoreUse | None:
    """None if the file does not say how long pipes work. A timeline that is longer than its operator contradicts it:
    then the sums of the blocks are used, if there are any. It may take seconds for a large timeline."""
    line = profile.timeline
    if line is None or not has_pipes(line):
        return _of_block(last_of(profile))
    sums = _of_block(last_of(profile)) if longer(profile) is not None else None
    return sums or _of_timeline(time_model(profile).longest, line.seconds_per_unit)


def _of_timeline(core: CoreTime | None, seconds: float | None) -> CoreUse | None:
    if core is None or not core.busiest[1] > 0:
        return None
    scale = 1.0 if seconds is None else seconds
    work = {pipe: scale * time for pipe, time in core.work.items()}
    own = core.floor
    floor = Floor(scale * own.value, own.by, scale * own.head, scale * own.own, scale * own.tail)
    lane = core.lanes.lanes[core.busiest[0]][0]
    unit: Literal["s", "cycles"] = "cycles" if seconds is None else "s"
    return CoreUse(
        core.name, unit, scale * core.span, work, floor, "lanes", core.name, Selection("lane", (lane,)), core=core
    )


def _of_block(last: LastCore | None) -> CoreUse | None:
    """Its pipes may work at once, so the busiest is all that is known of the least that remains."""
    if last is None:
        return None
    block = int(last.own.block[last.row])
    name = tr("{core} of block {block}", block=block, core=last.own.title)
    pipe, own = max(last.work.items(), key=lambda pair: pair[1])
    return CoreUse(
        name,
        last.unit,
        last.span,
        last.work,
        Floor(own, pipe, own=own),
        last.own.table,
        str(block),
        selected_item("block", block),
        last.wait,
    )
