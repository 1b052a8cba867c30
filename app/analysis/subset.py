"""Some rows of a table as a table of their own."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Table
from app.profile.arrays import I64


def subset(table: Table, rows: I64, note: str = "") -> Table:
    """The table's rows in the given order. A row still stands for the same thing; ``note`` is appended to the table's
    own."""
    columns = tuple(_part(column, rows) for column in table.columns)
    keys = table.keys[rows] if table.keys is not None else rows.astype(np.int64)
    items = None if table.row_items is None else table.row_items.at(rows)
    return replace(table, columns=columns, keys=keys, row_items=items, note=" ".join(filter(None, (table.note, note))))


def _part(column: Column, rows: I64) -> Column:
    missing = None if column.missing is None else column.missing[rows]
    values = column.values
    if isinstance(values, Coded):
        return replace(column, values=Coded(values.ids[rows], values.strings), missing=missing)
    if isinstance(values, tuple):
        return replace(column, values=tuple(values[row] for row in rows.tolist()), missing=missing)
    return replace(column, values=values[rows], missing=missing)
