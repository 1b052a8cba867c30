"""Lines of texts (sources, instructions) that were changed, inserted or deleted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final, TypeAlias

import numpy as np

from app.analysis.compare.compared import BOTH, ONLY_AFTER, ONLY_BEFORE, ComparedTable
from app.analysis.compare.plans import Plan

MOST_ROWS: Final = 10_000
Line: TypeAlias = tuple[int, str, str]
"""The row of the compared table, the text before and that after ("" if that side has none)."""


def line_changes(table: ComparedTable, plan: Plan) -> Iterator[Line]:
    """Each place where one side has lines that the other does not have: the first line that is gone with the first that
    is new, and so on, within one text. Only the first MOST_ROWS lines are looked at."""
    rows = np.flatnonzero(table.status != BOTH)[:MOST_ROWS]
    for run in np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1) if len(rows) else ():
        texts: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}
        for row in run.tolist():
            gone, new = texts.setdefault(_within(table, plan, row), ([], []))
            (new if table.status[row] == ONLY_AFTER else gone).append(row)
        for gone, new in texts.values():
            for before, after in zip_longest(gone, new, fillvalue=-1):
                row = after if after >= 0 else before
                yield row, _text(table, plan, before, ONLY_BEFORE), _text(table, plan, after, ONLY_AFTER)


def _within(table: ComparedTable, plan: Plan, row: int) -> tuple[object, ...]:
    """Which text a row belongs to."""
    values = [(key, _value(table, key, row, int(table.status[row]))) for key in plan.within]
    return tuple(str(value).rpartition("/")[2] if key in plan.paths else value for key, value in values)


def _text(table: ComparedTable, plan: Plan, row: int, side: int) -> str:
    value = None if row < 0 else _value(table, plan.lines, row, side)
    return "" if value is None else str(value)


def _value(table: ComparedTable, key: str, row: int, side: int) -> object:
    column = table.column(key)
    own = None if column is None else column.of_side(after=side == ONLY_AFTER)
    place = int((table.rows_after if side == ONLY_AFTER else table.rows_before)[row])
    return None if own is None else own.value(place)
