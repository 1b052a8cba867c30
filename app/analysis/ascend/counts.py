"""Converts counts that a file stores as floating-point numbers back to integers."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Column, Unit
from app.profile.arrays import F64

_EXACT = 2.0**53


def count_column(key: str, title: str, values: F64, unit: Unit = "", help: str = "") -> Column:  # noqa: A002
    """A column of integers with missing values marked, or of the floats themselves if one is not a whole number."""
    missing = np.isnan(values)
    known = values[~missing]
    if not len(known) or not bool(((known == np.floor(known)) & (np.abs(known) < _EXACT)).all()):
        return Column(key, title, values, unit, help, stored=True)
    whole = np.where(missing, 0.0, values).astype(np.int64)
    return Column(key, title, whole, unit, help, missing=missing if missing.any() else None)
