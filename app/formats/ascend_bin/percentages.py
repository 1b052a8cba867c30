"""Shares that some writers store as fractions and others as percentages: in a profile they are always percentages, so
that no figure with the sign % can be a fraction."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.profile.arrays import F64, Bool

WHOLE = 100.0
SAME = 0.05
"""Percentage points: hit rates are stored with six digits or more, of a fraction or of a percentage."""


def of_fractions(values: F64) -> F64:
    """Percentages of fractions, with the decimal digits of the fractions: 0.56 is 56 and not 56.00000000000001."""
    decimals = [float(Decimal(repr(value)).scaleb(2)) if value == value else value for value in values.tolist()]
    return np.array(decimals, np.float64)


def hit_rates(stored: F64, hit: F64, miss: F64) -> F64:
    """Percentages of stored hit ratios, whose writers had either unit (Ascend operator files, section 2.1, rule 5):
    what the counts say decides, else that no fraction is above 1. NaN where neither tells."""
    with np.errstate(divide="ignore", invalid="ignore"):
        counted = np.where(hit + miss > 0, WHOLE * hit / (hit + miss), np.nan)
    percentages: Bool = (stored > 1) | (np.abs(stored - counted) <= SAME)
    told: Bool = percentages | ~np.isnan(counted)
    fractions: Bool = (np.abs(WHOLE * stored - counted) <= SAME) | ~percentages
    return np.where(told, np.where(fractions, of_fractions(stored), stored), np.nan)


def shares_are_fractions(shares: F64, *, wrapped: bool, quoted: bool) -> bool:
    """Whether a file stores shares of cycles as 0..1 and not as 0..100 (section 2.1, rule 5). Decided once for the
    file, since one writer has one unit: percentages where any is above 1, fractions where items are ``wrapped`` (the
    first generation), percentages where block ids are texts (``quoted``, the third), else fractions."""
    if bool((shares > 1).any()):
        return False
    return wrapped or not quoted
