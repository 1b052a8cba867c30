"""What would be saved if some slices took more or less time, or steps were balanced, as a record for programs and
pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.kinds import KINDS
from app.analysis.kinds.spec import Named
from app.analysis.poplar.overlaps import cycles_lost, shortened
from app.analysis.poplar.tile_content import NO_VARIABLES
from app.analysis.time.answers import BadChange, in_unit
from app.analysis.time.available import NO_CAUSES, why_not
from app.analysis.time.floors import best_chain, pool_floor
from app.analysis.time.graph import Graph, nothing, replay
from app.analysis.time.memory import Without, names_of_variables, without_variable
from app.analysis.time.model import TimeModel, looked_at
from app.analysis.time.path import WORK, RegisterTrust
from app.analysis.timeline.statistics import holders
from app.analysis.timeline.times import lane_slices
from app.language import tr
from app.profile.arrays import F64, I64, among, distinct
from app.profile.pipes import pipe_of, split_lane
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import Kind
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


LANE, PATTERN = "lane:", "re:"
NO_VARIABLES_BUT: Final[tuple[Kind, ...]] = ("category", "compute_set", "vertex_type", "exchange", "program", "step")
"""Kinds whose names may be given instead of that of a variable."""
MOST_NAMES: Final = 4096
"""Names that are looked at for a hint."""


class Estimate(Struct, frozen=True):
    """``estimate``: what a replay saves, negative where it takes longer; ``at_most``: an upper bound; in ``unit``."""

    estimate: float
    at_most: float
    unit: Literal["s", "cycles"]


class WhatIf(Struct, frozen=True):
    """A change: the span, that of the replay, what it saves; ``replay_error``: share of the span, 0..1, by which a
    replay without a change is off; ``slices``: how many it changes; ``lags``, ``inferred``: shares of the critical path
    that are gaps, in which unseen dependencies can hide, and whose cause the file does not state (None for steps);
    ``registers``: what rests on registers, None where they play no part.
    ``why``: why it is unknown, "" if it is not; the figures are None then."""

    span: float | None
    replayed: float | None
    saving: Estimate | None
    replay_error: float | None
    slices: int
    confidence: Literal["measured", "estimated"] = "estimated"
    lags: float | None = None
    inferred: float | None = None
    why: str = ""
    registers: RegisterTrust | None = None


def scaled(profile: Profile, factors: Mapping[str, float], look: Callable[[], None] = nothing) -> WhatIf:
    """Durations multiplied: by name (where none is called so, by a word of it), ``lane:NAME`` (a thread, a pipe, or
    process/thread) or ``re:PATTERN`` (found in names), with what these slices hold; several that fit one slice
    multiply. BadChange for what fits nothing that runs. ``look`` is called at times, and may raise to stop."""
    timeline, why = profile.timeline, why_not(profile)
    if timeline is None or (why and profile.steps is None):
        return _unknown(why)
    to, unit = in_unit(timeline)
    if profile.steps is not None:
        made = step_saving(timeline, _changes(timeline, factors), _cycles(profile, timeline))
        return _answer(made, 1.0, "cycles")
    model = looked_at(profile, look)
    if not model.has_dependencies:
        return _unknown(NO_CAUSES)
    made = saving(model, _changes(timeline, factors), look)
    lags = 1.0 - model.path.total(WORK) / model.span if model.span > 0 else 0.0
    return replace(_answer(made, to, unit, lags, model.inferred), registers=model.registers)


def _unknown(why: str) -> WhatIf:
    return WhatIf(None, None, None, None, 0, why=why)


def _cycles(profile: Profile, timeline: Timeline) -> float:
    cycles = profile.execution.cycles if profile.execution is not None else None
    return float(cycles or (timeline.slices.start + timeline.slices.duration).max(initial=0.0))


def _answer(
    made: Saving, to: float, unit: Literal["s", "cycles"], lags: float | None = None, inferred: float | None = None
) -> WhatIf:
    if not made.slices:
        raise BadChange(tr("nothing runs in these slices: their time follows from what they wait for"))
    error = made.error / made.span if made.span > 0 else 0.0
    own = Estimate(made.estimate * to, made.at_most * to, unit)
    return WhatIf(
        made.span * to, (made.span - made.estimate) * to, own, error, made.slices, "estimated", lags, inferred
    )


def _changes(timeline: Timeline, factors: Mapping[str, float]) -> list[Change]:
    return [Change(_chosen(timeline, selector), factor) for selector, factor in factors.items()]


def _chosen(timeline: Timeline, selector: str) -> I64:
    """int64: the slices that a selector means. BadChange for none."""
    if selector.startswith(LANE):
        wanted = selector.removeprefix(LANE)
        lanes = [lane for lane in range(len(timeline.lanes.thread)) if wanted in _lane_names(timeline, lane)]
        if not lanes:
            known = dict.fromkeys(
                name for lane in range(len(timeline.lanes.thread)) for name in _lane_names(timeline, lane)
            )
            raise BadChange(tr("no lane is named {name}; {hint}", name=wanted, hint=_hint(wanted, known, "lanes")))
        return lane_slices(timeline, np.array(lanes, np.int64))
    texts = distinct(timeline.slices.name)
    names = {text: timeline.strings.get(text) for text in texts.tolist()}
    if selector.startswith(PATTERN):
        try:
            pattern = re.compile(selector.removeprefix(PATTERN))
        except re.error as error:
            raise BadChange(tr("{text}: not a regular expression: {error}", text=selector, error=error)) from None
        fitting = [text for text, name in names.items() if pattern.search(name)]
        if not fitting:
            raise BadChange(tr("{text}: found in no name; {hint}", text=selector, hint=_listed("slice-statistics")))
    else:
        word = re.compile(rf"(?<!\w){re.escape(selector)}(?!\w)")
        fitting = [text for text, name in names.items() if name == selector]
        fitting = fitting or [text for text, name in names.items() if word.search(name)]
        if not fitting:
            hint = _lane_meant(timeline, selector) or _hint(selector, names.values(), "slice-statistics")
            raise BadChange(tr("no slice is named {name}; {hint}", name=selector, hint=hint))
    return np.flatnonzero(among(timeline.slices.name, fitting)).astype(np.int64)


def _lane_meant(timeline: Timeline, name: str) -> str:
    """What a selector has to be if a lane has that name, in whatever case; "" if none has."""
    lanes = (own for lane in range(len(timeline.lanes.thread)) for own in _lane_names(timeline, lane))
    meant = next((own for own in lanes if own.casefold() == name.casefold()), None)
    return "" if meant is None else tr("{lane} is a lane: {selector}", lane=meant, selector=f"{LANE}{meant}")


def _lane_names(timeline: Timeline, lane: int) -> tuple[str, ...]:
    """What a lane may be called: its thread, its pipe, its process and thread."""
    process, thread = (timeline.strings.get(int(ids[lane])) for ids in (timeline.lanes.process, timeline.lanes.thread))
    pipe = pipe_of(split_lane(thread)[0])
    return tuple(filter(None, (thread, pipe, f"{process}/{thread}", f"{process} / {thread}")))


def _hint(wanted: str, names: Iterable[str], table: str) -> str:
    known = sorted(names)[:MOST_NAMES]
    near = get_close_matches(wanted, known, 3) or [name for name in known if wanted.lower() in name.lower()][:3]
    return tr("did you mean {near}?", near=", ".join(near)) if near else _listed(table)


def _listed(table: str) -> str:
    return tr("the table {table} lists them", table=table)


def balanced(profile: Profile, step: str = "") -> WhatIf:
    """What a Poplar run saves at most if all tiles took the same time in computing steps, or in those named ``step``.
    BadChange for a name that no such step has."""
    steps = profile.steps
    cycles = profile.execution.cycles if profile.execution is not None else None
    if steps is None or not len(steps) or not cycles or cycles < 0:
        return _unknown(tr("The file has no steps of a Poplar run, or not its length."))
    rows, less = cycles_lost(steps, steps.tile_balance)
    if not len(rows):
        return _unknown(tr("No computing step has a tile balance."))
    if step:
        own = np.flatnonzero(among(steps.name[rows], steps.strings.find(step)))
        if not len(own):
            raise BadChange(_no_step(steps, rows, step))
        rows, less = rows[own], less[own]
    floor = shortened(steps, rows, less, float(cycles))
    saved = max(float(cycles) - floor.value, 0.0)
    confidence: Literal["measured", "estimated"] = "estimated" if floor.estimated else "measured"
    return WhatIf(float(cycles), floor.value, Estimate(saved, saved, "cycles"), 0.0, len(rows), confidence)


def _no_step(steps: Steps, rows: I64, step: str) -> str:
    names = {steps.strings.get(text) for text in distinct(steps.name[rows]).tolist()}
    return tr("no computing step is named {name}; {hint}", name=step, hint=_hint(step, names, "steps-by-name"))


def without(profile: Profile, variable: str) -> Without:
    """What memory needs at least without a variable of a Poplar graph. BadChange for one that the profile does not
    have."""
    names = names_of_variables(profile)
    if profile.tile_memory is None and not names:
        raise BadChange(tr("--without applies only to Poplar graphs: this file has no memory of tiles"))
    if not names:
        raise BadChange(NO_VARIABLES)
    if variable not in names:
        raise BadChange(_no_variable(profile, variable, names))
    return without_variable(profile, variable)


def _no_variable(profile: Profile, word: str, names: set[str]) -> str:
    """What a word is that is not the name of a variable, as far as the profile knows it."""
    hint = _hint(word, names, "variables")
    for kind in NO_VARIABLES_BUT:
        if any(_bears(named, word) for named in KINDS[kind].names(profile)):
            return tr(
                "--without takes the name of a variable, and {name} is something else ({kind}); {hint}",
                name=word,
                kind=KINDS[kind].one,
                hint=hint,
            )
    return tr("--without takes the name of a variable, and none is named {name}; {hint}", name=word, hint=hint)


def _bears(named: Named, word: str) -> bool:
    return any(len(named.bearing_one(text)) for text in named.strings.find(word).tolist())
