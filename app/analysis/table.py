"""A table independent of the screen: shown by panels, copied to the clipboard, written by `export`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, Array, Bool, Integers, among, distinct
from app.profile.selection import Kind
from app.profile.strings import Strings

Unit: TypeAlias = Literal[
    "", "B", "cycles", "s", "ns", "µs", "%", "pp", "GB/s", "MB/s", "TB/s", "TOps/s", "Ops/Byte", "Hz", "MHz"
]
"""The unit of a column; views scale it, exports write values unchanged. "pp" (percentage points) is that of differences
of percentages."""

Role: TypeAlias = Literal["", "name", "kind", "key", "place", "code", "counter"]
"""What a column says about a row: its name, its kind, the number by which other lists refer to it, where in time or
memory it is, source text (with significant indentation); for programs, what a counter that the file names measured;
"": anything else, such as figures."""
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
    threads, so not a duration. ``signed``: differences, shown with a plus where they are positive. ``absent``: the
    file has no data for any row (``schema.py``)."""

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
    absent: bool = False

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
