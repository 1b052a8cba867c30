"""The pipe that works most, and how much of its work is beside that of other pipes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.core_lanes import CoreLanes, core_lanes, slices_of, spans_of, working
from app.analysis.ascend.pipe_use import PipeUse, pipe_use
from app.analysis.tables.ascend_memory import block_number
from app.analysis.timeline.intervals import Spans, overlap, union
from app.profile.arrays import Bool
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.timeline import Timeline

_MOST_CORES: Final = 4096
_LEFT_OUT: Final = ("FLOWCTRL", "CACHEMISS", "ALL", "USERMARK", "EVENT")
"""Lanes of a core that are no pipes."""


class Busiest(Struct, frozen=True):
    """``pipe`` of ``unit``; ``least`` and ``most`` percent active over the blocks or cores; ``beside``: percent of its
    work during which another pipe works, None if that is not known. ``selection``: a place that shows it."""

    pipe: str
    unit: str
    least: float
    most: float
    beside: float | None
    selection: Selection | None


def busiest(profile: Profile) -> Busiest | None:
    """By the timeline of pipes, else by the tables of pipes; None without both."""
    line = profile.timeline
    cores = [] if line is None else core_lanes(line)[:_MOST_CORES]
    made = None if line is None or not cores else _on_timeline(line, cores)
    return made or _in_tables(pipe_use(profile))


def _on_timeline(line: Timeline, cores: list[CoreLanes]) -> Busiest | None:
    wanted = working(line)
    shares: dict[str, list[tuple[float, float, float, int]]] = {}
    for core in cores:
        pipes = {pipe: _spans(line, lanes, wanted) for pipe, lanes in core.lanes.items() if pipe not in _LEFT_OUT}
        pipes = {pipe: own for pipe, own in pipes.items() if len(own)}
        if not pipes:
            continue
        start, end = min(own.start[0] for own in pipes.values()), max(own.end[-1] for own in pipes.values())
        for pipe, own in pipes.items():
            others = _any_of(other for name, other in pipes.items() if name != pipe)
            beside = overlap(own, others).total
            lane = core.lanes[pipe][0]
            shares.setdefault(pipe, []).append((100 * own.total / float(end - start), own.total, beside, lane))
    if not shares:
        return None
    pipe, of_cores = max(shares.items(), key=lambda pair: float(np.mean([share for share, *_ in pair[1]])))
    active = [share for share, *_ in of_cores]
    total = sum(length for _, length, _, _ in of_cores)
    lane = max(of_cores)[3]
    beside = 100 * sum(part for _, _, part, _ in of_cores) / total
    return Busiest(pipe, "", min(active), max(active), beside, Selection("lane", (lane,)))


def _spans(line: Timeline, lanes: tuple[int, ...], wanted: Bool) -> Spans:
    return spans_of(line, slices_of(line, lanes, wanted))


def _any_of(several: Iterable[Spans]) -> Spans:
    parts = list(several)
    if not parts:
        return Spans(np.empty(0), np.empty(0))
    start, end = np.concatenate([own.start for own in parts]), np.concatenate([own.end for own in parts])
    order = np.argsort(start, kind="stable")
    return union(start[order], end[order])


def _in_tables(uses: list[PipeUse]) -> Busiest | None:
    known = [use for use in uses if use.mean == use.mean]
    if not known:
        return None
    use = max(known, key=lambda own: own.mean)
    row = int(np.nanargmax(use.active))
    selection = selected_item("block", block_number(use.block_name(row)))
    return Busiest(use.pipe, use.unit, float(np.nanmin(use.active)), float(np.nanmax(use.active)), None, selection)
