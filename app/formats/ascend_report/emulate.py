"""Sections from the tables of an emulated run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.formats.ascend_report.executed import MOST_CELLS
from app.formats.ascend_report.metric_rows import numbers_of, spelled_alike, texts_of
from app.formats.events import Sink
from app.language import tr
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend import PERCENT_UNIT, Instructions, TypedColumn, Workload
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from app.profile.profile import Section
from app.profile.strings import Interner, Strings, taken

EXECUTED, PIPES = "ExecutedInstructions", "PipeUtilizationHist"


def sections(tables: Mapping[str, ReportTable], sink: Sink) -> list[Section]:
    """The Instructions of ExecutedInstructions, and the Workload of PipeUtilizationHist (Ascend operator reports,
    sections 3 and 6). The other tables of an emulated run remain tables. ``tables``: by name."""
    made: list[Section] = []
    if EXECUTED in tables:
        instructions = _instructions(tables[EXECUTED], tables, sink)
        if instructions is not None:
            made.append(instructions)
    if PIPES in tables:
        workload = _workload(tables[PIPES])
        if workload is not None:
            made.append(workload)
    return made


def _instructions(table: ReportTable, tables: Mapping[str, ReportTable], sink: Sink) -> Instructions | None:
    """One row per address and name, with the number of executions and the sum of their cycles on each core. None, with
    an Issue, where there are too many of both."""
    address, start, end = (
        _numbers(table, title) for title in ("SourceInstrAddr", "ExecInstrTickStart", "ExecInstrTickEnd")
    )
    if address is None or not table.rows:
        return None
    strings = Interner()
    at: I64 = np.where(np.isnan(address), -1, address).astype(np.int64)
    name = _ids(table, "ExecInstrName", strings)
    pipe = _named(table, "InstrTypeId", tables, "InstrTypes", strings)
    core, cores = _cores(table, tables)
    distinct, first, row = np.unique(
        np.stack((at, name.astype(np.int64)), axis=1), axis=0, return_index=True, return_inverse=True
    )
    if len(distinct) * len(cores) > MOST_CELLS:
        text = tr(
            "{rows:,} instructions on {cores:,} cores are listed only as a table", rows=len(distinct), cores=len(cores)
        )
        sink(Issue("warning", table.file, text))
        return None
    row = row.reshape(-1)
    cell = row * len(cores) + core
    count = np.bincount(cell, minlength=len(distinct) * len(cores)).reshape(len(distinct), len(cores))
    columns = [TypedColumn("Instructions Executed", "int", sealed(np.where(count, count, -1).astype(np.int64)))]
    if start is not None and end is not None:
        spent = np.bincount(cell, np.nan_to_num(end - start), len(distinct) * len(cores)).reshape(count.shape)
        columns.append(TypedColumn("Cycles", "float", sealed(np.where(count, spent, np.nan))))
    columns += _parameters(table, first)
    return Instructions(
        cores=cores,
        address=sealed(distinct[:, 0]),
        by_address=sealed(np.arange(len(distinct), dtype=np.int64)),
        pipe=sealed(pipe[first]),
        text=sealed(name[first]),
        file=sealed(np.full(len(distinct), -1, np.int32)),
        line=sealed(np.full(len(distinct), -1, np.int32)),
        by_inner_code=False,
        columns=tuple(columns),
        strings=strings.strings(),
    )


def _parameters(table: ReportTable, first: I64) -> list[TypedColumn]:
    """The operands of the first execution of each instruction."""
    column = _column(table, "ExecInstrParams")
    if column is None or column.strings is None:
        return []
    texts = taken(column.strings, column.of_core(0)[first])
    ids: I32 = np.where(column.of_core(0)[first] >= 0, np.arange(len(first)), -1).astype(np.int32)
    return [TypedColumn("Operands", "text", sealed(ids.reshape(-1, 1)), texts)]


def _cores(table: ReportTable, tables: Mapping[str, ReportTable]) -> tuple[I64, tuple[str, ...]]:
    """(int64[rows] index of the core, the names of the cores)."""
    number, kind = _numbers(table, "ExecInstrCoreId"), _numbers(table, "CoreTypeId")
    nothing = np.full(table.rows, -1.0)
    pairs = np.stack([np.nan_to_num(nothing if one is None else one, nan=-1.0) for one in (number, kind)], axis=1)
    distinct, index = np.unique(pairs, axis=0, return_inverse=True)
    types = _names(tables.get("CoreTypes"))
    names = []
    for core, code in distinct.tolist():
        kind_name = types.get(int(code), f"type {int(code)}" if code >= 0 else "")
        names.append(" ".join(word for word in (f"core{int(core)}" if core >= 0 else "", kind_name) if word) or "ALL")
    return index.reshape(-1).astype(np.int64), tuple(names)


def _workload(table: ReportTable) -> Workload | None:
    """One share per pipe of a core; ``Utilization`` is a fraction."""
    columns = [_column(table, title) for title in ("PipeName", "CoreName")]
    utilization = _numbers(table, "Utilization")
    if utilization is None or columns[0] is None:
        return None
    strings = Interner()
    known = np.flatnonzero(~np.isnan(utilization))
    pipe = [strings(text) for text in texts_of(columns[0], table.rows)]
    cores = [""] * table.rows if columns[1] is None else texts_of(columns[1], table.rows)
    core: I32 = np.array([strings(text or "NA") for text in cores], np.int32)[known]
    return Workload(
        block=sealed(core),
        sub_block=sealed(core),
        name=sealed(np.array(pipe, np.int32)[known]),
        unit=sealed(np.full(len(known), PERCENT_UNIT, np.int32)),
        value=sealed(100.0 * utilization[known]),
        cycles=sealed(np.full(len(known), np.nan)),
        item_advice=sealed(np.full(len(known), -1, np.int32)),
        in_graph=sealed(np.ones(len(known), np.bool_)),
        strings=strings.strings(),
    )


def _column(table: ReportTable, title: str) -> TypedColumn | None:
    wanted = spelled_alike(title)
    return next((column for column in table.columns if spelled_alike(column.name) == wanted), None)


def _numbers(table: ReportTable, title: str) -> F64 | None:
    column = _column(table, title)
    return None if column is None else numbers_of(column)


def _ids(table: ReportTable, title: str, strings: Interner) -> I32:
    """int32[rows]: ids of a column of texts in ``strings``, -1 without one."""
    column = _column(table, title)
    if column is None:
        return np.full(table.rows, -1, np.int32)
    texts = column.strings if column.strings is not None else Strings.of(texts_of(column, table.rows))
    ids = column.of_core(0) if column.strings is not None else np.arange(table.rows)
    return np.array([*map(strings, texts), -1], np.int32)[ids]


def _named(table: ReportTable, title: str, tables: Mapping[str, ReportTable], names: str, strings: Interner) -> I32:
    """int32[rows]: ids of the names of the codes in a column, as the table ``names`` has them; else of the codes."""
    codes = _numbers(table, title)
    if codes is None:
        return np.full(table.rows, -1, np.int32)
    known = _names(tables.get(names))
    distinct, place = np.unique(np.nan_to_num(codes, nan=-1.0), return_inverse=True)
    ids = [strings(known.get(int(code), str(int(code)))) if code >= 0 else -1 for code in distinct.tolist()]
    return np.array(ids, np.int32)[place.reshape(-1)]


def _names(table: ReportTable | None) -> dict[int, str]:
    """A table of codes and names: the first column of numbers and the first of texts."""
    if table is None:
        return {}
    code = next((column for column in table.columns if column.strings is None), None)
    name = next((column for column in table.columns if column.strings is not None), None)
    if code is None or name is None:
        return {}
    pairs = zip(numbers_of(code).tolist(), texts_of(name, table.rows), strict=True)
    return {int(number): text for number, text in pairs if number == number and text}
