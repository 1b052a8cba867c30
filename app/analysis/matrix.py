"""A matrix of bytes or cycles, as shown by the heat table and exported."""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct

from app.analysis.poplar.numbers import blocks, row_sums
from app.analysis.table import Unit
from app.profile.arrays import I64, Integers, among
from app.profile.selection import Kind
from app.profile.strings import Strings


class Matrix(Struct, frozen=True, eq=False):
    """A labelled matrix. ``values``: integers [rows, columns]; row r stands for item ``first_row`` + r of kind ``rows``
    (item ``keys[r]`` if there are keys: int64[rows]) and is named ``row_names[r]``; column c stands for item c of kind
    ``columns`` (``column_names`` is None for tiles, which are known by number). The figure of a row is the sum of its
    cells; ``column_summary`` says how the cells of a column are combined."""

    id: str
    title: str
    group: str
    values: Integers
    unit: Unit
    help: str
    rows: Kind
    row_names: Strings
    columns: Kind = "tile"
    column_names: Strings | None = None
    first_row: int = 0
    column_summary: Literal["sum", "maximum"] = "sum"
    keys: I64 | None = None

    def item(self, row: int) -> int:
        """The item that a row stands for."""
        return row + self.first_row if self.keys is None else int(self.keys[row])

    def rows_of(self, items: I64) -> I64:
        """The rows that stand for any of ``items``, ascending."""
        if self.keys is not None:
            return np.flatnonzero(among(self.keys, items)).astype(np.int64)
        rows = items - self.first_row
        return rows[(rows >= 0) & (rows < len(self.values))]


def row_figures(matrix: Matrix) -> I64:
    """int64[rows]: row sums."""
    return row_sums(matrix.values)


def column_figures(matrix: Matrix) -> I64:
    """int64[columns]: sums, or maxima where cells of different rows must not be added."""
    out = np.zeros(matrix.values.shape[1], np.int64)
    for part in blocks(*matrix.values.shape):
        if matrix.column_summary == "sum":
            out += matrix.values[part].sum(axis=0, dtype=np.int64)
        else:
            np.maximum(out, matrix.values[part].max(axis=0, initial=0), out=out)
    return out
