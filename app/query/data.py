"""Columns as DuckDB reads them: numbers are not copied."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.profile.arrays import Array
from app.query.names import NamedTable

ARROW_ROWS: Final = 100_000
"""From this many rows on, importing pyarrow (where it is installed) costs less than a ``str`` for each row: it passes
the numbers of interned texts, and each text once."""


def data_of(named: NamedTable) -> Any:
    """What DuckDB registers as a table: an Arrow table, or columns by name."""
    table = named.table
    if table.rows >= ARROW_ROWS and any(isinstance(column.values, Coded) for column in table.columns):
        try:
            return _arrow_table(table, named.names)
        except ImportError:
            pass
    return {name: _array(column) for name, column in zip(named.names, table.columns, strict=True)}


def _array(column: Column) -> Any:
    """Texts as objects; no data as None, NaN or masked, which are NULL in SQL."""
    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        texts = np.array([*values.strings.tolist(), None], object)  # the last entry serves -1
        cells = texts[values.ids]
    elif isinstance(values, tuple):
        cells = np.array([*values, None], object)[:-1]  # an array of objects, whatever the texts are
    else:
        cells = _native(values)
    if missing is None:
        return cells
    if cells.dtype.kind == "f":
        return np.where(missing, np.nan, cells)
    if cells.dtype.kind == "O":
        cells[missing] = None
        return cells
    return np.ma.MaskedArray(cells, missing)


def _arrow_table(table: Table, names: tuple[str, ...]) -> Any:
    import pyarrow

    return pyarrow.table(dict(zip(names, map(_arrow, table.columns), strict=True)))


def _arrow(column: Column) -> Any:
    import pyarrow

    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        ids = np.asarray(values.ids)
        none = ids < 0 if missing is None else missing | (ids < 0)
        texts = pyarrow.array(values.strings.tolist(), pyarrow.string())
        return pyarrow.DictionaryArray.from_arrays(pyarrow.array(ids, mask=none), texts)
    if isinstance(values, tuple):
        return pyarrow.array(values, pyarrow.string(), mask=missing)
    return pyarrow.array(_native(values), mask=missing, from_pandas=True)  # NaN is no data


def _native(values: Array) -> Array:
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))
