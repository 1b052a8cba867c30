"""Source lines and instructions ranked by their cost on one core, and the ones that cost most: the model of the
hotspots panel."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.cores import core_in
from app.analysis.ascend.typed_columns import as_shown, key_of, of_core
from app.analysis.table import Column, Table
from app.analysis.tables.ascend_source import instruction_columns, line_columns
from app.language import tr
from app.profile.arrays import F64, I64, Array
from app.profile.ascend import TypedColumn, column_named
from app.profile.profile import Profile
from app.profile.selection import Kind

_FIRST = ("Instructions Executed", "Cycles", "Stall Sampling(All Samples)", "Stall Sampling(Not Issue)")
_LAST = ("Cycles", "RealStallCycles")
_RANKED = ("Cycles", "Stall Sampling(All Samples)", "Instructions Executed")


class Heat(Struct, frozen=True, eq=False):
    """The bars of a column: ``share`` float64[rows], 0..1 of the largest value (of 100 for a percentage), NaN without
    data."""

    key: str
    share: F64


class Hotspots(Struct, frozen=True, eq=False):
    """``table`` in file order; ``heats``: bars of its columns by key; ``order``: int64, rows by falling cost, those
    without data last; ``ranked_by``: key of the column that ranks them, "" if no column can."""

    table: Table
    heats: dict[str, Heat]
    order: I64
    ranked_by: str


def lines(profile: Profile, core: str = "") -> Hotspots | None:
    """The measured lines for ``core`` (the first if the name is unknown); None without a line table. Executions, cycles
    and stall samples come first (Ascend operator files, section 5)."""
    measured = profile.lines
    if measured is None:
        return None
    index = core_in(_names(measured.cores, profile), core)
    return _made(
        "source-lines",
        tr("Source lines"),
        "line",
        line_columns(profile, measured),
        _by(measured.columns, _FIRST),
        index,
    )


def instructions(profile: Profile, core: str = "") -> Hotspots | None:
    """The instructions for ``core``; None without an instruction table. Cycles and stall cycles come last."""
    listing = profile.instructions
    if listing is None:
        return None
    index = core_in(listing.cores, core)
    columns = _by(listing.columns, _FIRST[:1], _LAST)
    return _made("instructions", tr("Instructions"), "instruction", instruction_columns(listing), columns, index)


def _names(cores: tuple[str, ...], profile: Profile) -> tuple[str, ...]:
    return profile.instructions.cores if profile.instructions and profile.instructions.cores else cores


def _by(
    columns: tuple[TypedColumn, ...], first: tuple[str, ...], last: tuple[str, ...] = ()
) -> tuple[TypedColumn, ...]:
    """The columns with those named ``first`` in front and those named ``last`` behind."""

    def place(column: TypedColumn) -> int:
        if column.name in first:
            return first.index(column.name) - len(first)
        return last.index(column.name) + 1 if column.name in last else 0

    return tuple(sorted(map(as_shown, columns), key=place))


def _made(
    table_id: str, title: str, kind: Kind, head: tuple[Column, ...], columns: tuple[TypedColumn, ...], core: int
) -> Hotspots:
    shown = [of_core(column, core) for column in columns]
    heats = {
        made.key: Heat(made.key, _share(column, core))
        for column, made in zip(columns, shown, strict=True)
        if column.numeric
    }
    table = Table(table_id, title, (*head, *shown), kind)
    named = (column_named(columns, name) for name in _RANKED)
    ranking = next((ranked for ranked in named if ranked is not None and ranked.numeric), None)
    order = np.arange(table.rows, dtype=np.int64) if ranking is None else _falling(_numbers(ranking, core))
    return Hotspots(table, heats, order, "" if ranking is None else key_of(ranking.name))


def _numbers(column: TypedColumn, core: int) -> F64:
    values: Array = column.of_core(core)
    return values if values.dtype.kind == "f" else np.where(values < 0, np.nan, values.astype(np.float64))


def _share(column: TypedColumn, core: int) -> F64:
    values = _numbers(column, core)
    top = 100.0 if column.kind in ("percent", "details") else float(np.nanmax(values, initial=0.0))
    return np.clip(values / top, 0.0, 1.0) if top > 0 else np.where(np.isnan(values), np.nan, 0.0)


def _falling(values: F64) -> I64:
    """Row indices by falling value, equal ones in file order, NaN last."""
    return np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")


_COSTS: Final = ("Cycles", "Stall Sampling(All Samples)", "Instructions Executed")
"""Columns that rank lines and instructions, the best first."""


class Hottest(Struct, frozen=True):
    """``row`` of the lines or instructions; ``place``: ``kernel.cpp:8`` or an address; ``words``: the disassembly;
    ``cost``: the name of the column; ``value``: its sum over the cores, ``share`` percent of that of all ``of``
    rows."""

    row: int
    place: str
    words: str
    cost: str
    value: float
    share: float
    of: int


def hottest_line(profile: Profile) -> Hottest | None:
    """None without costs of lines."""
    lines = profile.lines
    cost = None if lines is None else _cost(lines.columns)
    if lines is None or cost is None:
        return None
    name, values = cost
    row = int(values.argmax())
    path = lines.paths.get(int(lines.file[row])).replace("\\", "/").rsplit("/", 1)[-1]
    return _hottest(row, f"{path}:{int(lines.line[row])}", "", name, values)


def hottest_instruction(profile: Profile) -> Hottest | None:
    """None without costs of instructions."""
    code = profile.instructions
    cost = None if code is None else _cost(code.columns)
    if code is None or cost is None:
        return None
    name, values = cost
    row = int(values.argmax())
    place = f"0x{int(code.address[row]):x}" if code.address[row] >= 0 else str(row)
    return _hottest(row, place, code.strings.get(int(code.text[row])), name, values)


def _hottest(row: int, place: str, words: str, cost: str, values: F64) -> Hottest:
    share = 100 * float(values[row]) / float(values.sum())
    return Hottest(row, place, words, cost, float(values[row]), share, len(values))


def _cost(columns: tuple[TypedColumn, ...]) -> tuple[str, F64] | None:
    """The name of the first known column of costs, and float64[rows], its sum over the cores; None if that is zero."""
    for name in _COSTS:
        column = column_named(columns, name)
        if column is not None and column.numeric:
            values = column.values.astype(np.float64)
            known = np.isfinite(values) & (values >= 0)
            if known.any():
                sums = np.where(known, values, 0.0).sum(axis=1)
                return (name, sums) if sums.sum() > 0 else None
    return None
