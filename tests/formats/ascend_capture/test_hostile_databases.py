"""Databases that are damaged, foreign, or made to harm: one line each that says what is wrong, and nothing that the
file says is run."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.ascend_capture import database_safe
from app.formats.ascend_capture.database import read_database
from app.formats.ascend_capture.database_analysis import read_cluster
from app.formats.ascend_capture.identity import RankData
from app.formats.errors import FormatError
from app.formats.events import Event
from app.profile.ascend_capture import Kernels
from app.profile.issue import Issue
from app.store.column_bounds import wrong_column
from generators.ascend_database import Rank, small
from soak import raw

SMALL = small()


def read(path: Path) -> tuple[RankData, list[str]]:
    issues: list[Event] = []
    data = read_database([path], issues.append)
    return data, [issue.text for issue in issues if isinstance(issue, Issue)]


def refused(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read_database([path], lambda _: None)
    assert caught.value.path == str(path)
    assert "\n" not in caught.value.text
    return caught.value.text


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A small one."""
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(SMALL)
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def forge(path: Path, *statements: str) -> None:
    """Changes a database with its schema open to any change."""
    change(path, "PRAGMA writable_schema=ON", *statements)


def kernels(data: RankData) -> int:
    return sum(len(one) for one in data.sections if isinstance(one, Kernels))


def test_no_database(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"")
    assert refused(path) == "the file is empty"
    path.write_bytes(b"\x93\xf1" * 4096)
    assert refused(path) == "this is not an SQLite database, or it is encrypted"
    path.write_bytes(SMALL[:64])
    assert refused(path) == "the database is truncated in its first 100 bytes"
    assert refused(tmp_path / "none.db") == "no such file"
    assert refused(tmp_path) == "this is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.db")
    assert "not a regular file" in refused(tmp_path / "a.db")


