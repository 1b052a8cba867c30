"""A statement as DuckDB parses it: refused unless it is a single one that only reads tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import orjson
from msgspec import Struct

from app.language import tr
from app.query.errors import QueryError, failure

if TYPE_CHECKING:
    import duckdb

Node: TypeAlias = dict[str, Any]
"""A part of the parsed statement, as DuckDB writes it."""

FUNCTIONS: Final = frozenset(("range", "generate_series", "unnest"))
"""Functions that FROM may have: others read files, settings or memory."""

SERIALIZE: Final = (
    "SELECT json_serialize_sql(CAST(? AS VARCHAR), skip_null := true, skip_empty := true, skip_default := true)"
)
ONLY_READS: Final = tr("only one reading statement is allowed: SELECT, WITH, FROM, VALUES, DESCRIBE or SUMMARIZE")


class TableName(Struct, frozen=True):
    """A table that a statement names. ``schema``: "" if it names none; ``offset``: where, -1 if unknown; ``maybe``: it
    may as well be what WITH gives that name to."""

    schema: str
    name: str
    offset: int
    maybe: bool = False

    @property
    def written(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


class Statement(Struct, frozen=True):
    """``text``: without the semicolon at its end; ``tables``: what it names; ``tree``: how DuckDB parses it."""

    text: str
    tables: tuple[TableName, ...]
    tree: Node


def parse(connection: duckdb.DuckDBPyConnection, text: str) -> Statement:
    """QueryError if ``text`` is anything else than one statement that reads, or if it has functions or variables that
    are not allowed."""
    import duckdb

    try:
        text.encode()
    except UnicodeEncodeError as error:  # from a terminal or a script: undecodable bytes of arguments are surrogates
        raise QueryError(tr("this is not a character of UTF-8"), text, error.start, 1) from None
    try:
        statements = connection.extract_statements(text)
    except duckdb.Error as error:
        raise failure(error, text) from None
    if not statements:
        raise QueryError(tr("there is no statement"))
    if len(statements) > 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QueryError(ONLY_READS)
    if statements[0].named_parameters:
        raise QueryError(tr("parameters ({names}) have no values", names=", ".join(statements[0].named_parameters)))
    try:
        tree = orjson.loads(connection.execute(SERIALIZE, [text]).fetchall()[0][0])
    except orjson.JSONDecodeError:
        raise QueryError(tr("the statement is nested too deeply")) from None
    except duckdb.Error as error:
        raise failure(error, text) from None
    if tree.get("error") or len(tree["statements"]) != 1:
        raise QueryError(ONLY_READS)
    root = tree["statements"][0]["node"]
    _check(root, text)
    return Statement(_bare(text), tuple(_tables(root, text)), root)


NO_FILES: Final = tr(
    "queries can only read the tables of the profile: no files, no settings, no other functions in FROM"
)

NO_SHOW: Final = tr("SHOW only knows the tables that a statement names; `query FILE --tables` lists all of them")


def _check(root: Node, text: str) -> None:
    """QueryError if the statement reads anything else than tables."""
    for node in nodes(root):
        if node.get("type") == "TABLE_FUNCTION" and node["function"].get("function_name", "").lower() not in FUNCTIONS:
            name = node["function"].get("function_name", "")
            raise QueryError(f"{name}: {NO_FILES}", text, _characters(text, node.get("query_location", -1)), len(name))
        if node.get("type") == "SHOW_REF" and "query" not in node:
            raise QueryError(NO_SHOW)


def _tables(root: Node, text: str) -> Iterator[TableName]:
    """The tables that the statement names, each once; WITH may hide some of them."""
    names = {
        entry["key"].lower()
        for node in nodes(root)
        for entry in node.get("map", ())
        if isinstance(entry, dict) and isinstance(entry.get("key"), str)
    }
    done = set()
    for node in nodes(root):
        if node.get("type") == "BASE_TABLE":
            schema = ".".join(node[part] for part in ("catalog_name", "schema_name") if node.get(part))
            name = TableName(
                schema,
                node["table_name"],
                _characters(text, node.get("query_location", -1)),
                maybe=not schema and node["table_name"].lower() in names,
            )
            if (name.schema.lower(), name.name.lower()) not in done:
                done.add((name.schema.lower(), name.name.lower()))
                yield name


def nodes(root: Any) -> Iterator[Node]:
    """All parts of a parsed statement."""
    left = [root]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _characters(text: str, offset: int) -> int:
    """A place in bytes as one in characters."""
    return len(text.encode()[:offset].decode("utf-8", "replace")) if offset >= 0 else -1


def _bare(text: str) -> str:
    """The statement without semicolons at its end, so that it can be put in parentheses."""
    import duckdb

    encoded = text.encode()
    end = len(encoded)
    for offset, kind in reversed(duckdb.tokenize(text)):
        if kind == duckdb.token_type.comment or encoded[offset : offset + 1] == b";":
            end = offset
        else:
            break
    return encoded[:end].decode()
