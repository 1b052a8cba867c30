"""Counts that a file stores as floating-point numbers, as columns of integers; and ratios of two counts."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Column, Unit
from app.profile.arrays import F64
from app.profile.ascend import CacheLines

_EXACT = 2.0**53


def count_column(key: str, title: str, values: F64, unit: Unit = "", help: str = "") -> Column:  # noqa: A002
    """A column of integers with missing values marked, or of the floats themselves if one is not a whole number."""
    missing = np.isnan(values)
    known = values[~missing]
    if not len(known) or not bool(((known == np.floor(known)) & (np.abs(known) < _EXACT)).all()):
        return Column(key, title, values, unit, help, stored=True)
    whole = np.where(missing, 0.0, values).astype(np.int64)
    return Column(key, title, whole, unit, help, missing=missing if missing.any() else None)


def hit_percent(hit: F64, miss: F64) -> F64:
    """100 · hit / (hit + miss); NaN if one is unknown or both are 0 (Ascend operator files, section 3.2)."""
    return percent(hit, hit + miss)


def line_shares(lines: CacheLines) -> tuple[F64, F64]:
    """Hits and misses of each cache line in percent of its events, as stored; NaN for a line without events, for which
    the file stores 0."""
    none = (lines.hits.count == 0) & (lines.misses.count == 0)
    hits, misses = (np.where(none, np.nan, 100.0 * side.ratio) for side in (lines.hits, lines.misses))
    return hits, misses


def percent(part: F64, whole: F64) -> F64:
    """100 · part / whole; NaN without a positive whole."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, 100.0 * part / whole, np.nan)
