"""Columns as DuckDB reads them: numbers are not copied."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.language import untranslated
from app.profile.arrays import Array, Bool
from app.profile.strings import Strings
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
        except (ImportError, UnicodeDecodeError):
            pass  # texts one by one
    return {name: _array(column) for name, column in zip(named.names, table.columns, strict=True)}


def _array(column: Column) -> Any:
    """Texts as objects; no data as None, NaN or masked, which are NULL in SQL."""
    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        texts = np.array([*values.strings.for_programs().tolist(), None], object)  # the last entry serves -1
        cells = texts[values.ids]
    elif isinstance(values, tuple):
        cells = np.array([*map(untranslated, values), None], object)[:-1]  # an array of objects, whatever the texts are
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
    """Buffers are passed as they are: ``pyarrow.array`` would import pandas. UnicodeDecodeError if a text is not
    UTF-8."""
    import pyarrow

    return pyarrow.Table.from_arrays([_arrow(column, table.rows) for column in table.columns], names=list(names))


def _arrow(column: Column, rows: int) -> Any:
    import pyarrow

    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        none = values.ids < 0 if missing is None else missing | (values.ids < 0)
        return pyarrow.DictionaryArray.from_arrays(
            _arrow_numbers(values.ids, none), _arrow_texts(values.strings.for_programs())
        )
    if isinstance(values, tuple):
        return pyarrow.DictionaryArray.from_arrays(
            _arrow_numbers(np.arange(rows), missing), _arrow_texts(Strings.of(map(untranslated, values)))
        )
    if values.dtype.kind == "f":
        nan = np.isnan(values)
        missing = nan if missing is None else missing | nan
    return _arrow_numbers(_native(values), missing)


def _arrow_numbers(values: Array, missing: Bool | None) -> Any:
    import pyarrow

    known = None
    if missing is not None and missing.any():
        known = pyarrow.py_buffer(np.packbits(~missing, bitorder="little"))
    plain = np.packbits(values, bitorder="little") if values.dtype.kind == "b" else np.ascontiguousarray(values)
    kind = pyarrow.from_numpy_dtype(values.dtype)
    return pyarrow.Array.from_buffers(kind, len(values), [known, pyarrow.py_buffer(plain)])


def _arrow_texts(strings: Strings) -> Any:
    """The texts without decoding them."""
    import pyarrow

    strings.blob.tobytes().decode()  # DuckDB takes them as they are
    offsets = np.concatenate((np.zeros(1, np.int64), strings.ends))
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(np.ascontiguousarray(strings.blob))]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(strings), buffers)


def _native(values: Array) -> Array:
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))
