"""Sections from the tables of simulated and emulated runs: instructions and source lines of the simulator's cores, and
step curves as counters of the timeline (Ascend operator reports)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_report.operator import cells
from app.formats.ascend_report.tables import numbers_of, spelled_alike, texts_of
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.language import tr
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend import PERCENT_UNIT, Instructions, Lines, TypedColumn, Workload
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from app.profile.profile import Section
from app.profile.strings import Interner, Strings, joined, taken
from app.profile.timeline import Counters, Timeline

EXECUTED, PIPES = "ExecutedInstructions", "PipeUtilizationHist"


def emulated_sections(tables: Mapping[str, ReportTable], sink: Sink) -> list[Section]:
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


TableOfCore: TypeAlias = tuple[str, ReportTable]
_TITLES = {"call_count": "Instructions Executed", "cycles": "Cycles", "running_time(us)": "Running Time (us)"}
"""The names that operator files have for these figures, if they have one; other columns keep their titles."""
_PLACE = re.compile(r"(.*):(\d{1,9})\s*\Z", re.DOTALL)
_LARGEST = 1 << 53
MOST_CELLS = 1 << 24
"""Cells of a column: 108 cores have 2 million with 20,000 instructions."""


def executed_sections(
    instructions: Sequence[TableOfCore], lines: Sequence[TableOfCore]
) -> tuple[list[Section], list[ReportTable]]:
    """The Instructions and Lines sections of (core, table) pairs of ``_instr_exe`` and ``_code_exe`` files (Ascend
    operator reports, section 4), and the tables that found no room in them. A row is an instruction at an address, or a
    line of a file; each core has its own figures. Source texts are not in these files, and their paths are never
    followed."""
    made: list[Section] = []
    left: list[ReportTable] = []
    if instructions:
        rows = _Rows(("addr", "instr", "pipe"), instructions)
        made.append(_instructions_of_cores(rows))
        left += rows.left
    if lines:
        rows = _Rows(("code",), lines)
        made.append(_lines(rows))
        left += rows.left
    return made, left


def _instructions_of_cores(rows: _Rows) -> Instructions:
    strings = Interner()
    address = np.array([_address(key[0]) for key in rows.keys], np.int64)
    order = np.argsort(address, kind="stable")

    def texts(place: int) -> I32:
        ids = np.array([strings(key[place]) if key[place] else -1 for key in rows.keys], np.int32)
        return sealed(ids[order])

    return Instructions(
        cores=rows.cores,
        address=sealed(address[order]),
        by_address=sealed(np.arange(len(order), dtype=np.int64)),
        pipe=texts(2),
        text=texts(1),
        file=sealed(np.full(len(order), -1, np.int32)),
        line=sealed(np.full(len(order), -1, np.int32)),
        by_inner_code=False,
        columns=rows.columns(order),
        strings=strings.strings(),
    )


def _lines(rows: _Rows) -> Lines:
    matches = [_PLACE.fullmatch(key[0]) for key in rows.keys]
    paths = Interner()
    file = [paths(match[1] if match else key[0]) for match, key in zip(matches, rows.keys, strict=True)]
    nothing = sealed(np.empty(0, np.int64))
    return Lines(
        cores=rows.cores,
        paths=paths.strings(),
        file=sealed(np.array(file, np.int32)),
        line=sealed(np.array([int(match[2]) if match else -1 for match in matches], np.int32)),
        first_range=sealed(np.zeros(len(file) + 1, np.int64)),
        range_start=nothing,
        range_end=nothing,
        columns=rows.columns(np.arange(len(file), dtype=np.int64)),
    )


class _Rows:
    """The rows of several tables, joined by the texts of the columns ``by``. ``left``: the tables after the one with
    which a column would have more than MOST_CELLS, a row for each key and a value for each core."""

    def __init__(self, by: tuple[str, ...], tables: Sequence[TableOfCore]) -> None:
        self._by = by
        self._tables: list[ReportTable] = []
        self._places: list[I64] = []
        known: dict[tuple[str, ...], int] = {}
        for _, table in tables:
            if self._tables and (len(known) + table.rows) * (len(self._tables) + 1) > MOST_CELLS:
                break
            self._tables.append(table)
            columns = _by_title(table)
            keys = zip(
                *(texts_of(columns[name], table.rows) if name in columns else [""] * table.rows for name in by),
                strict=True,
            )
            self._places.append(np.array([known.setdefault(key, len(known)) for key in keys], np.int64))
        self.keys = list(known)
        self.cores = tuple(core for core, _ in tables[: len(self._tables)])
        self.left = [table for _, table in tables[len(self._tables) :]]

    def columns(self, order: I64) -> tuple[TypedColumn, ...]:
        """The other columns, with a value for each core, and their rows in ``order``."""
        titles = dict.fromkeys(
            spelled_alike(column.name)
            for table in self._tables
            for column in table.columns
            if spelled_alike(column.name) not in self._by
        )
        return tuple(self._column(title, order) for title in titles)

    def _column(self, title: str, order: I64) -> TypedColumn:
        own = [_by_title(table).get(title) for table in self._tables]
        first = next(column for column in own if column is not None)
        name = _TITLES.get(title, first.name)
        if any(column is not None and column.strings is not None for column in own):
            return self._text(name, own, order)
        values = np.full((len(self.keys), len(own)), np.nan)
        for core, (column, place) in enumerate(zip(own, self._places, strict=True)):
            if column is not None:
                values[place, core] = numbers_of(column)
        whole = np.isnan(values) | ((values == np.floor(values)) & (values >= 0) & (values < _LARGEST))
        if whole.all() and not np.isnan(values).all():
            integers = np.where(np.isnan(values), -1, values).astype(np.int64)
            return TypedColumn(name, "int", sealed(integers[order]))
        return TypedColumn(name, "float", sealed(values[order]))

    def _text(self, name: str, own: Sequence[TypedColumn | None], order: I64) -> TypedColumn:
        strings = Interner()
        ids = np.full((len(self.keys), len(own)), -1, np.int32)
        for core, (column, place) in enumerate(zip(own, self._places, strict=True)):
            if column is not None:
                cells = texts_of(column, len(place))
                ids[place, core] = [strings(cell) if cell else -1 for cell in cells]
        return TypedColumn(name, "text", sealed(ids[order]), strings.strings())


def _by_title(table: ReportTable) -> dict[str, TypedColumn]:
    columns: dict[str, TypedColumn] = {}
    for column in table.columns:
        columns.setdefault(spelled_alike(column.name), column)
    return columns


def _address(text: str) -> int:
    """A decimal address (hexadecimal with 0x); -1 for anything else."""
    try:
        number = int(text, 16) if text.lower().startswith("0x") else int(text)
    except ValueError:
        return -1
    return number if 0 <= number < 1 << 63 else -1


CURVES: Final = ("unitutilization", "issuequeueutilization", "execqueueutilization")
MOST_CURVES: Final = 512
"""Curves of one table: units and queues of some dozens of cores."""
_MANIFEST, _TICK_US = "manifest", "ticktous"


class _Curve(Struct, frozen=True, eq=False):
    """``time``: float64 ticks, ascending; ``value``: float64, NaN for no data."""

    table: str
    name: str
    time: F64
    value: F64


def with_curves(timeline: Timeline | None, tables: Iterable[ReportTable], problems: Problems) -> Timeline | None:
    """``timeline`` (None without a trace) with the curves in ``tables`` as counters; None if there is neither. Curves
    count in ticks; a timeline in microseconds can have them if the manifest states the length of a tick."""
    named = {table.name.lower(): table for table in tables}
    curves = [curve for name in CURVES if name in named for curve in _curves(named[name], problems)]
    if not curves:
        return timeline
    tick = _tick_us(named)
    if timeline is None:
        unit = Timeline(unit="cycles", seconds_per_unit=None, strings=Interner().strings())
        timeline = unit if tick is None else replace(unit, unit="µs", seconds_per_unit=1e-6)
    if timeline.unit == "cycles":
        tick = 1.0
    if tick is None:
        text = tr("the curves of this run are shown only as tables: its manifest does not state the length of a tick")
        problems.add("info", tr("curves that are not drawn"), None, text)
        return timeline
    return _added(timeline, curves, tick)


def _added(timeline: Timeline, curves: list[_Curve], tick: float) -> Timeline:
    strings, before = Interner(), timeline.counters
    shift = len(timeline.strings)
    ids = np.array([[strings(curve.table), strings(curve.name), strings("Util")] for curve in curves], np.int32) + shift
    count = np.cumsum([len(curve.time) for curve in curves], dtype=np.int64)
    time = np.concatenate([curve.time for curve in curves]) * tick - float(timeline.origin)
    columns = zip((before.process, before.name, before.series), ids.T.astype(np.int32), strict=True)
    process, name, series = (sealed(np.concatenate((old, new))) for old, new in columns)
    counters = Counters(
        process=process,
        name=name,
        series=series,
        first=sealed(np.concatenate((before.first, before.first[-1] + count))),
        time=sealed(np.concatenate((before.time, time))),
        value=sealed(np.concatenate((before.value, *(curve.value for curve in curves)))),
    )
    return replace(timeline, strings=joined(timeline.strings, strings.strings()), counters=counters)


def _curves(table: ReportTable, problems: Problems) -> list[_Curve]:
    """One curve for each combination of what the other columns say."""
    columns = {spelled_alike(column.name): column for column in table.columns}
    tick, util = columns.pop("tick", None), columns.pop("util", None)
    if tick is None or util is None or not table.rows:
        return []
    time, value = numbers_of(tick), numbers_of(util)
    codes = [np.unique(texts_of(column, table.rows), return_inverse=True) for column in columns.values()]
    group = np.zeros(table.rows, np.int64)
    for texts, code in codes:
        group = group * len(texts) + code
        group = np.unique(group, return_inverse=True)[1]
    first = np.unique(group, return_index=True)[1]
    if len(first) > MOST_CURVES:
        text = tr("{table} has {count:,} curves; they are shown only as a table", table=table.name, count=len(first))
        problems.add("info", tr("curves that are not drawn"), None, text)
        return []
    order = np.lexsort((time, group))
    order = order[~np.isnan(time[order])]
    ends = np.searchsorted(group[order], np.arange(len(first)), "right")
    made = []
    for begin, end, row in zip((0, *ends.tolist()), ends.tolist(), first.tolist(), strict=False):
        own: I64 = order[begin:end]
        name = " ".join(str(texts[code[row]]) for texts, code in codes if texts[code[row]]) or table.name
        if len(own):
            made.append(_Curve(table.name, name, time[own], value[own]))
    return made


def _tick_us(tables: Mapping[str, ReportTable]) -> float | None:
    """Microseconds of a tick by the manifest: below 1, because cores run at more than 1 MHz; None if it is not said."""
    if _MANIFEST not in tables:
        return None
    for _, key, text in cells(tables[_MANIFEST]):
        if key.lower() == _TICK_US:
            try:
                tick = float(text)
            except ValueError:
                return None
            return tick if 0.0 < tick < 1.0 else None
    return None