def test_a_foreign_database(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    change(path, "CREATE TABLE T (a)")
    assert refused(path) == "this database has no table of a capture"
    with pytest.raises(FormatError, match="not the database of a cluster"):
        read_cluster(path, lambda _: None)


def test_nothing_is_written_beside_it(database: Path) -> None:
    database.chmod(0o444)
    database.parent.chmod(0o555)
    try:
        before = database.read_bytes()
        read(database)
        assert list(database.parent.iterdir()) == [database]
        assert database.read_bytes() == before
    finally:
        database.parent.chmod(0o755)


def test_a_name_that_looks_like_an_address(tmp_path: Path) -> None:
    path = tmp_path / "a b?mode=rw&x=%41#é.db"
    path.write_bytes(SMALL)
    assert kernels(read(path)[0]) == 3
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_truncated_database(database: Path, part: float) -> None:
    database.write_bytes(SMALL[: int(len(SMALL) * part)])
    issues: list[Event] = []
    with suppress(FormatError):
        read_database([database], issues.append)
    shown = [issue.text for issue in issues if isinstance(issue, Issue)]
    assert "the database is truncated" in shown[0]


def test_a_damaged_page_costs_its_table_only(database: Path) -> None:
    change(database, "CREATE TABLE last (a)")
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name='TASK_PMU_INFO'").fetchone()
    data = bytearray(database.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[size * (page - 1) : size * page] = b"\xff" * size
    database.write_bytes(data)
    found, issues = read(database)
    assert kernels(found) == 3
    assert issues == ["TASK_PMU_INFO: reading stopped after 0 rows: database disk image is malformed"]


def test_a_write_ahead_log_that_was_left(database: Path) -> None:
    change(database, "PRAGMA journal_mode=WAL")
    database.with_name(database.name + "-wal").write_bytes(b"x" * 100)
    found, issues = read(database)
    assert kernels(found) == 3
    assert issues == [f"changes in {database.name}-wal were never written into the database, and are not read"]


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x"


@pytest.mark.parametrize(
    "view",
    [
        f"CREATE VIEW TASK AS {ENDLESS} AS startNs, x AS endNs, x AS globalTaskId FROM c",
        "CREATE VIEW TASK AS SELECT * FROM TASK",
        "CREATE VIRTUAL TABLE TASK USING fts5(startNs, endNs)",
    ],
)
def test_a_view_that_has_the_name_of_a_table(database: Path, view: str) -> None:
    change(database, "DROP TABLE TASK", view)
    found, issues = read(database)
    assert kernels(found) == 0
    assert "the table TASK is not read: it is a view or a virtual table" in issues


def test_computed_columns(database: Path) -> None:
    change(
        database,
        "ALTER TABLE TASK_PMU_INFO RENAME TO old",
        "CREATE TABLE TASK_PMU_INFO (globalTaskId, name, value AS (length(hex(zeroblob(1000000)))) VIRTUAL)",
        "INSERT INTO TASK_PMU_INFO (globalTaskId, name) SELECT globalTaskId, name FROM old",
    )
    found, issues = read(database)
    assert kernels(found) == 3
    assert issues == ["the table TASK_PMU_INFO is not read: it has computed columns"]


def test_triggers_and_indexes_are_not_run(database: Path) -> None:
    change(
        database,
        "CREATE INDEX slow ON TASK (abs(startNs), globalTaskId)",
        "CREATE TRIGGER t AFTER INSERT ON TASK BEGIN SELECT load_extension('x'); END",
    )
    found, issues = read(database)
    assert (kernels(found), issues) == (3, [])


def test_a_schema_that_says_nonsense(database: Path) -> None:
    forge(database, "UPDATE sqlite_master SET sql='CREATE TABLE TASK(a) garbage ((' WHERE name='TASK'")
    assert "the database cannot be read" in refused(database)


def test_two_tables_on_one_page(database: Path) -> None:
    forge(
        database,
        "UPDATE sqlite_master SET rootpage=(SELECT rootpage FROM sqlite_master WHERE name='STRING_IDS') "
        "WHERE name='TASK'",
    )
    found, issues = read(database)
    assert kernels(found) == 0
    assert issues


def test_a_tree_whose_pages_occur_many_times(tmp_path: Path) -> None:
    """Each page of the tree points to the next one a hundred times: 100^5 rows in a few kilobytes."""
    path = tmp_path / "bomb.db"
    path.write_bytes(SMALL)
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name='TASK'").fetchone()
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    leaf = bytes(data[size * (page - 1) : size * page])
    count = len(data) // size
    for level in range(5):
        where = page if level == 0 else count + level
        made = bytearray(size)
        cells = 100
        below = count + level + 1
        made[0] = 5
        made[3:5] = cells.to_bytes(2, "big")
        made[5:7] = (size - 5 * cells).to_bytes(2, "big")
        made[8:12] = below.to_bytes(4, "big")
        for cell in range(cells):
            at = size - 5 * (cell + 1)
            made[12 + 2 * cell : 14 + 2 * cell] = at.to_bytes(2, "big")
            made[at : at + 5] = below.to_bytes(4, "big") + b"\x7f"
        data[size * (where - 1) : size * where] = made
    data += b"\0" * (size * (count + 5) - len(data))
    data[size * (count + 4) : size * (count + 5)] = leaf
    data[28:32] = (count + 5).to_bytes(4, "big")
    path.write_bytes(data)
    begun = time.monotonic()
    found, issues = read(path)
    assert time.monotonic() - begun < 20
    assert any(text.startswith("TASK: reading stopped after") for text in issues), issues
    assert found.timeline is None or len(found.timeline.slices.start) < len(data)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("startNs", "'abc'"),
        ("startNs", "x'00ff'"),
        ("startNs", "1e30"),
        ("startNs", "NULL"),
        ("startNs", "9223372036854775807"),
        ("startNs", "-9223372036854775808"),
        ("startNs", "'99999999999999999999'"),
        ("endNs", "-5"),
        ("endNs", "1.5"),
        ("streamId", "'many'"),
        ("streamId", "9223372036854775807"),
        ("globalTaskId", "-9223372036854775808"),
        ("connectionId", "9e999"),
        ("taskType", "12345678"),
        ("deviceId", "-7"),
    ],
)
def test_cells_of_another_kind(database: Path, column: str, value: str) -> None:
    change(database, f"UPDATE TASK SET {column}={value} WHERE rowid=2")
    found, _ = read(database)
    assert kernels(found) in (2, 3)
    check(found)


def test_bad_cells_are_counted_in_one_line(database: Path) -> None:
    change(database, "UPDATE TASK SET startNs='abc', streamId='x' WHERE rowid<4")
    _, issues = read(database)
    text = "TASK: 6 values have another type than expected and count as no data (startNs, streamId)"
    assert [issue for issue in issues if "another type" in issue] == [text]


def test_values_of_megabytes(database: Path) -> None:
    change(database, "UPDATE TASK SET streamId=zeroblob(3000000) WHERE rowid=3")
    _, issues = read(database)
    assert any(text.startswith("TASK: reading stopped after") for text in issues), issues


