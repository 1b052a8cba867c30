"""How a core's load compares with that of its kind."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I32, I64


def levels(values: F64, kinds: I32) -> I64:
    """int64: 0 to 10 for each value, among those of the same kind; -1 where there is no value.

    int(10 · σ(z)) with σ(z) = 1 / (1 + e^-z) and z = (value - mean) / sample standard deviation; 0 where fewer
    than two values are known or all are equal (Ascend operator files, section 3.5). 4 to 6 is the average.
    """
    result = np.full(len(values), -1, np.int64)
    for kind in np.unique(kinds):
        rows = np.flatnonzero((kinds == kind) & ~np.isnan(values))
        result[rows] = _of_one_kind(values[rows])
    return result


def _of_one_kind(values: F64) -> I64:
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    if not np.isfinite(deviation) or deviation <= 1e-12 * float(np.abs(values).max(initial=0.0)):
        return np.zeros(len(values), np.int64)
    z = (values - values.mean()) / deviation
    level: I64 = (10.0 / (1.0 + np.exp(-z))).astype(np.int64)
    return level
