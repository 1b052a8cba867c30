"""The result of a query as a table, with the units of the columns that it takes from tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Table
from app.language import plural, tr
from app.profile.arrays import Array, Bool, sealed
from app.profile.strings import Interner
from app.query.origins import Origin

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
    def is_text(self) -> bool:
        """Whether its cells are texts in the result."""
        return self.type not in NUMBERS and not self.wide and not self.type.startswith("DECIMAL")

    @property
    def expression(self) -> str:
        """What is fetched for it: numbers, booleans or texts."""
        own = f"c{self.place}"
        if self.type in NUMBERS or self.type in ("VARCHAR", "HUGEINT", "UHUGEINT"):
            return own
        if self.type.startswith("DECIMAL") and not self.wide:
            return f"CAST({own} AS DOUBLE) AS {own}"
        return f"CAST({own} AS VARCHAR) AS {own}"


def select(text: str, columns: Sequence[Fetched], rows: int | None) -> str:
    """The statement ``text`` with its columns in types that Python has; at most ``rows`` rows."""
    names = ", ".join(f"c{column.place}" for column in columns)
    wanted = ", ".join(column.expression for column in columns)
    limit = "" if rows is None else f" LIMIT {rows}"
    return f"SELECT {wanted} FROM (\n{text}\n) AS result({names}){limit}"


class Pile:
    """Fetched cells of a column, as arrays. ``bytes``: what they take, about."""

    def __init__(self, column: Fetched) -> None:
        self._column = column
        self._texts = Interner() if column.is_text else None
        self._values: list[Array] = []
        self._missing: list[Bool] = []
        self.bytes = 0

    def add(self, cells: Sequence[Any]) -> None:
        """Adds the cells of further rows, None for NULL."""
        missing = np.array([cell is None for cell in cells], np.bool_)
        values = self._numbers(cells) if self._texts is None else self._ids(cells, self._texts)
        self._values.append(values)
        self._missing.append(missing)
        self.bytes += values.nbytes + missing.nbytes

    def column(self) -> Column:
        """The column, without its unit."""
        name, missing = self._column.name, np.concatenate(self._missing)
        own = sealed(missing) if missing.any() else None
        values = sealed(np.concatenate(self._values))  # of whole numbers and floats: floats
        return Column(name, name, values if self._texts is None else Coded(values, self._texts.strings()), missing=own)

    def _numbers(self, cells: Sequence[Any]) -> Array:
        if self._column.wide:
            return _wide([0 if cell is None else int(cell) for cell in cells])
        kind = np.dtype(_KINDS.get(self._column.type, "f8"))
        nothing = math.nan if kind.kind == "f" else 0
        return np.array([nothing if cell is None else cell for cell in cells], kind)

    def _ids(self, cells: Sequence[Any], texts: Interner) -> Array:
        before = len(texts.ids)
        ids = np.array([-1 if cell is None else texts(cell) for cell in cells], np.int64)
        if len(texts.ids) > before:
            added = islice(reversed(texts.ids), len(texts.ids) - before)
            self.bytes += sum(TEXT_BYTES + TIMES_HELD * len(text) for text in added)
        return ids


TEXT_BYTES: Final = 120
"""What a text takes besides its characters, while it is fetched."""
TIMES_HELD: Final = 3
"""How often characters are in memory at the same time: DuckDB computes 2,048 rows at once and copies them."""
_KINDS: Final = {
    "BOOLEAN": "?",
    "TINYINT": "i1",
    "SMALLINT": "i2",
    "INTEGER": "i4",
    "BIGINT": "i8",
    "UTINYINT": "u1",
    "USMALLINT": "u2",
    "UINTEGER": "u4",
    "UBIGINT": "u8",
    "FLOAT": "f4",
    "DOUBLE": "f8",
}
NUMBERS: Final = frozenset(_KINDS)


def _wide(numbers: list[int]) -> Array:
    """int64 if all of them fit, else float64."""
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        return np.array([float(str(number)) for number in numbers], np.float64)


def table_of(piles: Sequence[Pile], origins: Sequence[Origin | None], note: str = "") -> Table:
    """The rows that were added to all of ``piles``; ``origins``: of their columns."""
    made = [_with_origin(pile.column(), origin) for pile, origin in zip(piles, origins, strict=True)]
    used = [origin.table.table for origin in origins if origin is not None]
    own_time = used[0].own_time if used and all(table.own_time == used[0].own_time for table in used) else None
    return Table("query", tr("Query"), tuple(made), note=note, own_time=own_time)


def first_rows(count: int) -> str:
    """The note about a result that was cut off."""
    return plural("The first row; the query has more.", "The first {count:,} rows; the query has more.", count=count)


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


def _mask(missing: Bool | None, rows: int) -> Bool:
    return np.zeros(rows, np.bool_) if missing is None else missing
