"""`query` runs one SQL statement over the tables of files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import app as tilesight
from app.cli.words import run
from generators import ascend_trace

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = str(SAMPLES / "matmul_leakyrelu.bin")
GROUPED = "select process, count(*) as slices, sum(duration) as busy from slices group by process order by busy desc"


def test_text_json_csv_and_files_have_the_same_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", MATMUL, GROUPED, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [column["unit"] for column in made["columns"]] == ["", "", "µs"]
    assert run(["query", MATMUL, GROUPED, "--csv", "--limit", "1"]) == 0
    output = capsys.readouterr()
    head, line = output.out.splitlines()
    assert head == "process,slices,busy [µs]"
    assert line.split(",")[0] == made["rows"][0]["process"]
    assert "The first row; the query has more." in output.err
    assert run(["query", MATMUL, GROUPED]) == 0
    text = capsys.readouterr().out
    assert made["rows"][0]["process"] in text
    assert f"({len(made['rows'])} rows)" in text
    target = tmp_path / "out.json"
    assert run(["query", MATMUL, "-o", str(target), GROUPED]) == 0
    assert json.loads(target.read_bytes()) == made
    with tilesight.open(MATMUL) as profile:
        table = profile.query(GROUPED, baseline=profile)
        for row, own in zip(table.rows(), made["rows"], strict=True):
            assert row == pytest.approx(own)
        assert table.units["busy"] == "µs"
        with pytest.raises(tilesight.QueryError, match="did you mean slices"):
            profile.query("from slice")


def test_a_baseline_and_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    both = "select a.name from slices a join baseline.slices b using (item) limit 3"
    assert run(["query", MATMUL, "--baseline", MATMUL, both, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    model = str(SAMPLES / "resnet_inference.popef")
    assert run(["query", MATMUL, model, "select (select count(*) from p2.blobs), (select count(*) from p1.lanes)"]) == 0
    assert capsys.readouterr().out.endswith("(1 row)\n")
    assert run(["query", model, "--tables"]) == 0
    listed = capsys.readouterr().out
    assert "programs_map  (10 rows, programs-map)" in listed
    assert "size [B]" in listed


def test_what_is_wrong_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, status, text in (
        ([MATMUL, "select x from slices"], 2, "there is no column x"),
        ([MATMUL, "copy slices to 'x'"], 2, "only one reading statement is allowed"),
        (["select 1"], 2, "give the file first"),
        ([MATMUL, "--tables", "--json"], 2, "use it without --json"),
        ([MATMUL, "select 1", "-o", "x.txt"], 2, "the name must end in"),
        ([MATMUL, "select 1", "-o", MATMUL], 2, "the name must end in"),
        ([MATMUL, "select 1", "--profile", "2"], 2, "no such profile"),
        ([MATMUL, "select 1 as one", "-o", str(tmp_path / "none" / "x.csv")], 1, "cannot be written"),
        ([str(tmp_path / "none.json"), "select 1"], 1, "no such file"),
    ):
        assert run(["query", *words]) == status, words
        assert text in capsys.readouterr().err, words
    trace = tmp_path / "trace.json"
    ascend_trace.write(trace, 20, cores=1)
    assert run(["query", str(tmp_path), "select 1 as one", "-o", str(trace)]) == 2
    assert capsys.readouterr().err == f"{trace}: this is an input file; choose another name\n"
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert run(["query", MATMUL, "select 1"]) == 2
    assert "pip install 'tilesight[sql]'" in capsys.readouterr().err
