"""The load of the cores of two profiles."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend.cores import Metric, sub_core_name, values
from app.analysis.compare.comparison import Comparison
from app.language import tr
from app.profile.arrays import F64, I64
from app.profile.core_load import CoreLoad

MOST_NAMED = 12


def before_of_cores(comparison: Comparison, metric: Metric) -> F64:
    """float64[sub-cores after]: the figure of the baseline for each, NaN for no data or no such sub-core there."""
    load, baseline = comparison.after.core_load, comparison.before.core_load
    count = 0 if load is None else len(load.core)
    if baseline is None:
        return np.full(count, np.nan)
    return np.append(values(baseline, metric), np.nan)[_partners(comparison, count)]


def not_compared(comparison: Comparison) -> list[str]:
    """Which sub-cores only one side has: one sentence each."""
    load, baseline = comparison.after.core_load, comparison.before.core_load
    if load is None or baseline is None:
        return [tr("The baseline has no core load.")]
    table = comparison.table("core-load")
    if table is None or table.before is None:
        return [tr("The baseline has no core load.")]
    alone, lacking = table.matches.only_after, table.matches.only_before
    return [
        *([tr("Only in the comparison: {names}.", names=_names(load, alone))] if len(alone) else []),
        *([tr("Only in the baseline: {names}.", names=_names(baseline, lacking))] if len(lacking) else []),
    ]


def _names(load: CoreLoad, rows: I64) -> str:
    names = [
        tr("core {core} {name}", core=int(load.core[row]), name=sub_core_name(load, row))
        for row in rows[:MOST_NAMED].tolist()
    ]
    more = [tr("{count:,} more", count=len(rows) - MOST_NAMED)] if len(rows) > MOST_NAMED else []
    return ", ".join([*names, *more])


def _partners(comparison: Comparison, count: int) -> I64:
    """int64[sub-cores after]: the row of the baseline, -1 none."""
    table = comparison.table("core-load")
    if table is None or table.before is None or table.after is None:
        return np.full(count, -1, np.int64)
    return table.matches.of_after.astype(np.int64)
