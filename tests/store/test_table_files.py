"""Tables as files, read back by independent readers: openpyxl, pyarrow, csv, json."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from pyarrow import parquet

from app import __version__
from app.analysis.about import About, Setting, Source
from app.analysis.table import Coded, Column, OwnTime, Table
from app.formats.errors import Cancelled
from app.profile.strings import Strings
from app.store.table_files import kinds, workbook
from app.store.table_files.kinds import KINDS, TooManyColumnsError
from app.store.table_files.save import save_table

ABOUT = About(
    Source("matmul", "ascend-bin", ("matmul.bin",)),
    Source("older", "ascend-bin", ("older.bin",)),
    (Setting("tiles", "Tiles", "0-3"),),
)


def table(rows: int = 3) -> Table:
    names = Strings.of(['a "b", c', "two\nlines", "=1+1"])
    return Table(
        "sample",
        "Sample: [all]",
        (
            Column("name", "Name", Coded((np.arange(rows) % 4 - 1).astype(np.int32), names), help="as stored"),
            Column("bytes", "Bytes", np.array([2**63, 0, 7], np.uint64)[np.arange(rows) % 3], "B"),
            Column("time", "Time", np.array([0.1, np.nan, np.inf])[np.arange(rows) % 3], "cycles", stored=True),
            Column("address", "Address", np.arange(rows) + 4096, hexadecimal=True),
            Column("ok", "Ok", np.arange(rows) % 2 == 0, missing=np.arange(rows) == 2),
        ),
        note="an estimate",
        own_time=OwnTime("cycles", 1.65e9, True),
    )


HEADS = ["name", "bytes [B]", "time [cycles at 1650 MHz set by hand]", "address", "ok"]


def test_a_workbook_has_numbers_texts_and_a_sheet_about_them(tmp_path: Path) -> None:
    save_table(table(), tmp_path / "t.xlsx", ABOUT)
    book = openpyxl.load_workbook(tmp_path / "t.xlsx")
    about, sheet = book.worksheets
    assert (about.title, sheet.title) == ("About", "Sample- -all-")
    assert [list(row) for row in sheet.iter_rows(values_only=True)] == [
        HEADS,
        [None, str(2**63), 0.1, "0x1000", True],  # a cell cannot hold that number
        ['a "b", c', 0, None, "0x1001", False],
        ["two\nlines", 7, None, "0x1002", None],
    ]
    assert sheet["B3"].number_format == "#,##0"
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:E4")
    said = {row[0]: row[1] for row in about.iter_rows(values_only=True)}
    assert said["Written by"] == f"Tilesight {__version__}"
    assert said["Source"] == "matmul (matmul.bin)"
    assert said["Baseline"] == "older (older.bin)"
    assert said["Tiles"] == "0-3"
    assert said["Time unit"] == "cycles at 1650 MHz, set by hand"
    assert said["Note"] == "an estimate"
    assert ("name", "Name", None, "as stored") in [tuple(cell or None for cell in r) for r in about.values]


def test_texts_in_a_workbook_are_no_formulas_and_no_links(tmp_path: Path) -> None:
    texts = ("=1+1", "@x", "http://a.b", "{=A1}", "12", "x\ud800", "y" * 40_000, "")
    save_table(Table("t", "About", (Column("a", "A", texts),)), tmp_path / "t.xlsx", ABOUT)
    about, sheet = openpyxl.load_workbook(tmp_path / "t.xlsx").worksheets
    assert sheet.title == "About_"
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in cells} == {"s"}
    assert not any(cell.hyperlink for cell in cells)
    assert [cell.value for cell in cells][:6] == ["=1+1", "@x", "http://a.b", "{=A1}", "12", "x\\ud800"]
    assert len(cells[6].value) == 32_767
    assert "1 text is cut to 32,767 characters, which is what a cell holds" in {row[1] for row in about.values}


def test_more_rows_than_a_sheet_holds_continue_on_further_sheets(tmp_path: Path) -> None:
    own = Table("t", "A title that is longer than the name of a sheet", (Column("a", "A", np.arange(10_001)),))
    workbook.write_workbook(own, tmp_path / "t.xlsx", ABOUT, None, lambda _: None, sheet_rows=5_000)
    about, *sheets = openpyxl.load_workbook(tmp_path / "t.xlsx").worksheets
    assert [sheet.title for sheet in sheets] == [f"A title that is longer than ({n})" for n in (1, 2, 3)]
    assert [sheet.auto_filter.ref for sheet in sheets] == ["A1:A5001", "A1:A5001", "A1:A2"]
    assert [value for sheet in sheets for (value,) in list(sheet.values)[1:]] == list(range(10_001))
    assert ("Rows", "10,001 rows, on 3 sheets") in [row[:2] for row in about.values]


def test_a_sheet_holds_only_so_many_columns(tmp_path: Path) -> None:
    one = Column("a", "A", np.zeros(1))
    with pytest.raises(TooManyColumnsError, match="16,385 columns"):
        save_table(Table("t", "T", (one,) * 16_385), tmp_path / "t.xlsx", ABOUT)
    assert not list(tmp_path.iterdir())


def test_parquet_has_types_nulls_and_metadata(tmp_path: Path) -> None:
    rows = 70_000  # two row groups
    save_table(table(rows), tmp_path / "t.parquet", ABOUT, rows=np.arange(rows)[::-1])
    file = parquet.ParquetFile(tmp_path / "t.parquet")
    assert file.metadata.num_row_groups == 2
    read = file.read()
    assert [str(field.type) for field in read.schema] == ["string", "uint64", "double", "int64", "bool"]
    assert read.slice(rows - 3).to_pylist() == [
        {"name": "two\nlines", "bytes": 7, "time": None, "address": 4098, "ok": None},
        {"name": 'a "b", c', "bytes": 0, "time": None, "address": 4097, "ok": False},
        {"name": None, "bytes": 2**63, "time": 0.1, "address": 4096, "ok": True},
    ]
    said = {key.decode(): value.decode() for key, value in read.schema.metadata.items()}
    assert (said["table"], said["note"], said["tilesight"]) == ("sample", "an estimate", __version__)
    assert json.loads(said["source"])["baseline"] == {
        "profile": "older",
        "format": "ascend-bin",
        "files": ["older.bin"],
    }
    assert json.loads(said["settings"]) == {"tiles": "0-3", "time_unit": "cycles at 1650 MHz, set by hand"}
    assert read.schema.field("bytes").metadata == {b"title": b"Bytes", b"unit": b"B", b"help": b""}


def test_json_says_where_it_comes_from_beside_what_it_always_said(tmp_path: Path) -> None:
    save_table(table(), tmp_path / "t.json", ABOUT)
    document = json.loads((tmp_path / "t.json").read_bytes())
    assert list(document) == ["table", "title", "note", "columns", "tilesight", "source", "settings", "rows"]
    assert document["source"]["files"] == ["matmul.bin"]


def test_csv_has_lines_about_it_only_if_they_are_wanted(tmp_path: Path) -> None:
    save_table(table(), tmp_path / "plain.csv", ABOUT)
    save_table(table(), tmp_path / "about.csv", ABOUT, remarks=True)
    plain, about = ((tmp_path / f"{name}.csv").read_text("utf-8") for name in ("plain", "about"))
    lines = [line for line in about.splitlines() if line.startswith("# ")]
    assert "# Source: matmul (matmul.bin)" in lines
    assert "# Time unit: cycles at 1650 MHz, set by hand" in lines
    assert about == "\n".join(lines) + "\n" + plain
    assert next(csv.reader(plain.splitlines())) == HEADS


@pytest.mark.parametrize("suffix", KINDS)
def test_what_is_stopped_leaves_nothing(suffix: str, tmp_path: Path) -> None:
    def stop(rows: int) -> None:
        if rows:
            raise Cancelled

    with pytest.raises(Cancelled):
        save_table(table(140_000), tmp_path / f"t{suffix}", ABOUT, look=stop)
    assert not list(tmp_path.iterdir())


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "find_spec", lambda _: None)
    assert kinds.not_writable() == [
        ".xlsx files need XlsxWriter: pip install 'tilesight[xlsx]'",
        ".parquet files need pyarrow: pip install 'tilesight[parquet]'",
    ]
    assert list(kinds.writable()) == [".csv", ".tsv", ".json"]
