"""`import tilesight`: the same columns and figures as the command line, as numpy arrays and data frames."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import app as tilesight
from api_reference import TARGET, reference
from app.api.table import Table
from app.cli.words import run
from generators import ascend_trace

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
MATMUL, NETWORK = SAMPLES / "matmul_leakyrelu.bin", SAMPLES / "resnet-1472-tiles"
REPORT = SAMPLES / "OPPROF_20260821101500_QWERTYUIOPASDFGH"


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(words) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("path", [MATMUL, NETWORK, SAMPLES / "resnet_inference.popef"], ids=lambda path: path.name)
def test_figures_issues_and_findings_are_those_of_the_command_line(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (info,) = printed(["info", str(path), "--json"], capsys)["profiles"]
    findings = printed(["findings", str(path), "--json"], capsys)
    with tilesight.open(path) as profile:
        assert (profile.name, profile.format) == (info["name"], info["format"])
        assert json.loads(json.dumps(profile.figures)) == info["figures"]
        assert [issue.text for issue in profile.issues] == [issue["text"] for issue in info["issues"]]
        own = profile.findings()
        assert [(one.rule, one.title, one.text) for one in own] == [
            (one["rule"], one["title"], one["text"]) for one in findings["findings"]
        ]
        assert profile.not_checked == {one["rule"]: one["why"] for one in findings["not_checked"]}


def test_every_table_has_the_cells_that_export_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tilesight.open(MATMUL) as profile:
        for name in profile.tables:
            table = profile.table(name)
            target = tmp_path / "table.json"
            table.save(target)
            rows = json.loads(target.read_bytes())["rows"]
            assert len(rows) == len(table)
            for column in table:
                values = table[column]
                assert len(values) == len(table)
                assert not values.flags.writeable
                for row in {0, len(rows) - 1} if rows else ():
                    same_cell(values, row, table, column)


def same_cell(values: Any, row: int, table: Table, column: str) -> None:
    """The array has what ``row`` says: no data as NaN, masked, or None."""
    cell, value = table.row(row)[column], values[row]
    if cell is None:
        assert value is None or value is np.ma.masked or value != value
    else:
        assert value == cell or value == pytest.approx(cell)


def test_texts_can_be_had_as_codes() -> None:
    with tilesight.open(MATMUL) as profile:
        slices = profile.table("slices")
        ids, texts = slices.codes("name")
        assert [texts[number] for number in ids[:5]] == slices["name"][:5].tolist()
        with pytest.raises(TypeError, match="start is no column of interned texts"):
            slices.codes("start")


def test_data_frames_have_the_same_cells() -> None:
    with tilesight.open(MATMUL) as profile:
        for name in ("core-load", "workload", "slices"):
            table = profile.table(name)
            pandas, arrow, polars = table.to_pandas(), table.to_arrow(), table.to_polars()
            assert list(pandas.columns) == arrow.column_names == polars.columns == list(table.columns)
            assert pandas.attrs["units"] == table.units
            for column in table:
                cells = [table.row(row)[column] for row in range(min(len(table), 40))]
                assert arrow[column][:40].to_pylist() == pytest.approx(cells)
                assert polars[column][:40].to_list() == pytest.approx(cells)
                shown, lacking = pandas[column][:40].tolist(), pandas[column][:40].isna().tolist()
                assert [None if lack else cell for cell, lack in zip(shown, lacking, strict=True)] == pytest.approx(
                    cells
                )
            assert arrow.schema.field(table.columns[0]).metadata[b"unit"] == table.units[table.columns[0]].encode()


def test_a_comparison_has_the_tables_of_the_command_line() -> None:
    with tilesight.open(NETWORK) as one, tilesight.open(NETWORK) as other:
        comparison = tilesight.compare(one, other)
        assert all(not figure.difference for figure in comparison.figures)
        assert comparison.limits == []
        assert "steps" in comparison.tables
        assert len(comparison.table("compute-sets", changed_only=True)) == 0
        whole = comparison.table("compute-sets")
        assert len(whole) == len(one.table("compute-sets"))
        differences = [column for column in whole if column.endswith("_difference")]
        assert differences
        assert not any(whole[column].any() for column in differences)
        with pytest.raises(KeyError, match="no-such"):
            comparison.table("no-such")


def test_a_baseline_document_takes_the_place_of_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.json"
    assert run(["baseline", str(NETWORK), "-o", str(path)]) == 0
    capsys.readouterr()
    baseline = tilesight.open_baseline(path)
    assert (baseline.files, baseline.runs) == ((path,), 1)
    assert "steps" in baseline.tables
    with tilesight.open(NETWORK) as profile:
        assert baseline.format == profile.format
        own = profile.figures
        assert baseline.figures["execution.cycles"] == own["execution.cycles"]
        comparison = tilesight.compare(baseline, profile)
        assert all(not figure.difference for figure in comparison.figures)
        assert comparison.limits[0].startswith("The baseline is a document of 1 run.")
        assert comparison.causes == []
        sums = comparison.table("compute-sets")
        assert not any(sums[column].any() for column in sums if column.endswith("_difference"))
    with pytest.raises(tilesight.FormatError, match="use it with `tilesight compare"):
        tilesight.open(path)
    with pytest.raises(tilesight.FormatError, match="use it with `tilesight compare"):
        tilesight.open(f"{path}#block=1")


def test_plots_are_those_of_export(tmp_path: Path) -> None:
    with tilesight.open(MATMUL) as profile:
        plot = profile.plot("roofline")
        plot.save(tmp_path / "own.svg")
        assert run(["export", str(MATMUL), "--plot", "roofline", "-o", str(tmp_path / "other.svg")]) == 0
        assert (tmp_path / "own.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
        with pytest.raises(ValueError, match="must end in"):
            plot.save(tmp_path / "own.pdf")
        with pytest.raises(ValueError, match="1 or more"):
            plot.save(tmp_path / "own.png", size=(0, 0))
        with pytest.raises(ValueError, match="no theme 'blue'"):
            plot.save(tmp_path / "own.png", theme="blue")  # type: ignore[arg-type]
        with pytest.raises(OSError, match="too large"):
            plot.save(tmp_path / "own.svg", size=(100_000, 100_000))
        with pytest.raises(KeyError, match="did you mean roofline"):
            profile.plot("rooflin")


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(b"nothing")
    with pytest.raises(tilesight.FormatError) as error:
        tilesight.open(wrong)
    assert error.value.path == str(wrong)
    with pytest.raises(tilesight.FormatError, match="no such file"):
        tilesight.open(tmp_path / "none.json")
    with pytest.raises(tilesight.FormatError, match="several profiles"):
        tilesight.open(MATMUL, NETWORK)
    with tilesight.open(MATMUL) as profile:
        with pytest.raises(KeyError, match="did you mean lanes"):
            profile.table("lane")
        with pytest.raises(KeyError, match="did you mean waiting"):
            profile.table("lanes")["nothing"]
        for wrong_value in (-1, float("nan")):
            with pytest.raises(ValueError, match="l2_hits"):
                profile.findings(l2_hits=wrong_value)
        with pytest.raises(ValueError, match="limit"):
            profile.query("select 1", limit=-1)
    with pytest.raises(TypeError, match="at least one"):
        tilesight.open()
    with pytest.raises(ValueError, match="is empty"):
        tilesight.open("")


def test_a_large_file_is_read_by_a_worker_and_released(tmp_path: Path, home: Path) -> None:
    made = ascend_trace.write(tmp_path / "trace.json", 35_000)
    one, other = tilesight.open_all(tmp_path / "trace.json", MATMUL)
    assert len(one.table("slices")) == made.slices
    other.close()
    assert float(one.table("slices")["duration"].sum()) > 0
    one.close()
    one.close()
    assert not list((home / ".cache" / "tilesight" / "columns").glob("*"))


def test_importing_it_imports_nothing_large() -> None:
    code = "import app, sys; print([name for name in ('numpy', 'PySide6', 'msgspec') if name in sys.modules])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    code = f"import app, sys; app.open({str(MATMUL)!r}).table('lanes'); print('PySide6' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("slowest_block", [MATMUL], "block 1 runs for 5.85 µs"),
        ("memory_by_category", [NETWORK], "variable"),
        ("regressions", [NETWORK, NETWORK], "execution.cycles: 5,574,170 -> 5,574,170 cycles (+0.0 %)"),
    ],
)
def test_examples_run(
    name: str,
    words: list[Path],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "tilesight", tilesight)
    target = tmp_path / "folder"
    monkeypatch.setattr(sys, "argv", [name, *map(str, words), str(target)][: 2 + (name != "slowest_block")])
    source = EXAMPLES / f"{name}.py"
    text = source.read_text("utf-8").replace("sys.exit(any(", "assert not (any(")
    exec(compile(text, source, "exec"), {"__name__": "__main__"})
    assert expected in capsys.readouterr().out
    if name == "memory_by_category":
        assert {path.name for path in target.iterdir()} >= {"memory.csv", "memory.svg"}


def test_the_example_of_the_readme_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"(?m)^    import tilesight\n\n((?: {4}.+\n)+)", (root / "README.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    code = textwrap.dedent(text).replace("OPPROF_20260821101500", str(REPORT))
    exec(compile(code, "README.md", "exec"), {"tilesight": tilesight})
    assert (tmp_path / "timeline.svg").exists()


def test_the_reference_is_that_of_the_docstrings() -> None:
    assert TARGET.read_text("utf-8") == reference(), "run packaging/api_reference.py"
