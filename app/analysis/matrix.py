"""A matrix of bytes or cycles, as shown by the heat table and exported, and the orders of its rows and columns: as
in the file, by figures, by some columns or rows, by name."""

from __future__ import annotations

from typing import Literal, TypeAlias

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


Order: TypeAlias = Literal["file", "largest", "chosen", "name"]
"""``chosen``: by the figures in selected columns (for rows) or rows (for columns)."""


def row_order(matrix: Matrix, by: Order, figures: I64, columns: I64) -> I64 | None:
    """int64[rows]: the rows in that order, ties in file order; None for the file's own order. ``figures``: of the whole
    rows; ``columns``: the selected ones (none: file order)."""
    if by == "name":
        names = [matrix.row_names.get(row) for row in range(len(matrix.values))]
        return np.array(sorted(range(len(names)), key=lambda row: names[row].casefold()), np.int64)
    if by == "largest":
        return _falling(figures)
    columns = columns[(columns >= 0) & (columns < matrix.values.shape[1])]
    return _falling(_added(matrix.values[:, columns], 1)) if by == "chosen" and len(columns) else None


def column_order(matrix: Matrix, by: Order, figures: I64, rows: I64) -> I64 | None:
    """As ``row_order``, for columns; ``rows``: the selected ones."""
    if by == "largest":
        return _falling(figures)
    rows = rows[(rows >= 0) & (rows < len(matrix.values))]
    if by != "chosen" or not len(rows):
        return None
    part = matrix.values[rows]
    adds = matrix.column_summary == "sum"
    return _falling(_added(part, 0) if adds else part.max(axis=0, initial=0).astype(np.int64))


def _added(part: Integers, axis: int) -> I64:
    return np.asarray(part.sum(axis=axis, dtype=np.int64))


def _falling(figures: I64) -> I64:
    return np.argsort(-figures, kind="stable").astype(np.int64)


def both_figures(matrix: Matrix) -> tuple[I64, I64]:
    """(figures of the rows, figures of the columns)."""
    return row_figures(matrix), column_figures(matrix)
