"""The tables that programs read are those of ``resources/columns.txt``: ids, columns, types, units and roles, whatever
the file is. A change of that list is a change of the interface and needs a line in CHANGELOG.md."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import app as tilesight
from app.analysis.schema import ColumnSpec, for_programs, per_second, schema_of, schemas
from app.analysis.table import Coded, Column, OwnTime, Table, Values
from app.analysis.tables import TABLES
from app.formats import ascend_bin, collect, registry
from app.formats.errors import FormatError
from app.help.examples import profiles
from app.profile.profile import Profile
from generators.ascend_bin import block
from generators.ascend_details import Shape, core_load
from generators.reading import profile_of
from soak import corpus

SHARED = Path(__file__).parents[3] / "shared" / "samples"
TYPES = {"i": "integer", "u": "integer", "f": "number", "b": "bool"}


def read(paths: list[Path]) -> Iterator[Profile]:
    jobs, _ = registry.plan(paths)
    for job in jobs:
        with suppress(FormatError):  # a file that says nothing without those beside it
            yield from collect.read(job.format, job.paths)


def generated() -> Iterator[Profile]:
    for name in corpus.MAKERS:
        for case in corpus.cases(name):
            with tempfile.TemporaryDirectory() as folder:
                files = [Path(folder) / file for file in case.files]
                for file, content in zip(files, case.files.values(), strict=True):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(content.whole())
                yield from read(files if all("/" not in file for file in case.files) else [Path(folder)])


def type_of(values: Values) -> str:
    return TYPES[values.dtype.kind] if isinstance(values, np.ndarray) else "text"


def wrong(table: Table) -> Iterator[str]:
    """What differs from the list."""
    schema = schema_of(table.id)
    if schema is None:
        yield f"{table.id} is not in resources/columns.txt"
        return
    made = for_programs(table)
    known, further = made.columns[: len(schema.columns)], made.columns[len(schema.columns) :]
    for column, spec in zip(known, schema.columns, strict=True):
        kind = "address" if column.hexadecimal else type_of(column.values)
        own = ColumnSpec(column.key, kind, column.unit, column.role)  # type: ignore[arg-type]
        if own != spec:
            yield f"{table.id}: {own}, but resources/columns.txt has {spec}"
        if len(column.values) != table.rows:
            yield f"{table.id}: {column.key} has other rows"
    if any(column.role != "counter" for column in further):
        yield f"{table.id}: a column that the list does not have is not marked"
    if further and not schema.open:
        yield f"{table.id}: resources/columns.txt does not have {', '.join(column.key for column in further)}"


def test_every_table_of_every_file_has_the_listed_columns() -> None:
    seen: dict[str, set[str]] = {}
    problems = set()
    simt = profile_of(ascend_bin.FORMAT, block(0x0C, core_load(Shape(), simt=True)))
    for profile in (*profiles(), *generated(), simt):
        for spec in TABLES:
            for table in spec.tables(profile):
                problems |= set(wrong(table))
                found = {column.key for column in for_programs(table).columns if not column.absent}
                name = table.id if table.id in schemas() else spec.id
                seen.setdefault(name, set()).update(found)
    assert not problems
    assert {name.partition("/")[0] for name in schemas()} == {spec.id for spec in TABLES}
    never = {
        f"{name}.{key}"
        for name, schema in schemas().items()
        for key in schema.keys - seen.get(name, set())
        if not key.endswith("_cycles")
    }
    assert not never


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared samples are absent")
def test_the_shared_samples_have_the_listed_columns() -> None:
    found = [path for path in SHARED.rglob("*") if path.is_file() and path.suffix in (".bin", ".json", ".rep", ".db")]
    for path in found:
        for profile in read([path]):
            assert [text for spec in TABLES for table in spec.tables(profile) for text in wrong(table)] == []


def timed(unit: str, clock_hz: float | None) -> Table:
    durations = np.array([1650.0, np.nan, 0.3])
    column = Column("duration", "Duration", durations, unit, stored=True)  # type: ignore[arg-type]
    return for_programs(Table("slices", "Slices", (column,), own_time=OwnTime(unit, clock_hz)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "clock", "seconds", "cycles"),
    [
        ("µs", None, 1650e-6, None),
        ("ns", None, 1650e-9, None),
        ("s", None, 1650.0, None),
        ("cycles", 1.65e9, 1e-6, 1650.0),
        ("cycles", None, None, 1650.0),
    ],
)
def test_times_are_seconds_and_cycles_have_their_own_column(
    unit: str, clock: float | None, seconds: float | None, cycles: float | None
) -> None:
    columns = {column.key: column for column in timed(unit, clock).columns}
    assert columns["duration"].value(0) == (None if seconds is None else pytest.approx(seconds))
    assert columns["duration_cycles"].value(0) == cycles
    assert (columns["duration"].unit, columns["duration_cycles"].unit) == ("s", "cycles")
    assert columns["duration"].value(1) is None
    assert columns["self"].value(0) is None


def test_what_the_file_counts_in_no_certain_unit_is_kept_beside_the_column() -> None:
    doubtful = Column("duration", "Duration", np.array([5.0]))
    columns = {column.key: column for column in for_programs(Table("block-details", "Blocks", (doubtful,))).columns}
    assert columns["duration"].value(0) is None
    assert (columns["duration_stored"].value(0), columns["duration_stored"].role) == (5.0, "counter")


def test_types_are_the_same_for_every_file() -> None:
    numbers = Column("block_id", "Block", np.array([7, 0, 7]), role="key")
    texts = for_programs(Table("block-details", "Blocks", (numbers,))).columns[0]
    assert [texts.value(row) for row in range(3)] == ["7", "0", "7"]
    assert isinstance(texts.values, Coded)
    counted = Column("hit", "Hits", np.array([3, 4]))
    made = {column.key: column for column in for_programs(Table("memory-blocks", "L2", (counted,))).columns}
    assert made["hit"].values.dtype == np.float64  # type: ignore[union-attr]


def test_compared_columns_and_what_the_file_names() -> None:
    assert per_second("slices", "start_before", "µs") == 1e6
    assert per_second("source-lines", "running_time_us.core0.veccore0", "µs") == 1
    assert per_second("anything", "x", "ns") == 1e9
    assert per_second("steps", "cycles_difference", "cycles") == 1


def test_sql_lists_all_columns(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    sample = Path(__file__).parents[2] / "resources" / "samples" / "training.pt.trace.json"
    with tilesight.open(sample) as profile:
        rows = {(row["table_"], row["column_"]): row for row in profile.query("from tilesight_columns").rows()}
        for name in ("slices", "lanes"):
            table = profile.table(name)
            for key in table:
                own = rows[name, "end_" if key == "end" else key]
                assert (own["unit"], own["role"], own["help"]) == (
                    table.units[key],
                    table.roles[key],
                    table.help.get(key, ""),
                )
        assert len(profile.query("select self from slices"))
        gone = profile.query("select address, count(*) as slices from slices group by all")
        assert gone.row(0)["address"] is None
        both = profile.query(
            "select distinct table_ from tilesight_columns where table_ like 'baseline.%'", baseline=profile
        )
        assert "baseline.slices" in set(both["table_"])


def test_a_table_without_rows_has_its_columns() -> None:
    empty = for_programs(replace(timed("µs", None), columns=()))
    schema = schema_of("slices")
    assert schema is not None
    assert [column.key for column in empty.columns] == [spec.key for spec in schema.columns]
    assert empty.rows == 0
