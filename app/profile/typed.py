"""Columns whose type is declared in the file, with a value for each core."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, Array, Bool, sealed
from app.profile.ragged import Ragged
from app.profile.strings import Strings

ValueKind: TypeAlias = Literal["int", "float", "text", "percent", "details", "json"]


class Details(Struct, frozen=True, eq=False):
    """The parts of percentages: cell ``c`` (row * width + core) has parts first[c] .. first[c + 1] - 1.

    ``first``: int64[cells + 1]; ``reason``: int32 ids into ``reasons``; ``count``: float64 samples.
    """

    reasons: Strings
    first: I64
    reason: I32
    count: F64

    def of_rows(self, rows: I64, width: int) -> Details:
        """The parts of the cells of these ``rows``, in this order."""
        cells = (rows[:, None] * width + np.arange(width)).ravel()
        parts = Ragged(self.first, np.arange(len(self.reason), dtype=np.int64)).gather(cells)
        return Details(self.reasons, parts.first, sealed(self.reason[parts.items]), sealed(self.count[parts.items]))


class TypedColumn(Struct, frozen=True, eq=False):
    """One column of the source or instruction table (Ascend operator files, section 2.6).

    ``values``: [rows, width]; width is 1 if all cores share the value, else one column per core. Integers are int32 or
    int64 with -1 for no data; ``float`` and ``percent`` (0..100) float64 with NaN; ``text`` and ``json`` (the cell as
    JSON text) int32 ids into ``strings`` with -1. ``details`` is a percentage whose parts are in ``details``.
    """

    name: str
    kind: ValueKind
    values: Array
    strings: Strings | None = None
    details: Details | None = None

    def of_core(self, core: int) -> Array:
        """The values of one core, [rows]; those of the first core if it has no column."""
        return self.values[:, core if 0 <= core < self.values.shape[1] else 0]

    def missing(self, core: int) -> Bool:
        """bool[rows]: where there is no data for that core."""
        values = self.of_core(core)
        return np.isnan(values) if values.dtype.kind == "f" else values < 0

    @property
    def numeric(self) -> bool:
        return self.strings is None


def column_named(columns: tuple[TypedColumn, ...], name: str) -> TypedColumn | None:
    """The column of that name, or None."""
    return next((column for column in columns if column.name == name), None)
