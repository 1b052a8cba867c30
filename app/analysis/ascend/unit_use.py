"""Misses of the instruction cache and conflicts of vector instructions, as tables of files and reports count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.launch import block_number
from app.analysis.ascend.workload import INSTRUCTIONS
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, I32, I64, among, distinct, expand
from app.profile.ascend import MemoryTables, column_named
from app.profile.ascend_report import ReportTables
from app.profile.profile import Profile


def column(tables: ReportTables, name: str, title: str) -> F64 | None:
    """float64[rows]: the figures of a column; None without it."""
    table = tables.named_like(name)
    wanted = title.lower()
    for own in table.columns if table is not None else ():
        if own.name.lower() == wanted and own.strings is None:
            return own.of_core(0)
    return None


def weighted(values: F64 | None, weight: F64 | None) -> float | None:
    """The mean of ``values``, weighted (float64[rows] each); None if nothing is known."""
    if values is None or weight is None or values.size != weight.size:
        return None
    known = ~np.isnan(values) & ~np.isnan(weight) & (weight > 0)
    return float((values[known] * weight[known]).sum() / weight[known].sum()) if known.any() else None


_UNTITLED: Final = "(column "
"""How the last title begins where rows have more values than titles: their values are not those of the titles."""


class NamedCells(Struct, frozen=True, eq=False):
    """One entry for each row of the tables. ``name``, ``row``, ``block``: int32, text ids of the table, of the row and
    of the block; ``values``: float64[rows, titles], NaN for no data and for columns that a table lacks."""

    name: I32
    row: I32
    block: I32
    values: F64


def named_cells(stored: MemoryTables, wanted: Callable[[str], bool], titles: Sequence[str]) -> NamedCells:
    """The rows of the tables whose name is ``wanted`` and that have the first of these columns."""
    strings = stored.strings
    named = [text for text in distinct(stored.name).tolist() if wanted(strings.get(text))]
    tables = np.flatnonzero(among(stored.name, named))
    parts = [
        _cells(stored, own, [columns.index(title) if title in columns else -1 for title in titles], len(columns))
        for columns, own in _by_columns(stored, tables)
        if titles[0] in columns and not columns[-1].startswith(_UNTITLED)
    ]
    if not parts:
        none = np.empty(0, np.int32)
        return NamedCells(none, none, none, np.empty((0, len(titles))))
    return NamedCells(
        np.concatenate([part.name for part in parts]),
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.block for part in parts]),
        np.concatenate([part.values for part in parts]),
    )


def _by_columns(stored: MemoryTables, tables: I64) -> Iterator[tuple[list[str], I64]]:
    """(titles, tables) of the tables that have the same columns."""
    widths = np.diff(stored.first_column)[tables]
    for width in distinct(widths).tolist():
        own = tables[widths == width]
        if not width:
            continue
        codes = stored.column_name[stored.first_column[own][:, None] + np.arange(width)]
        for first, of in _groups(codes):
            yield [stored.strings.get(code) for code in codes[first].tolist()], own[of]


def _groups(codes: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> Iterator[tuple[int, I64]]:
    """(first, all) rows of each set of equal rows."""
    order = np.lexsort(codes.T[::-1])
    new = np.flatnonzero((np.diff(codes[order], axis=0) != 0).any(axis=1)) + 1
    for part in np.split(order, new):
        yield int(part[0]), part


def _cells(stored: MemoryTables, tables: I64, places: Sequence[int], width: int) -> NamedCells:
    counts = stored.first_row[tables + 1] - stored.first_row[tables]
    rows = expand(stored.first_row[tables], stored.first_row[tables + 1])
    owner = np.repeat(np.arange(len(tables)), counts)
    within = rows - stored.first_row[tables][owner]
    begin = stored.first_cell[tables][owner] + within * width
    values = np.full((len(rows), len(places)), np.nan)
    for column, place in enumerate(places):
        if place >= 0:
            values[:, column] = stored.value[begin + place]
    block = stored.block_name[stored.block[tables]][owner]
    return NamedCells(stored.name[tables][owner], stored.row_name[rows], block, values)


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
    rows = np.flatnonzero(among(cells.row, named) & ~np.isnan(cells.values).any(axis=1))
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


_ALL_ACTIVE: Final = ("all_active", "vector all active")
_CONFLICTS: Final = (
    "bank group conflict block",
    "bank conflict block",
    "valu resource conflict block",
    "mte urgent request block",
)
_RATIOS: Final = {
    "bankgroup": tr("bank group conflicts"),
    "bank": tr("bank conflicts"),
    "resc": tr("resource conflicts"),
    "mte": tr("conflicts with transfers"),
    "stu": tr("conflicts of the store unit"),
    "ldu": tr("conflicts of the load unit"),
    "sfu": tr("conflicts of the special function unit"),
}
_UB: Final = ("UB Read Conflict", "UB Write Conflict")


class Conflicts(Struct, frozen=True):
    """``share``: percent of ``of``; ``parts``: the kinds with their figures (in ``unit``), largest first; ``table``:
    where they are; ``block``: the number of the block with the most, -1 unknown; ``of_cycles``: whether it is a share
    of the cycles of the core."""

    share: float
    of: str
    table: str
    unit: Unit
    parts: tuple[tuple[str, float], ...]
    block: int = -1
    of_cycles: bool = False


def conflicts(profile: Profile) -> Conflicts | None:
    """Those of the first source that has any figures: compute workload, table of the report, instructions."""
    return _of_workload(profile) or _of_report(profile) or _of_instructions(profile)


def _of_workload(profile: Profile) -> Conflicts | None:
    own = profile.workload
    if own is None:
        return None
    names = {text: own.strings.get(text) for text in distinct(own.name).tolist()}
    counted = (own.unit == INSTRUCTIONS) & ~own.in_graph & ~np.isnan(own.value)
    active = counted & among(own.name, [text for text, name in names.items() if name.lower() in _ALL_ACTIVE])
    total = float(own.value[active].sum())
    kinds = {text: name for text, name in names.items() if name.lower().removeprefix("vector ") in _CONFLICTS}
    if total <= 0 or not kinds:
        return None
    sums = {name: float(own.value[counted & (own.name == text)].sum()) for text, name in kinds.items()}
    rows = np.flatnonzero(counted & among(own.name, list(kinds)))
    block = own.strings.get(int(own.block[rows[own.value[rows].argmax()]])) if len(rows) else ""
    parts = tuple(sorted(sums.items(), key=lambda pair: -pair[1]))
    share = 100 * sum(sums.values()) / total
    return Conflicts(share, tr("the vector instructions"), "workload", "", parts, block_number(block))


def _of_report(profile: Profile) -> Conflicts | None:
    tables = profile.report_tables
    weight = None if tables is None else column(tables, "ResourceConflictRatio", "aiv_total_cycles")
    if tables is None or weight is None:
        return None
    found = [
        (label, 100 * share)
        for name, label in _RATIOS.items()
        if (share := weighted(column(tables, "ResourceConflictRatio", f"aiv_vec_{name}_cflt_ratio"), weight))
        is not None
    ]
    if not found:
        return None
    parts = tuple(sorted(found, key=lambda pair: -pair[1]))
    whole = weighted(column(tables, "ResourceConflictRatio", "aiv_vec_total_cflt_ratio"), weight)
    share = sum(part for _, part in parts) if whole is None else 100 * whole
    return Conflicts(
        share, tr("the cycles of the vector cores"), "report-table/ResourceConflictRatio", "%", parts, of_cycles=True
    )


def _of_instructions(profile: Profile) -> Conflicts | None:
    code = profile.instructions
    executed = None if code is None else column_named(code.columns, "Instructions Executed")
    if code is None or executed is None or not executed.numeric:
        return None
    parts, met = [], np.zeros(len(code.address), np.bool_)
    for name in _UB:
        own = column_named(code.columns, name)
        if own is not None and own.numeric:
            values = own.values.astype(np.float64)
            known = np.isfinite(values) & (values >= 0)
            met |= known.any(axis=1)
            parts.append((name, float(values[known].sum())))
    runs = executed.values[met].astype(np.float64)
    total = float(runs[runs > 0].sum())
    if not parts or total <= 0:
        return None
    share = 100 * sum(value for _, value in parts) / total
    ordered = tuple(sorted(parts, key=lambda pair: -pair[1]))
    return Conflicts(share, tr("the executed instructions that can have conflicts"), "instructions", "", ordered)
