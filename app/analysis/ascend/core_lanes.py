"""The lanes of each Ascend core on a timeline, by pipe, and when its pipes work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.timeline.intervals import Spans, union
from app.analysis.timeline.pipes_only import MOST_NAMES, has_pipes, remark_names, work_lanes
from app.profile.arrays import I64, Bool, distinct, expand
from app.profile.pipes import core_of, pipe_of
from app.profile.timeline import Timeline

TRANSFERS: Final = ("MTE1", "MTE2", "MTE3", "FIXP")
COMPUTING: Final = ("CUBE", "VECTOR")
_WAIT: Final = re.compile(r"h?(wait_(flag|event)|try_wait)i?([._ ].*)?", re.IGNORECASE)


class CoreLanes(Struct, frozen=True):
    """``name`` of the core; ``lanes``: its lanes by the pipe that they are named after."""

    name: str
    lanes: dict[str, tuple[int, ...]]

    def of(self, pipes: Sequence[str]) -> list[int]:
        """The lanes of these pipes."""
        return [lane for pipe in pipes for lane in self.lanes.get(pipe, ())]

    @property
    def all(self) -> list[int]:
        return [lane for lanes in self.lanes.values() for lane in lanes]


def core_lanes(timeline: Timeline) -> list[CoreLanes]:
    """The cores with lanes of pipes, in the order of their lanes; empty for a timeline of anything else."""
    if not has_pipes(timeline):
        return []
    lanes, strings = timeline.lanes, timeline.strings
    texts = distinct(lanes.thread)[:MOST_NAMES].tolist()
    names = {text: strings.get(text) for text in texts}
    pipes = {text: pipe for text, name in names.items() if (pipe := pipe_of(name))}
    of_pipes = np.flatnonzero(np.isin(lanes.thread, list(pipes)) & work_lanes(timeline)).tolist()
    cores: dict[str, dict[str, list[int]]] = {}
    for lane in of_pipes:
        thread, process = int(lanes.thread[lane]), strings.get(int(lanes.process[lane]))
        core = core_of(names[thread])
        name = process if core == names[thread] else f"{process} {core}".strip()
        cores.setdefault(name, {}).setdefault(pipes[thread], []).append(lane)
    return [CoreLanes(name, {pipe: tuple(own) for pipe, own in parts.items()}) for name, parts in cores.items()]


def working(timeline: Timeline) -> Bool:
    """bool[slices]: those that have a length and are no flags, barriers and the like."""
    result: Bool = ~remark_names(timeline)[timeline.slices.name] & (timeline.slices.duration > 0)
    return result


def waits(timeline: Timeline) -> Bool:
    """bool[slices]: those in which a pipe waits for a flag or an event."""
    names = remark_names(timeline)
    for text in np.flatnonzero(names).tolist():
        names[text] = _WAIT.fullmatch(timeline.strings[text]) is not None
    result: Bool = names[timeline.slices.name] & (timeline.slices.duration > 0)
    return result


def slices_of(timeline: Timeline, lanes: Sequence[int], wanted: Bool | None = None) -> I64:
    """int64: the slices of these lanes; ``wanted`` (bool[slices]): only those count."""
    own, first = np.array(lanes, np.int64), timeline.slices.first
    rows = timeline.lanes.first_row
    index = expand(first[rows[own]], first[rows[own + 1]])
    return index if wanted is None else index[wanted[index]]


def spans_of(timeline: Timeline, index: I64) -> Spans:
    """When any of these slices runs."""
    start = timeline.slices.start[index]
    end = start + timeline.slices.duration[index]
    order = np.argsort(start, kind="stable")
    lasting = order[end[order] > start[order]]
    return union(start[lasting], end[lasting])
