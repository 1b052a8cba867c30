"""Tables as Parquet files. The metadata of the file has the texts about the table (``table``, ``title``, ``note``,
``tilesight``: the version, ``source`` and ``settings``: JSON), that of each column ``title``, ``unit`` and ``help``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
import pyarrow
from pyarrow.parquet import ParquetWriter

from app.analysis.about import About
from app.analysis.export import blocks, clean_text, head_of, noting, unique_keys, unit_of
from app.analysis.table import Coded, Column, Table
from app.language import untranslated
from app.profile.arrays import I64
from app.store.table_files.kinds import MixedNumbersError

GROUP_ROWS: Final = 65_536
"""Rows of a row group, which are in memory at once."""
GROUP_BYTES: Final = 64_000_000
"""Of a row group with long texts, about."""


def write_parquet(
    table: Table,
    path: Path,
    about: About,
    rows: I64 | None,
    look: Callable[[int], None],
    more: Iterable[Table] = (),
) -> None:
    """Writes ``path``. Numbers have the type of the column and all their bits; no data is null. ``more``: as in
    ``export``. MixedNumbersError if numbers of ``more`` do not fit into that type."""
    schema, notes = schema_of(table, about), [table.note]
    done, waiting = 0, []
    with ParquetWriter(str(path), schema) as writer:
        for part, some in chain([(table, rows)], ((part, None) for part in noting(more, notes))):
            for block in blocks(part, some, GROUP_ROWS):
                look(done)
                arrays = [_array(column, block, field.type) for column, field in zip(part.columns, schema, strict=True)]
                waiting.append(pyarrow.Table.from_arrays(arrays, schema=schema))
                done += len(block)
                if sum(map(len, waiting)) >= GROUP_ROWS or sum(own.nbytes for own in waiting) >= GROUP_BYTES:
                    writer.write_table(pyarrow.concat_tables(waiting), row_group_size=GROUP_ROWS)
                    waiting = []
        if waiting:
            writer.write_table(pyarrow.concat_tables(waiting), row_group_size=GROUP_ROWS)
        if not table.note:
            writer.add_key_value_metadata({"note": clean_text(untranslated(notes[-1]))})
    look(done)


def schema_of(table: Table, about: About) -> Any:
    """The Arrow schema of a table, with its metadata; without a note, which may follow from later rows."""
    head = head_of(table, about)
    texts = {key: head[key] for key in ("table", "title", "note", "tilesight") if key != "note" or head[key]}
    texts |= {key: orjson.dumps(head[key]).decode() for key in ("source", "settings")}
    fields = [
        pyarrow.field(clean_text(key), _type(column), metadata=_facts(table, column))
        for key, column in zip(unique_keys(table), table.columns, strict=True)
    ]
    return pyarrow.schema(fields, metadata=texts)


def _facts(table: Table, column: Column) -> dict[str, str]:
    facts = {"title": column.title, "unit": unit_of(table, column), "help": column.help}
    return {key: clean_text(text) for key, text in facts.items()}


def _type(column: Column) -> Any:
    if isinstance(column.values, np.ndarray):
        return pyarrow.from_numpy_dtype(column.values.dtype)
    return pyarrow.string()


def _array(column: Column, block: I64, kind: Any) -> Any:
    """The cells of these rows as an Arrow array."""
    values = column.values
    lacking = np.zeros(len(block), np.bool_) if column.missing is None else column.missing[block]
    if isinstance(values, Coded):
        codes, places = np.unique(np.where(lacking, -1, values.ids[block]), return_inverse=True)
        texts = [clean_text(untranslated(values.strings.get(code))) if code >= 0 else None for code in codes.tolist()]
        return pyarrow.array(texts, kind).take(pyarrow.array(places))
    if isinstance(values, tuple):
        cells = zip(block.tolist(), lacking.tolist(), strict=True)
        return pyarrow.array([None if lack else clean_text(untranslated(values[row])) for row, lack in cells], kind)
    numbers = values[block]
    if numbers.dtype.kind == "f":
        lacking = lacking | ~np.isfinite(numbers)
        if pyarrow.types.is_integer(kind) and not lacking.all():
            raise MixedNumbersError(column.key)
    elif pyarrow.types.is_floating(kind):
        numbers = numbers.astype(np.float64)
    return pyarrow.array(numbers, kind, mask=lacking)
