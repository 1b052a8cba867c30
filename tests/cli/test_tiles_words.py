"""`tables --tiles` and `export --tiles`: what takes some tiles."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from generators import poplar
from generators.poplar_variables import variables_of
from generators.trees import plain
from oracles import poplar_tile as by_hand

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=8)


@pytest.fixture(scope="module")
def graph() -> Any:
    return plain(poplar.graph(SCALE))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, graph: Any) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "graph.json").write_text(json.dumps(graph))
    (folder / "vars.json").write_text(json.dumps(variables_of(graph)))
    return folder


def test_a_table_of_some_tiles_adds_up(report: Path, graph: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for name in ("categories", "variables", "compute-sets", "exchanges", "vertex-types"):
        for text, tiles in (("5", [5]), ("0-2, ipu 1", [0, 1, 2, *range(8, 16)])):
            words = ["export", str(report), "--table", f"tile-{name}", "--tiles", text, "-o", str(out)]
            assert main(words) == 0
            with out.open(newline="") as file:
                rows = list(csv.DictReader(file))
            sizes = [int(row["bytes [B]"]) for row in rows if row["bytes [B]"]]  # host exchanges have no code bytes
            assert sum(sizes) == by_hand.used(graph, tiles), (name, text)
            assert ("most [B]" in rows[0]) == (len(tiles) > 1)


def test_tables_of_tiles_are_listed_and_limited(
    report: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", str(report)]) == 0
    assert "--table tile-variables --tiles N" in capfd.readouterr().out
    assert main(["tables", str(report), "--tiles", "3-5"]) == 0
    listed = capfd.readouterr().out.splitlines()
    names = {line.split()[1]: line.split()[2] for line in listed[1:]}
    assert names["tiles"] == "3"
    assert {"tile-categories", "tile-variables", "tile-compute-sets", "tile-exchanges", "tile-vertex-types"} <= set(
        names
    )
    assert "programs" not in names
    for name in names:
        out = tmp_path / f"{name.replace('/', '-')}.json"
        assert main(["export", str(report), "--table", name, "--tiles", "3-5", "-o", str(out)]) == 0
        assert str(len(json.loads(out.read_text())["rows"])) == names[name]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--table", "tile-variables"], "needs tiles, such as --tiles 0-63,128"),
        (["--table", "tiles", "--tiles", "16"], "There is no tile 16; the last one is 15"),
        (["--table", "programs", "--tiles", "1"], "the rows of programs are not tiles"),
        (["--table", "tile-bytes", "--tiles", "1"], "no table 'tile-bytes'; --tiles works with tile-categories"),
        (["--plot", "tile-memory", "--tiles", "1"], "--tiles applies to tables only"),
    ],
)
def test_wrong_tiles_cost_status_2(
    report: Path, tmp_path: Path, words: list[str], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / ("out.png" if "--plot" in words else "out.csv")
    assert main(["export", str(report), *words, "-o", str(out)]) == 2
    assert told in capfd.readouterr().err
    assert not out.exists()


def test_how_to_get_variables_is_said(tmp_path: Path, report: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "graph.json").write_bytes((report / "graph.json").read_bytes())
    words = ["export", str(tmp_path), "--table", "tile-variables", "--tiles", "1", "-o", str(tmp_path / "out.csv")]
    assert main(words) == 2
    assert "debug.loweredVarDumpFile" in capfd.readouterr().err
    assert main(["tables", str(tmp_path), "--tiles", "77"]) == 2
    assert "There is no tile 77" in capfd.readouterr().err


def test_only_tables_that_export_makes_are_listed(
    graph: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of a graph without vars.json, and without categories."""
    memory = {key: value for key, value in graph["memory"].items() if key != "byCategory"}
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({**graph, "memory": memory}))
    assert main(["tables", str(path)]) == 0
    listed = [line.split()[1] for line in capfd.readouterr().out.splitlines() if "--tiles N" in line]
    assert listed == ["tile-compute-sets", "tile-exchanges", "tile-vertex-types"]
    for name in listed:
        assert main(["export", str(path), "--table", name, "--tiles", "3", "-o", str(tmp_path / "out.csv")]) == 0
    for name in ("tile-variables", "tile-categories"):
        assert main(["export", str(path), "--table", name, "--tiles", "3", "-o", str(tmp_path / "out.csv")]) == 2
