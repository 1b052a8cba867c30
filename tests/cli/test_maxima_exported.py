"""Sums and maxima over tiles of the code of compute sets, vertex types and programs, from the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from app.analysis.table import Column
from app.analysis.tables import available
from app.cli import main
from app.formats.collect import read
from app.formats.poplar import FORMAT
from generators import poplar
from generators.trees import plain, write_json

CODE = [[600, 0, 200], [40, 90, 7]]
DATA = [[5, 6, 7], [0, 0, 1]]
TOTAL = [[code + data for code, data in zip(*rows, strict=True)] for rows in zip(CODE, DATA, strict=True)]
PROGRAMS: list[dict[str, Any]] = [
    {"type": "Sequence", "children": [1, 2, 3]},
    {"type": "OnTileExecute", "computeSet": 0},
    {"type": "OnTileExecute", "computeSet": 1},
    {"type": "OnTileExecute", "computeSet": 1},
]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Two compute sets on three tiles: the smallest graph in which sum and maximum differ."""
    matrices = {"codeBytes": CODE, "vertexDataBytes": DATA, "totalBytes": TOTAL}
    tree: Any = {
        "target": {"type": "IPU", "numTiles": 3},
        "computeSets": {"names": ["a", "b"], "vertexCounts": [[1], [1]], "vertexTypes": [[0], [1]]},
        "vertexTypes": {"names": ["A", "B"], "sizes": [4, 4]},
        "memory": {"byComputeSet": matrices, "byVertexType": matrices},
        "programs": PROGRAMS,
        "controlPrograms": [0],
        "functionPrograms": [],
    }
    return write_json(tmp_path / "graph.json", tree)


def exported(graph: Path, table: str) -> list[dict[str, str]]:
    out = graph.with_name(f"{table}.csv")
    assert main(["export", str(graph), "--table", table, "-o", str(out)]) == 0
    return list(csv.DictReader(out.read_text().splitlines()))


def whole(rows: list[dict[str, str]], column: str) -> list[int | None]:
    return [int(row[column]) if row[column] else None for row in rows]


def test_sums_and_maxima_stand_beside_each_other(graph: Path) -> None:
    for table in ("compute-sets", "vertex-types"):
        rows = exported(graph, table)
        for key, matrix in (("code_bytes", CODE), ("total_bytes", TOTAL)):
            assert whole(rows, f"{key} [B]") == [sum(row) for row in matrix]
            assert whole(rows, f"max_{key} [B]") == [max(row) for row in matrix]
        assert whole(rows, "vertex_data_bytes [B]") == [sum(row) for row in DATA]
    rows = exported(graph, "programs")
    for key, matrix in (("memory", TOTAL), ("code", CODE)):
        sums = [sum(row) for row in matrix]
        assert whole(rows, f"{key} [B]") == [None, sums[0], sums[1], sums[1]]
        assert whole(rows, f"total_{key} [B]") == [sum(sums), *sums, sums[1]]  # b runs twice, and counts once
    assert whole(rows, "max_code [B]") == [None, 600, 90, 90]


def test_what_a_sum_means_is_said_where_code_is_shared(graph: Path) -> None:
    for table, keys in (("compute-sets", ("code_bytes", "total_bytes")), ("programs", ("total_code", "total_memory"))):
        out = graph.with_name("out.json")
        assert main(["export", str(graph), "--table", table, "-o", str(out)]) == 0
        helps = {column["key"]: column["help"] for column in json.loads(out.read_text())["columns"]}
        for key in keys:
            assert "share" in helps[key], key


def test_a_maximum_over_tiles_is_called_one_everywhere(tmp_path: Path) -> None:
    """In the heading, in the help and in the key that exports write; nothing else is called so."""
    whole_tree = {**plain(poplar.graph(poplar.Scale())), **plain(poplar.execution(poplar.Scale()))}
    (profile,) = read(FORMAT, [write_json(tmp_path / "graph.json", whole_tree)])
    columns = [(table.id, column) for table in available(profile) for column in table.columns if column.numeric]
    found = [named for named in columns if named[1].help.startswith("Maximum over")]
    assert len(found) >= 9
    for table, column in columns:
        assert _called(column) == column.help.startswith("Maximum over"), (table, column.key, column.title)
        assert not column.title.lower().startswith(("most on", "at most", "largest")), (table, column.title)


def _called(column: Column) -> bool:
    return column.title.startswith(("Max ", "Maximum ")) and "max" in column.key.split("_")
