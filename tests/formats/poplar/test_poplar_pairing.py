"""Which files are read together, and what happens where they do not belong together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

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


def without_rows(tree: Any) -> None:
    """What runs without instrumentation have: steps and sums, nothing per tile."""
    tree.pop("computeSetCyclesByTile")


def of_more_tiles(tree: Any) -> None:
    without_rows(tree)
    other = replace(SCALE, tiles_per_ipu=92)
    tree["simulation"] = plain(poplar.execution(other))["simulation"]


def with_other_sums(tree: Any) -> None:
    without_rows(tree)
    cycles = tree["simulation"]["cycles"]
    tree["simulation"]["tileCycles"]["sync"] += cycles * (92 - SCALE.tiles)


def with_fewer_in_sums(tree: Any) -> None:
    without_rows(tree)
    tree["simulation"]["tileCycles"] = {
        **dict.fromkeys(tree["simulation"]["tileCycles"], 0),
        "sync": tree["simulation"]["cycles"] * 4,
    }


def with_other_balances(tree: Any) -> None:
    without_rows(tree)
    for step in tree["simulation"]["steps"]:
        if "tileBalance" in step:
            step["tileBalance"] *= SCALE.tiles / 92


def step_of(tree: Any, kind: str) -> Any:
    return next(step for step in tree["simulation"]["steps"] if step["type"] == kind)


def other_type(tree: Any) -> None:
    step_of(tree, "DoExchange")["type"] = "StreamCopy"


def step_of_a_sequence(tree: Any) -> None:
    step_of(tree, "OnTileExecute")["program"] = 0


def other_set(tree: Any) -> None:
    step = step_of(tree, "OnTileExecute")
    step["computeSet"] = 8 - step["computeSet"]


def other_exchange(tree: Any) -> None:
    step_of(tree, "DoExchange")["exchange"] += 1


def foreign_exchange(tree: Any) -> None:
    step_of(tree, "StreamCopy")["hostExchange"] = 3


def other_name(tree: Any) -> None:
    step_of(tree, "OnTileExecute")["name"] = "bert/encoder/Attention"


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
        (more_tiles, "the execution has 17 tiles, but the graph has 16"),
        (of_more_tiles, "the graph has 16"),
        (with_other_sums, "the tile cycles of the execution are those of 92 tiles, but the graph has 16"),
        (with_fewer_in_sums, "the tile cycles of the execution are those of 4 tiles, but the graph has 16"),
        (with_other_balances, "the tile balances of the steps are those of 92 tiles, but the graph has 16"),
        (other_type, " is of type StreamCopy, but its program "),
        (step_of_a_sequence, "is of type OnTileExecute, but its program 0 is of type Sequence in the graph"),
        (other_set, "runs compute set 8, but its program"),
        (other_exchange, "runs exchange 1, but its program"),
        (foreign_exchange, "a step refers to number 3 of the host exchanges, but the graph has 3"),
        (other_name, 'is named "bert/encoder/Attention", but its program'),
        (more_sets, "the execution measured 10 compute sets, but the graph has 9"),
        (foreign_trace, "the program trace refers to number 10,000 of the programs"),
        (foreign_program, "a step refers to number 500 of the programs"),
        (foreign_set, "a step refers to number 9 of the compute sets, but the graph has 9"),
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
        (issue,) = (issue for issue in profile.issues if issue.where == "graph.json and execution.json")
        assert issue.severity == "warning"
        assert reason in issue.text
        assert profile.mismatch is not None
        assert reason in profile.mismatch.why
    assert (first.origin.paths, first.origin.apart) == ((graph,), (run,))
    assert second.origin.apart == (graph,)


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


def test_balances_of_next_to_nothing_are_of_no_number_of_tiles(tmp_path: Path) -> None:
    tree = plain(poplar.execution(SCALE))
    without_rows(tree)
    for step in tree["simulation"]["steps"]:
        step["tileBalance"] = 1e-320
    graph = write_json(tmp_path / "graph.json", poplar.graph(SCALE))
    assert len(read(FORMAT, [graph, write_json(tmp_path / "execution.json", tree)])) == 1


def vertices_of_other_types(tree: Any) -> None:
    tree["vertexType"] = [(kind + 1) % 10 for kind in tree["vertexType"]]


def test_measured_vertices_must_be_of_the_graph(tmp_path: Path) -> None:
    scale = replace(SCALE, mode="VERTICES")
    tree = plain(poplar.execution(scale))
    graph = write_json(tmp_path / "graph.json", poplar.graph(scale))
    assert len(read(FORMAT, [graph, write_json(tmp_path / "execution.json", tree)])) == 1
    vertices_of_other_types(tree)
    first, _ = read(FORMAT, [graph, write_json(tmp_path / "execution.json", tree)])
    assert first.mismatch is not None
    assert "but the graph has none" in first.mismatch.why


def unnamed(tree: Any) -> None:
    for step in tree["simulation"]["steps"]:
        step.pop("name", None)


def lowered(tree: Any) -> None:
    for step in tree["simulation"]["steps"]:
        if "name" in step:
            step["name"] = f"cs{step['program']}_{step['name']}/Lowered"


def of_fewer_programs(tree: Any) -> None:
    tree["programTrace"] = tree["programTrace"][:5]
    tree["simulation"]["steps"] = tree["simulation"]["steps"][:3]


def of_unknown_types(tree: Any) -> None:
    step_of(tree, "StreamCopy")["type"] = "StreamCopyMid"


def in_other_letters(tree: Any) -> None:
    for step in tree["simulation"]["steps"]:
        step["type"] = step["type"].lower()


def of_all_replicas(tree: Any) -> None:
    tree["computeSetCyclesByTile"] = [row * 2 for row in tree["computeSetCyclesByTile"]]


def without_numbers(tree: Any) -> None:
    for step in tree["simulation"]["steps"]:
        for key in ("program", "computeSet", "exchange", "hostExchange", "tileBalance"):
            step.pop(key, None)


def not_fully_measured(tree: Any) -> None:
    for kind in ("compute", "globalExchange", "streamCopy"):
        tree["simulation"]["tileCycles"].pop(kind)


def a_little_short(tree: Any) -> None:
    cycles = tree["simulation"]["tileCycles"]
    cycles["sync"] -= tree["simulation"]["cycles"] * SCALE.tiles // 1000


def without_anything(tree: Any) -> None:
    tree.pop("simulation")
    tree.pop("programTrace")


@pytest.mark.parametrize(
    "change",
    [
        unnamed,
        lowered,
        of_fewer_programs,
        of_unknown_types,
        in_other_letters,
        of_all_replicas,
        without_numbers,
        not_fully_measured,
        a_little_short,
        without_anything,
    ],
)
def test_what_may_differ_is_joined(tmp_path: Path, change: Callable[[Any], None]) -> None:
    scale = replace(SCALE, ipus=2, replicas=2)
    tree = plain(poplar.execution(scale))
    change(tree)
    graph = write_json(tmp_path / "graph.json", poplar.graph(scale))
    (profile,) = read(FORMAT, [graph, write_json(tmp_path / "execution.json", tree)])
    assert profile.mismatch is None
    assert profile.programs is not None
    assert profile.execution is not None


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
