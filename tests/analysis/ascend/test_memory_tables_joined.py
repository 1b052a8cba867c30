"""Memory tables of one kind are one table over all blocks, compared with loops over the JSON of the file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import orjson
import pytest

from app.analysis.export import export
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.profile import Profile
from generators.ascend_bin import block
from generators.reading import profile_of

Stored = dict[str, Any]


def file_of(entries: list[Stored]) -> Profile:
    return profile_of(FORMAT, block(9, orjson.dumps({"table_per_block": entries})))


def made(name: str, titles: list[str], rows: list[tuple[str, list[Any]]]) -> Stored:
    lines = [{"name": row, "value": values} for row, values in rows]
    return {"table_name": name, "header_name": ["", *titles], "row": lines}


def joined(profile: Profile) -> list[Table]:
    return [table for table in available(profile) if table.id.startswith("memory-table/")]


def rows_of(table: Table) -> list[list[Any]]:
    return [[column.value(row) for column in table.columns] for row in range(table.rows)]


def random_entries(seed: int) -> list[Stored]:
    """Blocks whose tables differ in number, order, rows and columns; some have a table twice."""
    dice = random.Random(seed)
    entries = []
    for number in range(dice.randint(1, 9)):
        tables = []
        for name in dice.sample(["Cache", "L1", "UB", "Pipe"], dice.randint(1, 4)) + dice.sample(
            ["L1"], dice.randint(0, 1)
        ):
            titles = dice.sample(["hits", "peak(%)", "cycles", "throughput(GB/s)", "mode"], dice.randint(1, 5))
            rows = [
                (f"{name} {dice.randint(0, 5)}", [dice.choice([1, 2.5, "7", "NA", "fast"]) for _ in titles])
                for _ in range(dice.randint(0, 4))
            ]
            tables.append(made(name, titles, rows))
        block_id = dice.choice([number, str(number), "NA"])
        entries.append({"block_id": block_id, "table_detail": tables, "advice": dice.sample(["a", "b"], 1)})
    return entries


@pytest.mark.parametrize("seed", range(25))
def test_rows_of_all_blocks_stand_under_their_titles(seed: int) -> None:
    entries = random_entries(seed)
    expected: dict[str, list[tuple[str, str, dict[str, str]]]] = {}
    for entry in entries:
        seen: dict[str, int] = {}
        for table in entry["table_detail"]:
            name = table["table_name"]
            seen[name] = seen.get(name, 0) + 1
            rows = expected.setdefault(f"memory-table/{name}" + ("/2" if seen[name] == 2 else ""), [])
            for line in table["row"]:
                cells = zip(table["header_name"][1:], line["value"], strict=True)
                said = {title: str(float(v)) if str(v)[0].isdigit() else v for title, v in cells if v != "NA"}
                rows.append((plain(str(entry["block_id"])), line["name"], said))
    tables = {table.id: table for table in joined(file_of(entries))}
    assert set(tables) == set(expected)
    for table_id, rows in expected.items():
        table = tables[table_id]
        found = [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]
        written = [
            {"block": own, "name": name, **{KEYS[title]: cell for title, cell in said.items()}}
            for own, name, said in rows
        ]
        assert [{key: plain(cell) for key, cell in row.items() if cell not in (None, "")} for row in found] == written


KEYS = {"hits": "hits", "peak(%)": "peak", "cycles": "cycles", "throughput(GB/s)": "throughput_gb_s", "mode": "mode"}


def plain(cell: Any) -> Any:
    """Numbers alike, whether the column holds numbers or, for other cells, texts."""
    return str(float(cell)) if isinstance(cell, (int, float)) or cell in ("1", "2.5", "7") else cell


def test_rows_select_their_blocks_and_means_none() -> None:
    tables = [made("L1", ["n"], [("a", [1]), ("b", [2])])]
    profile = file_of([{"block_id": own, "table_detail": tables} for own in (4, "NA", "7")])
    (table,) = joined(profile)
    assert table.selects == "block"
    assert table.keys is not None
    assert table.keys.tolist() == [4, 4, -1, -1, 7, 7]


def test_earlier_names_give_the_rows_of_one_block() -> None:
    two = [made("L1", ["n"], [("a", [1])]), made("L1", ["n"], [("b", [2])])]
    profile = file_of([{"block_id": 0, "table_detail": two}, {"block_id": "1", "table_detail": two}])
    assert [table.id for table in joined(profile)] == ["memory-table/L1", "memory-table/L1/2"]
    for table_id, expected in (
        ("memory-table/L1", [["0", "a", 1], ["1", "a", 1]]),
        ("memory-table/L1/2", [["0", "b", 2], ["1", "b", 2]]),
        ("memory-table/1/L1", [["1", "a", 1]]),
        ("memory-table/0/L1/2", [["0", "b", 2]]),
    ):
        table = by_id(profile, table_id)
        assert table is not None
        assert rows_of(table) == expected
    assert by_id(profile, "memory-table/2/L1") is None


def test_advice_is_said_once_and_with_its_blocks() -> None:
    tables = [made("L1", ["n"], [("a", [1])])]
    advice = (["use more"], ["use more", "align"], ["use more", "align"])
    entries = [{"block_id": n, "table_detail": tables, "advice": own} for n, own in enumerate(advice)]
    (table,) = joined(file_of(entries))
    assert table.note == "use more; align (blocks 1, 2)"


def test_tables_that_share_no_columns_are_not_joined_into_an_empty_one() -> None:
    def entry(number: int) -> Stored:
        return {
            "block_id": number,
            "table_detail": [made("T", [f"c{number}.{n}" for n in range(60)], [("r", [1] * 60)])],
        }

    tables = joined(file_of([entry(number) for number in range(90)]))
    assert sum(table.rows * len(table.columns) for table in tables) < 90 * 62 * 5
    assert [table.id for table in tables[:2]] == ["memory-table/T", "memory-table/T/2"]
    assert sum(table.rows for table in tables) == 90


def test_the_capture_exports_all_blocks_with_the_digits_of_the_file(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-mix-910B4.bin"])
    table = by_id(profile, "memory-table/L1")
    assert table is not None
    lines = "".join(export(table, "csv")).splitlines()
    assert lines[0].startswith("block,name,requests,throughput_gb_s [GB/s]")
    assert lines[1] == "0,L1 Read MTE,12984,10.316486,4.647074"
    assert [line.split(",")[0] for line in lines[1:]] == ["0"] * 6 + ["1"] * 6
