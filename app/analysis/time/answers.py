"""The critical path of a profile as a record for programs and pages; where there is none, what the file allows."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.poplar.overlaps import by_priority
from app.analysis.tables.timeline import lane_name
from app.analysis.time.available import NO_CAUSES, why_not
from app.analysis.time.graph import Graph, nothing, replay
from app.analysis.time.model import TimeModel, last_core, looked_at
from app.analysis.time.path import PARTS, WORK, Path, RegisterTrust, critical_path, register_trust
from app.analysis.time.waits import MARKS, path_causes
from app.language import joined, tr
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.profile.timeline import Timeline

WHOLE: Final = "timeline"
"""The scope of all lanes."""
_SUMS: Final = tr("By sums, the pipes of the core that ends last work as follows.")
_STEPS: Final = tr("By type, the steps fill the run as follows: what computes counts first, each cycle once.")


class BadChange(ValueError):
    """A scope or change that the profile does not have; the text says what it has."""


class PathParts(Struct, frozen=True):
    """What fills the span."""

    work: float
    data_wait: float
    resource_wait: float
    outside: float


class NameWork(Struct, frozen=True):
    """The work of all slices of a name on the critical path (of a pipe, or a type of steps, where there is no path);
    ``share``: of the span, 0..1."""

    name: str
    work: float
    share: float


class PathPiece(Struct, frozen=True):
    """A piece of the critical path: the slice (its row in the table slices) that works or waits, None outside; its
    lane; which part of the time it is; start and length; the slice that was waited for, None if unknown, with
    "(inferred)" or "(inferred from registers)" behind it where the file does not state it."""

    slice: int | None
    name: str | None
    lane: str | None
    part: Literal["work", "data_wait", "resource_wait", "outside"]
    start: float
    time: float
    cause: str | None


class CriticalPath(Struct, frozen=True):
    """The chain of work and waits that fills the span of ``scope`` (a core, or "timeline"). Times are in ``unit``;
    ``floor``: the least that remains if nothing waits longer than it must; ``replay_error`` and ``inferred``: shares of
    the span, 0..1, by which a replay of the unchanged schedule is off, and whose cause the file does not state.
    ``registers``: what rests on registers, None where they play no part. ``why``: why there is no path, "" if there is
    one; the figures that are unknown then are None."""

    span: float | None
    unit: Literal["s", "cycles"]
    scope: str
    parts: PathParts | None
    floor: float | None
    replay_error: float | None
    inferred: float | None
    by_name: tuple[NameWork, ...]
    path: tuple[PathPiece, ...]
    why: str = ""
    registers: RegisterTrust | None = None


def critical_path_of(profile: Profile, scope: str = "", look: Callable[[], None] = nothing) -> CriticalPath:
    """The path of the whole timeline, or of the core ``scope``. BadChange for a core that does not exist. A million
    slices take some seconds; ``look`` is called at times, and may raise to stop."""
    why = why_not(profile)
    if why or profile.timeline is None:
        return _without(profile, scope, why)
    model = looked_at(profile, look)
    if not model.has_dependencies:
        return _without(profile, scope, NO_CAUSES)
    graph, path, floor = _scoped(model, scope)
    to, unit = in_unit(profile.timeline)
    span = float(path.times.sum())
    unchanged = replay(graph, look=look).span
    return CriticalPath(
        span * to,
        unit,
        scope or WHOLE,
        PathParts(*(path.total(part) * to for part in range(len(PARTS)))),
        floor * to,
        abs(unchanged - span) / span if span > 0 else 0.0,
        float(path.times[path.inferred].sum()) / span if span > 0 else 0.0,
        _by_name(profile.timeline, graph, path, to),
        _pieces(profile.timeline, graph, path, to),
        registers=register_trust(graph, path),
    )


def in_unit(timeline: Timeline) -> tuple[float, Literal["s", "cycles"]]:
    """(what times of the timeline are multiplied by; their unit then)."""
    seconds = timeline.seconds_per_unit
    return (1.0, "cycles") if seconds is None else (seconds, "s")


def _without(profile: Profile, scope: str, why: str) -> CriticalPath:
    """What is known where there is no path: the work of pipes by sums, or how types of steps fill the run."""
    use, run = last_core(profile), by_priority(profile)
    if use is not None and scope in ("", WHOLE, use.name):
        names = tuple(NameWork(pipe, work, work / use.span) for pipe, work in use.ordered)
        text = joined(" ", (why, _SUMS))
        return CriticalPath(use.span, use.unit, use.name, None, use.floor.value, None, None, names, (), text)
    if run is not None and run.length > 0 and scope in ("", WHOLE):
        names = tuple(NameWork(kind, own, own / run.length) for kind, own in run.alone.items() if own > 0)
        text = joined(" ", (why, _STEPS))
        return CriticalPath(run.length, "cycles", WHOLE, None, None, None, None, names, (), text)
    return CriticalPath(None, "s", scope or WHOLE, None, None, None, None, (), (), why)


def _scoped(model: TimeModel, scope: str) -> tuple[Graph, Path, float]:
    if not scope or scope == WHOLE:
        return model.graph, model.path, model.floor
    for core in model.cores:
        if core.name == scope:
            return core.graph, critical_path(core.graph), core.floor.value
    names = [core.name for core in model.cores]
    if not names:
        raise BadChange(tr("--scope {scope}: the timeline has no cores with pipes", scope=scope))
    near = get_close_matches(scope, names, 3)
    if near:
        raise BadChange(tr("--scope {scope}: no such core; did you mean {near}?", scope=scope, near=", ".join(near)))
    raise BadChange(tr("--scope {scope}: no such core; there are {names}", scope=scope, names=", ".join(names[:8])))


def _by_name(timeline: Timeline, graph: Graph, path: Path, to: float) -> tuple[NameWork, ...]:
    works = np.flatnonzero(path.part == WORK)
    name = timeline.slices.name[graph.slice[path.node[works]]] + 1
    total = np.bincount(name, path.times[works])
    used = distinct(name)
    order = used[np.argsort(-total[used], kind="stable")].tolist()
    span = float(path.times.sum())
    return tuple(
        NameWork(timeline.strings.get(text - 1), float(total[text]) * to, float(total[text]) / span) for text in order
    )


def _pieces(timeline: Timeline, graph: Graph, path: Path, to: float) -> tuple[PathPiece, ...]:
    strings, names = timeline.strings, timeline.slices.name
    lanes = {lane: lane_name(timeline, lane) for lane in distinct(graph.lane[path.node[path.node >= 0]]).tolist()}
    cause, origin = path_causes(timeline, graph, path)
    columns = (path.node, path.part, path.start, path.times, cause, origin)
    made = []
    for node, part, start, time, other, known in zip(*(own.tolist() for own in columns), strict=True):
        index = int(graph.slice[node]) if node >= 0 else None
        made.append(
            PathPiece(
                index,
                None if index is None else strings.get(int(names[index])),
                None if index is None else lanes[int(graph.lane[node])],
                PARTS[part],
                start * to,
                time * to,
                None if other < 0 else strings.get(int(names[graph.slice[other]])) + MARKS[known],
            )
        )
    return tuple(made)
