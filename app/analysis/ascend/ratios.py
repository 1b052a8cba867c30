"""Shares of two counts."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64


def hit_percent(hit: F64, miss: F64) -> F64:
    """100 · hit / (hit + miss); NaN where one is not known or both are 0 (Ascend operator files, section 3.2)."""
    return percent(hit, hit + miss)


def percent(part: F64, whole: F64) -> F64:
    """100 · part / whole; NaN without a positive whole."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, 100.0 * part / whole, np.nan)
