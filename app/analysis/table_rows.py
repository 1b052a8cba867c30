"""Tables made of some rows of another table."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.grouped import GroupedTable
from app.analysis.table import Coded, Column, Table, Values
from app.profile.arrays import Bool, Integers, among
from app.profile.strings import Strings


def only(table: Table, rows: Integers | Bool) -> Table:
    """The table reduced to ``rows`` (indices in the wanted order, or a mask); each still stands for the same thing."""
    places: Integers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.int64)
    keys = places if table.keys is None else table.keys[places]
    columns = tuple(_taken(column, places) for column in table.columns)
    items = None if table.row_items is None else table.row_items.at(places)
    return replace(table, columns=columns, keys=keys.astype(np.int64), row_items=items)


def emptied(table: Table) -> Table:
    """The table's columns without rows and texts, for when its profile is closed."""
    none = np.empty(0, np.int64)
    columns = tuple(replace(_taken(column, none), values=_nothing(column.values)) for column in table.columns)
    empty = replace(table, columns=columns, keys=none, note="", row_items=None)
    return replace(empty, parent=none, plain=Strings.of(())) if isinstance(empty, GroupedTable) else empty


def _nothing(values: Values) -> Values:
    if isinstance(values, Coded):
        return Coded(np.empty(0, np.int32), Strings.of(()))
    return () if isinstance(values, tuple) else np.empty(0, values.dtype)


def _taken(column: Column, rows: Integers) -> Column:
    missing = None if column.missing is None else column.missing[rows]
    return replace(column, values=_values(column.values, rows), missing=missing)


def _values(values: Values, rows: Integers) -> Values:
    if isinstance(values, Coded):
        return Coded(values.ids[rows], values.strings)
    return tuple(values[row] for row in rows.tolist()) if isinstance(values, tuple) else values[rows]


def row_with(table: Table, text: str) -> int:
    """The first row with a cell that is exactly ``text``, in the first column of texts that has one; -1 if none has."""
    for column in table.columns:
        if isinstance(column.values, Coded):
            rows = np.flatnonzero(among(column.values.ids, column.values.strings.find(text)))
            if len(rows):
                return int(rows[0])
        elif isinstance(column.values, tuple) and text in column.values:
            return column.values.index(text)
    return -1
