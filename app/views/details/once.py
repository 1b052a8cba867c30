"""Which figures of a thing the details state, so that each fact stands there once. The tables have all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from app.analysis.details import Row
from app.analysis.table import Column
from app.views.colours import CHROME_NAMES
from app.views.units import Cell

SAME: Final = {"from": "start", "to": "end", "cycles": "duration", "self": "duration"}
"""Columns, by key, and the one that states the same of a slice and of its step."""
TOTAL: Final = "total_"
"""What the key of a column begins with that counts what is below a thing, too."""
NEAR: Final = 0.005
"""A step's cycles, which are those of its longest tile, and the length of its slice differ by a little."""


def stated_once(rows: Sequence[Row], index: int) -> list[list[Column]]:
    """The columns that are shown of each of ``rows``, which describe the thing ``index``, without those that have no
    value and those that say what an earlier one says."""
    stated: dict[str, Cell] = {}
    return [list(_new(row, index, stated)) for row in rows]


def _new(row: Row, index: int, stated: dict[str, Cell]) -> Iterator[Column]:
    before = dict(stated)
    keys = {column.key for column in row.table.columns if column.value(row.row) is not None}
    for column in row.table.columns:
        value = column.value(row.row)
        if value is None or _is_number(column, row, index, value) or _is_colour(column, value):
            continue
        if column.key == "time" and column.unit == "s" and "cycles" in keys:
            continue  # the cycles in another unit, which stands beside them
        twin = stated.get(SAME.get(column.key, ""))
        if twin is not None and _same(value, twin):
            continue
        if column.key.startswith(TOTAL) and value == stated.get(column.key.removeprefix(TOTAL)):
            continue  # there is nothing below it
        told = stated if column.key == "category" else before
        if isinstance(value, str) and value in told.values():
            continue
        stated[column.key] = value
        yield column


def _is_number(column: Column, row: Row, index: int, value: Cell) -> bool:
    """Whether it is the number of the thing, which stands in the title."""
    return column.is_key and column.key in (row.table.selects, "number") and value == index


def _is_colour(column: Column, value: Cell) -> bool:
    """Whether it names nothing but a colour of Chrome's viewer."""
    return column.key == "category" and value in CHROME_NAMES


def _same(one: Cell, other: Cell) -> bool:
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return one == other
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


def arguments_once(arguments: Mapping[str, Any], shown: Sequence[str]) -> dict[str, Any]:
    """The arguments of a record without those whose value is among the ``shown`` ones."""
    return {key: value for key, value in arguments.items() if str(value) not in shown or len(str(value)) < SHORT}


SHORT: Final = 3
"""Shorter values may be equal by chance."""
