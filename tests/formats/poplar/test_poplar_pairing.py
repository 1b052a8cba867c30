"""Which files are read together, and what happens where they do not belong together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.formats.registry import plan
from generators import poplar
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=9)


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["graph.json", "execution.json"], [["graph.json", "execution.json"]]),
        (["execution.cbor", "graph.json"], [["graph.json", "execution.cbor"]]),
        (["graph_report.json", "execution_report.json"], [["graph_report.json", "execution_report.json"]]),
        (
            ["m.compile_report.json", "m.execute_report.json", "n.execute_report.json"],
            [["m.compile_report.json", "m.execute_report.json"], ["n.execute_report.json"]],
        ),
        (
            ["a_graph.json", "b_execution.json", "b_graph.json"],
            [["a_graph.json"], ["b_graph.json", "b_execution.json"]],
        ),
        (["paragraph.json", "graph.json"], [["paragraph.json"], ["graph.json"]]),
    ],
)
def test_files_are_paired_by_their_names(tmp_path: Path, names: list[str], pairs: list[list[str]]) -> None:
    for name in names:
        (tmp_path / name).write_text('{"profilerMode": "NONE"}')
    found = FORMAT.group([tmp_path / name for name in names])
    assert [[path.name for path in paths] for paths in found] == pairs


def test_the_two_files_of_a_folder_are_paired_by_content(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", poplar.execution(SCALE))
    write_json(tmp_path / "b.json", poplar.graph(SCALE))
    jobs, refused = plan([tmp_path])
    assert refused == []
    assert [[path.name for path in job.paths] for job in jobs] == [["a.json", "b.json"]]
    (profile,) = read(FORMAT, jobs[0].paths)
    assert profile.issues == ()
    assert profile.steps is not None
    assert profile.programs is not None


def test_files_of_different_folders_are_not_paired(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    graph = write_json(tmp_path / "one/graph.json", poplar.graph(SCALE))
    run = write_json(tmp_path / "two/execution.json", poplar.execution(SCALE))
    assert FORMAT.group([graph, run]) == [(graph,), (run,)]


def more_tiles(tree: Any) -> None:
    tree["computeSetCyclesByTile"] = [[*row, 0] for row in tree["computeSetCyclesByTile"]]


def more_sets(tree: Any) -> None:
    tree["computeSetCyclesByTile"].append(tree["computeSetCyclesByTile"][0])


def foreign_trace(tree: Any) -> None:
    tree["programTrace"].append(10_000)


def foreign_program(tree: Any) -> None:
    tree["simulation"]["steps"][-1]["program"] = 500


def foreign_set(tree: Any) -> None:
    next(step for step in tree["simulation"]["steps"] if "computeSet" in step)["computeSet"] = 9


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (more_tiles, "the execution has 17 tiles, the graph has 16"),
        (more_sets, "the execution measured 10 compute sets, the graph has 9"),
        (foreign_trace, "the program trace names number 10,000 of the programs"),
        (foreign_program, "a step names number 500 of the programs"),
        (foreign_set, "a step names number 9 of the compute sets, the graph has 9"),
    ],
)
def test_what_does_not_fit_is_shown_apart(tmp_path: Path, change: Callable[[Any], None], reason: str) -> None:
    tree = plain(poplar.execution(SCALE))
    change(tree)
    graph = write_json(tmp_path / "graph.json", poplar.graph(SCALE))
    run = write_json(tmp_path / "execution.json", tree)
    first, second = read(FORMAT, [graph, run])
    assert first.execution is None
    assert first.programs is not None
    assert second.programs is None
    assert second.steps is not None
    assert second.origin.paths == (run,)
    assert "(execution)" in second.name
    for profile in (first, second):
        (issue,) = profile.issues
        assert issue.severity == "warning"
        assert issue.where == "graph.json and execution.json"
        assert reason in issue.text


def test_a_misfit_within_one_file_is_shown_apart(tmp_path: Path) -> None:
    tree = plain(poplar.combined(SCALE))
    foreign_program(tree["executionProfile"])
    first, second = read(FORMAT, [write_json(tmp_path / "profile.json", tree)])
    assert first.steps is None
    assert second.steps is not None


def test_replicas_fit_where_both_have_the_same_number(tmp_path: Path) -> None:
    scale = replace(SCALE, ipus=2, replicas=2)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path, scale))
    assert profile.issues == ()
    assert profile.tile_memory is not None
    assert profile.target is not None
    assert (profile.tile_memory.tiles, profile.target.tiles) == (16, 32)


def test_two_graphs_given_together_are_two_profiles(tmp_path: Path) -> None:
    graph = write_json(tmp_path / "graph.json", poplar.graph(SCALE))
    other = write_json(tmp_path / "execution.json", poplar.graph(SCALE))
    assert len(read(FORMAT, [graph, other])) == 2


def test_profiles_are_called_by_module_or_folder(tmp_path: Path) -> None:
    folder = tmp_path / "resnet50"
    folder.mkdir()
    (profile,) = read(FORMAT, poplar.write_pair(folder, SCALE))
    assert profile.name == "resnet50"
    (other,) = read(FORMAT, [write_json(folder / "lenet.compile_report.json", poplar.graph(SCALE))])
    assert other.name == "lenet"


def test_off_profiles_open(tmp_path: Path) -> None:
    path = tmp_path / "execution.json"
    path.write_text(json.dumps({"profilerMode": "NONE"}))
    (profile,) = read(FORMAT, [path])
    assert profile.filled() == ("execution",)
    assert profile.issues == ()
