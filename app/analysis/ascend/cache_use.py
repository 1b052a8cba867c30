"""How often the instruction cache misses, as files count it."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.named_cells import named_cells
from app.analysis.ascend.report_columns import column, weighted
from app.analysis.table import Unit
from app.analysis.tables.ascend_memory import block_number
from app.language import tr
from app.profile.arrays import distinct
from app.profile.ascend import MemoryTables
from app.profile.ascend_report import ReportTables
from app.profile.profile import Profile

_TABLE: Final = "Cache"
_ROW: Final = "icache total"
_SIDES: Final = {"aic": tr("miss rate of the cube cores"), "aiv": tr("miss rate of the vector cores")}


class CacheUse(Struct, frozen=True):
    """``share``: percent of the accesses that miss; ``parts``: (name, figure, unit); ``table`` and ``key``: the row
    that has them; ``block``: the number of the block with the most misses, -1 unknown."""

    share: float
    table: str
    key: str
    parts: tuple[tuple[str, float, Unit], ...]
    block: int = -1


def instruction_cache(profile: Profile) -> CacheUse | None:
    """From the counts of the memory tables, else from the miss rates of the report."""
    own = None if profile.memory_tables is None else _counted(profile.memory_tables)
    return own or (None if profile.report_tables is None else _rates(profile.report_tables))


def _counted(stored: MemoryTables) -> CacheUse | None:
    strings = stored.strings
    cells = named_cells(stored, lambda name: name == _TABLE, ("hit", "miss"))
    named = [row for row in distinct(cells.row).tolist() if strings.get(row).lower() == _ROW]
    rows = np.flatnonzero(np.isin(cells.row, named) & ~np.isnan(cells.values).any(axis=1))
    hits, misses = cells.values[rows].sum(axis=0).tolist()
    if hits + misses <= 0:
        return None
    most = int(rows[cells.values[rows, 1].argmax()])
    block = strings.get(int(cells.block[most]))
    parts: tuple[tuple[str, float, Unit], ...] = (
        (tr("hits of all blocks"), hits, ""),
        (tr("misses of all blocks"), misses, ""),
    )
    key = f"{block}/{strings.get(int(cells.row[most]))}"
    share = 100 * misses / (hits + misses)
    return CacheUse(share, f"memory-table/{_TABLE}", key, parts, block_number(block))


def _rates(tables: ReportTables) -> CacheUse | None:
    parts: list[tuple[str, float, Unit]] = []
    for side, label in _SIDES.items():
        rate = column(tables, "PipeUtilization", f"{side}_icache_miss_rate")
        mean = weighted(rate, column(tables, "PipeUtilization", f"{side}_total_cycles"))
        if mean is not None:
            parts.append((label, 100 * mean, "%"))
    if not parts:
        return None
    parts.sort(key=lambda part: -part[1])
    return CacheUse(parts[0][1], "report-table/PipeUtilization", "", tuple(parts))
