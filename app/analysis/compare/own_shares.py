"""Which columns are shares of the table's own total: they change in every row when one row changes."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Column, Table
from app.profile.arrays import F64, Bool

LEVEL = "level"
NEAR = 1e-9


def own_shares(table: Table) -> frozenset[str]:
    """Keys of the percentages that are 100 x a column / the sum of that column (of its rows on top, in a tree)."""
    shares = [column for column in table.columns if column.unit == "%" and column.share_of and column.numeric]
    amounts = [column for column in table.columns if column.numeric and _is_amount(column)]
    top = _top(table)
    return frozenset(share.key for share in shares if any(_is_share(share, amount, top) for amount in amounts))


def _is_amount(column: Column) -> bool:
    """Whether its sum can be a whole: amounts, and counts, which have no unit."""
    counted = not column.unit and not column.is_key and not column.is_place
    return column.sums or column.inclusive or counted


def _top(table: Table) -> Bool:
    for column in table.columns:
        if column.key == LEVEL and column.is_key:
            return np.asarray(np.asarray(column.values) == 0)
    return np.ones(table.rows, np.bool_)


def _is_share(share: Column, amount: Column, top: Bool) -> bool:
    parts, values = _figures(share), _figures(amount)
    whole = float(np.nansum(values[top])) if amount.inclusive else float(np.nansum(values))
    known = np.isfinite(parts) & np.isfinite(values)
    if not known.any() or whole <= 0:
        return False
    return bool(np.allclose(parts[known], 100.0 * values[known] / whole, rtol=NEAR, atol=NEAR))


def _figures(column: Column) -> F64:
    values = np.asarray(column.values).astype(np.float64)
    return values if column.missing is None else np.where(column.missing, np.nan, values)
