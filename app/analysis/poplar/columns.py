"""Columns that several tables of Poplar profiles share."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.numbers import padded
from app.analysis.table import Coded, Column, Unit
from app.profile.arrays import Array, Integers
from app.profile.strings import Strings


def number(count: int, title: str = "Number") -> Column:
    """The index that the file's other lists use."""
    return Column("number", title, np.arange(count, dtype=np.int64), help="Index in the file's list.")


def given(key: str, title: str, values: Integers, unit: Unit = "", help_: str = "", *, compared: str = "") -> Column:
    """A column in which numbers below zero stand for no data."""
    return Column(key, title, values, unit, help_, missing=values < 0, compared=compared)


def optional(key: str, title: str, values: Array | None, count: int, unit: Unit = "", help_: str = "") -> list[Column]:
    """A column of ``count`` cells if there is anything to fill it; cells beyond ``values`` have no data."""
    if values is None:
        return []
    cells, absent = padded(values, count)
    return [Column(key, title, cells, unit, help_, missing=absent if bool(np.any(absent)) else None)]


def texts(key: str, title: str, strings: Strings, count: int, help_: str = "") -> Column:
    """Text i in row i; rows beyond the texts have none."""
    ids = np.arange(count, dtype=np.int64)
    return Column(key, title, Coded(np.where(ids < len(strings), ids, -1), strings), help=help_)
