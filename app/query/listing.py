"""What can be queried: the names of tables and columns, without the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from app.query.names import tables_of
from app.query.session import Source


class QueryTable(Struct, frozen=True):
    """A table: its name in SQL (with its schema), title and size; ``columns``: names and units."""

    name: str
    title: str
    rows: int
    columns: tuple[tuple[str, str], ...]


def listed(sources: Iterable[Source], check: Callable[[], None] = lambda: None) -> list[QueryTable]:
    """All tables of the sources. Makes each once; ``check`` is called before, and may raise."""
    made = []
    for source in sources:
        schema = f"{source.schema}." if source.schema else ""
        for named in tables_of(source.profile):
            check()
            units = (column.unit for column in named.table.columns)
            columns = tuple(zip(named.names, units, strict=True))
            made.append(QueryTable(f"{schema}{named.name}", named.table.title, named.table.rows, columns))
    return made
