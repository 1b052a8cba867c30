"""How active the pipes of each block were and how long they waited, as tables of the file have it."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend import workload as formulas
from app.profile.arrays import F64
from app.profile.memory_tables import MemoryTables
from app.profile.profile import Profile
from app.profile.workload import Workload

_ACTIVE: Final = "active rate(%)"
_CYCLES: Final = "cycle"
_WAIT: Final = "wait cycles"
_PIPES: Final = {
    **dict.fromkeys(("mte1", "mte2", "mte3", "fixp", "scalar", "vector", "cube"), ""),
    "fixpipe": "FIXP",
    "vec": "Vector",
}
_WITHOUT_COLUMNS: Final = "(column "
"""How the columns of a row begin that has more values than titles: its values are not those of the titles."""


class PipeUse(Struct, frozen=True):
    """One pipe of one kind of sub-core, over all blocks: float64[blocks] each, NaN for no data. ``table``: id of the
    table that has the figures; ``unit``: the sub-core ("Cube", "Vector Core0"), as the file names it; ``active``:
    percent of the cycles of the sub-core; ``cycles``, ``wait``: cycles; ``blocks``: their names."""

    table: str
    unit: str
    pipe: str
    blocks: tuple[str, ...]
    active: F64
    cycles: F64
    wait: F64

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
    named = [text for text in np.unique(stored.name).tolist() if strings.get(text).startswith("Pipe")]
    groups: dict[tuple[int, int], list[tuple[str, float, float, float]]] = {}
    for number in np.flatnonzero(np.isin(stored.name, named)).tolist():
        for row, cells in _rows(stored, number):
            groups.setdefault((int(stored.name[number]), row), []).append(cells)
    made = []
    for (name, row), own in groups.items():
        title = strings.get(name)
        blocks = tuple(cells[0] for cells in own)
        active, cycles, wait = np.array([cells[1:] for cells in own], np.float64).T
        unit = title.removeprefix("Pipe").strip()
        made.append(PipeUse(f"memory-table/{title}", unit, strings.get(row), blocks, active, cycles, wait))
    return made


def _rows(stored: MemoryTables, number: int) -> list[tuple[int, tuple[str, float, float, float]]]:
    """(text id of the row, (block, active rate, cycles, waits)) of a table."""
    strings = stored.strings
    titles = stored.column_name[stored.first_column[number] : stored.first_column[number + 1]].tolist()
    columns = [strings.get(title) for title in titles]
    if _ACTIVE not in columns or columns[-1].startswith(_WITHOUT_COLUMNS):
        return []
    first, last = stored.first_cell[number : number + 2].tolist()
    cells = stored.value[first:last].reshape(-1, len(columns))
    rows = stored.row_name[stored.first_row[number] : stored.first_row[number + 1]].tolist()
    block = strings.get(int(stored.block_name[stored.block[number]]))
    places = [columns.index(title) if title in columns else -1 for title in (_ACTIVE, _CYCLES, _WAIT)]
    figures = np.full((len(rows), len(places)), np.nan)
    for column, place in enumerate(places):
        if place >= 0:
            figures[:, column] = cells[:, place]
    return [
        (row, (block, active, cycles, wait)) for row, (active, cycles, wait) in zip(rows, figures.tolist(), strict=True)
    ]


def _of_workload(profile: Profile, workload: Workload) -> list[PipeUse]:
    """Shares of cycles that are named after a pipe."""
    strings = workload.strings
    named = [text for text in np.unique(workload.name).tolist() if strings.get(text).lower() in _PIPES]
    rows = np.flatnonzero(np.isin(workload.name, named) & workload.in_graph).astype(np.int64)
    percents = formulas.shares(profile, rows)
    keys = np.stack((workload.sub_block[rows], workload.name[rows]), axis=1)
    pairs, of = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(of.reshape(-1), kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of.reshape(-1), minlength=len(pairs)))[:-1]) if len(pairs) else []
    made = []
    for (unit, name), part in zip(pairs.tolist(), parts, strict=True):
        pipe, own = strings.get(name), rows[part]
        made.append(
            PipeUse(
                "workload",
                strings.get(unit),
                _PIPES[pipe.lower()] or pipe,
                tuple(strings.get(text) for text in workload.block[own].tolist()),
                percents[part],
                workload.cycles[own],
                np.full(len(own), np.nan),
            )
        )
    return made
