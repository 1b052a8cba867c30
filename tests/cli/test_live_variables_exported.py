"""Variables of program steps from the command line, against a walk over the raw JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from generators import poplar
from generators.trees import plain, write_json
from oracles.poplar_live import Live, live

Rows = list[dict[str, str]]


@pytest.fixture
def values() -> Any:
    return plain(poplar.graph(poplar.Scale(tiles_per_ipu=4, compute_sets=12, loops=2, live_variables="records")))


@pytest.fixture
def graph(tmp_path: Path, values: Any) -> Path:
    return write_json(tmp_path / "graph.json", values)


def exported(graph: Path, table: str) -> Rows:
    out = graph.with_name("out.csv")
    assert main(["export", str(graph), "--table", table, "-o", str(out)]) == 0
    return list(csv.DictReader(out.read_text().splitlines()))


def check_sizes(rows: Rows, wanted: Live, node: int) -> None:
    """The largest first, with their share of all."""
    listed = [*wanted.always, *(wanted.at[node] or [])]
    told = sorted((row["name"], int(row["size [B]"])) for row in rows)
    assert told == sorted((name or "", size or 0) for name, _, size in listed)
    sizes = [int(row["size [B]"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert [float(row["share [%]"]) for row in rows] == pytest.approx([100 * size / sum(sizes) for size in sizes])


def test_every_variable_with_its_life(graph: Path, values: Any) -> None:
    wanted = live(values["memory"]["liveness"])
    rows = exported(graph, "live-variables")
    last = len(wanted.steps) - 1
    peak = [*wanted.always, *(wanted.at[wanted.peak] or [])]
    for row in rows:
        variable = (row["name"], None, int(row["size [B]"]))
        life = (0, last, last + 1) if variable in wanted.always else wanted.life(variable)
        assert (int(row["first"]), int(row["last"]), int(row["steps"])) == life
        assert row["live"] == ("always" if variable in wanted.always else "temporarily")
        assert row["at_peak"] == ("true" if variable in peak else "false")
    told = {(row["name"], int(row["size [B]"])) for row in rows}
    every = {(name, size) for listed in [wanted.always, *wanted.at] for name, _, size in listed or []}
    assert told == every


def test_what_is_live_at_the_peak_and_at_any_node(graph: Path, values: Any) -> None:
    wanted = live(values["memory"]["liveness"])
    check_sizes(exported(graph, "live-variables/peak"), wanted, wanted.peak)
    for node in wanted.steps[::5]:
        check_sizes(exported(graph, f"live-variables/{node}"), wanted, node)


def test_a_node_without_a_list_is_no_table(graph: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for part in ("0", "999999", "-1", "x", "²"):
        out = graph.with_name("none.csv")
        assert main(["export", str(graph), "--table", f"live-variables/{part}", "-o", str(out)]) == 2
        assert not out.exists()
        assert "no table" in capfd.readouterr().err


def test_info_counts_them(graph: Path, values: Any, capfd: pytest.CaptureFixture[str]) -> None:
    wanted = live(values["memory"]["liveness"])
    assert main(["info", "--json", str(graph)]) == 0
    figures = json.loads(capfd.readouterr().out)["profiles"][0]["figures"]
    every = {variable for listed in [wanted.always, *wanted.at] for variable in listed or []}
    assert figures["liveness.variables"] == len(every)
    assert figures["liveness.always_live_variables"] == len(wanted.always)
    assert figures["liveness.peak_variables"] == len(wanted.at[wanted.peak] or [])
