"""What the rows of a table are, in a number: tables of other ranges or selections have other rows."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from app.analysis.compare.plan import Plan
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import Array


def row_identity(table: Table, plan: Plan) -> int:
    """A hash of the number of rows and of the columns by which the plan matches them."""
    wanted = {*plan.key, *plan.within, *plan.names, *plan.arguments, *plan.kinds}
    made = crc32(f"{table.rows}".encode())
    for column in table.columns:
        if column.key in wanted:
            made = _of_column(column, made)
    return made


def _of_column(column: Column, made: int) -> int:
    values = column.values
    if isinstance(values, Coded):
        return _of_array(values.ids, _of_array(values.strings.ends, made))
    if isinstance(values, tuple):
        return crc32("\0".join(values).encode("utf-8", "surrogatepass"), made)
    return _of_array(values, made)


def _of_array(values: Array, made: int) -> int:
    return crc32(np.ascontiguousarray(values).view(np.uint8).data, made) if len(values) else made
