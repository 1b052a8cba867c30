"""How often the instruction cache misses, as files count it."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.report_columns import column, weighted
from app.analysis.table import Unit
from app.analysis.tables.ascend_memory import block_number
from app.language import tr
from app.profile.memory_tables import MemoryTables
from app.profile.profile import Profile
from app.profile.report_tables import ReportTables

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
    named = [text for text in np.unique(stored.name).tolist() if strings.get(text) == _TABLE]
    hits = misses = most = 0.0
    block = key = ""
    for number in np.flatnonzero(np.isin(stored.name, named)).tolist():
        for row, hit, miss in _rows(stored, number):
            hits, misses = hits + hit, misses + miss
            if miss >= most:
                most, block, key = miss, strings.get(int(stored.block_name[stored.block[number]])), row
    if hits + misses <= 0:
        return None
    parts: tuple[tuple[str, float, Unit], ...] = (
        (tr("hits of all blocks"), hits, ""),
        (tr("misses of all blocks"), misses, ""),
    )
    share = 100 * misses / (hits + misses)
    return CacheUse(share, f"memory-table/{_TABLE}", f"{block}/{key}", parts, block_number(block))


def _rows(stored: MemoryTables, number: int) -> list[tuple[str, float, float]]:
    """(name, hits, misses) of the rows of the instruction cache in a table."""
    strings = stored.strings
    titles = stored.column_name[stored.first_column[number] : stored.first_column[number + 1]].tolist()
    columns = [strings.get(title) for title in titles]
    if "hit" not in columns or "miss" not in columns:
        return []
    cells = stored.value[stored.first_cell[number] : stored.first_cell[number + 1]].reshape(-1, len(columns))
    hit, miss = cells[:, columns.index("hit")], cells[:, columns.index("miss")]
    rows = stored.row_name[stored.first_row[number] : stored.first_row[number + 1]].tolist()
    names = [strings.get(row) for row in rows]
    return [
        (name, float(hit[row]), float(miss[row]))
        for row, name in enumerate(names)
        if name.lower() == _ROW and not np.isnan(hit[row] + miss[row])
    ]


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
