"""What would be saved if some slices took more or less time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from app.analysis.time.floors import best_chain
from app.analysis.time.model import TimeModel
from app.analysis.time.replay import replay
from app.analysis.timeline.statistics import holders
from app.profile.arrays import I64, among
from app.profile.timeline import Timeline


class Saving(Struct, frozen=True):
    """Times in the unit of the timeline. ``span``: as measured; ``estimate``: what a replay saves, negative where it
    takes longer; ``at_most``: what no schedule can exceed that keeps the dependencies and the order of lanes, 0 where
    it takes longer; ``error``: by how much the replay without a change misses the span; ``slices``: how many of the
    slices work."""

    span: float
    estimate: float
    at_most: float
    error: float
    slices: int


def saving(model: TimeModel, slices: I64, factor: float, look: Callable[[], None]) -> Saving:
    """If ``slices``, and what they hold, took ``factor`` times as long. Waiting follows from the rest. ``look`` is
    called at times, and may raise to stop. About two seconds for a million slices."""
    graph, span = model.graph, model.span
    scaled = among(graph.slice, with_held(model.timeline, slices))
    changed = int(np.count_nonzero(among(slices, graph.slice[scaled & graph.works & (graph.end > graph.start)])))
    factors = np.where(scaled, factor, 1.0)
    look()
    unchanged = replay(graph).span
    look()
    estimate = unchanged - replay(graph, factors).span
    look()
    most = 0.0
    if factor < 1:
        shorter = float(((graph.end - graph.start) * (1.0 - factors)).sum())  # a path holds each once, at most
        most = max(min(span - replay(graph, factors, lags=False).span, shorter), 0.0)
    return Saving(span, estimate, most, abs(unchanged - span), changed)


def step_saving(timeline: Timeline, slices: I64, factor: float, span: float) -> Saving:
    """The same for steps, which run one after the other: the change of those that do not overlap."""
    start, length = timeline.slices.start[slices], timeline.slices.duration[slices]
    change = best_chain(start, start + length, length * abs(1.0 - factor))
    saved = change if factor < 1 else -change
    return Saving(span, saved, max(saved, 0.0), 0.0, int(np.count_nonzero(length > 0)))


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
