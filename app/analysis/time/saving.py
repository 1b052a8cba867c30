"""What would be saved if some slices took more or less time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.time.floors import best_chain, pool_floor
from app.analysis.time.graph import Graph
from app.analysis.time.model import TimeModel
from app.analysis.time.replay import replay
from app.analysis.timeline.statistics import holders
from app.profile.arrays import F64, I64, among, distinct
from app.profile.timeline import Timeline

_POOL: Final = re.compile(r"(AIC|AIV|AICPU|Fake Core)[ _-]?(\d{1,6})")
"""Lanes of task records: the core of a task is an assignment, not an order."""


class Change(Struct, frozen=True, eq=False):
    """``slices`` (int64), and what they hold, take ``factor`` times as long."""

    slices: I64
    factor: float


class Saving(Struct, frozen=True):
    """Times in the unit of the timeline. ``span``: as measured; ``estimate``: what a replay saves, negative where it
    takes longer; ``at_most``: what no schedule can exceed that keeps the dependencies and the order of lanes (of pools,
    only the dependencies), 0 where nothing gets shorter; ``error``: by how much the replay without a change misses the
    span; ``slices``: how many of the slices work."""

    span: float
    estimate: float
    at_most: float
    error: float
    slices: int


def saving(model: TimeModel, changes: Sequence[Change], look: Callable[[], None]) -> Saving:
    """If all ``changes`` were made; those of one slice multiply. Waiting follows from the rest. ``look`` is called at
    times, and may raise to stop. About two seconds for a million slices."""
    graph, span = model.graph, model.span
    factors, scaled = np.ones(len(graph)), np.zeros(len(graph), np.bool_)
    for change in changes:
        own = among(graph.slice, with_held(model.timeline, change.slices))
        factors[own] *= change.factor
        scaled |= own
        look()
    meant = distinct(np.concatenate([change.slices for change in changes]))
    works = graph.slice[scaled & graph.works & (graph.end > graph.start)]
    unchanged = replay(graph, look=look).span
    estimate = unchanged - replay(graph, factors, look=look).span
    most = _at_most(model, factors, look) if (factors < 1).any() else 0.0
    return Saving(span, estimate, most, abs(unchanged - span), int(np.count_nonzero(among(meant, works))))


def _at_most(model: TimeModel, factors: F64, look: Callable[[], None]) -> float:
    graph, span = model.graph, model.span
    pool = _pool(model.timeline, graph)
    if pool is not None:
        return max(span - pool_floor(_scaled(graph, factors), *pool).value, 0.0)
    shorter = float(((graph.end - graph.start) * np.maximum(1.0 - factors, 0.0)).sum())  # a path holds each once
    return max(min(span - replay(graph, factors, lags=False, look=look).span, shorter), 0.0)


def _pool(timeline: Timeline, graph: Graph) -> tuple[list[str], dict[str, int]] | None:
    """(the kind of core of each node, how many cores of each kind there are, by their highest number), if all lanes
    that hold anything are cores that tasks are put on; else None."""
    kinds: dict[int, str] = {}
    cores: dict[str, int] = {}
    for lane in distinct(graph.lane).tolist():
        match = _POOL.fullmatch(timeline.strings.get(int(timeline.lanes.thread[lane])))
        if match is None:
            return None
        kinds[lane] = match[1]
        cores[match[1]] = max(cores.get(match[1], 0), int(match[2]) + 1)
    return [kinds[lane] for lane in graph.lane.tolist()], cores


def _scaled(graph: Graph, factor: F64) -> Graph:
    """The graph with lengths multiplied: ends and releases follow, starts stay."""
    source = graph.source
    end = graph.start + (graph.end - graph.start) * factor
    release = graph.start[source] + (graph.release - graph.start[source]) * factor[source]
    return replace(graph, end=end, release=release)


def step_saving(timeline: Timeline, changes: Sequence[Change], span: float) -> Saving:
    """The same for steps, which run one after the other: the change of those that do not overlap."""
    meant = distinct(np.concatenate([change.slices for change in changes]))
    factor = np.ones(len(timeline.slices.start))
    for change in changes:
        factor[change.slices] *= change.factor
    start, length, of = timeline.slices.start[meant], timeline.slices.duration[meant], factor[meant]
    less, more = (best_chain(start, start + length, length * np.maximum(part, 0.0)) for part in (1.0 - of, of - 1.0))
    return Saving(span, less - more, less, 0.0, int(np.count_nonzero(length > 0)))


def with_held(timeline: Timeline, slices: I64) -> I64:
    """int64, rising: ``slices`` and all that they hold, at any depth."""
    held, holder = holders(timeline)
    inside = np.zeros(len(timeline.slices.start), np.bool_)
    inside[slices] = True
    fresh = held[inside[holder] & ~inside[held]]
    while len(fresh):
        inside[fresh] = True
        fresh = held[inside[holder] & ~inside[held]]
    return np.flatnonzero(inside)
