"""Orders of the rows and columns of a matrix: as in the file, by figures, by some columns or rows, by name."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from app.analysis.matrix import Matrix, column_figures, row_figures
from app.profile.arrays import I64, Integers

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
