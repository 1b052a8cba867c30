"""Amounts as shares of what they add up to."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, Integers


def shares(amounts: Integers | F64) -> F64:
    """Each in per cent of the sum of all; NaN where that is zero, because nothing is no share of nothing."""
    whole = amounts.sum()
    return 100.0 * amounts / whole if whole > 0 else np.full(len(amounts), np.nan)
