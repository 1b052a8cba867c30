"""Columns of texts made row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.analysis.table import Coded, Column
from app.profile.arrays import F64, Bool
from app.profile.strings import Strings


def coded(texts: Iterable[str]) -> Coded:
    """The texts, each stored once; "" is no text."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(text, len(numbers)) if text else -1 for text in texts]
    return Coded(np.array(ids, np.int32), Strings.of(numbers))


def figures(values: Sequence[float | None]) -> tuple[F64, Bool]:
    """float64 and bool: the values, and which of them are missing."""
    missing = np.array([value is None for value in values], np.bool_)
    return np.array([0.0 if value is None else value for value in values], np.float64), missing


def amounts(key: str, title: str, values: Sequence[float | None], units: Sequence[str], help_: str = "") -> Column:
    """A column of figures in the unit of each row."""
    numbers, missing = figures(values)
    return Column(key, title, numbers, help=help_, missing=missing, units=coded(units), adds_up=False)


def percentages(key: str, title: str, values: Sequence[float | None], help_: str, share_of: str) -> Column:
    """A column of signed percentages."""
    numbers, missing = figures(values)
    return Column(key, title, numbers, "%", help_, missing, share_of=share_of)
