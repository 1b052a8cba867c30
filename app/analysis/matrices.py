"""Every matrix of bytes or cycles, for the heat table and export, and the rows and columns of one as tables of
figures."""

from __future__ import annotations

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.matrix import Matrix, column_figures, row_figures
from app.analysis.poplar.matrices import matrices
from app.analysis.poplar.numbers import active_columns, blocks
from app.analysis.table import Coded, Column, Table
from app.analysis.tensor_map import FEW, tensor_matrix
from app.analysis.tenstorrent import matrices as of_cores
from app.language import labelled, tr
from app.profile.arrays import I64
from app.profile.profile import Profile

__all__ = ["Matrix", "available", "column_figures", "matrix_of", "row_figures"]


def available(profile: Profile) -> list[Matrix]:
    """All matrices of the profile; those of mapped tensors and of worker cores are computed on each call."""
    mapped = None if profile.tensor_map is None else tensor_matrix(profile.tensor_map, cells=FEW)
    return [*matrices(profile), *of_cores(profile), *([] if mapped is None else [mapped])]


def matrix_of(profile: Profile, matrix_id: str) -> Matrix | None:
    """The matrix of that id; None if the profile has none, or only an empty one."""
    return next((matrix for matrix in available(profile) if matrix.id == matrix_id and matrix.values.size), None)


def rows_table(matrix: Matrix) -> Table:
    """One row per row of the matrix: its sum, its maximum and where that is, and how many tiles are not zero."""
    values = matrix.values
    count = len(values)
    worst, largest = _largest(matrix)
    one, several = KINDS[matrix.columns].one, KINDS[matrix.columns].several
    adds = matrix.column_summary == "sum"
    total = tr("Sum over {several}. {help}", several=several, help=matrix.help)
    columns = [
        Column("name", KINDS[matrix.rows].one.capitalize(), Coded(np.arange(count), matrix.row_names)),
        Column(
            "sum",
            tr("Sum"),
            row_figures(matrix),
            matrix.unit,
            total,
            adds_up=adds,
            parallel=matrix.columns == "tile",
        ),
        Column(
            "max",
            tr("Max"),
            largest,
            matrix.unit,
            tr("Maximum over {several}. {help}", several=several, help=matrix.help),
            adds_up=False,
        ),
        Column(
            "at",
            tr("Max at {across}", across=one),
            worst,
            help=tr("The {across} with the maximum; the first of several.", across=one),
            role="key",
        ),
        Column(
            "active",
            tr("Number above zero"),
            active_columns(values),
            help=tr("Number of {several} with a value above zero.", several=several),
        ),
    ]
    keys = matrix.keys if matrix.keys is not None else np.arange(count, dtype=np.int64) + matrix.first_row
    return Table(f"{matrix.id}-rows", labelled(matrix.group, matrix.title), tuple(columns), matrix.rows, keys)


def columns_table(matrix: Matrix) -> Table:
    """One row per column of the matrix (a tile): the sum or the maximum of its cells."""
    count = matrix.values.shape[1]
    adds = matrix.column_summary == "sum"
    key, what = ("sum", tr("Sum")) if adds else ("max", tr("Max"))
    rows = KINDS[matrix.rows].several
    name = KINDS[matrix.columns].one.capitalize()
    named = matrix.column_names
    tiles = Column("column", name, np.arange(count), role="key")
    head = tiles if named is None else Column("column", name, Coded(np.arange(count), named))
    about = (
        tr("Sum over {several}. {help}", several=rows, help=matrix.help)
        if adds
        else tr("Maximum over {several}. {help}", several=rows, help=matrix.help)
    )
    figure = Column(key, what, column_figures(matrix), matrix.unit, about, adds_up=adds)
    return Table(f"{matrix.id}-columns", labelled(matrix.group, matrix.title), (head, figure), matrix.columns)


def _largest(matrix: Matrix) -> tuple[I64, I64]:
    """(column, amount) of the largest cell of each row."""
    values = matrix.values
    worst, largest = np.zeros(len(values), np.int64), np.zeros(len(values), np.int64)
    if values.shape[1]:
        for part in blocks(*values.shape):
            worst[part] = values[part].argmax(axis=1)
            largest[part] = np.take_along_axis(values[part], worst[part][:, None], axis=1)[:, 0]
    return worst, largest
