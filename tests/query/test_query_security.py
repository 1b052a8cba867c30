"""A statement reads tables of the profile and nothing else."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.formats.errors import Cancelled
from app.query.errors import NoDuckDB, QueryError
from app.query.result import Fetched
from app.query.session import Session, answer, sources_of
from app.store.token import interruptible
from fakes.query_profiles import profile_of_family


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(sources_of([profile_of_family("poplar")]), memory_mb=60) as session:
        session.run("select count(*) from steps")
        yield session


ESCAPES = [
    "select * from read_csv('/etc/passwd')",
    "from read_text('/etc/passwd')",
    "select * from (select * from read_blob('/etc/*'))",
    "with files as (select * from glob('/*')) select * from files",
    "select (select count(*) from read_parquet('x'))",
    "from '/etc/passwd'",
    "from 'https://example.org/x.csv'",
    "from sniff_csv('/etc/passwd')",
    "from arrow_scan(1, 2, 3)",
    "from pandas_scan(1)",
    "from duckdb_settings()",
    "from duckdb_secrets()",
    "from query('select 1')",
    "from query_table('steps')",
    "from json_execute_serialized_sql('{}')",
    "from seq_scan('steps')",
    "from information_schema.tables",
    "from pg_catalog.pg_class",
    "from memory.main.steps",
    "from sqlite_master",
    "attach '/tmp/x.db'",
    "attach ':memory:' as other",
    "copy steps to '/tmp/x.csv'",
    "copy steps from '/etc/passwd'",
    "export database '/tmp/x'",
    "import database '/tmp/x'",
    "install httpfs",
    "load httpfs",
    "load '/tmp/x.duckdb_extension'",
    "set enable_external_access = true",
    "set memory_limit = '100GB'",
    "reset memory_limit",
    "pragma enable_profiling",
    "pragma version",
    "call pragma_version()",
    "use memory",
    "create table x as select 1",
    "create macro f(a) as a",
    "create or replace view steps as select 1",
    "insert into steps select * from steps",
    "with x as (insert into steps select * from steps) select 1",
    "with x as (delete from steps returning *) select * from x",
    "update steps set cycles = 0",
    "delete from steps",
    "drop view steps",
    "alter table steps rename to x",
    "checkpoint",
    "vacuum",
    "begin",
    "prepare p as select 1",
    "execute p",
    "explain analyze select 1",
    "select 1; select 2",
    "select 1; drop view steps",
    "select 1) as x; drop view steps; select (1",
    "show tables",
    "show databases",
    "select $1",
    "select ?",
    "",
    ";",
    "-- nothing",
    "select '\udcff'",
]


def test_what_is_no_reading_of_tables_is_refused(session: Session) -> None:
    for statement in ESCAPES:
        with pytest.raises(QueryError):
            pytest.fail(f"{statement}: {session.run(statement).rows} rows")
    assert session.run("select count(*) as steps from steps").columns[0].value(0) == 482


def test_no_variable_of_python_is_read(session: Session) -> None:
    secret = {"x": np.arange(3)}
    with pytest.raises(QueryError, match="there is no table secret"):
        session.run("select * from secret")
    assert len(secret) == 1


def test_settings_are_shut(session: Session) -> None:
    names = "enable_external_access", "autoload_known_extensions", "autoinstall_known_extensions", "lock_configuration"
    row = session.run("select " + ", ".join(f"current_setting('{name}')" for name in names))
    assert [column.value(0) for column in row.columns] == [False, False, False, True]
    assert session.run("select current_setting('temp_directory')").columns[0].value(0) == ""


def test_memory_is_limited(session: Session) -> None:
    with pytest.raises(QueryError, match="more than 60 MB"):
        session.run("select i from range(30000000) as r(i) order by hash(i) desc limit 1 offset 20000000")
    assert session.run("select 1 as one").columns[0].value(0) == 1


def test_it_can_be_cancelled(session: Session) -> None:
    timer = threading.Timer(0.1, session.interrupt)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        session.run("select count(*) from range(100000000000) as r(i) where i % 7 = 3")
    timer.join()
    assert time.monotonic() - begin < 5


def test_ctrl_c_ends_a_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    main, fetched = threading.main_thread().ident, Session._columns
    assert main is not None

    def typed(session: Session, *arguments: Any) -> list[Fetched]:
        threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT)).start()
        return fetched(session, *arguments)

    monkeypatch.setattr(Session, "_columns", typed)
    long = "with recursive t(n) as (select 1 union all select n + 1 from t where n < 300000) select count(*) from t"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible(lambda token: answer([], long, token))
    finally:
        signal.signal(signal.SIGINT, before)


def test_without_duckdb_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(NoDuckDB, match=r"pip install 'tilesight\[sql\]'"):
        Session([])
