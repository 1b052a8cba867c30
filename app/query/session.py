"""Queries over one or several profiles, by DuckDB in memory: a statement can read their tables, whose numbers are not
copied, and nothing else. What can be queried is listed by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.schema import columns_table
from app.analysis.table import Coded, Column, Table
from app.formats.errors import Cancelled
from app.language import tr, untranslated
from app.profile.arrays import I64, Array, Bool, Integers
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.query.errors import NoDuckDB, QueryError, failure, listed_names
from app.query.limits import MEMORY_MB, MOST_THREADS
from app.query.names import NamedTable, columns_named, listed_tables, table_named
from app.query.result import Fetched, Origin, Pile, first_rows, origins, select, selecting, table_of
from app.query.statement import Statement, TableName, parse
from app.store.token import Token

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
MEGABYTE: Final = 1_000_000
FIRST_ROWS, MOST_ROWS, MOST_TEXT_ROWS = 64, 8_192, 2_048
"""Rows that are fetched at once: few until it is known how large they are; with texts one at first, and never more than
DuckDB computes at once."""
AT_ONCE: Final = 1_000
"""Up to this limit, rows are one table, so that it is known from the start whether there are more."""
PART_BYTES: Final = 4_000_000
"""Of texts that are fetched at once, and of cells in one table, about."""
BASELINE: Final = "baseline"
"""The schema of the tables of the baseline."""
COLUMNS: Final = "tilesight_columns"
"""The table of all columns of all tables."""


class Source(Struct, frozen=True, eq=False):
    """A profile that queries read. ``schema``: what precedes the names of its tables; ``default``: whether they may be
    named without it; ``change``: what is made of each table first."""

    profile: Profile
    schema: str = ""
    default: bool = True
    change: Callable[[Table], Table] | None = None


def sources_of(
    profiles: Sequence[Profile], baseline: Profile | None = None, change: Callable[[Table], Table] | None = None
) -> list[Source]:
    """One profile has no schema; several are p1, p2, …, and a name without a schema stands for the only profile that
    has such a table."""
    if len(profiles) == 1:
        made = [Source(profiles[0], change=change)]
    else:
        made = [Source(profile, f"p{number}", change=change) for number, profile in enumerate(profiles, 1)]
    return made if baseline is None else [*made, Source(baseline, BASELINE, default=False, change=change)]


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


class Result:
    """The rows of a statement while they are fetched. ``origins``: of its columns; ``more``: once all are read, whether
    there are more than ``limit``."""

    def __init__(
        self,
        columns: Sequence[Fetched],
        came_from: Sequence[Origin | None],
        limit: int | None,
        fetch: Callable[[int], list[tuple[Any, ...]]],
    ) -> None:
        self.origins = came_from
        self.more = False
        self._columns = columns
        self._limit = limit
        self._fetch = fetch

    def piles(self) -> list[Pile]:
        """Where the cells of each column are added."""
        return [Pile(column) for column in self._columns]

    def tables(self) -> Iterator[Table]:
        """The rows in parts, of which at least one is made; what is read is not kept. The first has all of a few rows,
        if they are short. The last has a note if there are more."""
        wanted = self._limit if self._limit is not None and self._limit <= AT_ONCE else FIRST_ROWS
        piles, rows = self.piles(), -1
        for cells in self.parts():
            for pile, own in zip(piles, cells, strict=True):
                pile.add(own)
            rows = max(rows, 0) + len(cells[0])
            if rows >= wanted or sum(pile.bytes for pile in piles) >= PART_BYTES:
                yield self.table(piles)
                piles, rows, wanted = self.piles(), -1, 1
        if rows >= 0:
            yield self.table(piles)

    def table(self, piles: Sequence[Pile]) -> Table:
        """The rows that were added to ``piles``, with a note if they are the last of ``limit`` and there are more."""
        return table_of(piles, self.origins, first_rows(self._limit) if self._limit is not None and self.more else "")

    def parts(self) -> Iterator[list[Sequence[Any]]]:
        """The cells of each column, some rows at a time; the first part may be empty."""
        left, first = self._limit, True
        texts = any(column.is_text for column in self._columns)
        size, most = (1, MOST_TEXT_ROWS) if texts else (FIRST_ROWS, MOST_ROWS)
        while rows := self._fetch(size if left is None else min(size, left)) if left != 0 else []:
            if left is not None:
                left -= len(rows)
                self.more = left == 0 and bool(self._fetch(1))
            yield list(zip(*rows, strict=True))
            first = False
            size = _next_size(size, most, rows)
        if first:
            self.more = left == 0 and bool(self._fetch(1))
            yield [()] * len(self._columns)


def _next_size(size: int, most: int, rows: Sequence[tuple[Any, ...]]) -> int:
    """How many rows to fetch next, where those that were fetched last are as long as these."""
    characters = sum(len(cell) for row in rows for cell in row if isinstance(cell, str))
    fitting = PART_BYTES * len(rows) // characters if characters else most
    return max(1, min(2 * size, fitting, most))


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
        """The result in memory, at most ``limit`` rows of it. ``check`` is called between its parts and may raise.
        QueryError, also for a result that needs more memory than the session may use; Cancelled after ``interrupt``."""
        result = self.stream(text, limit, check)
        piles = result.piles()
        for rows in result.parts():
            for pile, cells in zip(piles, rows, strict=True):
                pile.add(cells)
            if sum(pile.bytes for pile in piles) > self._memory_mb * MEGABYTE:
                raise self._too_large()
        return selecting(result.table(piles), result.origins, self._own(result.origins))

    def stream(self, text: str, limit: int | None = None, check: Callable[[], None] = lambda: None) -> Result:
        """The result while it is computed, at most ``limit`` rows of it; a further statement of this session ends it.
        ``check`` is called between its parts and may raise. QueryError, also while it is read; Cancelled after
        ``interrupt``."""
        statement = parse(self._connection, text)
        for wanted in statement.tables:
            check()
            self._provide(wanted, text)
        check()
        columns = self._columns(statement)
        check()
        whole = select(statement.text, columns, None if limit is None else limit + 1)
        before = whole.index("(\n") + 2
        cursor = self._execute(whole, statement, before)
        came_from = origins(statement.tree, self._tables, len(columns))

        def fetch(rows: int) -> list[tuple[Any, ...]]:
            check()
            return self._attempt(lambda: cursor.fetchmany(rows), statement, before)

        return Result(columns, came_from, limit, fetch)

    def count(self, text: str) -> int:
        """How many rows the result has, without fetching them. QueryError; Cancelled after ``interrupt``."""
        statement = parse(self._connection, text)
        before = "SELECT count(*) FROM (\n"
        cursor = self._execute(f"{before}{statement.text}\n)", statement, len(before))
        return int(self._attempt(cursor.fetchall, statement, len(before))[0][0])

    def _own(self, came_from: Sequence[Origin | None]) -> frozenset[int]:
        """The columns of the result that are columns of the only profile."""
        shown = {id(named) for (schema, _), named in self._tables.items() if not schema}
        one = len([source for source in self._sources if source.default]) == 1
        return frozenset(
            place for place, origin in enumerate(came_from) if one and origin is not None and id(origin.table) in shown
        )

    def _too_large(self) -> QueryError:
        return QueryError(
            tr(
                "the query needs more than {limit:,} MB of memory: group, filter, or select fewer columns",
                limit=self._memory_mb,
            )
        )

    def _columns(self, statement: Statement) -> list[Fetched]:
        before = "DESCRIBE SELECT * FROM (\n"
        cursor = self._execute(f"{before}{statement.text}\n)", statement, len(before))
        rows = self._attempt(cursor.fetchall, statement, len(before))
        return [Fetched(row[0], row[1], place) for place, row in enumerate(rows)]

    def _execute(self, text: str, statement: Statement, before: int) -> duckdb.DuckDBPyConnection:
        return self._attempt(lambda: self._connection.execute(text), statement, before)

    def _attempt(self, work: Callable[[], T], statement: Statement, before: int) -> T:
        """The result of ``work`` by DuckDB, whose errors are raised as ours."""
        import duckdb

        try:
            return work()
        except duckdb.InterruptException:
            raise Cancelled from None
        except duckdb.OutOfMemoryException:
            raise self._too_large() from None
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
        named = self._found(*key, wanted, text)
        if named is None:
            if wanted.maybe:
                return
            raise self._unknown(wanted, text)
        source = f"_table_{len(self._tables)}"
        self._connection.register(source, data_of(named))
        schema = f"{_quoted(wanted.schema)}." if wanted.schema else ""
        columns = ", ".join(_selected(column, name) for name, column in named.columns())
        self._connection.execute(f"CREATE VIEW {schema}{_quoted(wanted.name)} AS SELECT {columns} FROM {source}")
        self._tables[key] = named

    def _found(self, schema: str, name: str, wanted: TableName, text: str) -> NamedTable | None:
        """The table with that name, or id. QueryError if several profiles have it and no schema says which."""
        if name == COLUMNS and not schema:
            return NamedTable.of(COLUMNS, columns_table(self._all_columns()))
        sources = [own for own in self._sources if own.schema == schema or (not schema and own.default)]
        found = {own.schema: (own, named) for own in sources if (named := table_named(own.profile, name)) is not None}
        tables = {
            schema: named if own.change is None else replace(named, table=own.change(named.table))
            for schema, (own, named) in found.items()
        }
        if len(tables) > 1 and not wanted.maybe:
            reason = tr(
                "several profiles have a table {name}: write {choices}",
                name=wanted.name,
                choices=tr(" or ").join(f"{own}.{named.name}" for own, named in tables.items()),
            )
            raise QueryError(reason, text, wanted.offset, len(wanted.written) if wanted.offset >= 0 else 0)
        return next(iter(tables.values()), None)

    def _all_columns(self) -> Iterator[tuple[str, list[tuple[str, Column]]]]:
        for source in self._sources:
            schema = f"{source.schema}." if source.schema else ""
            yield from ((f"{schema}{name}", columns) for name, columns in columns_named(source.profile))

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
            for name in (table.name for table in listed_tables(source.profile))
        } | ({COLUMNS} if not wanted.schema else set())
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


def _selected(column: Column, name: str) -> str:
    """What a view selects as the column: NULL where the file has no data for it."""
    if not column.absent:
        return _quoted(name)
    kind = _ABSENT[column.values.dtype.kind] if isinstance(column.values, np.ndarray) else "VARCHAR"
    return f"CAST(NULL AS {kind}) AS {_quoted(name)}"


_ABSENT: Final = {"f": "DOUBLE", "i": "BIGINT", "b": "BOOLEAN"}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


ARROW_ROWS: Final = 100_000
"""From this many rows on, importing pyarrow (where it is installed) costs less than a ``str`` for each row: it passes
the numbers of interned texts, and each text once."""


SCANNED_ROWS: Final = 2_048
"""Rows that DuckDB reads from a table at once, fewer where a batch of an Arrow table ends. It copies their texts, which
its limit of memory does not count."""
SCANNED_BYTES: Final = 4 * PART_BYTES
"""Of texts that are read at once, about."""


def data_of(named: NamedTable) -> Any:
    """What DuckDB registers as a table, without the columns that the file has no data for: an Arrow table, or columns
    by name."""
    table = named.table
    names = tuple(name for name, column in named.columns() if not column.absent)
    table = replace(table, columns=tuple(column for column in table.columns if not column.absent))
    ends = batch_ends(table)
    texts = any(isinstance(column.values, Coded) for column in table.columns)
    if len(ends) > 1 or (table.rows >= ARROW_ROWS and texts):
        try:
            return _arrow_table(table, names, ends)
        except (ImportError, UnicodeDecodeError):
            pass  # texts one by one
    return {name: _array(column) for name, column in zip(names, table.columns, strict=True)}


def _array(column: Column) -> Any:
    """Texts as objects; no data as None, NaN or masked, which are NULL in SQL."""
    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        texts = np.array([*values.strings.for_programs().tolist(), None], object)  # the last entry serves -1
        cells = texts[values.ids]
    elif isinstance(values, tuple):
        cells = np.array([*map(untranslated, values), None], object)[:-1]  # an array of objects, whatever the texts are
    else:
        cells = _native(values)
    if missing is None:
        return cells
    if cells.dtype.kind == "f":
        return np.where(missing, np.nan, cells)
    if cells.dtype.kind == "O":
        cells[missing] = None
        return cells
    return np.ma.MaskedArray(cells, missing)


def batch_ends(table: Table) -> list[int]:
    """Where batches of rows end, so that no SCANNED_ROWS of one have more than SCANNED_BYTES of texts (unless one row
    has): all rows are one batch in most tables."""
    lengths = [own for own in map(_text_lengths, table.columns) if own is not None]
    if sum(int(own.max(initial=0)) for own, _ in lengths) * SCANNED_ROWS <= SCANNED_BYTES:
        return [table.rows]
    ends = np.cumsum(sum(own[ids] for own, ids in lengths))
    before = np.concatenate((np.zeros(min(table.rows, SCANNED_ROWS), np.int64), ends[:-SCANNED_ROWS]))
    if not (ends - before > SCANNED_BYTES).any():
        return [table.rows]
    found, start, done = [], 0, 0
    while start < table.rows:
        start = max(int(np.searchsorted(ends, done + SCANNED_BYTES, "right")), start + 1)
        done = int(ends[start - 1])
        found.append(start)
    return found


def _text_lengths(column: Column) -> tuple[I64, Integers] | None:
    """(the lengths of texts, about; which of them each row has); None for other columns."""
    values = column.values
    if isinstance(values, Coded):
        return np.append(np.diff(values.strings.ends, prepend=0), 0), values.ids  # the last entry serves -1
    if isinstance(values, tuple):
        return np.array([len(text) for text in values], np.int64), np.arange(len(values))
    return None


def _arrow_table(table: Table, names: tuple[str, ...], ends: Sequence[int]) -> Any:
    """In batches with these ``ends``. Buffers are passed as they are: ``pyarrow.array`` would import pandas.
    UnicodeDecodeError if a text is not UTF-8."""
    import pyarrow

    arrays = [_arrow(column, table.rows) for column in table.columns]
    whole = pyarrow.RecordBatch.from_arrays(arrays, names=list(names))
    parts = [whole.slice(begin, end - begin) for begin, end in pairwise((0, *ends))]
    return pyarrow.Table.from_batches(parts)


def _arrow(column: Column, rows: int) -> Any:
    import pyarrow

    values, missing = column.values, column.missing
    if isinstance(values, Coded):
        none = values.ids < 0 if missing is None else missing | (values.ids < 0)
        return pyarrow.DictionaryArray.from_arrays(
            _arrow_numbers(values.ids, none), _arrow_texts(values.strings.for_programs())
        )
    if isinstance(values, tuple):
        return pyarrow.DictionaryArray.from_arrays(
            _arrow_numbers(np.arange(rows), missing), _arrow_texts(Strings.of(map(untranslated, values)))
        )
    if values.dtype.kind == "f":
        nan = np.isnan(values)
        missing = nan if missing is None else missing | nan
    return _arrow_numbers(_native(values), missing)


def _arrow_numbers(values: Array, missing: Bool | None) -> Any:
    import pyarrow

    known = None
    if missing is not None and missing.any():
        known = pyarrow.py_buffer(np.packbits(~missing, bitorder="little"))
    plain = np.packbits(values, bitorder="little") if values.dtype.kind == "b" else np.ascontiguousarray(values)
    kind = pyarrow.from_numpy_dtype(values.dtype)
    return pyarrow.Array.from_buffers(kind, len(values), [known, pyarrow.py_buffer(plain)])


def _arrow_texts(strings: Strings) -> Any:
    """The texts without decoding them."""
    import pyarrow

    strings.blob.tobytes().decode()  # DuckDB takes them as they are
    offsets = np.concatenate((np.zeros(1, np.int64), strings.ends))
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(np.ascontiguousarray(strings.blob))]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(strings), buffers)


def _native(values: Array) -> Array:
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


class QueryTable(Struct, frozen=True):
    """A table: its name in SQL (with its schema), title and size; ``columns``: names and units. Of one that takes
    seconds to make, ``rows`` is None, and no columns are known."""

    name: str
    title: str
    rows: int | None
    columns: tuple[tuple[str, str], ...]


def listed(sources: Iterable[Source], check: Callable[[], None] = lambda: None) -> list[QueryTable]:
    """All tables of the sources. Makes most once; ``check`` is called before, and may raise."""
    made = []
    for source in sources:
        schema = f"{source.schema}." if source.schema else ""
        for table in listed_tables(source.profile):
            check()
            made.append(QueryTable(f"{schema}{table.name}", table.title, table.rows, table.columns))
    return made
