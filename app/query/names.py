"""Names of tables and columns in SQL, which need no quotes: letters and digits stay, a run of anything else becomes one
underscore (`compute-sets` is compute_sets, `tile-memory/region` is tile_memory_region). A name that would begin with a
digit gets an underscore before it, a word of SQL one after it (`end` is end_), and a repeated name a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.export import unique_keys
from app.analysis.schema import for_programs
from app.analysis.table import Column, Table, Values
from app.analysis.tables import TABLES, TableSpec, by_id, specs
from app.profile.arrays import I64, sealed
from app.profile.profile import Profile

_OTHERS: Final = re.compile(r"[^\w]+|_+")

_WORDS: Final = (
    "all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check "
    "collate collation column concurrently constraint create cross default deferrable desc describe distinct do "
    "else end except false fetch for foreign freeze from full generated glob group having ilike in initially inner "
    "intersect into is isnull join lambda lateral leading left like limit map natural not notnull null offset on "
    "only or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify references "
    "returning right select semi show similar some struct summarize symmetric table tablesample then to trailing "
    "true try_cast tuple union unique unpack unpivot using variadic verbose when where window with"
)
RESERVED: Final = frozenset(_WORDS.split())
"""Words that DuckDB does not take as the name of a table or column."""


def sql_name(text: str) -> str:
    """``text`` as a name that needs no quotes."""
    name = _OTHERS.sub("_", text).strip("_") or "_"
    if name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if name.lower() in RESERVED else name


def unique_names(texts: Iterable[str]) -> list[str]:
    """The names of several tables or columns; SQL does not tell upper case from lower case."""
    names: list[str] = []
    taken: set[str] = set()
    for text in texts:
        name = first = sql_name(text)
        number = 2
        while name.lower() in taken:
            name, number = f"{first}_{number}", number + 1
        taken.add(name.lower())
        names.append(name)
    return names


class NamedTable(Struct, frozen=True, eq=False):
    """A table as SQL sees it, with the columns that it has for programs. ``names``: of its columns; ``identities``:
    which of them have the numbers of the things that rows stand for."""

    name: str
    table: Table
    names: tuple[str, ...]
    identities: tuple[int, ...]

    @classmethod
    def of(cls, name: str, table: Table) -> NamedTable:
        """The table, with a last column ``item``, the numbers of the things that its rows stand for, if they do."""
        table = for_programs(table)
        identities = tuple(_identities(table))
        if table.selects is not None:
            identities = (*identities, len(table.columns))
            table = _with_items(table)
        return cls(name, table, tuple(unique_names(unique_keys(table))), identities)

    def columns(self) -> Iterator[tuple[str, Column]]:
        """The columns by name."""
        return zip(self.names, self.table.columns, strict=True)


class ListedTable(Struct, frozen=True):
    """What a list says of a table: its ``name`` in SQL, id and title; ``columns``: names and units; ``rows``: None, and
    no columns, for one that takes seconds to make."""

    name: str
    id: str
    title: str
    rows: int | None
    columns: tuple[tuple[str, str], ...]


def listed_tables(profile: Profile) -> Iterator[ListedTable]:
    """All tables of a profile. Makes most of them, one after the other."""
    for spec in specs(profile):
        if spec.is_slow(profile):
            yield ListedTable(sql_name(spec.id), spec.id, spec.title, None, ())
            continue
        for named in _of_spec(spec, profile):
            table, units = named.table, (column.unit for column in named.table.columns)
            columns = tuple(zip(named.names, units, strict=True))
            yield ListedTable(named.name, table.id, table.title, table.rows, columns)


def columns_named(profile: Profile) -> Iterator[tuple[str, list[tuple[str, Column]]]]:
    """The SQL name of each table of a profile, and those of its columns with the columns. Makes most tables."""
    for spec in specs(profile):
        if spec.is_slow(profile):
            empty = NamedTable.of(sql_name(spec.id), Table(spec.id, spec.title, ()))
            yield empty.name, [(name, replace(own, help="")) for name, own in empty.columns()]
        else:
            yield from ((named.name, list(named.columns())) for named in _of_spec(spec, profile))


def table_named(profile: Profile, name: str) -> NamedTable | None:
    """The table with that SQL name, or that id; None if the profile has none. Makes the tables of the specs that the
    name may belong to."""
    wanted = name.lower()
    specs = {sql_name(spec.id).lower(): spec for spec in TABLES}
    fitting = [own for own in specs if wanted == own or wanted.startswith(f"{own}_")]
    for own in sorted(fitting, key=len, reverse=True):
        spec = specs[own]
        for named in _of_spec(spec, profile):
            if named.name.lower() == wanted:
                return named
        part = wanted[len(own) + 1 :]
        table = spec.further(profile, f"{spec.id}/{part}") if spec.further is not None and part else None
        if table is not None:
            return NamedTable.of(wanted, table)
    table = by_id(profile, name) if "-" in name or "/" in name else None
    return None if table is None else NamedTable.of(sql_name(name), table)


def _of_spec(spec: TableSpec, profile: Profile) -> Iterator[NamedTable]:
    taken: list[str] = []
    for table in spec.tables(profile):
        name = unique_names((*taken, table.id))[-1]
        taken.append(name)
        yield NamedTable.of(name, table)


def _identities(table: Table) -> Iterator[int]:
    """The columns that happen to have these numbers."""
    items = _items(table)
    for place, column in enumerate(table.columns if table.selects is not None else ()):
        if column.missing is None and _equal(column.values, items):
            yield place


def _equal(values: Values, items: I64) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind in "iu" and np.array_equal(values, items)


def _with_items(table: Table) -> Table:
    return replace(table, columns=(*table.columns, Column("item", "item", sealed(_items(table)), role="key")))


def _items(table: Table) -> I64:
    return np.arange(table.rows) if table.keys is None else np.asarray(table.keys, np.int64)
