"""Exported text says exactly what the columns hold, and no more."""

from __future__ import annotations

import csv
import io
import json
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis import export
from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings


def text_of(table: Table, form: export.ExportFormat) -> str:
    return "".join(export.export(table, form))


def sample() -> Table:
    return Table(
        "sample",
        "Sample",
        (
            Column("name", "Name", Coded(np.array([0, 1, -1], np.int32), Strings.of(['a "b", c', "two\nlines"]))),
            Column(
                "bytes", "Bytes", np.array([2**64 - 1, 0, 7], np.uint64), "B", missing=np.array([False, False, True])
            ),
            Column("share", "Share", np.array([0.1, np.nan, np.inf]), "%"),
            Column("address", "Address", np.array([4096, 255, 0]), hexadecimal=True),
            Column("ok", "Ok", np.array([True, False, True])),
        ),
        note="an estimate",
    )


def test_csv_keeps_every_figure_and_quotes_what_needs_it() -> None:
    assert text_of(sample(), "csv") == (
        "name,bytes [B],share [%],address,ok\n"
        '"a ""b"", c",18446744073709551615,0.1,0x1000,true\n'
        '"two\nlines",0,,0xff,false\n'
        ",,,0x0,true\n"
    )


def test_tsv_is_read_back_by_the_csv_module() -> None:
    table = Table("t", "T", (Column("a", "A", ("x\ty", 'q"', "plain")),))
    assert list(csv.reader(io.StringIO(text_of(table, "tsv")), delimiter="\t")) == [["a"], ["x\ty"], ['q"'], ["plain"]]


def test_json_holds_numbers_null_and_exact_texts() -> None:
    document = json.loads(text_of(sample(), "json"))
    assert document["table"] == "sample"
    assert document["note"] == "an estimate"
    assert document["columns"][1] == {"key": "bytes", "title": "Bytes", "unit": "B", "role": "", "help": ""}
    assert document["rows"][0] == {"name": 'a "b", c', "bytes": 2**64 - 1, "share": 0.1, "address": 4096, "ok": True}
    assert document["rows"][1]["share"] is None
    assert document["rows"][2] == {"name": None, "bytes": None, "share": None, "address": 0, "ok": True}


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "\r=1"])
def test_a_text_that_a_spreadsheet_would_run_is_disarmed(text: str) -> None:
    table = Table("t", "T", (Column("a", "A", (text,)),))
    (_, row) = csv.reader(io.StringIO(text_of(table, "csv"), newline=""))
    assert row == ["'" + text]
    assert json.loads(text_of(table, "json"))["rows"] == [{"a": text}]


@pytest.mark.parametrize("text", ["-1.5", "+3", "-1e9", "a=b", "name-x"])
def test_plain_numbers_and_names_are_left_alone(text: str) -> None:
    assert text_of(Table("t", "T", (Column("a", "A", (text,)),)), "csv") == f"a\n{text}\n"


def test_negative_numbers_are_never_touched() -> None:
    assert text_of(Table("t", "T", (Column("a", "A", np.array([-5, 5])),)), "csv") == "a\n-5\n5\n"


def test_rows_are_taken_in_the_order_asked_for() -> None:
    table = Table("t", "T", (Column("a", "A", np.arange(10)),))
    assert export.tsv(table, np.array([3, 1])) == "a\n3\n1\n"


def test_keys_that_come_again_are_numbered() -> None:
    columns = tuple(Column(key, key, np.array([1])) for key in ("a", "a", "a_2", "a"))
    assert export.unique_keys(Table("t", "T", columns)) == ["a", "a_3", "a_2", "a_4"]


def test_a_table_without_rows_is_still_a_document() -> None:
    table = Table("t", "T", (Column("a", "A", np.empty(0)),))
    assert text_of(table, "csv") == "a\n"
    assert json.loads(text_of(table, "json"))["rows"] == []


def test_a_lone_surrogate_does_not_stop_the_export() -> None:
    table = Table("t", "T", (Column("a", "A", ("x\ud800",)),))
    for form in get_args(export.ExportFormat):
        assert "x\\" in text_of(table, form).encode().decode()


def test_blocks_join_without_a_seam() -> None:
    count = export.BLOCK_ROWS * 2 + 1
    table = Table("t", "T", (Column("a", "A", np.arange(count)),))
    assert [row["a"] for row in json.loads(text_of(table, "json"))["rows"]] == list(range(count))
    assert text_of(table, "csv").splitlines()[1:] == [str(i) for i in range(count)]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.text(), st.floats(allow_nan=True), st.integers(-(2**63), 2**63 - 1)), max_size=12))
def test_csv_and_json_give_the_same_figures_back(rows: list[tuple[str, float, int]]) -> None:
    names = tuple(name for name, _, _ in rows)
    table = Table(
        "t",
        "T",
        (
            Column("name", "Name", names),
            Column("x", "X", np.array([x for _, x, _ in rows], np.float64), stored=True),
            Column("n", "N", np.array([n for _, _, n in rows], np.int64)),
        ),
    )
    document = json.loads(text_of(table, "json"))["rows"]
    lines = list(csv.reader(io.StringIO(text_of(table, "csv").replace("\0", "0"), newline="")))[1:]
    assert len(document) == len(lines) == len(rows)
    for (name, x, n), entry, line in zip(rows, document, lines, strict=True):
        assert entry["name"] == name
        assert line[0].removeprefix("'") == name.replace("\0", "0").removeprefix("'")
        assert entry["n"] == n == int(line[2])
        if np.isfinite(x):
            assert entry["x"] == x == float(line[1])
        else:
            assert entry["x"] is None
            assert line[1] == ""
