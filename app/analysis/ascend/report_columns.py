"""Columns of the tables of a report, and means over their rows."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64
from app.profile.ascend_report import ReportTables


def column(tables: ReportTables, name: str, title: str) -> F64 | None:
    """float64[rows]: the figures of a column; None without it."""
    table = tables.named_like(name)
    wanted = title.lower()
    for own in table.columns if table is not None else ():
        if own.name.lower() == wanted and own.strings is None:
            return own.of_core(0)
    return None


def weighted(values: F64 | None, weight: F64 | None) -> float | None:
    """The mean of ``values``, weighted (float64[rows] each); None if nothing is known."""
    if values is None or weight is None or values.size != weight.size:
        return None
    known = ~np.isnan(values) & ~np.isnan(weight) & (weight > 0)
    return float((values[known] * weight[known]).sum() / weight[known].sum()) if known.any() else None
