"""Blocks of an Ascend operator as parts of its profile."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from app.analysis.ascend import launch
from app.analysis.parts.profile_part import PartList, ProfilePart
from app.analysis.parts.rows import taken_rows, typed_rows
from app.analysis.sorting import natural_order
from app.language import tr
from app.profile.arrays import F64, I64, Ragged, among, distinct, sealed
from app.profile.ascend import MemoryPaths, MemoryTables, Operator, TypedColumn, Workload
from app.profile.ascend_report import ReportTable
from app.profile.profile import Profile
from app.profile.strings import Strings, taken

_ID_COLUMNS: Final = ("block id", "block_id")


def blocks(profile: Profile) -> PartList:
    """The blocks of the operator that any of its tables names, with how long each ran."""
    names = natural_order(list(dict.fromkeys(name for name in _names(profile) if name)))
    amounts, unit = _durations(profile)
    parts = tuple(
        ProfilePart("block", name, tr("block {name}", name=name), amounts.get(name), unit if name in amounts else "")
        for name in names
    )
    return PartList("block", parts, tr("Blocks of the operator, with the duration of their longest sub-block."))


def sections(profile: Profile, name: str) -> dict[str, Any]:
    """The sections of block ``name``."""
    return {
        "operator": None if profile.operator is None else _operator(profile.operator, name),
        "workload": None if profile.workload is None else _workload(profile.workload, name),
        "memory_paths": None if profile.memory_paths is None else _memory_paths(profile.memory_paths, name),
        "memory_tables": None if profile.memory_tables is None else _memory_tables(profile.memory_tables, name),
        "report_tables": None
        if profile.report_tables is None
        else replace(
            profile.report_tables,
            tables=tuple(
                part for table in profile.report_tables.tables if (part := _report_table(table, name)) is not None
            ),
        ),
    }


def _names(profile: Profile) -> list[str]:
    names: list[str] = []
    if profile.operator is not None and _id_column(profile.operator.blocks) is not None:
        names += launch.block_names(profile.operator)
    if profile.workload is not None:
        names += taken(profile.workload.strings, distinct(profile.workload.block)).tolist()
    if profile.memory_paths is not None:
        names += taken(profile.memory_paths.strings, profile.memory_paths.blocks.block).tolist()
    if profile.memory_tables is not None:
        names += taken(profile.memory_tables.strings, profile.memory_tables.block_name).tolist()
    return names


def _durations(profile: Profile) -> tuple[dict[str, float], Any]:
    """The longest sub-block of each block, and the unit: durations of the block table, else cycles of its units."""
    if profile.operator is not None:
        stored = launch.of_blocks(profile.operator)
        known = _longest(list(launch.block_names(profile.operator)), stored)
        if known:
            return known, "" if launch.doubtful(profile.operator) else "µs"
    paths = profile.memory_paths
    if paths is None:
        return {}, ""
    return _longest(taken(paths.strings, paths.blocks.block).tolist(), paths.blocks.unit_total_cycles), "cycles"


def _longest(names: list[str], values: F64) -> dict[str, float]:
    longest: dict[str, float] = {}
    if values.size:
        for name, value in zip(names, np.fmax.reduce(values, axis=1).tolist(), strict=True):
            if value == value:
                longest[name] = max(value, longest.get(name, value))
    return longest


def _operator(operator: Operator, name: str) -> Operator:
    """Its own rows of the block table; the duration is that of the block, and how many were launched is no figure of
    one."""
    rows = np.array([row for row, own in enumerate(launch.block_names(operator)) if own == name], np.int64)
    stored = launch.of_blocks(operator)[rows]
    known = stored.size and not launch.doubtful(operator) and not np.isnan(stored).all()
    return replace(
        operator,
        blocks=_typed(operator.blocks, rows),
        duration_us=float(np.nanmax(stored)) if known else None,
        block_dim=None,
        mix_block_dim=None,
    )


def _typed(columns: tuple[TypedColumn, ...], rows: I64) -> tuple[TypedColumn, ...]:
    return tuple(typed_rows(column, rows) for column in columns)


def _id_column(columns: tuple[TypedColumn, ...]) -> TypedColumn | None:
    return next((column for column in columns if column.name.lower() in _ID_COLUMNS), None)


def _workload(workload: Workload, name: str) -> Workload:
    rows = _rows_named(workload.strings, workload.block, name)
    return taken_rows(workload, rows, ("graph_advice", "table_advice"))


def _memory_paths(paths: MemoryPaths, name: str) -> MemoryPaths:
    entries = _rows_named(paths.strings, paths.blocks.block, name)
    rows = np.flatnonzero(among(paths.entry, entries)).astype(np.int64)
    part = taken_rows(paths, rows, ("blocks",))
    return replace(
        part,
        entry=sealed(np.searchsorted(entries, part.entry).astype(np.int32)),
        blocks=taken_rows(paths.blocks, entries),
    )


def _memory_tables(tables: MemoryTables, name: str) -> MemoryTables:
    owners = _rows_named(tables.strings, tables.block_name, name)
    numbers = np.flatnonzero(among(tables.block, owners)).astype(np.int64)
    rows = Ragged(tables.first_row, tables.row_name).gather(numbers)
    columns = Ragged(tables.first_column, tables.column_name).gather(numbers)
    cells = Ragged(tables.first_cell, np.arange(len(tables.value), dtype=np.int64)).gather(numbers)
    return MemoryTables(
        strings=tables.strings,
        block_name=sealed(tables.block_name[owners]),
        block_type=sealed(tables.block_type[owners]),
        advice=tuple(tables.advice[owner] for owner in owners.tolist()),
        block=sealed(np.searchsorted(owners, tables.block[numbers]).astype(np.int32)),
        name=sealed(tables.name[numbers]),
        first_row=rows.first,
        row_name=sealed(rows.items.astype(np.int32, copy=False)),
        first_column=columns.first,
        column_name=sealed(columns.items.astype(np.int32, copy=False)),
        first_cell=cells.first,
        value=sealed(tables.value[cells.items]),
        text=sealed(tables.text[cells.items]),
    )


def _report_table(table: ReportTable, name: str) -> ReportTable | None:
    """The rows of the block; None for a table without blocks."""
    own = _id_column(table.columns)
    if own is None:
        return None
    rows = np.array([row for row, text in enumerate(_cells(own)) if text == name], np.int64)
    return replace(table, columns=_typed(table.columns, rows))


def _cells(column: TypedColumn) -> list[str]:
    values = column.of_core(0).tolist()
    if column.strings is not None:
        return [column.strings.get(value) for value in values]
    return [str(int(value)) if value == value and value >= 0 else "" for value in values]


def _rows_named(strings: Strings, ids: Any, name: str) -> I64:
    return np.flatnonzero(among(ids, strings.find(name))).astype(np.int64)
