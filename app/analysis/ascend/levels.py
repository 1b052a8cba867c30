"""How a core's load compares with that of its kind."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I32, I64, combine_at


def levels(values: F64, kinds: I32) -> I64:
    """int64: 0 to 10 for each value, among those of the same kind; -1 where there is no value.

    int(10 · σ(z)) with σ(z) = 1 / (1 + e^-z) and z = (value - mean) / sample standard deviation; 0 where fewer
    than two values are known or all are equal (Ascend operator files, section 3.5). 4 to 6 is the average.
    """
    result = np.full(len(values), -1, np.int64)
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return result
    _, kind = np.unique(kinds[known], return_inverse=True)
    kind, own = kind.reshape(-1), values[known]
    count = np.bincount(kind)
    largest = np.zeros(len(count))
    combine_at(np.maximum, largest, kind, np.abs(own))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        away = own - (np.bincount(kind, own) / count)[kind]
        deviation = np.sqrt(np.bincount(kind, away * away) / np.maximum(count - 1, 1))
        distinct = (np.isfinite(deviation) & (deviation > 1e-12 * largest) & (count > 1))[kind]
        level = 10.0 / (1.0 + np.exp(-away / deviation[kind]))
    result[known] = np.where(distinct, level, 0.0).astype(np.int64)
    return result
