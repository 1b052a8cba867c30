"""The things of the baseline that belong to things of the shown profile."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.comparison import Comparison
from app.analysis.table import Table
from app.profile.arrays import I64


def counterparts(comparison: Comparison, table_id: str, items: I64) -> I64:
    """int64, ascending: the items of the profile before whose rows in a table are matched with those of ``items``
    after."""
    compared = comparison.table(table_id)
    if compared is None or compared.before is None or compared.after is None:
        return np.empty(0, np.int64)
    rows = compared.matches.of_after[_rows(compared.after, items)].astype(np.int64)
    rows = rows[rows >= 0]
    return np.sort(rows if compared.before.keys is None else compared.before.keys[rows])


def _rows(table: Table, items: I64) -> I64:
    if table.keys is None:
        return items[(items >= 0) & (items < table.rows)]
    return np.flatnonzero(np.isin(table.keys, items)).astype(np.int64)
