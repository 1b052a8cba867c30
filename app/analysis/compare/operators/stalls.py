"""The stall reasons of two profiles."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.operators.named import pairs_by_name
from app.profile.arrays import F64, I64
from app.profile.ascend import StallReasons


class ComparedStalls(Struct, frozen=True, eq=False):
    """By reason: ``rows_before``, ``rows_after`` (int64, -1 none), and ``before``, ``after`` (float64 samples, NaN for
    no data). Those with most samples on either side come first."""

    reasons: tuple[str, ...]
    rows_before: I64
    rows_after: I64
    before: F64
    after: F64


def compared_stalls(before: StallReasons | None, after: StallReasons) -> ComparedStalls:
    """All reasons of both, matched by name."""
    own = [] if before is None else before.reasons.tolist()
    other = after.reasons.tolist()
    left, right = pairs_by_name(own, other)
    counts = np.empty(0) if before is None else before.count
    first, second = _taken(counts, left), _taken(after.count, right)
    size = np.fmax(np.nan_to_num(first, nan=-1.0), np.nan_to_num(second, nan=-1.0))
    order = np.argsort(-size, kind="stable")
    names = tuple(
        other[b] if b >= 0 else own[a] for a, b in zip(left[order].tolist(), right[order].tolist(), strict=True)
    )
    return ComparedStalls(names, left[order], right[order], first[order], second[order])


def _taken(values: F64, rows: I64) -> F64:
    """float64[rows]: NaN for no row."""
    return np.append(values, np.nan)[rows]
