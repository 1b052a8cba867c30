"""Everything that the generator wrote comes out of the reader, by whatever file it went."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.arrays import Array
from app.profile.poplar import REGIONS
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALES = {
    "small": poplar.Scale(),
    "one set": poplar.Scale(compute_sets=1, tiles_per_ipu=4, host_exchanges=1, categories=2),
    "two ipus": poplar.Scale(seed=5, ipus=2, tiles_per_ipu=8, compute_sets=20, exchanges=7, named_liveness=True),
    "replicas": poplar.Scale(seed=6, ipus=4, tiles_per_ipu=8, replicas=4, mode="COMPUTE_SETS", over=2),
    "wide": poplar.Scale(seed=8, tiles_per_ipu=1472, compute_sets=7, loops=2),
}


def pair(folder: Path, scale: poplar.Scale) -> Profile:
    paths = poplar.write_pair(folder, scale)
    profiles = read(FORMAT, paths)
    assert len(profiles) == 1
    return profiles[0]


def same(found: Array | None, expected: Any) -> bool:
    return found is not None and found.tolist() == expected


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
def test_graph_equals_the_tree(tmp_path: Path, scale: poplar.Scale) -> None:
    profile, tree = pair(tmp_path, scale), plain(poplar.graph(scale))
    assert profile.issues == ()
    check_lists(profile, tree)
    check_programs(profile, tree)
    check_memory(profile, tree["memory"])
    check_liveness(profile, tree["memory"]["liveness"]["notAlwaysLive"]["byProgram"])


def check_lists(profile: Profile, tree: Any) -> None:
    target, graph, types, sets = profile.target, profile.graph, profile.vertex_types, profile.compute_sets
    assert target is not None
    assert graph is not None
    assert types is not None
    assert sets is not None
    stated = tree["target"]
    assert (target.kind, target.tiles, target.clock_hz) == (
        stated["type"],
        stated["numTiles"],
        stated["clockFrequency"],
    )
    assert same(target.relative_sync_delay, stated["relativeSyncDelayByTile"])
    assert graph.vertices == tree["graph"]["numVertices"]
    assert graph.optimisation == tree["optimizationInfo"]
    assert types.names.tolist() == tree["vertexTypes"]["names"]
    assert same(types.sizes, tree["vertexTypes"]["sizes"])
    assert sets.names.tolist() == tree["computeSets"]["names"]
    assert sets.vertex_counts is not None
    assert [sets.vertex_counts.row(c).tolist() for c in range(sets.count)] == tree["computeSets"]["vertexCounts"]
    estimates = tree["computeSets"].get("cycleEstimates", {})
    assert (sets.cycles is None) == (not estimates)
    if estimates:
        assert same(sets.cycles, estimates["cyclesByTile"])
        assert same(sets.active_cycles, estimates["activeCyclesByTile"])
        assert same(sets.active_cycles_by_type, estimates["activeCyclesByVertexType"])
    assert profile.exchanges is not None
    for own, key in ((profile.exchanges.internal, "exchanges"), (profile.exchanges.host, "hostExchanges")):
        assert own is not None
        assert len(own) == len(tree[key]["bytesSentByTile"])
        assert same(own.sent, tree[key]["bytesSentByTile"])
        assert same(own.received, tree[key]["bytesReceivedByTile"])
    assert profile.exchanges.internal is not None
    assert same(profile.exchanges.internal.code, tree["exchanges"]["codeBytesByTile"])


def check_programs(profile: Profile, tree: Any) -> None:
    own = profile.programs
    assert own is not None
    assert own.control.tolist() == tree["controlPrograms"]
    assert own.functions.tolist() == tree["functionPrograms"]
    for number, program in enumerate(tree["programs"]):
        assert own.strings[own.type[number]] == program["type"]
        assert own.strings.get(own.name[number]) == program.get("name", "")
        assert own.children.row(number).tolist() == program.get("children", [])
        assert own.compute_set[number] == program.get("computeSet", -1)
        assert own.exchange[number] == program.get("exchange", -1)
        assert own.call[number] == program.get("target", -1)
    table = own.instructions
    assert table is not None
    for row, number in enumerate(table.program.tolist()):
        stated = tree["programs"][number]["memoryByInstruction"]
        assert dict(zip(table.kinds, table.bytes[row].tolist(), strict=True)) == stated


def check_memory(profile: Profile, tree: Any) -> None:
    memory, by_tile = profile.tile_memory, tree["byTile"]
    assert memory is not None
    assert memory.tiles == len(by_tile["total"])
    assert same(memory.total_with_gaps, by_tile["totalIncludingGaps"])
    assert same(memory.interleaved_with_gaps, by_tile["interleavedIncludingGaps"])
    assert same(memory.non_interleaved, by_tile["nonInterleaved"])
    assert same(memory.overflowed, by_tile["overflowed"])
    assert same(memory.always_live, tree["liveness"]["alwaysLive"]["bytesByTile"])
    assert same(memory.temporary_max, tree["liveness"]["notAlwaysLive"]["maxBytesByTile"])
    found = memory.categories
    assert found is not None
    assert list(found.names) == list(tree["byCategory"])
    assert len(found.bytes) == 6 * len(found.names)
    for part, values in enumerate(found.bytes.tolist()):
        region = tree["byCategory"][found.names[found.category[part]]][REGIONS[found.region[part]]]
        assert values == region["overlapped" if found.overlapped[part] else "nonOverlapped"]
    assert found.totals.tolist() == [tree["byCategory"][found.names[of]]["total"] for of in found.total_of.tolist()]
    for section, key in ((profile.compute_set_bytes, "byComputeSet"), (profile.vertex_type_bytes, "byVertexType")):
        assert section is not None
        assert {kind: matrix.tolist() for kind, matrix in section.matrices.items()} == tree[key]


def check_liveness(profile: Profile, roots: Any) -> None:
    own = profile.liveness
    assert own is not None

    def preorder(nodes: Any, parent: int, depth: int) -> int:
        last = parent + 1
        for node in nodes:
            here = last
            assert (own.bytes[here], own.parent[here], own.depth[here]) == (node["bytes"], parent, depth)
            assert own.program[here] == node.get("program", -1)
            last = preorder(node["children"], here, depth + 1)
            assert own.end[here] == last
        return last

    assert preorder(roots, -1, 0) == len(own)


@pytest.mark.parametrize("mode", poplar.MODES)
def test_execution_equals_the_tree(tmp_path: Path, mode: str) -> None:
    scale = poplar.Scale(mode=mode, ipus=2, tiles_per_ipu=6, compute_sets=9)
    profile, tree = pair(tmp_path, scale), plain(poplar.execution(scale))
    assert profile.issues == ()
    run, measured, steps = profile.execution, profile.measured_cycles, profile.steps
    assert run is not None
    assert run.mode == mode
    columns: dict[str, Array | None] = {"programTrace": run.trace}
    if measured is not None:
        columns["computeSetCyclesByTile"] = measured.compute_sets
        columns["computeSetCycles"] = measured.compute_sets_single
        columns["externalExchangeCycles"] = measured.external_exchanges
        columns["hostExchangeCycles"] = measured.host_exchanges
    if run.vertices is not None:
        columns["vertexCycles"] = run.vertices.cycles
        columns["vertexType"] = run.vertices.type
        columns["vertexComputeSet"] = run.vertices.compute_set
    found = {key: column.tolist() for key, column in columns.items() if column is not None}
    assert found == {key: value for key, value in tree.items() if key not in ("profilerMode", "runs", "simulation")}
    simulation = tree.get("simulation")
    assert (steps is None) == (simulation is None)
    if steps is not None:
        assert run.cycles == simulation["cycles"]
        assert run.tile_cycles == simulation["tileCycles"]
        check_steps(profile, simulation["steps"])


def check_steps(profile: Profile, records: Any) -> None:
    own = profile.steps
    assert own is not None
    assert len(own) == len(records)
    columns: dict[str, Array] = {
        "program": own.program,
        "computeSet": own.compute_set,
        "cycles": own.cycles,
        "cyclesFrom": own.cycles_from,
        "cyclesTo": own.cycles_to,
        "cyclesOverlapped": own.overlapped,
        "activeTiles": own.active_tiles,
        "totalData": own.data,
    }
    for key, column in columns.items():
        assert column.tolist() == [record.get(key, -1) for record in records]
    balances = {
        "tileBalance": own.tile_balance,
        "activeTileBalance": own.active_tile_balance,
        "dataBalance": own.data_balance,
        "threadBalance": own.thread_balance,
    }
    for key, values in balances.items():
        np.testing.assert_array_equal(values, [record.get(key, np.nan) for record in records])
    keys = ("exchange", "externalExchange", "hostExchange")
    assert own.exchange.tolist() == [max(record.get(key, -1) for key in keys) for record in records]
    assert [own.strings[kind] for kind in own.type.tolist()] == [record["type"] for record in records]
    assert [own.strings.get(kind) for kind in own.sync_type.tolist()] == [r.get("syncType", "") for r in records]
    assert [own.strings.get(name) for name in own.name.tolist()] == [r.get("name", "") for r in records]


def described(profile: Profile) -> str:
    """All a profile holds, as text."""
    return json_of({name: profile.section(name) for name in profile.filled()})


def json_of(section: Any) -> str:
    """A section as text, with the types of its columns."""
    plain_ = msgspec.to_builtins(section, enc_hook=lambda array: [array.dtype.str, array.tolist()])
    return json.dumps(plain_, sort_keys=True)


def shuffled(tree: Any) -> Any:
    if isinstance(tree, dict):
        keys = list(tree)
        random.Random(4).shuffle(keys)
        return {key: shuffled(tree[key]) for key in keys}
    return tree


WRITERS: dict[str, Callable[[Path, Any], Path]] = {
    "cbor": lambda path, tree: write_cbor(path.with_suffix(".cbor"), tree),
    "cbor without tag": lambda path, tree: write_cbor(path.with_suffix(".cbor"), tree, tag=False),
    "cbor of unknown lengths": lambda path, tree: write_cbor(path, tree, indefinite=True, short_floats=True),
    "indented json": lambda path, tree: write_json(path, tree, indent=2),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_every_encoding_gives_the_same(tmp_path: Path, write: Callable[[Path, Any], Path]) -> None:
    scale = poplar.Scale(mode="COMPUTE_SETS", tiles_per_ipu=40, compute_sets=15)
    (tmp_path / "plain").mkdir()
    expected = pair(tmp_path / "plain", scale)
    graph = write(tmp_path / "graph.json", poplar.graph(scale))
    run = write(tmp_path / "execution.json", poplar.execution(scale))
    (profile,) = read(FORMAT, [graph, run])
    assert profile.issues == ()
    assert described(profile) == described(expected)


def test_keys_may_come_in_any_order(tmp_path: Path) -> None:
    scale = poplar.Scale(mode="COMPUTE_SETS")
    (tmp_path / "shuffled").mkdir()
    expected = pair(tmp_path, scale)
    graph = write_json(tmp_path / "shuffled/graph.json", shuffled(poplar.graph(scale)))
    run = write_json(tmp_path / "shuffled/execution.json", shuffled(poplar.execution(scale)))
    (profile,) = read(FORMAT, [graph, run])
    assert profile.issues == ()
    assert profile.filled() == expected.filled()
    assert profile.tile_memory is not None
    assert expected.tile_memory is not None
    assert same(profile.tile_memory.total, expected.tile_memory.total.tolist())  # type: ignore[union-attr]
    for name in ("target", "compute_sets", "exchanges", "programs", "liveness", "execution", "steps", "timeline"):
        assert json_of(profile.section(name)) == json_of(expected.section(name))


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_one_file_may_hold_both(tmp_path: Path, suffix: str) -> None:
    scale = poplar.Scale()
    (profile,) = read(FORMAT, [poplar.write(tmp_path / f"profile{suffix}", poplar.combined(scale))])
    expected = pair(tmp_path, scale)
    assert described(profile) == described(expected)
    assert profile.issues == ()


def test_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    graph, execution = poplar.write_pair(tmp_path, poplar.Scale())
    assert described(read(FORMAT, [execution, graph])[0]) == described(read(FORMAT, [graph, execution])[0])


def test_each_file_opens_alone(tmp_path: Path) -> None:
    graph, execution = poplar.write_pair(tmp_path, poplar.Scale())
    (alone,) = read(FORMAT, [graph])
    assert alone.execution is None
    assert alone.timeline is None
    (run,) = read(FORMAT, [execution])
    assert run.filled() == ("execution", "steps", "timeline")
    assert run.timeline is not None
    assert run.timeline.seconds_per_unit is None
    assert alone.issues == run.issues == ()


def test_timeline_places_steps_on_lanes_by_type(tmp_path: Path) -> None:
    profile = pair(tmp_path, poplar.Scale(ipus=2))
    timeline, steps = profile.timeline, profile.steps
    assert timeline is not None
    assert steps is not None
    names = [timeline.strings[kind] for kind in timeline.lanes.thread.tolist()]
    assert names == ["OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy", "Sync"]
    assert {timeline.strings[process] for process in timeline.lanes.process.tolist()} == {"Execution"}
    assert timeline.unit == "cycles"
    assert timeline.seconds_per_unit == pytest.approx(1 / 1.33e9)
    slices = timeline.slices
    assert sorted(slices.record.tolist()) == list(range(len(steps)))
    timed = steps.cycles_from[slices.record] >= 0
    assert np.array_equal(slices.start[timed], steps.cycles_from[slices.record[timed]])
    assert np.array_equal((slices.start + slices.duration)[timed], steps.cycles_to[slices.record[timed]])
    assert set(slices.duration[~timed].tolist()) == {0.0}
    rows = np.repeat(np.arange(len(slices.first) - 1), np.diff(slices.first))
    lanes = np.searchsorted(timeline.lanes.first_row, rows, "right") - 1
    kinds = [timeline.strings[timeline.lanes.thread[lane]] for lane in lanes.tolist()]
    assert kinds == [steps.strings[steps.type[record]] for record in slices.record.tolist()]


def test_a_sync_stands_where_what_precedes_it_has_ended(tmp_path: Path) -> None:
    steps = [
        {"type": "OnTileExecute", "cycles": 10, "cyclesFrom": 0, "cyclesTo": 10},
        {"type": "DoExchange", "cycles": 2, "cyclesFrom": 5, "cyclesTo": 7},
        {"type": "sync", "syncType": "External"},
        {"type": "SharedStructureCopy", "cycles": 4, "cyclesFrom": 12},
    ]
    path = tmp_path / "execution.json"
    path.write_text(json.dumps({"profilerMode": "IPU_MODEL", "simulation": {"steps": steps}}))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    slices = profile.timeline.slices
    spans = {record: (slices.start[i], slices.duration[i]) for i, record in enumerate(slices.record.tolist())}
    assert spans == {0: (0, 10), 1: (5, 2), 2: (10, 0), 3: (12, 4)}
    assert [profile.timeline.strings[i] for i in profile.timeline.lanes.thread.tolist()] == [
        "OnTileExecute",
        "DoExchange",
        "CopySharedStructure",
        "Sync",
    ]


def test_a_million_fold_profile_is_narrow(tmp_path: Path) -> None:
    profile = pair(tmp_path, SCALES["wide"])
    assert profile.compute_set_bytes is not None
    assert profile.compute_set_bytes.matrices["paddingBytes"].dtype == np.uint8
    assert all(not matrix.flags.writeable for matrix in profile.compute_set_bytes.matrices.values())
