"""Results are those of plain numpy, with the units of the tables; wrong statements say what is wrong, and where."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.analysis.export import export
from app.analysis.table import Coded, Column, Table
from app.analysis.tables import TABLES
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.query import session as session_module
from app.query.errors import QueryError
from app.query.names import RESERVED, NamedTable, listed_tables, sql_name, table_named, unique_names
from app.query.session import Session, batch_ends, data_of, sources_of
from fakes.query_profiles import FAMILIES, profile_of_family


@pytest.fixture(scope="module", params=FAMILIES)
def profile(request: pytest.FixtureRequest) -> Profile:
    return profile_of_family(request.param)


def test_every_table_is_the_same_in_sql(profile: Profile) -> None:
    """Each by its name without quotes, all columns and rows, and grouped as numpy groups it."""
    with Session(sources_of([profile])) as session:
        for table in listed_tables(profile):
            named = table_named(profile, table.name)
            assert named is not None
            assert (table.rows, [name for name, _ in table.columns]) == (named.table.rows, list(named.names))
            whole = session.run(f"select {', '.join(named.names)} from {named.name}")
            assert whole.rows == named.table.rows
            for column, own in zip(whole.columns, named.table.columns, strict=True):
                assert (column.unit, column.role, column.help) == (own.unit, own.role, own.help)
                for row in {0, whole.rows // 2, whole.rows - 1} if whole.rows else ():
                    assert column.value(row) == own.value(row), (named.name, column.key)
            if whole.rows:
                check_groups(session, named)


def check_groups(session: Session, named: NamedTable) -> None:
    texts = [place for place, column in enumerate(named.table.columns) if not isinstance(column.values, np.ndarray)]
    numbers = [place for place, column in enumerate(named.table.columns) if column.numeric][:6]
    if not texts or not numbers:
        return
    name = named.names[texts[0]]
    sums = ", ".join(f"count({named.names[place]}), sum({named.names[place]})" for place in numbers)
    result = session.run(f"select {name}, {sums} from {named.name} group by {name}")
    groups: dict[Any, list[list[Any]]] = defaultdict(lambda: [[] for _ in numbers])
    for row in range(named.table.rows):
        for kept, place in zip(groups[named.table.columns[texts[0]].value(row)], numbers, strict=True):
            value = named.table.columns[place].value(row)
            if value is not None:
                kept.append(value)
    assert result.rows == len(groups)
    for row in range(result.rows):
        for number, values in enumerate(groups[result.columns[0].value(row)]):
            count, total = (result.columns[1 + 2 * number + step].value(row) for step in (0, 1))
            assert count == len(values)
            assert total == (pytest.approx(sum(values)) if values else None)


@pytest.fixture(scope="module")
def poplar() -> Profile:
    return profile_of_family("poplar")


@pytest.fixture(scope="module")
def session(poplar: Profile) -> Iterator[Session]:
    with Session(sources_of([poplar], poplar)) as session:
        yield session


UNITS = [
    (
        "select name, sum(max_cycles), avg(thread_use), count(*) from compute_sets group by name",
        ["", "cycles", "%", ""],
    ),
    ("select tile as t, total / 2, max(total) over () from tile_memory", ["", "", ""]),
    ("with a as (select tile, total as t from tile_memory) select * from a", ["", "B"]),
    ("select x.* exclude (ipu, share, item) from (select * from tile_memory) x", ["", "B"]),
    ("select a.total, b.total, a.total - b.total from tiles a join baseline.tiles b using (tile)", ["B", "B", ""]),
    ("select total from tile_memory union all select total from tiles", ["B"]),
    ("select total from tile_memory union all select tile from tiles", [""]),
    ("select cycles from tiles join steps on tile = step", ["cycles"]),
    ("select tile from tiles semi join steps on tile = step", [""]),
    ("select t.b from tiles as t(a, b)", [""]),
    ("select columns('total') from tile_memory", [""]),
    ("select sum(share) from tile_memory", [""]),
    ("select unnest([1, 2]), total from tiles limit 2", ["", ""]),
    ("from (values (1)) v(x)", [""]),
    ("describe tiles", [""] * 6),
]


def test_units_are_kept_where_they_are_certain(session: Session) -> None:
    for statement, units in UNITS:
        assert [column.unit for column in session.run(statement).columns] == units, statement


SELECTING = [
    ("select tile from tiles order by tile desc limit 2", "tile", [1471, 1470]),
    ("select number as n, name from compute_sets order by name limit 1", "compute_set", None),
    ("select tile, max(total) from tile_memory group by tile having tile < 1", "tile", [0]),
    ("select name, item from slices order by item limit 2", "slice", [0, 1]),
    (
        "select t.tile, s.step from tiles t left join steps s on t.tile = s.step order by all limit 1",
        "tile",
        [0],
    ),
    ("select step from tiles t left join steps s on t.tile = s.step where t.tile > 481 limit 1", "step", [-1]),
    ("select tile + 1 as tile from tiles", None, None),
    ("select tile from baseline.tiles", None, None),
    ("select total from tiles", None, None),
]


def test_rows_select_what_their_numbers_are_of(session: Session) -> None:
    for statement, selects, keys in SELECTING:
        table = session.run(statement)
        assert table.selects == selects, statement
        if keys is not None:
            assert table.keys is not None
            assert table.keys.tolist() == keys


def test_values_of_all_types() -> None:
    with Session([]) as session:
        table = session.run(
            "select sum(x) as a, sum(x * 9223372036854775807::hugeint) as b, 1.5 as c, date '2020-01-02' as d,"
            " [1, 2] as e, null as f, true as g, 1::uhugeint as h, 'é' as i,"
            " count(*)::decimal(9, 0) as j from range(4) as r(x)"
        )
    assert [column.value(0) for column in table.columns] == (
        [6, 6 * float(2**63 - 1), 1.5, "2020-01-02", "[1, 2]", None, True, 1, "é", 4]
    )
    assert "".join(export(table, "csv")).splitlines()[1].startswith("6,")


def test_a_limit_is_said(session: Session) -> None:
    table = session.run("select * from tiles -- all;\n;", limit=10)
    assert (table.rows, table.note) == (10, "The first 10 rows; the query has more.")
    assert session.run("select * from tiles limit 10", limit=10).note == ""


WRONG = [
    ("select nam from compute_sets", "there is no column nam; did you mean name?", "nam"),
    ("select 'é',\n c.nam from compute_sets c", "there is no column nam; did you mean name?", "c.nam"),
    ("select * from compute_set", "there is no table compute_set; did you mean compute_sets", "compute_set"),
    ("select * from before.tiles", "there is no profile before; the profiles are baseline", "before.tiles"),
    ("select * from baseline.tile", "there is no table baseline.tile; did you mean tiles", "baseline.tile"),
    ("select lenght(name) from steps", "lenght does not exist; did you mean length?", "lenght(name)"),
    ("select * frm steps", "syntax error", "steps"),
    ("select end from slices", 'near "end"; the column end is end_ in SQL', "end"),
    ("select * from slice-statistics", "; the table slice-statistics is slice_statistics in SQL", "-statistics"),
    ("select * from tile-memory/region", "; the table tile-memory/region is tile_memory_region in SQL", "-memory"),
    ("select name::int from steps", "Could not convert string", "::int"),
    ("select name, count(*) from steps", "must appear in the GROUP BY", "name"),
    ("from read_csv('x')", "read_csv: queries can only read the tables of the profile", "read_csv"),
]


def test_errors_say_what_is_meant_and_where(session: Session) -> None:
    for statement, text, marked in WRONG:
        with pytest.raises(QueryError) as error:
            session.run(statement)
        own = error.value
        assert text in own.text, statement
        assert marked.startswith(statement[own.offset : own.offset + own.length] or "-")
        assert statement.split("\n")[own.line - 1][own.column - 1 :].startswith(statement[own.offset : own.offset + 1])


def test_names_need_no_quotes() -> None:
    assert sql_name("tile-memory/region") == "tile_memory_region"
    assert [sql_name(text) for text in ("end", "Order", "2nd", "a.b c", "", "größe")] == (
        ["end_", "Order_", "_2nd", "a_b_c", "_", "größe"]
    )
    assert unique_names(["a-b", "A/B", "a_b_2"]) == ["a_b", "A_B_2", "a_b_2_2"]
    names = unique_names(spec.id for spec in TABLES)
    assert [name for name in names if re.search(r"_\d$", name)] == []
    with Session([]) as session:
        for word in sorted(RESERVED):
            with pytest.raises(QueryError):
                session.run(f"select x.{word} from (select 1 as a) as {word}")
        for word in (
            "name",
            "number",
            "type",
            "value",
            "size",
            "key",
            "offset_",
            "text",
            "start",
            "time",
            "row",
            "values",
        ):
            session.run(f"select {word}, {word} + 1 from (select 1 as {word}) as x group by {word}")


def test_tables_are_also_known_by_id_and_part(poplar: Profile, session: Session) -> None:
    assert session.run('select count(*) as n from "tile-memory/region"').columns[0].value(0) == 1472
    assert table_named(poplar, "TILE_MEMORY_CATEGORY") is not None
    assert session.run("with tiles as (select * from tiles limit 3) select * from tiles").rows == 3
    assert session.run("with nothing as (select 1 as x) select * from nothing").rows == 1


def test_several_profiles_have_schemas(poplar: Profile) -> None:
    other = profile_of_family("popef")
    with Session(sources_of([poplar, other])) as session:
        assert session.run("select count(*) as n from p1.tiles").columns[0].value(0) == 1472
        assert session.run("select * from p2.blobs").rows == session.run("from blobs").rows > 0
        assert session.run("from tiles limit 1").selects is None  # of which profile would it be
        with pytest.raises(QueryError, match=r"no table p2\.tiles"):
            session.run("from p2.tiles")


@pytest.mark.parametrize("arrow", [True, False])
def test_both_ways_to_pass_columns(arrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "ARROW_ROWS", 0 if arrow else 10)
    missing = np.array([False, True, False])
    columns = (
        Column("text", "", Coded(np.array([1, -1, 0], np.int32), Strings.of(["a", "b"]))),
        Column("plain", "", ("x", "", "z")),
        Column("gone", "", ("x", "y", "z"), missing=missing),
        Column("whole", "", np.array([1, 2, 3], np.uint64), missing=missing),
        Column("float", "", np.array([1.5, np.nan, np.inf])),
        Column("other", "", np.array([1.5, 2.5, 3.5], ">f8"), missing=missing),
        Column("flag", "", np.array([True, False, True]), missing=missing),
        Column("part", "", np.arange(6)[::2]),
        Column("small", "", np.array([1, 0, 255], np.uint8)),
        Column("yes", "", np.array([True, False, True])),
        Column("others", "", Coded(np.array([0, 1, 2], np.int64), Strings.of(["é", "", "名称"]))),
    )
    named = NamedTable.of("t", Table("t", "", columns))
    assert (type(data_of(named)) is dict) != arrow
    monkeypatch.setattr("app.query.session.table_named", lambda *_: named)
    with Session(sources_of([Profile(name="x", origin=Origin("", ()))])) as session:
        result = session.run("select * from t")
        assert session.run("select others from t where others = '名称' and small > 3").rows == 1
    for column, own in zip(result.columns, columns, strict=True):
        assert [column.value(row) for row in range(3)] == [own.value(row) for row in range(3)], own.key


def test_long_texts_are_read_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB would copy those of 2,048 rows at once. Rows are the same, in their order."""
    monkeypatch.setattr(session_module, "SCANNED_BYTES", 10_000)
    rows = np.arange(5_000)
    lengths = np.where((rows >= 1_000) & (rows < 1_500), 300, 2)
    texts = tuple(f"{row:04}" + "x" * int(length) for row, length in zip(rows, lengths, strict=True))
    ids = np.where(rows % 7, rows, -1).astype(np.int32)
    table = Table(
        "t", "T", (Column("i", "I", rows), Column("c", "C", Coded(ids, Strings.of(texts))), Column("d", "D", texts))
    )
    ends = batch_ends(table)
    assert ends[-1] == len(rows)
    assert np.diff([0, *ends]).min() >= 1
    assert 20 < len(ends) < 100
    monkeypatch.setattr(session_module, "table_named", lambda *_: NamedTable.of("t", table))
    with Session(sources_of([Profile(name="p", origin=Origin("f", ()))])) as session:
        result = session.run("select * from t")
    for column, own in zip(result.columns, table.columns, strict=True):
        assert [column.value(row) for row in range(5_000)] == [own.value(row) for row in range(5_000)]
    short = Table("t", "T", (Column("i", "I", rows), Column("d", "D", tuple(map(str, rows)))))
    monkeypatch.undo()
    assert batch_ends(short) == [5_000]
    assert type(data_of(NamedTable.of("t", short))) is dict
