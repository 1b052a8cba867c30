"""Reads tables of SQLite files that may be hostile or damaged (Ascend captures, section 3): columns by their names, in
chunks, without running anything that the file says.

Opened read only and as immutable, never mapped, nothing is written beside the file; only tables proper are read, none
with computed columns among those wanted, in the order in which they are stored, without their indexes. What bounds the
work: a row takes at least ROW_BYTES of the file, texts together not much more than the file, a page that occurs in a
tree many times notwithstanding; and a file may take SECONDS and its size at BYTES_A_SECOND.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.database_columns import MAKERS, NONE, Column, Kind, Texts, nothing
from app.formats.errors import FormatError
from app.formats.foreign import SQLITE
from app.formats.json.pieces import collector_off
from app.formats.json.problems import Problems
from app.formats.source import peek
from app.language import plural, tr
from app.profile.arrays import F64, I64
from app.profile.strings import Strings

ROW_BYTES: Final = 4
MAX_TEXT: Final = 16 << 20
MAX_CELL: Final = 4096
"""Bytes of one value in a table without texts; a longer one ends the table."""
SECONDS: Final = 60.0
BYTES_A_SECOND: Final = 250_000
_CHUNK: Final = 1024
_STEPS: Final = 20_000
"""Instructions of SQLite's machine between two calls: a few milliseconds."""
_HEADER: Final = 100
_WAL: Final = 2
_SEEN: Final = 10_000
"""Objects of a schema that are looked at; captures have about a hundred."""
_ORDINARY: Final = 0


FAILURES: Final = (sqlite3.Error, OverflowError, ValueError)
"""What Python's module raises for a damaged file; a ValueError, where a message of SQLite quotes what is no text."""


class Fetched(Struct, frozen=True, eq=False):
    """Columns of a table by the names that were asked for: int64 with NONE, float64 with NaN, or Strings with empty
    texts; a column that the table lacks has only those. ``present``: names of those that it has."""

    count: int
    columns: dict[str, Any]
    present: frozenset[str]

    def ints(self, name: str) -> I64:
        return self.columns[name]  # type: ignore[no-any-return]

    def floats(self, name: str) -> F64:
        return self.columns[name]  # type: ignore[no-any-return]

    def texts(self, name: str) -> Strings:
        return self.columns[name]  # type: ignore[no-any-return]

    def known(self, name: str, none: int = -1) -> I64:
        """int64: the column with ``none`` where there is no value."""
        column = self.ints(name)
        return np.where(column == NONE, none, column)