def test_texts_of_every_kind(database: Path) -> None:
    change(
        database,
        "INSERT INTO STRING_IDS VALUES (-5, 'negative'), (9223372036854775807, 'last')",
        "UPDATE STRING_IDS SET value=x'c328ff00' WHERE id=1",
        "UPDATE STRING_IDS SET value='a' || char(0) || 'b' WHERE id=2",
        "UPDATE STRING_IDS SET value=NULL WHERE id=3",
        "UPDATE STRING_IDS SET value=3 WHERE id=4",
        "UPDATE STRING_IDS SET value=hex(zeroblob(200000)) WHERE id=5",
    )
    found, _ = read(database)
    assert kernels(found) == 3
    check(found)


def test_ids_that_occur_twice_or_not_at_all(database: Path) -> None:
    change(
        database,
        "CREATE TABLE twice AS SELECT * FROM STRING_IDS UNION ALL SELECT id, 'again' FROM STRING_IDS WHERE id < 3",
        "DROP TABLE STRING_IDS",
        "ALTER TABLE twice RENAME TO STRING_IDS",
        "UPDATE COMPUTE_TASK_INFO SET opType=987654321",
        "UPDATE COMMUNICATION_OP SET groupName=65535",
    )
    found, issues = read(database)
    assert "STRING_IDS has 3 ids more than once; the first ones count" in issues
    assert "1 id has no text in STRING_IDS" in issues
    own = next(one for one in found.sections if isinstance(one, Kernels))
    assert own.type.tolist() == [-1, -1, -1]


@pytest.mark.parametrize("table", ["TASK", "COMPUTE_TASK_INFO", "COMMUNICATION_OP", "PYTORCH_API", "CANN_API"])
def test_a_table_that_lacks_columns(database: Path, table: str) -> None:
    change(database, f"DROP TABLE {table}", f"CREATE TABLE {table} (other)", f"INSERT INTO {table} VALUES (1)")
    found, issues = read(database)
    assert any(text.startswith(f"the table {table} has no column") for text in issues), issues
    check(found)


def test_every_table_may_be_missing(tmp_path: Path) -> None:
    for table in Rank(steps=1, kernels=1, collectives=1).main.columns:
        path = tmp_path / f"{table}.db"
        path.write_bytes(SMALL)
        change(path, f"DROP TABLE {table}")
        if table == "STRING_IDS":
            refused(path)
            continue
        check(read(path)[0])


def test_what_takes_too_long(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_safe, "SECONDS", -1e9)
    monkeypatch.setattr(database_safe, "_STEPS", 1)
    with pytest.raises(FormatError, match="longer than a file of this size may"):
        read_database([database], lambda _: None)


def test_the_names_of_other_files_of_the_rank(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("ascend_pytorch_profiler_0.db", "msprof_20250101.db", "broken.db")]
    for path in paths:
        path.write_bytes(SMALL)
    paths[2].write_bytes(b"x")
    issues: list[Event] = []
    data = read_database(paths, issues.append)
    assert data.facts.producer == "torch_npu"
    assert {(issue.where, issue.text) for issue in issues if isinstance(issue, Issue)} == {
        ("msprof_20250101.db", "this database repeats another one of its rank and is not read"),
        ("broken.db", "this is not an SQLite database, or it is encrypted"),
    }


def check(data: RankData) -> None:
    """Whatever was read is sound: columns are as long as the first, and ids are ids."""
    sections = [*data.sections, *([data.timeline] if data.timeline else [])]
    assert wrong_column({one.SECTION: one for one in sections}, 1) == ""


def attempt(path: Path) -> None:
    with suppress(FormatError):
        check(read(path)[0])


DAMAGE = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@DAMAGE
@given(seed=st.integers(0, 2**32))
def test_damaged_bytes(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(raw.damaged(SMALL, Random(seed)))
    attempt(path)


@DAMAGE
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=6
    )
)
def test_changed_cells(tmp_path: Path, changes: list[tuple[int, int, int]]) -> None:
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(SMALL)
    numbers = ("NULL", "-1", "0", "65535", "4294967295", "9223372036854775807", "-9223372036854775808", "1.5", "9e999")
    texts = ("'x'", "'12'", "x'ff00'", "''", "zeroblob(5000)", "1736410576375315901")
    values = (*numbers, *texts)
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for which, place, value in changes:
            table = names[which % len(names)]
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = columns[place % len(columns)]
            try:
                some = f"UPDATE {table} SET {column}={values[value % len(values)]}"
                connection.execute(some if value % 3 else f"{some} WHERE rowid % 3 = {which % 3}")
            except sqlite3.Error:
                continue
        connection.commit()
    attempt(path)
