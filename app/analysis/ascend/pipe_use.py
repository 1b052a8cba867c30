"""How active the pipes of each block were and how long they waited, as tables of the file have it."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.named_cells import named_cells
from app.profile.arrays import F64, I32, I64, Integers, distinct
from app.profile.ascend import MemoryTables, Workload
from app.profile.profile import Profile
from app.profile.strings import Strings

_ACTIVE: Final = "active rate(%)"
_CYCLES: Final = "cycle"
_WAIT: Final = "wait cycles"
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
    cells = named_cells(stored, lambda name: name.startswith("Pipe"), (_ACTIVE, _CYCLES, _WAIT))
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
    rows = np.flatnonzero(np.isin(workload.name, named) & workload.in_graph).astype(np.int64)
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