class Database:
    """One file. ``tables``: by their name in capitals, the names of their columns in capitals, each with its own
    spelling. Raises FormatError where the file is no database that can be opened; what is damaged in it is reported
    to ``problems``. ``tell`` gets the bytes that are done, about every 30 ms, and may raise Cancelled."""

    def __init__(
        self,
        path: Path,
        problems: Problems,
        tell: Callable[[int], None] = lambda _: None,
        wanted: frozenset[str] | None = None,
    ) -> None:
        """``wanted``: names of tables in capitals, those of a capture of Ascend by default."""
        self._wanted = TABLES if wanted is None else wanted
        self.path = path
        self.problems = problems
        self.tables: dict[str, dict[str, str]] = {}
        self._names: dict[str, str] = {}
        self._tell = tell
        self._rows = 0
        self._expected = 1
        self._raised: BaseException | None = None
        self.size = _checked(path, problems)
        self._until = time.monotonic() + SECONDS + self.size / BYTES_A_SECOND
        self._connection = _connected(path)
        try:
            self._connection.set_progress_handler(self._look, _STEPS)
            self._schema()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Database:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._connection.close()

    def has(self, *tables: str) -> bool:
        """Whether one of these tables is there."""
        return any(table in self.tables for table in tables)

    def lacks(self, table: str, *columns: str) -> bool:
        """Whether the table or one of these columns is missing; reports columns that are."""
        if table not in self.tables:
            return True
        missing = [column for column in columns if column.upper() not in self.tables[table]]
        if missing:
            text = tr("the table {table} has no column {columns}", table=table, columns=", ".join(missing))
            self.problems.add("warning", tr("tables without a column"), None, text)
        return bool(missing)

    def look(self) -> None:
        """Tells what is done; to be called within long work beside reading."""
        self._tell(self._done)

    def expect(self) -> None:
        """Says that all tables will be read, for the progress."""
        total = 0
        for table in self.tables:
            try:
                row = self._connection.execute(f"SELECT max(_rowid_) FROM {self._quoted(table)}").fetchone()
            except FAILURES:
                self._raise()
                continue
            total += min(max(row[0] if row and type(row[0]) is int else 0, 0), self._most_rows)
        self._rows, self._expected = 0, max(total, 1)

    def read(self, table: str, wanted: Mapping[str, Kind]) -> Fetched:
        """The ``wanted`` columns of ``table``, with as many rows as can be read; none if it is not there."""
        bad: dict[str, int] = {}
        made = next(self._pieces(table, wanted, bad, None), Fetched(0, {}, frozenset()))
        self._say_bad(table, bad)
        return made

    def pieces(self, table: str, wanted: Mapping[str, Kind], rows: int) -> Iterator[Fetched]:
        """The same, about ``rows`` rows after the other: for tables that are too large for memory."""
        bad: dict[str, int] = {}
        yield from self._pieces(table, wanted, bad, rows)
        self._say_bad(table, bad)

    def _pieces(
        self, table: str, wanted: Mapping[str, Kind], bad: dict[str, int], rows: int | None
    ) -> Iterator[Fetched]:
        """``bad`` counts values of another type, by column. Without ``rows``, all in one."""
        there = self.tables.get(table, {})
        present = [name for name in wanted if name.upper() in there]
        columns: list[Column] = []
        before = 0

        def done(count: int) -> Fetched:
            by_name = dict(zip(present, columns, strict=True))
            for name, column in by_name.items():
                if column.bad:
                    bad[name] = bad.get(name, 0) + column.bad
            made = {name: by_name[name].done() if name in by_name else nothing(wanted[name], count) for name in wanted}
            return Fetched(count, made, frozenset(present))

        def begin() -> None:
            columns[:] = [MAKERS[wanted[name]]() for name in present]

        begin()
        count = 0
        for count in self._fetch(table, [there[name.upper()] for name in present], columns) if present else ():
            if rows is not None and count - before >= rows:
                yield done(count - before)
                before = count
                begin()
        if rows is None or count > before:
            yield done(count - before)

    def _say_bad(self, table: str, bad: Mapping[str, int]) -> None:
        if bad:
            text = plural(
                "{table}: {count:,} value has another type than expected and counts as no data ({columns})",
                "{table}: {count:,} values have another type than expected and count as no data ({columns})",
                count=sum(bad.values()),
                table=table,
                columns=", ".join(bad),
            )
            self.problems.add("warning", tr("columns with values of another type"), None, text)

    def beginning(self, table: str, column: str, prefix: str, most: int) -> list[str]:
        """At most ``most`` texts of a column that begin with ``prefix`` (ASCII letters and underscores), without
        reading the others into memory; those before an error, without a report."""
        there = self.tables.get(table, {}).get(column.upper())
        found: list[str] = []
        if there is None:
            return found
        name = _name(there)
        sql = f"SELECT substr({name}, 1, 200) FROM {self._quoted(table)} NOT INDEXED WHERE {name} GLOB ? LIMIT ?"
        try:
            for (value,) in self._connection.execute(sql, (f"{prefix}*", most)):
                found.append(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value))
        except FAILURES:
            self._raise()
        return found

    @property
    def _most_rows(self) -> int:
        return self.size // ROW_BYTES

    def _fetch(self, table: str, names: Sequence[str], columns: Sequence[Column]) -> Iterator[int]:
        """Reads rows into ``columns``; yields how many they are so far. The first problem ends the table."""
        texts = any(isinstance(column, Texts) for column in columns)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_TEXT if texts else MAX_CELL)
        selected = ", ".join(column.select(_name(name)) for name, column in zip(names, columns, strict=True))
        count, most = 0, self._most_rows
        try:
            with collector_off():
                cursor = self._connection.execute(f"SELECT {selected} FROM {self._quoted(table)} NOT INDEXED")
                while True:
                    rows = list[Any]()
                    try:
                        rows.extend(islice(cursor, _TEXTS if texts else _CHUNK))
                    finally:  # those before an error count
                        for column, values in zip(columns, zip(*rows, strict=True), strict=bool(rows)):
                            column.extend(values)
                        count += len(rows)
                        self._rows += len(rows)
                    yield count
                    if not rows:
                        return
                    self._tell(self._done)
                    if count > most or sum(column.size for column in columns) > 2 * self.size:
                        raise sqlite3.DatabaseError(tr("more rows than a file of this size can hold"))
        except FAILURES as error:
            self._raise()
            text = plural(
                "{table}: reading stopped after {count:,} row: {error}",
                "{table}: reading stopped after {count:,} rows: {error}",
                count=count,
                table=table,
                error=_reason(error),
            )
            self.problems.add("error", tr("tables that cannot be read to their end"), None, text)
            yield count
        finally:
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_TEXT)

    def _schema(self) -> None:
        """Finds the tables. Others that have a name of theirs (views, virtual tables) are reported when wanted."""
        sql = "SELECT type, name, rootpage, substr(sql, 1, 64) FROM sqlite_master WHERE type IN ('table', 'view')"
        try:
            objects = self._connection.execute(f"{sql} LIMIT {_SEEN}").fetchall()
        except FAILURES as error:
            self._raise()
            raise FormatError(_broken(error), path=str(self.path)) from error
        for kind, name, page, statement in objects:
            if not isinstance(name, bytes) or not isinstance(statement, bytes):
                continue
            title = name.decode("utf-8", "replace")
            known = title.upper()
            if known not in self._wanted:
                continue
            virtual = statement.lstrip().upper().startswith(b"CREATE VIRTUAL")
            if kind != b"table" or virtual or type(page) is not int or page <= 0:
                self._refuse(title, tr("it is a view or a virtual table"))
                continue
            self._names[known] = title
            columns = self._columns(title)
            if columns is not None:
                self.tables[known] = columns

    def _columns(self, table: str) -> dict[str, str] | None:
        """The ordinary columns of a table; None where some are computed: they run what the file says."""
        try:
            info = self._connection.execute(f"PRAGMA table_xinfo({_name(table)})").fetchall()
        except FAILURES as error:
            self._raise()
            self._refuse(table, _reason(error))
            return None
        if any(row[6] != _ORDINARY for row in info):
            self._refuse(table, tr("it has computed columns"))
            return None
        names = [row[1].decode("utf-8", "replace") for row in info]
        return {name.upper(): name for name in names}

    def _refuse(self, table: str, reason: str) -> None:
        text = tr("the table {table} is not read: {reason}", table=table, reason=reason)
        self.problems.add("warning", tr("tables that are not read"), None, text)

    def _quoted(self, table: str) -> str:
        return f"main.{_name(self._names[table])}"

    @property
    def _done(self) -> int:
        return self.size * min(self._rows, self._expected) // self._expected

    def _look(self) -> int:
        """Called by SQLite in the midst of its work. Nothing can be raised through it."""
        try:
            self._tell(self._done)
        except BaseException as error:
            self._raised = error
            return 1
        return int(time.monotonic() > self._until)

    def _raise(self) -> None:
        """Raises what was raised while SQLite worked."""
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised


