"""A table without a screen: what panels show, the clipboard takes and `export` writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from app.profile.arrays import I64, Array, Bool, Integers
from app.profile.selection import Kind
from app.profile.strings import Strings

Unit: TypeAlias = Literal["", "B", "cycles", "s", "µs", "%", "GB/s", "MB/s", "TB/s", "TOps/s", "Ops/Byte", "Hz", "MHz"]
"""What the numbers of a column are in; display scales them, export writes them as they are."""

Role: TypeAlias = Literal["", "name", "kind", "key", "place", "code"]
"""What a column says of a row: what it is called, what kind of thing it is, by which number other lists refer to it,
where in time or memory it lies, source text (its indentation counts); "": anything else, figures among them."""
AMOUNTS: Final = ("B", "cycles", "s", "µs")
"""Units of what can be added up; rates and shares never can."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Texts of a column as ids into a string table; -1 is no text."""

    ids: Integers
    strings: Strings

    def __len__(self) -> int:
        return len(self.ids)


Values: TypeAlias = Array | Coded | tuple[str, ...]
"""A numeric or bool array, interned texts, or (short tables only) plain texts."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """``key`` names it in exports and never changes; ``missing`` marks cells without data (which are not
    zero); ``help`` says where the figure comes from or by which formula. ``share_of`` names what a
    percentage is a share of. ``hexadecimal`` columns are addresses. ``decimals``: at least so many are shown.
    ``stored``: the figures are the file's own, none is computed, and exports write all their digits. ``reach``: they
    are differences or sums of figures as large as that, and known no better than those (0: not known). ``units``: a
    column of figures in different units says here what each is in (``unit`` is "" then).
    ``finest``: of places in time, what must still be seen between two of them, in ``unit``. ``compared``: columns of
    a table with the same word here have one ``unit`` and are shown in one scale of it. ``role``: what it says of a
    row. ``adds_up``: False for amounts whose sum over rows means nothing (a maximum, a mean, bytes of one moment);
    ``inclusive``: the figure of a row holds those of the rows below it, so that rows are not added either.
    ``parallel``: cycles of several tiles or threads together, which no stretch of time is as long as."""

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

    def value(self, row: int) -> str | int | float | bool | None:
        """The cell as a plain value; None where there is no data (missing, NaN, no text)."""
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
        """What the figure of a row is in."""
        if self.units is None:
            return self.unit
        code = int(self.units.ids[row])
        return self.units.strings.get(code) if code >= 0 else ""

    @property
    def is_place(self) -> bool:
        """A moment or an address: of several only the first and the last mean anything."""
        return self.role == "place" or self.hexadecimal

    @property
    def is_key(self) -> bool:
        """A number by which things are known: no amount, whatever its size."""
        return self.role == "key"

    @property
    def sums(self) -> bool:
        """Whether the sum over several rows means anything."""
        whole = self.inclusive or self.is_place or self.is_key
        return self.numeric and self.adds_up and not whole and self.unit in AMOUNTS

    @property
    def numeric(self) -> bool:
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length. ``selects`` says what a row stands for: choosing row r selects item
    ``keys[r]`` (or r) of that kind. ``note`` is shown above (an estimate, a reason, what is left out)."""

    id: str
    title: str
    columns: tuple[Column, ...]
    selects: Kind | None = None
    keys: I64 | None = None
    note: str = ""

    @property
    def rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def key(self, row: int) -> int:
        """Which item row ``row`` stands for."""
        return row if self.keys is None else int(self.keys[row])
