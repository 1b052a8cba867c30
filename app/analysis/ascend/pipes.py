"""The pipes of each core: their lanes on a timeline, how active they were and how long they waited by the tables of
the file, and which works most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.unit_use import named_cells
from app.analysis.timeline.intervals import Spans, union
from app.analysis.timeline.pipes import MOST_NAMES, has_pipes, remark_names, work_lanes
from app.profile.arrays import F64, I32, I64, Bool, Integers, among, distinct, expand
from app.profile.ascend import MemoryTables, Workload
from app.profile.pipes import core_of, pipe_of
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.timeline import Timeline

TRANSFERS: Final = ("MTE1", "MTE2", "MTE3", "FIXP")
COMPUTING: Final = ("CUBE", "VECTOR")
NO_PIPES: Final = ("FLOWCTRL", "CACHEMISS", "ALL", "USERMARK", "EVENT")
"""Lanes of a core that are no pipes."""


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
    of_pipes = np.flatnonzero(among(lanes.thread, list(pipes)) & work_lanes(timeline)).tolist()
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


_ACTIVE: Final = "active rate(%)"
_CYCLES: Final = "cycle"
_WAIT_CYCLES: Final = "wait cycles"
_PIPES: Final = {
    **dict.fromkeys(("mte1", "mte2", "mte3", "fixp", "scalar", "vector", "cube"), ""),
    "fixpipe": "FIXP",
    "vec": "Vector",
}


class PipeUse(Struct, frozen=True, eq=False):
    """One pipe of one kind of sub-core, over all blocks: float64[blocks] each, NaN for no data. ``table``: id of the
    table that has the figures; ``unit``: the sub-core ("Cube", "Vector Core0"), as the file names it; ``active``:
    percent of the cycles of the sub-core; ``cycles``, ``wait``: cycles; ``block``: int32, ids of their names in
    ``strings``."""

    table: str
    unit: str
    pipe: str
    block: I32
    strings: Strings
    active: F64
    cycles: F64
    wait: F64

    def block_name(self, row: int) -> str:
        return self.strings.get(int(self.block[row]))

    @property
    def mean(self) -> float:
        """The mean of the active rates."""
        known = self.active[~np.isnan(self.active)]
        return float(known.mean()) if len(known) else float("nan")

    @property
    def whole(self) -> F64:
        """float64[blocks]: all cycles of the sub-core: the pipe's cycles over its active rate."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.active > 0, 100.0 * self.cycles / self.active, np.nan)


def pipe_use(profile: Profile) -> list[PipeUse]:
    """Of the memory tables named "Pipe", else of the shares of the compute workload; empty if there is neither."""
    made = [] if profile.memory_tables is None else _of_tables(profile.memory_tables)
    return made or ([] if profile.workload is None else _of_workload(profile, profile.workload))


def _of_tables(stored: MemoryTables) -> list[PipeUse]:
    """The rows of all tables that have active rates, grouped by the names of table and row."""
    strings = stored.strings
    cells = named_cells(stored, lambda name: name.startswith("Pipe"), (_ACTIVE, _CYCLES, _WAIT_CYCLES))
    made = []
    for part in _parts(cells.name, cells.row):
        title, pipe = strings.get(int(cells.name[part[0]])), strings.get(int(cells.row[part[0]]))
        active, cycles, wait = cells.values[part].T
        unit = title.removeprefix("Pipe").strip()
        made.append(PipeUse(f"memory-table/{title}", unit, pipe, cells.block[part], strings, active, cycles, wait))
    return made


def _parts(*keys: Integers) -> list[I64]:
    """The rows of each set of equal keys."""
    if not len(keys[0]):
        return []
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order) - 1, np.bool_)
    for key in keys:
        new |= key[order][1:] != key[order][:-1]
    return np.split(order, np.flatnonzero(new) + 1)


def _of_workload(profile: Profile, workload: Workload) -> list[PipeUse]:
    """Shares of cycles that are named after a pipe."""
    strings = workload.strings
    named = [text for text in distinct(workload.name).tolist() if strings.get(text).lower() in _PIPES]
    rows = np.flatnonzero(among(workload.name, named) & workload.in_graph).astype(np.int64)
    percents = formulas.shares(profile, rows)
    made = []
    for part in _parts(workload.sub_block[rows], workload.name[rows]):
        own = rows[part]
        pipe, unit = (strings.get(int(ids[own[0]])) for ids in (workload.name, workload.sub_block))
        none = np.full(len(own), np.nan)
        shown = _PIPES[pipe.lower()] or pipe
        made.append(
            PipeUse("workload", unit, shown, workload.block[own], strings, percents[part], workload.cycles[own], none)
        )
    return made
