"""Amounts as percentages of their sum."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, Integers


def shares(amounts: Integers | F64) -> F64:
    """Percentage of the sum for each amount; NaN if the sum is zero."""
    whole = amounts.sum()
    return 100.0 * amounts / whole if whole > 0 else np.full(len(amounts), np.nan)
