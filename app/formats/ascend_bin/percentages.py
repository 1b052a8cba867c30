"""Normalises ratios, which some writers store as fractions and others as percentages: a profile has percentages only,
so that a number shown with % is never a fraction."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.profile.arrays import F64, Bool

WHOLE = 100.0
SAME = 0.05
"""Tolerance in percentage points: hit rates are stored with six digits or more, in either unit."""


def of_fractions(values: F64) -> F64:
    """float64[n]: fractions as percentages with the same decimal digits: 0.56 is 56, not 56.00000000000001."""
    decimals = [float(Decimal(repr(value)).scaleb(2)) if value == value else value for value in values.tolist()]
    return np.array(decimals, np.float64)


def hit_rates(stored: F64, hit: F64, miss: F64) -> F64:
    """float64[n]: stored hit ratios as percentages (Ascend operator files, section 2.1, rule 5). The unit of each is
    derived from the counts of hits and misses; without them, values above 1 are percentages and others NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        counted = np.where(hit + miss > 0, WHOLE * hit / (hit + miss), np.nan)
    percentages: Bool = (stored > 1) | (np.abs(stored - counted) <= SAME)
    known: Bool = percentages | ~np.isnan(counted)
    fractions: Bool = (np.abs(WHOLE * stored - counted) <= SAME) | ~percentages
    return np.where(known, np.where(fractions, of_fractions(stored), stored), np.nan)


def shares_are_fractions(shares: F64, *, wrapped: bool, quoted: bool) -> bool:
    """Whether a file stores shares of cycles as 0..1 and not as 0..100 (section 2.1, rule 5). Decided once per file,
    because a writer uses one unit: percentages where any is above 1, fractions where items are ``wrapped`` (first
    generation), percentages where block ids are strings (``quoted``, third generation), else fractions."""
    if bool((shares > 1).any()):
        return False
    return wrapped or not quoted
