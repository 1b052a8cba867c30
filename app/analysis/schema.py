"""What programs read: the tables with the same columns, units and types for every file of their kind.

``resources/columns.txt`` lists the tables. A table is a line with its id, and has below it a line ``key type unit
role`` for each column (unit ``-``: none; no role: ""); ``*`` says that further columns are named by the file or by the
counters of its device: their keys, units and types are the file's, and their role is ``counter``. A table ``id/part``
that is not listed has the columns of ``id``. Times are in seconds. Where a table lists ``KEY`` in s and ``KEY_cycles``,
the second has the cycles of a file whose times are cycles, and the first has no data if its clock is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Coded, Column, Role, Table, Unit, Values
from app.language import tr
from app.profile.arrays import Array, sealed
from app.profile.strings import Strings
from app.resources import resource

ColumnType: TypeAlias = Literal["text", "integer", "number", "bool", "address"]

SECONDS: Final[Mapping[str, float]] = {"s": 1.0, "ms": 1e3, "µs": 1e6, "ns": 1e9}
"""How many of a unit of time are a second."""
CYCLES: Final = "_cycles"
"""The end of the key of the column that has the cycles of another one."""
NO_DATA: Final = tr("The file has no data for this column.")
_EMPTY: Final[Mapping[str, Array]] = {
    "integer": np.zeros(1, np.int64),
    "address": np.zeros(1, np.int64),
    "number": np.full(1, np.nan),
    "bool": np.zeros(1, np.bool_),
    "text": np.full(1, -1, np.int32),
}


class ColumnSpec(Struct, frozen=True):
    """A column that a table has for every file."""

    key: str
    type: ColumnType
    unit: Unit
    role: Role = ""


class TableSchema(Struct, frozen=True):
    """The columns of a table; ``open``: whether files may add columns that they name themselves."""

    columns: tuple[ColumnSpec, ...]
    open: bool

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(spec.key for spec in self.columns)


@cache
def schemas() -> dict[str, TableSchema]:
    """All tables by id, in the order of the list."""
    made: dict[str, TableSchema] = {}
    table = ""
    for line in resource("columns.txt").read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            table = line.strip()
            made[table] = TableSchema((), open=False)
        elif line.strip() == "*":
            made[table] = replace(made[table], open=True)
        else:
            key, kind, unit, *role = line.split()
            spec = ColumnSpec(key, kind, "" if unit == "-" else unit, *role)  # type: ignore[arg-type] # a test reads them all
            made[table] = replace(made[table], columns=(*made[table].columns, spec))
    return made


def schema_of(table_id: str) -> TableSchema | None:
    """The schema of a table; None for one that is not listed, such as the result of a query."""
    known = schemas()
    return known.get(table_id) or known.get(table_id.partition("/")[0])


def for_programs(table: Table) -> Table:
    """The table with the columns, units and types of its schema. What a table without a schema measures in a unit of
    time is in seconds. Rows, and what they stand for, are the same."""
    schema = schema_of(table.id)
    if schema is None:
        return in_seconds(table)
    own = {column.key: column for column in table.columns}
    columns = [*_listed(schema, own, table)]
    columns += [replace(column, role="counter") for key, column in own.items() if key not in schema.keys]
    return replace(table, columns=tuple(columns))


def in_seconds(table: Table) -> Table:
    """The table, which may be a comparison, with its times in seconds; cycles, and what the file names, stay as they
    are."""
    columns = (_scaled(column, per_second(table.id, column.key, column.unit)) for column in table.columns)
    return replace(table, columns=tuple(columns))


def per_second(table_id: str, key: str, unit: str) -> float:
    """What programs divide figures of a column of the table by: 1 unless it is a time that is not in seconds. ``key``
    may be that of a comparison, such as ``start_before``."""
    schema = schema_of(table_id)
    named = schema is not None and not any(key == own or key.startswith(f"{own}_") for own in schema.keys)
    return 1.0 if named else SECONDS.get(unit, 1.0)


def _listed(schema: TableSchema, own: Mapping[str, Column], table: Table) -> Iterator[Column]:
    for spec in schema.columns:
        column, of = own.get(spec.key), own.get(spec.key.removesuffix(CYCLES))
        if column is None and spec.key.endswith(CYCLES) and of is not None and of.unit == "cycles":
            yield _typed(replace(of, key=spec.key, title=tr("{title}, cycles", title=of.title)), spec)
        elif column is None:
            yield _absent(spec, table.rows)
        elif column.unit == spec.unit:
            yield _typed(column, spec)
        else:
            yield from _converted(column, spec, table)


def _converted(column: Column, spec: ColumnSpec, table: Table) -> Iterator[Column]:
    """A column whose unit is another one in this file."""
    clock = table.own_time.clock_hz if table.own_time is not None else None
    factor = clock if column.unit == "cycles" else SECONDS.get(column.unit)
    if spec.unit == "s" and factor:
        yield _typed(_scaled(column, factor), spec)
        return
    yield _absent(spec, table.rows)
    if column.unit != "cycles":  # what the file counts is not certain
        yield replace(column, key=f"{column.key}_stored", role="counter")


def _scaled(column: Column, factor: float) -> Column:
    """A column of times, of which ``factor`` are a second, in seconds. Its figures are computed now, and have the
    significant digits."""
    if factor == 1 or not isinstance(column.values, np.ndarray):
        return column
    return replace(
        column,
        values=sealed(np.asarray(column.values / factor)),
        unit="s",
        finest=column.finest / factor,
        reach=column.reach / factor,
        stored=False,
    )


def _typed(column: Column, spec: ColumnSpec) -> Column:
    """The column with values of the type, and the role, that it has for every file."""
    values, column = column.values, column if column.role == spec.role else replace(column, role=spec.role)
    if spec.type == "text" and isinstance(values, np.ndarray):
        own, ids = np.unique(values, return_inverse=True)
        return replace(column, values=Coded(ids.astype(np.int32), Strings.of(map(str, own.tolist()))))
    if spec.type == "number" and isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return replace(column, values=sealed(values.astype(np.float64)))
    return column


def _absent(spec: ColumnSpec, rows: int) -> Column:
    """A column without data: one cell that all rows share, so that it takes no memory."""
    cells = np.broadcast_to(_EMPTY[spec.type], rows)
    values: Values = Coded(cells, Strings.of(())) if spec.type == "text" else cells
    title = spec.key.replace("_", " ").capitalize()
    return Column(
        spec.key,
        title,
        values,
        spec.unit,
        NO_DATA,
        np.broadcast_to(np.True_, rows),
        role=spec.role,
        hexadecimal=spec.type == "address",
        absent=True,
    )


def columns_table(tables: Iterable[tuple[str, Iterable[tuple[str, Column]]]]) -> Table:
    """One row for each column of ``tables`` (their names, with the names and columns of each)."""
    rows = [(table, name, column.unit, column.role, column.help) for table, own in tables for name, column in own]
    texts = zip(*rows, strict=True) if rows else ((),) * 5
    titles = (tr("Table"), tr("Column"), tr("Unit"), tr("Role"), tr("Meaning"))
    keys = ("table", "column", "unit", "role", "help")
    made = (Column(key, title, tuple(own), help=HELP[key]) for key, title, own in zip(keys, titles, texts, strict=True))
    return Table("tilesight_columns", tr("Columns"), tuple(made))


HELP: Final[Mapping[str, str]] = {
    "table": tr("The name of the table in SQL."),
    "column": tr("The name of the column in SQL."),
    "unit": tr("The unit of its figures; none for texts, plain numbers, and figures whose unit differs by row."),
    "role": tr(
        "name, kind, key (a number that other tables refer to), place (a time or an address), code, or counter: named "
        "by the file or by the counters of its device, so that other files may not have it."
    ),
    "help": tr("Where the figures come from, or their formula."),
}
