"""Tables made of some rows of another table, and tables in which rows stand beneath the row of their group."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Table, Values
from app.profile.arrays import I64, Bool, Integers, among
from app.profile.strings import Strings


class GroupedTable(Table, frozen=True, eq=False, kw_only=True):
    """``parent``: int64[rows], the row of the group that each row stands beneath, -1 for groups and for rows in none;
    ``plain``: the texts that name rows in its column of names, without those that name groups."""

    parent: I64
    plain: Strings

    @property
    def members(self) -> I64:
        """int64[rows]: how many rows stand beneath each; 0 for one that is no group."""
        return np.bincount(self.parent[self.parent >= 0], minlength=self.rows).astype(np.int64)

    def complete(self, chosen: Bool) -> Bool:
        """bool[rows]: ``chosen`` and the groups all of whose rows are."""
        held = np.bincount(self.parent[(self.parent >= 0) & chosen], minlength=self.rows)
        members = self.members
        whole: Bool = chosen | ((members > 0) & (held == members))
        return whole

    def opened(self, rows: I64) -> I64:
        """int64, rising: ``rows`` with those beneath in the place of each group."""
        chosen = np.zeros(self.rows, np.bool_)
        chosen[rows] = True
        inside = self.parent >= 0
        chosen[inside] |= chosen[self.parent[inside]]
        return np.flatnonzero(chosen & (self.members == 0)).astype(np.int64)


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
