"""Cells of a column as plain values."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from app.analysis.table import Coded, Column
from app.profile.arrays import I64

Plain: TypeAlias = str | int | float | bool | None


def plain_cells(column: Column | None, rows: I64) -> list[Plain]:
    """The cells of these rows; None without data, and for row -1."""
    if column is None:
        return [None] * len(rows)
    known = rows >= 0
    places = np.maximum(rows, 0)
    values = column.values
    cells: list[Plain]
    if not len(values):
        return [None] * len(rows)
    if isinstance(values, tuple):
        cells = [values[row] for row in places.tolist()]
    elif isinstance(values, Coded):
        ids, place = np.unique(values.ids[places], return_inverse=True)
        inside = [0 <= number < len(values.strings) for number in ids.tolist()]
        texts = [values.strings[number] if there else None for number, there in zip(ids.tolist(), inside, strict=True)]
        cells = [texts[number] for number in place.reshape(-1).tolist()]
    else:
        taken = values[places]
        if taken.dtype.kind == "f":
            known = known & np.isfinite(taken)
        cells = taken.tolist()
        if column.units is not None or column.unit in ("B", "cycles"):
            cells = [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells]
    if column.missing is not None:
        known = known & ~column.missing[places]
    for place_of in np.flatnonzero(~known).tolist():
        cells[place_of] = None
    return cells
