"""`query` runs one SQL statement over the tables of files."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import app as tilesight
from app.cli.words import run
from app.query.result import first_rows
from generators import ascend_trace

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
MATMUL = str(SAMPLES / "matmul_leakyrelu.bin")
GROUPED = "select process, count(*) as slices, sum(duration) as busy from slices group by process order by busy desc"


def test_text_json_csv_and_files_have_the_same_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", MATMUL, GROUPED, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [column["unit"] for column in made["columns"]] == ["", "", "s"]
    assert run(["query", MATMUL, GROUPED, "--csv", "--limit", "1"]) == 0
    output = capsys.readouterr()
    head, line = output.out.splitlines()
    assert head == "process,slices,busy [s]"
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
        assert table.units["busy"] == "s"
        with pytest.raises(tilesight.QueryError, match="did you mean slices"):
            profile.query("from slice")


def test_the_source_of_a_capture_names_some_of_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", str(SAMPLES / "data-parallel-4-ranks"), "select 1 as one", "--json"]) == 0
    source = json.loads(capsys.readouterr().out)["source"]
    assert (len(source["files"]), source["files_left_out"]) == (8, 48)


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


def test_text_says_how_many_rows_it_omitted_and_how_to_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", MATMUL, "select item, name from slices"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 100 + 1
    assert lines[-1].startswith("(100 of 3,767 rows; 3,667 omitted: --limit 3767 prints all of them, -o FILE.csv")
    assert run(["query", MATMUL, "select item, name from slices", "--limit", "3767"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[-1]) == (1 + 3767 + 1, "(3,767 rows)")
    assert lines[1].split()[0] == "0"
    assert lines[-2].split()[0] == "3,766"


@pytest.mark.parametrize("limit", [1, 1000, 1200])
@pytest.mark.parametrize("column", ["item", "repeat('x', 5000) || item"])
def test_json_says_that_rows_are_omitted(capsys: pytest.CaptureFixture[str], limit: int, column: str) -> None:
    statement = f"select {column} as value from slices"
    assert run(["query", MATMUL, statement, "--json", "--limit", str(limit)]) == 0
    made = json.loads(capsys.readouterr().out)
    assert len(made["rows"]) == limit
    assert made["note"] == first_rows(limit)
    assert run(["query", MATMUL, f"{statement} limit {limit}", "--json", "--limit", str(limit)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole["rows"], whole["note"]) == (made["rows"], "")


CROSS = "select a.start, b.name, a.duration * b.duration as both from slices a, slices b limit 400000"
PEAK = """
import resource, sys
from app.cli.words import run
from app.query.result import first_rows
status = run(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(root: Path, *words: str) -> float:
    """The most memory that the command uses, in MB."""
    command = [sys.executable, "-c", PEAK, "query", MATMUL, *words]
    done = subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    status, kilobytes = done.stderr.split()[-2:]
    assert status == "0"
    return int(kilobytes) / 1000


@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is measured otherwise there")
@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet", "text"])
def test_memory_does_not_grow_with_the_rows(root: Path, tmp_path: Path, suffix: str) -> None:
    into = ["--limit", "400000"] if suffix == "text" else ["-o", str(tmp_path / f"out{suffix}")]
    one = [word.replace("400000", "1000") for word in into]
    small = peak(root, CROSS.replace("400000", "1000"), *one)
    assert peak(root, CROSS, *into) < small + 40  # MB; the rows alone take more


@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is measured otherwise there")
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_long_cells_are_written_a_few_at_a_time(root: Path, tmp_path: Path, suffix: str) -> None:
    long = "select repeat('x', 200000) || item as long from slices"
    target = tmp_path / f"out{suffix}"
    small = peak(root, long, "--limit", "1", "-o", str(target))
    size = 1000 * 200_000 / 1e6  # MB
    assert peak(root, long, "--limit", "1000", "-o", str(target)) < small + 3 * size  # DuckDB has them twice


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".xlsx", ".parquet"])
def test_what_fails_or_is_stopped_midway_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    target = tmp_path / f"out{suffix}"
    failing = "select 1 / (case when item = 3000 then error('no more') else 1 end) as x from slices"
    assert run(["query", MATMUL, failing, "-o", str(target)]) == 2
    assert "no more" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    timer = threading.Timer(0.7, signal.raise_signal, [signal.SIGINT])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run(["query", MATMUL, "select a.start from slices a, slices b, slices c", "-o", str(target)])
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert list(tmp_path.iterdir()) == []


def test_large_results_are_the_same_in_all_formats(tmp_path: Path) -> None:
    """More rows than one part has; whole numbers that only later rows make too large for 64 bits."""
    statement = (
        "select item, name, start_cycles, item % 3 = 0 as third, sum(item) over (order by item) as total from slices"
    )
    pairs = f"select a.* from ({statement}) a, range(5) order by item"
    made = {}
    for suffix in (".csv", ".json", ".parquet", ".xlsx"):
        target = tmp_path / f"out{suffix}"
        assert run(["query", MATMUL, pairs, "-o", str(target)]) == 0
        made[suffix] = target
    rows = json.loads(made[".json"].read_bytes())["rows"]
    assert len(rows) == 5 * 3767
    with made[".csv"].open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    assert [[str(row["item"]), row["name"], str(row["total"])] for row in rows] == [
        [line[0], line[1], line[4]] for line in lines
    ]
    parquet = pytest.importorskip("pyarrow.parquet").read_table(made[".parquet"]).to_pylist()
    assert parquet == rows
    with tilesight.open(MATMUL) as profile:
        assert profile.query(pairs)["total"].tolist() == [row["total"] for row in rows]
    growing = "select item, sum(9000000000000000) over (order by item) as total from slices order by item"
    assert run(["query", MATMUL, growing, "-o", str(tmp_path / "big.json")]) == 0
    totals = [row["total"] for row in json.loads((tmp_path / "big.json").read_bytes())["rows"]]
    assert totals[0] == 9_000_000_000_000_000
    assert totals[-1] == float(3767 * 9_000_000_000_000_000)
    assert run(["query", MATMUL, growing, "-o", str(tmp_path / "big.parquet")]) == 1
    assert not (tmp_path / "big.parquet").exists()


def test_a_result_in_memory_is_refused_when_it_needs_too_much() -> None:
    with (
        tilesight.open(MATMUL) as profile,
        pytest.raises(tilesight.QueryError, match="needs more than 20 MB of memory"),
    ):
        profile.query("select a.start, b.start, a.name from slices a, slices b", memory_mb=20)


def test_what_long_texts_need_is_counted_while_they_are_fetched() -> None:
    with (
        tilesight.open(MATMUL) as profile,
        pytest.raises(tilesight.QueryError, match="needs more than 60 MB of memory"),
    ):
        profile.query("select repeat('x', 30000) || item from slices", limit=1000, memory_mb=60)


@pytest.mark.parametrize(("suffix", "status"), [(".xlsx", 1), (".csv", 0)])
def test_texts_that_a_cell_does_not_hold_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, status: int
) -> None:
    target = tmp_path / f"out{suffix}"
    long = "select repeat('x', case when item < 2 then 32768 else 32767 end) as long from slices limit 4"
    assert run(["query", MATMUL, long, "-o", str(target)]) == status
    assert target.exists()
    told = f"{target}: 2 texts are truncated to 32,767 characters, the limit of a cell\n"
    assert capsys.readouterr().err.endswith(told if status else "")
