"""A table independent of the screen: shown by panels, copied, exported; and tables made of some of its rows."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.profile.arrays import I64, Array, Bool, Integers, among, distinct
from app.profile.selection import Kind
from app.profile.strings import Strings

Unit: TypeAlias = Literal[
    "", "B", "cycles", "s", "ns", "µs", "%", "pp", "GB/s", "MB/s", "TB/s", "TOps/s", "Ops/Byte", "Hz", "MHz"
]
"""The unit of a column; views scale it, exports write values unchanged. "pp" (percentage points) is that of differences
of percentages."""

Role: TypeAlias = Literal["", "name", "kind", "key", "place", "code"]
"""What a column says about a row: its name, its kind, the number by which other lists refer to it, where in time or
memory it is, source text (with significant indentation); "": anything else, such as figures."""
AMOUNTS: Final = ("B", "cycles", "s", "ns", "µs")
"""Units of amounts that can be added up; rates and shares cannot."""


def difference_unit(unit: Unit) -> Unit:
    """The unit of the difference of two figures in ``unit``."""
    return "pp" if unit == "%" else unit


class Coded(Struct, frozen=True, eq=False):
    """Texts of a column as ids into a string table; -1 is no text."""

    ids: Integers
    strings: Strings

    def __len__(self) -> int:
        return len(self.ids)


Values: TypeAlias = Array | Coded | tuple[str, ...]
"""A numeric or bool array, interned texts, or (short tables only) plain texts."""


class Column(Struct, frozen=True, eq=False):
    """A column. ``key`` names it in exports and never changes; ``missing`` marks cells without data (which are not
    zero); ``help`` gives the source or the formula. ``share_of`` names the whole of a percentage. ``hexadecimal``
    columns are addresses. ``decimals``: the minimum shown. ``stored``: the figures come from the file, none is
    computed, and exports write all their digits. ``reach``: they are differences or sums of figures of this size,
    which limits their precision (0: not known). ``units``: the unit of each row in a column of mixed units (``unit``
    is "" then); the figures of a column of texts have some if they are shown as figures. ``finest``: for times, the
    smallest difference that must be visible, in ``unit``. ``compared``: columns of a table with the same group name
    here have one ``unit`` and are scaled alike. ``role``: what it says about a row. ``adds_up``: False for amounts
    whose sum over rows means nothing (a maximum, a mean, bytes at one moment); ``inclusive``: the figure of a row
    includes its children, so that rows are not added either. ``parallel``: cycles summed over several tiles or
    threads, so not a duration. ``signed``: differences, shown with a plus where they are positive."""

    key: str
    title: str
    values: Values
    unit: Unit = ""
    help: str = ""
    missing: Bool | None = None
    share_of: str = ""
    hexadecimal: bool = False
    decimals: int = 0
    finest: float = 0.0
    compared: str = ""
    role: Role = ""
    adds_up: bool = True
    inclusive: bool = False
    parallel: bool = False
    stored: bool = False
    reach: float = 0.0
    units: Coded | None = None
    signed: bool = False

    def value(self, row: int) -> str | int | float | bool | None:
        """The cell as a plain value; None without data (missing, NaN, no text)."""
        if self.missing is not None and self.missing[row]:
            return None
        if isinstance(self.values, Coded):
            index = int(self.values.ids[row])
            return self.values.strings.get(index) if index >= 0 else None
        if isinstance(self.values, tuple):
            return self.values[row]
        cell = self.values[row].item()
        if isinstance(cell, float) and cell != cell:
            return None
        if self.units is not None and isinstance(cell, float) and cell.is_integer():
            return int(cell)
        return cell  # type: ignore[no-any-return]

    def unit_of(self, row: int) -> str:
        """The unit of a row's figure."""
        if self.units is None:
            return self.unit
        code = int(self.units.ids[row])
        return self.units.strings.get(code) if code >= 0 else ""

    @property
    def is_place(self) -> bool:
        """Whether it is a time or an address: of several only the first and the last are meaningful."""
        return self.role == "place" or self.hexadecimal

    @property
    def is_key(self) -> bool:
        """Whether it is an identifying number, not an amount."""
        return self.role == "key"

    @property
    def sums(self) -> bool:
        """Whether the sum over several rows is meaningful."""
        whole = self.inclusive or self.is_place or self.is_key
        return self.numeric and self.adds_up and not whole and self.unit in AMOUNTS

    @property
    def numeric(self) -> bool:
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf"


class OwnTime(Struct, frozen=True):
    """The times of a table count in ``unit``; cycles are those of ``clock_hz`` (None: not known), whatever the clock of
    the profile is. ``by_hand``: the user set the unit."""

    unit: Unit
    clock_hz: float | None = None
    by_hand: bool = False


class RowItems(Struct, frozen=True, eq=False):
    """Rows that each stand for several items of a kind. ``group_of_item``: int[items], -1 for none; ``group_of_row``:
    int[rows]."""

    kind: Kind
    group_of_item: Integers
    group_of_row: Integers

    def at(self, rows: Integers) -> RowItems:
        """The same of some rows."""
        return RowItems(self.kind, self.group_of_item, self.group_of_row[rows])

    def items_of(self, rows: I64) -> I64:
        """int64, rising: the items that ``rows`` stand for."""
        return np.flatnonzero(among(self.group_of_item, self.group_of_row[rows])).astype(np.int64)

    def rows_of(self, items: I64) -> I64:
        """int64, rising: the rows that stand for any of ``items``."""
        known = items[(items >= 0) & (items < len(self.group_of_item))]
        return np.flatnonzero(among(self.group_of_row, distinct(self.group_of_item[known]))).astype(np.int64)


class Table(Struct, frozen=True, eq=False):
    """Columns of equal length. ``selects`` is the kind of thing a row stands for: choosing row r selects item
    ``keys[r]`` (or r) of that kind. ``row_items``: the things that a row stands for, where these are several. ``note``
    is shown above the table (an estimate, a reason, what is left out), ``doubtful``: on demand, as it is a doubt about
    the format that holds for all files. ``own_time``: for tables of a timeline, how its
    times count. ``numbered``: of a part of a profile, whether tiles, IPUs and steps have their numbers in the whole."""

    id: str
    title: str
    columns: tuple[Column, ...]
    selects: Kind | None = None
    keys: I64 | None = None
    note: str = ""
    own_time: OwnTime | None = None
    row_items: RowItems | None = None
    numbered: bool = False
    doubtful: bool = False

    def clock(self, clock_hz: float | None) -> float | None:
        """The clock of its cycles, where that of the profile is ``clock_hz``."""
        return clock_hz if self.own_time is None else self.own_time.clock_hz

    @property
    def rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def key(self, row: int) -> int:
        """The item that row ``row`` stands for."""
        return row if self.keys is None else int(self.keys[row])


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
