"""Counts the live registers of instructions from their register states."""

from __future__ import annotations

import numpy as np
import orjson

from app.profile.arrays import sealed
from app.profile.ascend import LIVE_REGISTERS, TypedColumn, column_named, state_column


def with_live_registers(columns: tuple[TypedColumn, ...]) -> tuple[TypedColumn, ...]:
    """The columns, with the number of live registers before the register states. Unchanged without states, or where the
    file has a column of that name."""
    states = state_column(columns)
    if states is None or states.strings is None or column_named(columns, LIVE_REGISTERS) is not None:
        return columns
    counts = np.array([*map(_count, states.strings), -1], np.int32)
    if (counts < 0).all():
        return columns
    live = TypedColumn(LIVE_REGISTERS, "int", sealed(counts[states.values]))
    place = columns.index(states)
    return (*columns[:place], live, *columns[place:])


def _count(cell: str) -> int:
    """Distinct registers in a cell of states (Ascend operator files, section 2.6); -1 if it is none."""
    try:
        items = orjson.loads(cell)
    except ValueError:
        return -1
    items = [items] if isinstance(items, dict) else items
    if not isinstance(items, list) or not all(isinstance(item, dict) and "regIndex" in item for item in items):
        return -1
    return len({str(item["regIndex"]) for item in items})