_TEXTS: Final = 16
"""Rows with texts of any length that are fetched at a time."""

TABLES: Final = frozenset(
    (
        *("STRING_IDS", "TASK", "COMPUTE_TASK_INFO", "TASK_PMU_INFO", "COMMUNICATION_OP", "COMMUNICATION_TASK_INFO"),
        *("CANN_API", "PYTORCH_API", "CONNECTION_IDS", "STEP_TIME", "MSTX_EVENTS", "MEMORY_RECORD", "OP_MEMORY"),
        *("PYTORCH_CALLCHAINS", "GC_RECORD", "NPU_MEM", "NPU_OP_MEM", "HBM", "LLC", "AICORE_FREQ", "HOST_INFO"),
        *("RANK_DEVICE_MAP", "SESSION_TIME_INFO", "META_DATA"),
        *("ENUM_API_TYPE", "ENUM_HCCL_DATA_TYPE", "ENUM_HCCL_RDMA_TYPE"),
        *("STEPTRACETIME", "COMMANALYZERTIME", "COMMANALYZERBANDWIDTH", "COMMANALYZERMATRIX"),
        *("CLUSTERSTEPTRACETIME", "COMMUNICATIONGROUPMAPPING", "CLUSTERCOMMUNICATIONTIME"),
        *("CLUSTERCOMMUNICATIONBANDWIDTH", "CLUSTERCOMMUNICATIONMATRIX", "CLUSTERBASEINFO"),
        *("HOSTINFO", "RANKDEVICEMAP"),
    )
)
"""Names, in capitals, of the tables that are looked for (section 3)."""


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _checked(path: Path, problems: Problems) -> int:
    """The size of a file that begins as a database. Raises FormatError for another one, and where it is not a regular
    file; reports what its header says about missing parts."""
    head = peek(path, _HEADER)
    size = path.stat().st_size
    if not size:
        raise FormatError(tr("the file is empty"), path=str(path))
    if not head.startswith(SQLITE):
        raise FormatError(tr("this is not an SQLite database, or it is encrypted"), path=str(path))
    if len(head) < _HEADER:
        raise FormatError(tr("the database is truncated in its first 100 bytes"), path=str(path))
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    stated = page * int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0
    if stated > size:
        text = plural(
            "the database is truncated: {count:,} byte is missing",
            "the database is truncated: {count:,} bytes are missing",
            count=stated - size,
        )
        problems.add("error", tr("truncated databases"), None, text)
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(path.name + suffix)
        try:
            left = beside.stat().st_size > 0
        except (OSError, ValueError):
            left = False
        if left:
            text = tr("changes in {name} were never written into the database, and are not read", name=beside.name)
            problems.add("warning", tr("databases that were not closed"), None, text)
    return size


def _connected(path: Path) -> sqlite3.Connection:
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=0)
    except FAILURES as error:
        raise FormatError(_broken(error), path=str(path)) from error
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_TEXT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    try:
        for pragma in ("trusted_schema=OFF", "mmap_size=0", "query_only=ON", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except FAILURES as error:
        connection.close()
        raise FormatError(_broken(error), path=str(path)) from error
    return connection


def _broken(error: Exception) -> str:
    return tr("the database cannot be read: {error}", error=_reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
        return tr("it takes longer than a file of this size may")
    return str(error)
