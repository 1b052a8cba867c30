"""Columns shared by several tables of Poplar profiles."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.poplar.numbers import padded, row_maxima, row_sums
from app.analysis.table import Coded, Column, Role, Unit
from app.language import split_at_bracket, tr
from app.profile.arrays import Array, Integers
from app.profile.strings import Strings


def number(count: int, title: str = tr("Number")) -> Column:
    """A column of the index by which the file's other lists refer to a row."""
    return Column("number", title, np.arange(count, dtype=np.int64), help=tr("Index in the file's list."), role="key")


def masked(
    key: str,
    title: str,
    values: Integers,
    unit: Unit = "",
    help_: str = "",
    *,
    compared: str = "",
    role: Role = "",
    adds_up: bool = True,
    inclusive: bool = False,
) -> Column:
    """A column in which negative numbers stand for no data."""
    return Column(
        *(key, title, values, unit, help_, values < 0),
        compared=compared,
        role=role,
        adds_up=adds_up,
        inclusive=inclusive,
    )


def optional(
    key: str,
    title: str,
    values: Array | None,
    count: int,
    unit: Unit = "",
    help_: str = "",
    *,
    role: Role = "",
    adds_up: bool = True,
    parallel: bool = False,
) -> list[Column]:
    """A column of ``count`` cells, or none if ``values`` is None; cells beyond ``values`` have no data."""
    if values is None:
        return []
    cells, absent = padded(values, count)
    missing = absent if bool(np.any(absent)) else None
    return [Column(key, title, cells, unit, help_, missing, role=role, adds_up=adds_up, parallel=parallel)]


def over_tiles(key: str, title: str, matrix: Integers, count: int, unit: Unit, help_: str = "") -> list[Column]:
    """Two columns for a matrix [rows, tiles]: the sum over tiles under ``key``, the maximum under ``max_key``, each
    with a matching title. For amounts that must not be added up over rows."""
    (total,) = optional(key, title, row_sums(matrix), count, unit, tr("Sum over tiles. {help}", help=help_).strip())
    return [replace(total, adds_up=False), *max_over_tiles(key, title, matrix, count, unit, help_)]


def max_over_tiles(key: str, title: str, matrix: Integers, count: int, unit: Unit, help_: str = "") -> list[Column]:
    """Only the column of maxima."""
    values, absent = padded(row_maxima(matrix), count)
    return [max_column(key, title, values, unit, help_, absent if bool(np.any(absent)) else None)]


def max_column(
    key: str, title: str, values: Array, unit: Unit, help_: str = "", missing: Array | None = None
) -> Column:
    """A column of maxima over tiles, named so in its title, its help and in exports."""
    text = tr("Maximum over tiles. {help}", help=help_).strip()
    what, more = split_at_bracket(f"{title[:1].lower()}{title[1:]}")
    name = tr("Max {what} on a tile{more}", what=what, more=more)
    return Column(f"max_{key}", name, values, unit, text, missing, adds_up=False)


def texts(key: str, title: str, strings: Strings, count: int, help_: str = "") -> Column:
    """Text i in row i; rows beyond the texts have no data."""
    ids = np.arange(count, dtype=np.int64)
    return Column(key, title, Coded(np.where(ids < len(strings), ids, -1), strings), help=help_)
