"""Why a query cannot be run: errors of DuckDB as sentences, with the place in the statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import orjson

from app.language import tr

if TYPE_CHECKING:
    import duckdb

from app.optional_packages import how_to_get


class QueryError(Exception):
    """``text``: what is wrong; ``offset`` and ``length``: the characters of the statement that are wrong, -1 and 0 if
    none is to blame; ``line`` and ``column``: the first of them, from 1 (0: none)."""

    def __init__(self, text: str, statement: str = "", offset: int = -1, length: int = 0) -> None:
        self.text = text
        self.offset = offset
        self.length = length
        before = statement[: max(offset, 0)]
        self.line = before.count("\n") + 1 if offset >= 0 else 0
        self.column = len(before) - before.rfind("\n") if offset >= 0 else 0
        place = tr("{text} (line {line}, character {column})", text=text, line=self.line, column=self.column)
        super().__init__(place if offset >= 0 else text)


class NoDuckDB(QueryError):
    """DuckDB is not installed."""

    def __init__(self) -> None:
        super().__init__(tr("queries need DuckDB, which is not installed: {how}", how=how_to_get("sql")))


MOST_LISTED: Final = 12
_NO_COLUMN: Final = re.compile(r'does not have a column named "(.+)"')
_KIND: Final = re.compile(r"^[A-Z][A-Za-z ]+ Error: ")
_NEAR: Final = re.compile(r'^syntax error at or near "(.+)"')
_WITH_DASHES: Final = re.compile(r"\w+(?:[-/]\w+)+")
_SUGGESTION: Final = re.compile(r'Did you mean "(.+?)"')


def failure(error: duckdb.Error, text: str, *, before: int = 0, columns: Iterable[str] = ()) -> QueryError:
    """``text``: the statement, of which ``before`` characters more precede in what DuckDB ran; ``columns``: names that
    may have been meant by an unknown one."""
    facts = _facts(str(error))
    message = str(facts.get("exception_message") or _KIND.sub("", str(error)))
    first = message.splitlines()[0].rstrip("!.") if message else type(error).__name__
    unknown = _unknown_column(facts, message)
    if unknown:
        first = _no_column(unknown, list(columns))
    elif suggestion := _SUGGESTION.search(message):
        first = tr("{message}; did you mean {near}?", message=first, near=suggestion[1])
    offset, length = _place(facts, text, before)
    return QueryError(first + _name_in_sql(message, text, offset), text, offset, length)


def _name_in_sql(message: str, text: str, offset: int) -> str:
    """What follows a syntax error at the id of a table or column that is none in SQL; "" for others."""
    near = _NEAR.match(message)
    if near is None:
        return ""
    from app.analysis.schema import schemas
    from app.query.names import sql_name

    found = (own for own in _WITH_DASHES.finditer(text) if own.start() <= offset < own.end())
    if near[1] in "-/" and (dashed := next(found, None)) is not None:
        return tr("; the table {id} is {name} in SQL", id=dashed[0], name=sql_name(dashed[0]))
    word = near[1].lower()
    if sql_name(word) != word and any(word in table.keys for table in schemas().values()):
        return tr("; the column {id} is {name} in SQL", id=word, name=sql_name(word))
    return ""


def _no_column(name: str, columns: list[str]) -> str:
    folded = {own.lower(): own for own in columns}
    near = [folded[own] for own in get_close_matches(name.lower(), folded, 3)]
    if near:
        return tr("there is no column {name}; did you mean {near}?", name=name, near=", ".join(near))
    if columns:
        return tr("there is no column {name}; the columns are {names}", name=name, names=listed_names(columns))
    return tr("there is no column {name}", name=name)


def listed_names(names: Iterable[str]) -> str:
    """The names, at most MOST_LISTED of them."""
    shown = list(names)
    return ", ".join([*shown[:MOST_LISTED], *(["…"] if len(shown) > MOST_LISTED else [])])


def _facts(text: str) -> dict[str, Any]:
    """What DuckDB says as JSON after the kind of the error."""
    start = text.find("{")
    try:
        facts = orjson.loads(text[start:]) if start >= 0 else {}
    except orjson.JSONDecodeError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _unknown_column(facts: dict[str, Any], message: str) -> str:
    if facts.get("error_subtype") == "COLUMN_NOT_FOUND":
        return str(facts.get("name", ""))
    match = _NO_COLUMN.search(message)
    return match[1] if match else ""


def _place(facts: dict[str, Any], text: str, before: int) -> tuple[int, int]:
    """Offset and length in characters; DuckDB counts bytes."""
    place = str(facts.get("position", ""))
    if not place.isdecimal():
        return -1, 0
    encoded, start = text.encode(), int(place) - before
    if not 0 <= start <= len(encoded):
        return -1, 0
    offset = len(encoded[:start].decode("utf-8", "replace"))
    span = re.fullmatch(r"\[\d+,(\d+)\]", str(facts.get("location", "")))
    size = int(span[1]) if span else 0
    return offset, len(encoded[start : start + size].decode("utf-8", "replace"))
