"""What a reader must accept: every published key, every type of program, and what may be absent or more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.tables import available, by_id
from app.formats.collect import read
from app.formats.foreign import SQLITE
from app.formats.poplar import FORMAT
from app.formats.registry import plan
from app.formats.registry import sniff as format_of
from app.profile.poplar import EXCHANGE_KINDS
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", estimates=True, ipus=2, tiles_per_ipu=6, compute_sets=5, loops=2)
PROGRAM_TYPES = (
    "Sequence",
    "Repeat",
    "RepeatWhileTrue",
    "RepeatWhileFalse",
    "RepeatWhile",
    "If",
    "IfElse",
    "Switch",
    "Call",
    "Sync",
    "WriteUndef",
    "OnTileExecute",
    "DoExchange",
    "GlobalExchange",
    "StreamCopy",
    "SetLocalConsensusFromVar",
    "StreamCopyBegin",
    "StreamCopyMid",
    "StreamCopyEnd",
    "Sans",
    "SyncAns",
    "OnEveryTileSwitch",
    "Block",
    "CrossReplicaCopy",
    "RemoteBufferCopy",
    "Unknown",
    "NobodyHasSeenThis",
)


@pytest.fixture
def tree() -> Any:
    return {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}


def opened(path: Path, tree: Any) -> Profile:
    (profile,) = read(FORMAT, [write_json(path, tree)])
    return profile


def texts(profile: Profile) -> list[str]:
    return [issue.text for issue in profile.issues]


def shows(profile: Profile) -> bool:
    check(profile)
    figures(profile)
    return all(table.columns for table in available(profile))


# -- every key ------------------------------------------------------------------------------------------------


def test_every_list_of_exchanges_is_read_whole(tmp_path: Path, tree: Any) -> None:
    profile = opened(tmp_path / "g.json", tree)
    assert profile.issues == ()
    keys = {"internal": "exchanges", "external": "externalExchanges", "host": "hostExchanges"}
    for kind in EXCHANGE_KINDS:
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        stated = tree[keys[kind]]
        assert own is not None
        cycles = stated["cyclesByTile" if kind == "internal" else "estimatedCyclesByTile"]
        columns = {"sent": stated["bytesSentByTile"], "received": stated["bytesReceivedByTile"], "cycles": cycles}
        columns["code"] = stated.get("codeBytesByTile")
        for name, values in columns.items():
            found = getattr(own, name)
            assert (None if found is None else found.tolist()) == values


def test_every_key_of_the_target_and_of_the_run(tmp_path: Path, tree: Any) -> None:
    profile = opened(tmp_path / "g.json", tree)
    target, run, stated = profile.target, profile.execution, tree["target"]
    assert target is not None
    assert run is not None
    assert (target.bytes_per_ipu, target.total_bytes) == (stated["bytesPerIPU"], stated["totalMemory"])
    assert (target.ipus, target.tiles_per_ipu, target.min_sync_delay) == (2, 6, stated["minSyncDelay"])
    assert run.runs is not None
    assert run.runs.tolist() == ["training"]


# -- programs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PROGRAM_TYPES)
def test_programs_of_every_type_are_kept(tmp_path: Path, tree: Any, kind: str) -> None:
    """Also with children, which any type may have, and as what ran."""
    at = len(tree["programs"])
    tree["programs"] += [{"type": kind, "name": f"a/{kind}", "children": [at + 1]}, {"type": kind}]
    tree["programs"][0]["children"].append(at)
    tree["programTrace"].append(at + 1)
    profile = opened(tmp_path / "g.json", tree)
    assert profile.issues == ()
    own = profile.programs
    assert own is not None
    assert [own.strings[own.type[number]] for number in (at, at + 1)] == [kind, kind]
    assert own.children.row(at).tolist() == [at + 1]
    table = by_id(profile, "programs")
    assert table is not None
    cells = {column.key: column for column in table.columns}
    assert (cells["type"].value(at), cells["name"].value(at)) == (kind, f"a/{kind}")
    assert shows(profile)


@pytest.mark.parametrize("kind", ["StreamCopyMid", "NobodyHasSeenThis"])
def test_steps_of_unknown_types_have_a_lane(tmp_path: Path, tree: Any, kind: str) -> None:
    last = max(step.get("cyclesTo", 0) for step in tree["simulation"]["steps"])
    step = {"type": kind, "program": 0, "cycles": 9, "cyclesFrom": last, "cyclesTo": last + 9}
    tree["simulation"]["steps"].append(step)
    profile = opened(tmp_path / "g.json", tree)
    assert profile.issues == ()
    assert profile.timeline is not None
    lanes = [profile.timeline.strings[thread] for thread in profile.timeline.lanes.thread.tolist()]
    assert lanes[-1] == kind
    assert shows(profile)


# -- what may be absent ---------------------------------------------------------------------------------------

ABSENT: dict[str, Callable[[Any], object]] = {
    "simulation": lambda tree: tree.pop("simulation"),
    "steps": lambda tree: tree["simulation"].pop("steps"),
    "tileCycles": lambda tree: tree["simulation"].pop("tileCycles"),
    "compute of tileCycles": lambda tree: tree["simulation"]["tileCycles"].pop("compute"),
    "cycles of the run": lambda tree: tree["simulation"].pop("cycles"),
    "programTrace": lambda tree: tree.pop("programTrace"),
    "runs": lambda tree: tree.pop("runs"),
    "cycles by tile": lambda tree: tree.pop("computeSetCyclesByTile"),
    "clock": lambda tree: tree["target"].pop("clockFrequency"),
    "tiles of an IPU": lambda tree: tree["target"].pop("tilesPerIPU"),
    "bytes of a tile": lambda tree: tree["target"].pop("bytesPerTile"),
    "target": lambda tree: tree.pop("target"),
    "graph": lambda tree: tree.pop("graph"),
    "optimisation": lambda tree: tree.pop("optimizationInfo"),
    "vertex types": lambda tree: tree.pop("vertexTypes"),
    "sizes of vertex types": lambda tree: tree["vertexTypes"].pop("sizes"),
    "compute sets": lambda tree: tree.pop("computeSets"),
    "names of compute sets": lambda tree: tree["computeSets"].pop("names"),
    "vertices of compute sets": lambda tree: (
        tree["computeSets"].pop("vertexCounts"),
        tree["computeSets"].pop("vertexTypes"),
    ),
    "estimates": lambda tree: tree["computeSets"].pop("cycleEstimates"),
    "exchanges": lambda tree: tree.pop("exchanges"),
    "code of exchanges": lambda tree: tree["exchanges"].pop("codeBytesByTile"),
    "programs": lambda tree: tree.pop("programs"),
    "roots": lambda tree: (tree.pop("controlPrograms"), tree.pop("functionPrograms")),
    "memory": lambda tree: tree.pop("memory"),
    "memory by tile": lambda tree: tree["memory"].pop("byTile"),
    "sums with gaps": lambda tree: tree["memory"]["byTile"].pop("totalIncludingGaps"),
    "categories": lambda tree: tree["memory"].pop("byCategory"),
    "memory of compute sets": lambda tree: tree["memory"].pop("byComputeSet"),
    "memory of vertex types": lambda tree: tree["memory"].pop("byVertexType"),
    "liveness": lambda tree: tree["memory"].pop("liveness"),
    "the tree of liveness": lambda tree: tree["memory"]["liveness"]["notAlwaysLive"].pop("byProgram"),
    "always live": lambda tree: tree["memory"]["liveness"].pop("alwaysLive"),
    "temporary maximum": lambda tree: tree["memory"]["liveness"]["notAlwaysLive"].pop("maxBytesByTile"),
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_absent_takes_nothing_else_with_it(tmp_path: Path, tree: Any, name: str) -> None:
    before = set(opened(tmp_path / "g.json", tree).filled())
    ABSENT[name](tree)
    profile = opened(tmp_path / "g.json", tree)
    assert [issue for issue in profile.issues if issue.severity == "error"] == []
    lost = before - set(profile.filled())
    assert len(lost) <= 5 if name == "memory" else len(lost) <= 2
    assert shows(profile)


def test_unnamed_steps_and_steps_without_cycles(tmp_path: Path, tree: Any) -> None:
    for step in tree["simulation"]["steps"]:
        step.pop("name", None)
    tree["simulation"]["steps"][3].pop("cycles", None)
    profile = opened(tmp_path / "g.json", tree)
    assert profile.issues == ()
    assert profile.steps is not None
    assert set(profile.steps.name.tolist()) == {-1}
    assert shows(profile)


# -- what may be more -----------------------------------------------------------------------------------------


def test_liveness_may_tell_more_than_is_known(tmp_path: Path, tree: Any) -> None:
    """Names and programs of nodes are shown where they stand; other keys are listed, and lose nothing."""
    own = tree["memory"]["liveness"]
    own["alwaysLive"]["variables"] = [{"name": "weights", "bytes": 12}]
    node = own["notAlwaysLive"]["byProgram"][0]
    node |= {"name": "control", "program": 0, "variables": [1], "bytesByTile": [0] * 12, "bytesByVariable": {"a": 1}}
    profile = opened(tmp_path / "g.json", tree)
    assert profile.liveness is not None
    assert profile.liveness.strings.get(int(profile.liveness.name[0])) == "control"
    assert profile.liveness.program[0] == 0
    (text,) = texts(profile)
    assert "bytesByTile" in text
    assert "ariable" not in text
    assert {issue.severity for issue in profile.issues} == {"info"}


def test_unknown_categories_regions_and_modes(tmp_path: Path, tree: Any) -> None:
    tree["memory"]["byCategory"]["allNew"] = tree["memory"]["byCategory"]["variable"]
    tree["profilerMode"] = "SOMETHING_ELSE"
    tree["simulation"]["tileCycles"]["newKind"] = 7
    tree["vertexTypes"]["flops"] = [1] * len(tree["vertexTypes"]["names"])
    profile = opened(tmp_path / "g.json", tree)
    assert profile.execution is not None
    assert profile.execution.mode == "SOMETHING_ELSE"
    assert profile.execution.tile_cycles["newKind"] == 7
    table = by_id(profile, "memory-by-category")
    assert table is not None
    assert "allNew" in [table.columns[0].value(row) for row in range(table.rows)]
    assert [issue.severity for issue in profile.issues] == ["info"]
    assert shows(profile)


def test_numbers_beyond_what_a_float_holds_stay_exact(tmp_path: Path, tree: Any) -> None:
    """Sums over tiles run past 2**53 on large machines."""
    large = 2**53 + 1
    tree["simulation"]["tileCycles"]["sync"] = large
    tree["simulation"]["cycles"] = large
    for write in (write_json, write_cbor):
        (profile,) = read(FORMAT, [write(tmp_path / "g.x", tree)])
        assert profile.execution is not None
        assert profile.execution.tile_cycles["sync"] == large
        assert profile.execution.cycles == large


def test_whole_numbers_may_be_written_as_fractions(tmp_path: Path, tree: Any) -> None:
    tree["target"]["clockFrequency"] = 1_600_000_000
    tree["target"]["numTiles"] = 12.0
    tree["memory"]["byTile"]["total"] = [float(value) for value in tree["memory"]["byTile"]["total"]]
    profile = opened(tmp_path / "g.json", tree)
    assert profile.target is not None
    assert (profile.target.tiles, profile.target.clock_hz) == (12, 1.6e9)
    assert profile.tile_memory is not None
    assert profile.tile_memory.total is not None
    assert np.array_equal(profile.tile_memory.total, tree["memory"]["byTile"]["total"])


# -- any name, either order, what is newer --------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [("x.dat", "y.dat"), ("graph", "execution"), ("b.cbor", "a.json"), ("1.txt", "2.txt")]
)
def test_any_names_and_either_order(tmp_path: Path, names: tuple[str, str]) -> None:
    graph, run = (tmp_path / name for name in names)
    write = {".cbor": write_cbor}.get(graph.suffix, write_json)
    write(graph, poplar.graph(SCALE))
    write_json(run, poplar.execution(SCALE))
    for paths in ((graph, run), (run, graph)):
        (profile,) = read(FORMAT, paths)
        assert profile.issues == ()
        assert profile.programs is not None
        assert profile.steps is not None
    assert {format_of(path).id for path in (graph, run)} == {"poplar"}


@pytest.mark.parametrize("alone", [False, True])
def test_profiling_that_was_off_says_so_and_the_graph_stays(tmp_path: Path, alone: bool) -> None:
    run = tmp_path / "execution.json"
    run.write_text(json.dumps({"profilerMode": "NONE"}))
    paths = [run] if alone else [write_json(tmp_path / "graph.json", poplar.graph(SCALE)), run]
    jobs, refused = plan([tmp_path])
    assert refused == []
    assert sorted(path.name for path in jobs[0].paths) == sorted(path.name for path in paths)
    (profile,) = read(FORMAT, jobs[0].paths)
    assert profile.execution is not None
    assert profile.execution.mode == "NONE"
    assert profile.issues == ()


def test_a_newer_report_beside_the_older_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, SCALE)
    (tmp_path / "profile.pop").write_bytes(SQLITE + bytes(4096))
    jobs, _ = plan([tmp_path])
    (profile,) = read(FORMAT, jobs[0].paths)
    assert profile.steps is not None
    (issue,) = profile.issues
    assert issue.severity == "info"
    assert "PopVision" in issue.text
