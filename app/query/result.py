"""The result of a query as a table, with the units of the columns that it takes from tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Table, Values
from app.language import plural, tr
from app.profile.arrays import I64, Array, Bool, sealed
from app.profile.strings import Interner
from app.query.origins import Origin

_NUMBERS: Final = "BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT FLOAT DOUBLE"
NUMBERS: Final = frozenset(_NUMBERS.split())
WIDE: Final = frozenset(("HUGEINT", "UHUGEINT", "BIGNUM"))
"""Whole numbers that may be larger than those of numpy; sums of whole numbers are."""


class Fetched(Struct, frozen=True):
    """A column of the result. ``name``: its name in SQL; ``type``: DuckDB's."""

    name: str
    type: str
    place: int

    @property
    def wide(self) -> bool:
        return self.type in WIDE or (self.type.startswith("DECIMAL") and self.type.endswith(",0)"))

    @property
    def expressions(self) -> list[str]:
        """What is fetched for it, in types that numpy has; wide numbers twice."""
        own = f"c{self.place}"
        if self.wide:
            return [f"TRY_CAST({own} AS BIGINT) AS {own}", f"CAST({own} AS DOUBLE) AS {own}_wide"]
        if self.type.startswith("DECIMAL"):
            return [f"CAST({own} AS DOUBLE) AS {own}"]
        if self.type in NUMBERS or self.type == "VARCHAR":
            return [own]
        return [f"CAST({own} AS VARCHAR) AS {own}"]

    def column(self, arrays: Mapping[str, Any], rows: int) -> Column:
        """The column, without its unit; ``rows``: how many of the rows it has."""
        values, missing = _parts(arrays[f"c{self.place}"][:rows])
        if self.wide:
            as_float, unknown = _parts(arrays[f"c{self.place}_wide"][:rows])
            if not np.array_equal(_mask(missing, rows), _mask(unknown, rows)):  # not all of them fit
                values, missing = as_float, unknown
        return Column(self.name, self.name, _values(values, missing), missing=missing)


def select(text: str, columns: Sequence[Fetched], rows: int | None) -> str:
    """The statement ``text`` with its columns in types that numpy has; at most ``rows`` rows."""
    names = ", ".join(f"c{column.place}" for column in columns)
    wanted = ", ".join(part for column in columns for part in column.expressions)
    limit = "" if rows is None else f" LIMIT {rows}"
    return f"SELECT {wanted} FROM (\n{text}\n) AS result({names}){limit}"


def result_table(
    columns: Sequence[Fetched], arrays: Mapping[str, Any], origins: Sequence[Origin | None], limit: int | None
) -> Table:
    """The table of at most ``limit`` rows; a note says if there are more."""
    rows = len(next(iter(arrays.values()))) if arrays else 0
    note = ""
    if limit is not None and rows > limit:
        rows = limit
        note = plural(
            "The first row; the query has more.", "The first {count:,} rows; the query has more.", count=limit
        )
    made = [_with_origin(column.column(arrays, rows), origin) for column, origin in zip(columns, origins, strict=True)]
    used = [origin.table.table for origin in origins if origin is not None]
    own_time = used[0].own_time if used and all(table.own_time == used[0].own_time for table in used) else None
    return Table("query", tr("Query"), tuple(made), note=note, own_time=own_time)


def selecting(table: Table, origins: Sequence[Origin | None], own: frozenset[int]) -> Table:
    """The result whose rows stand for things: the first column that has numbers of them says which. ``own``: the
    places of columns that may, which are those of the shown profile."""
    for place, origin in enumerate(origins):
        column = table.columns[place]
        if place in own and origin is not None and origin.is_identity and isinstance(column.values, np.ndarray):
            keys = np.where(_mask(column.missing, table.rows), -1, column.values.astype(np.int64))
            return replace(table, selects=origin.table.table.selects, keys=sealed(keys))
    return table


def _with_origin(column: Column, origin: Origin | None) -> Column:
    if origin is None:
        return column
    source = origin.column
    if isinstance(column.values, np.ndarray) != isinstance(source.values, np.ndarray):
        return column  # a list of values, say
    if not origin.plain:
        return replace(column, unit=source.unit, finest=source.finest, parallel=source.parallel)
    return replace(
        source,
        key=column.key,
        title=column.title,
        values=column.values,
        missing=column.missing,
        compared="",
        units=None,
    )


def _parts(fetched: Any) -> tuple[Array, Bool | None]:
    """Values, and which of them are no data."""
    if isinstance(fetched, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(fetched)
        return fetched.data, sealed(np.array(mask)) if mask.any() else None
    return fetched, None


def _mask(missing: Bool | None, rows: int) -> Bool:
    return np.zeros(rows, np.bool_) if missing is None else missing


def _values(values: Array, missing: Bool | None) -> Values:
    if values.dtype.kind == "O":
        return _interned(values.tolist(), missing)
    if missing is not None and values.dtype.kind == "f":
        values = np.where(missing, np.nan, values)
    return sealed(values)


def _interned(texts: list[Any], missing: Bool | None) -> Coded:
    intern = Interner()
    absent = (False,) * len(texts) if missing is None else missing.tolist()
    ids: I64 = np.fromiter(
        (-1 if none or text is None else intern(str(text)) for text, none in zip(texts, absent, strict=True)),
        np.int64,
        len(texts),
    )
    return Coded(sealed(ids), intern.strings())
