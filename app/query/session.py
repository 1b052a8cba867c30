"""Queries over one or several profiles, by DuckDB in memory. A statement can read their tables and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from types import TracebackType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from app.analysis.table import Table
from app.formats.errors import Cancelled
from app.language import tr
from app.profile.profile import Profile
from app.query.data import data_of
from app.query.errors import NoDuckDB, QueryError
from app.query.failures import failure, listed_names
from app.query.limits import MEMORY_MB, MOST_THREADS
from app.query.names import NamedTable, table_named, tables_of
from app.query.origins import origins
from app.query.result import Fetched, result_table, select, selecting
from app.query.statement import Statement, TableName, parse
from app.store.token import Token

if TYPE_CHECKING:
    import duckdb

BASELINE: Final = "baseline"
"""The schema of the tables of the baseline."""


class Source(Struct, frozen=True, eq=False):
    """A profile that queries read. ``schema``: what precedes the names of its tables; ``default``: whether they may be
    named without it."""

    profile: Profile
    schema: str = ""
    default: bool = True


def sources_of(profiles: Sequence[Profile], baseline: Profile | None = None) -> list[Source]:
    """One profile has no schema; several are p1, p2, …, and a name without a schema is that of the first profile that
    has such a table."""
    if len(profiles) == 1:
        made = [Source(profiles[0])]
    else:
        made = [Source(profile, f"p{number}") for number, profile in enumerate(profiles, 1)]
    return made if baseline is None else [*made, Source(baseline, BASELINE, default=False)]


def settings(memory_mb: int) -> dict[str, str]:
    """No files, network, extensions or variables of Python; nothing of this can be changed by a statement."""
    return {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "python_enable_replacements": "false",
        "enable_external_access": "false",
        "errors_as_json": "true",
        "temp_directory": "",
        "memory_limit": f"{memory_mb}MB",
        "threads": str(min(os.cpu_count() or 1, MOST_THREADS)),
        "lock_configuration": "true",
    }


class Session:
    """A connection to the tables of ``sources``, which are made when a statement names them. For one thread at a time,
    except ``interrupt``; not for the main thread, where Ctrl+C does not end every statement (``interruptible``).
    NoDuckDB if it is not installed."""

    def __init__(self, sources: Sequence[Source], memory_mb: int = MEMORY_MB) -> None:
        try:
            import duckdb
        except ImportError:
            raise NoDuckDB from None
        self._sources = sources
        self._memory_mb = memory_mb
        self._connection = duckdb.connect(":memory:", config=settings(memory_mb))
        self._tables: dict[tuple[str, str], NamedTable] = {}
        for source in sources:
            if source.schema:
                self._connection.execute(f'CREATE SCHEMA "{source.schema}"')

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases the columns."""
        self._connection.close()
        self._tables = {}

    def interrupt(self) -> None:
        """Ends the running statement, from any thread; nothing is left to end once it is closed."""
        import duckdb

        with suppress(duckdb.ConnectionException):
            self._connection.interrupt()

    def run(self, text: str, limit: int | None = None, check: Callable[[], None] = lambda: None) -> Table:
        """The result, at most ``limit`` rows of it. ``check`` is called between its parts and may raise. QueryError;
        Cancelled after ``interrupt``."""
        import duckdb

        statement = parse(self._connection, text)
        for wanted in statement.tables:
            check()
            self._provide(wanted, text)
        check()
        try:
            return self._fetched(statement, limit, check)
        except duckdb.InterruptException:
            raise Cancelled from None
        except duckdb.OutOfMemoryException:
            raise QueryError(
                tr(
                    "the query needs more than {limit:,} MB of memory: group, filter, or select fewer columns",
                    limit=self._memory_mb,
                )
            ) from None

    def _fetched(self, statement: Statement, limit: int | None, check: Callable[[], None]) -> Table:
        columns = self._columns(statement)
        text = select(statement.text, columns, None if limit is None else limit + 1)
        check()
        arrays = self._execute(text, statement, text.index("(\n") + 2).fetchnumpy()
        came_from = origins(statement.tree, self._tables, len(columns))
        table = result_table(columns, arrays, came_from, limit)
        shown = {id(named) for (schema, _), named in self._tables.items() if not schema}
        one = len([source for source in self._sources if source.default]) == 1
        own = frozenset(
            place for place, origin in enumerate(came_from) if one and origin is not None and id(origin.table) in shown
        )
        return selecting(table, came_from, own)

    def _columns(self, statement: Statement) -> list[Fetched]:
        before = "DESCRIBE SELECT * FROM (\n"
        rows = self._execute(f"{before}{statement.text}\n)", statement, len(before)).fetchall()
        return [Fetched(row[0], row[1], place) for place, row in enumerate(rows)]

    def _execute(self, text: str, statement: Statement, before: int) -> duckdb.DuckDBPyConnection:
        import duckdb

        try:
            return self._connection.execute(text)
        except (duckdb.InterruptException, duckdb.OutOfMemoryException):
            raise
        except duckdb.Error as error:
            names = [name for named in self._named(statement.tables) for name in named.names]
            raise failure(error, statement.text, before=before, columns=names) from None

    def _named(self, tables: Iterable[TableName]) -> Iterator[NamedTable]:
        for table in tables:
            named = self._tables.get((table.schema.lower(), table.name.lower()))
            if named is not None:
                yield named

    def _provide(self, wanted: TableName, text: str) -> None:
        """Makes a table that the statement names, unless that has been done."""
        key = (wanted.schema.lower(), wanted.name.lower())
        if key in self._tables:
            return
        named = self._found(*key)
        if named is None:
            if wanted.maybe:
                return
            raise self._unknown(wanted, text)
        source = f"_table_{len(self._tables)}"
        self._connection.register(source, data_of(named))
        schema = f"{_quoted(wanted.schema)}." if wanted.schema else ""
        self._connection.execute(f"CREATE VIEW {schema}{_quoted(wanted.name)} AS SELECT * FROM {source}")
        self._tables[key] = named

    def _found(self, schema: str, name: str) -> NamedTable | None:
        """The table with that name, or id; without a schema that of the first profile that has it."""
        for source in self._sources:
            if source.schema == schema or (not schema and source.default):
                named = table_named(source.profile, name)
                if named is not None:
                    return named
        return None

    def _unknown(self, wanted: TableName, text: str) -> QueryError:
        length = len(wanted.written) if wanted.offset >= 0 else 0
        schemas = {source.schema for source in self._sources if source.schema}
        if wanted.schema and wanted.schema.lower() not in schemas:
            reason = tr("there is no profile {schema}", schema=wanted.schema)
            if schemas:
                reason = tr(
                    "there is no profile {schema}; the profiles are {names}",
                    schema=wanted.schema,
                    names=", ".join(sorted(schemas)),
                )
            return QueryError(reason, text, wanted.offset, length)
        names = {
            name
            for source in self._sources
            if source.schema == wanted.schema.lower() or (not wanted.schema and source.default)
            for name in (named.name for named in tables_of(source.profile))
        }
        near = get_close_matches(wanted.name.lower(), names, 3)
        if near:
            reason = tr("there is no table {name}; did you mean {near}?", name=wanted.written, near=", ".join(near))
        else:
            reason = tr(
                "there is no table {name}; the tables are {names}",
                name=wanted.written,
                names=listed_names(sorted(names)),
            )
        return QueryError(reason, text, wanted.offset, length)


def answer(
    sources: Sequence[Source], text: str, token: Token, limit: int | None = None, memory_mb: int = MEMORY_MB
) -> Table:
    """The result of one statement, at most ``limit`` rows of it. QueryError; NoDuckDB; Cancelled if ``token`` is."""
    with Session(sources, memory_mb) as session:
        token.attach(session.interrupt)
        return session.run(text, limit, token.check)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
