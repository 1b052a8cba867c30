"""Why a query cannot be run."""

from __future__ import annotations

from app.language import tr
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
