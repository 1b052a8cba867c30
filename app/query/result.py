"""The result of a query as a table. Columns that are those of tables, unchanged or aggregated, keep their unit and
description; what is not certain has no origin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import AMOUNTS, Coded, Column, Table
from app.language import plural, tr
from app.profile.arrays import Array, Bool, sealed
from app.profile.strings import Interner
from app.query.names import NamedTable
from app.query.statement import Node

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


_SAME: Final = (
    "min max any_value first last arbitrary avg mean median mode quantile_cont quantile_disc arg_min arg_max min_by "
    "max_by round abs stddev stddev_samp stddev_pop"
)
SAME: Final = frozenset(_SAME.split())
"""Functions whose result has the unit of their first argument."""
_PICKED: Final = "min max any_value first last arbitrary mode arg_min arg_max min_by max_by"
PICKED: Final = frozenset(_PICKED.split())
"""Those of them whose result is one of the values."""
SUM: Final = "sum"


class Origin(Struct, frozen=True, eq=False):
    """A column of a table. ``plain``: its values are the same or some of them; otherwise only its unit is that of the
    column."""

    table: NamedTable
    place: int
    plain: bool = True

    @property
    def column(self) -> Column:
        return self.table.table.columns[self.place]

    @property
    def is_identity(self) -> bool:
        """Whether the values are numbers of the things that rows of the table stand for."""
        return self.plain and self.place in self.table.identities


Entries: TypeAlias = "list[tuple[str, Origin | None]]"
"""The columns of a result, with their names."""
Tables: TypeAlias = Mapping[tuple[str, str], NamedTable]
"""By schema and name, in lower case."""
Scope: TypeAlias = "Mapping[str, Entries | None]"
"""Results that WITH names, in lower case; None: not known."""


class Source(Struct, frozen=True, eq=False):
    """A table or subquery in FROM."""

    alias: str
    entries: Entries


class Unknown(Exception):
    """A construct that is not followed."""


def origins(tree: Node, tables: Tables, count: int) -> Sequence[Origin | None]:
    """The origin of each of ``count`` columns of the result, None for computed ones."""
    try:
        entries = _query(tree, tables, {})
    except (Unknown, KeyError, TypeError, RecursionError):  # another version of DuckDB may write its trees otherwise
        return [None] * count
    return [origin for _, origin in entries] if len(entries) == count else [None] * count


def _query(node: Node, tables: Tables, scope: Scope) -> Entries:
    scope = dict(scope)
    for entry in node.get("cte_map", {}).get("map", ()):
        try:
            own = entry["value"]
            names = None if "aliases" in own else _query(own.get("query_node") or own["query"]["node"], tables, scope)
        except Unknown:
            names = None
        scope[entry["key"].lower()] = names
    if node["type"] == "SET_OPERATION_NODE":
        sides = node.get("children") or [node["left"], node["right"]]
        return _merged([_query(side, tables, scope) for side in sides])
    if node["type"] != "SELECT_NODE":
        raise Unknown
    sources = _sources(node["from_table"], tables, scope)
    return [entry for item in node["select_list"] for entry in _selected(item, sources)]


def _merged(sides: list[Entries]) -> Entries:
    """The columns of a union: those that are the same on all sides."""
    if len({len(side) for side in sides}) != 1:
        raise Unknown
    return [(column[0][0], _common([origin for _, origin in column])) for column in zip(*sides, strict=True)]


def _common(parts: list[Origin | None]) -> Origin | None:
    first = parts[0]
    if first is None:
        return None
    same, unit = True, first.column.unit
    for origin in parts:
        if origin is None or origin.column.unit != unit or origin.column.units is not None:
            return None
        same &= origin.plain and origin.table is first.table and origin.place == first.place
    return first if same else Origin(first.table, first.place, plain=False)


def _sources(node: Node, tables: Tables, scope: Scope) -> list[Source]:
    if "column_name_alias" in node:
        raise Unknown
    match node["type"]:
        case "EMPTY":
            return []
        case "BASE_TABLE":
            return [_base(node, tables, scope)]
        case "SUBQUERY":
            return [Source(node.get("alias", "").lower(), _query(node["subquery"]["node"], tables, scope))]
        case "JOIN" if node.get("ref_type") != "NATURAL" and not node.get("using_columns"):
            left = _sources(node["left"], tables, scope)
            return left if node["join_type"] in ("SEMI", "ANTI") else left + _sources(node["right"], tables, scope)
        case "JOIN" if node.get("using_columns"):
            return _joined_by_name(node, tables, scope)
        case _:
            raise Unknown


def _joined_by_name(node: Node, tables: Tables, scope: Scope) -> list[Source]:
    """USING: the columns of that name are one, which has no certain origin in an outer join."""
    names = {name.lower() for name in node["using_columns"]}
    left = _sources(node["left"], tables, scope)
    if node["join_type"] in ("SEMI", "ANTI"):
        return left
    if node["join_type"] not in ("INNER", "LEFT"):
        raise Unknown
    right = _sources(node["right"], tables, scope)
    return left + [
        Source(source.alias, [entry for entry in source.entries if entry[0].lower() not in names]) for source in right
    ]


def _base(node: Node, tables: Tables, scope: Scope) -> Source:
    schema, name = node.get("schema_name", "").lower(), node["table_name"].lower()
    alias = node.get("alias", name).lower()
    if not schema and name in scope:
        entries = scope[name]
        if entries is None:
            raise Unknown
        return Source(alias, entries)
    named = tables[schema, name]
    return Source(alias, [(own, Origin(named, place)) for place, own in enumerate(named.names)])


def _selected(item: Node, sources: list[Source]) -> Entries:
    alias = item.get("alias", "")
    match item["class"]:
        case "COLUMN_REF":
            return [(alias or item["column_names"][-1], _referred(item, sources))]
        case "STAR":
            return _starred(item, sources)
        case "FUNCTION" if item["function_name"] != "unnest":
            return [(alias, _aggregated(item, sources))]
        case "FUNCTION":
            raise Unknown
        case _:
            return [(alias, None)]


def _starred(item: Node, sources: list[Source]) -> Entries:
    if item.keys() & {"columns", "expr", "replace_list", "rename_list", "qualified_exclude_list"}:
        raise Unknown
    left_out = {str(name).lower() for name in item.get("exclude_list", ())}
    of = item.get("relation_name", "").lower()
    chosen = [source for source in sources if not of or source.alias == of]
    return [entry for source in chosen for entry in source.entries if entry[0].lower() not in left_out]


def _referred(item: Node, sources: list[Source]) -> Origin | None:
    names = [name.lower() for name in item["column_names"]]
    if len(names) > 2:
        return None
    fitting = [
        origin
        for source in sources
        if len(names) == 1 or source.alias == names[0]
        for name, origin in source.entries
        if name.lower() == names[-1]
    ]
    return fitting[0] if len(fitting) == 1 else None


def _aggregated(item: Node, sources: list[Source]) -> Origin | None:
    """Sums, means and extremes have the unit of what they are of."""
    arguments = item.get("children") or [argument["expression"] for argument in item.get("arguments", ())]
    name = item["function_name"].lower()
    if not arguments or arguments[0]["class"] != "COLUMN_REF" or not (name in SAME or name == SUM):
        return None
    origin = _referred(arguments[0], sources)
    if origin is None or (name == SUM and origin.column.unit not in AMOUNTS) or origin.column.units is not None:
        return None
    return Origin(origin.table, origin.place, plain=origin.plain and name in PICKED)
