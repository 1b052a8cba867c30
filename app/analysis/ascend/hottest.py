"""The source line and the instruction that cost most."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64
from app.profile.ascend import TypedColumn, column_named
from app.profile.profile import Profile

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
