"""Instructions and source lines of the simulator's cores, from their tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from app.formats.ascend_report.metric_rows import numbers_of, spelled_alike, texts_of
from app.profile.arrays import I32, I64, sealed
from app.profile.ascend import Instructions, Lines, TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.profile import Section
from app.profile.strings import Interner

TableOfCore: TypeAlias = tuple[str, ReportTable]
_TITLES = {"call_count": "Instructions Executed", "cycles": "Cycles", "running_time(us)": "Running Time (us)"}
"""The names that operator files have for these figures, if they have one; other columns keep their titles."""
_PLACE = re.compile(r"(.*):(\d{1,9})\s*\Z", re.DOTALL)
_LARGEST = 1 << 53
MOST_CELLS = 1 << 24
"""Cells of a column: 108 cores have 2 million with 20,000 instructions."""


def sections(
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
        made.append(_instructions(rows))
        left += rows.left
    if lines:
        rows = _Rows(("code",), lines)
        made.append(_lines(rows))
        left += rows.left
    return made, left


def _instructions(rows: _Rows) -> Instructions:
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
