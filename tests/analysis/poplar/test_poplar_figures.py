"""Figures and tables equal an independent computation from the plain tree."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from app.analysis.figures import figures
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.profile.profile import Profile


def expected(tree: Any) -> dict[str, Any]:
    target, memory, simulation = tree["target"], tree["memory"], tree["simulation"]
    by_tile, liveness = memory["byTile"], memory["liveness"]
    gaps = by_tile["totalIncludingGaps"]
    always = liveness["alwaysLive"]["bytesByTile"]

    def nodes(listed: Any) -> list[int]:
        return [size for node in listed for size in (node["bytes"], *nodes(node["children"]))]

    live = nodes(liveness["notAlwaysLive"]["byProgram"])
    by_type: dict[str, dict[str, int]] = {}
    for step in simulation["steps"]:
        entry = by_type.setdefault(step["type"], {"steps": 0})
        entry["steps"] += 1
        if "cycles" in step:
            entry["cycles"] = entry.get("cycles", 0) + step["cycles"]
    return {
        "target.kind": target["type"],
        "target.ipus": target["numIPUs"],
        "target.tiles": target["numTiles"],
        "target.bytes_per_tile": target["bytesPerTile"],
        "target.clock_hz": target["clockFrequency"],
        "graph.compute_sets": len(tree["computeSets"]["names"]),
        "graph.vertices": sum(map(sum, tree["computeSets"]["vertexCounts"])),
        "graph.edges": tree["graph"]["numEdges"],
        "graph.variables": tree["graph"]["numVars"],
        "vertex_types.count": len(tree["vertexTypes"]["names"]),
        "programs.count": len(tree["programs"]),
        "exchanges.internal": len(tree["exchanges"]["bytesSentByTile"]),
        "exchanges.external": len(tree["externalExchanges"]["bytesSentByTile"]),
        "exchanges.host": len(tree["hostExchanges"]["bytesSentByTile"]),
        "memory.total_bytes": sum(by_tile["total"]),
        "memory.total_with_gaps_bytes": sum(gaps),
        "memory.max_tile": gaps.index(max(gaps)),
        "memory.max_tile_bytes": max(gaps),
        "memory.tiles_over": sum(size > target["bytesPerTile"] for size in gaps),
        "memory.by_category": {name: sum(found["total"]) for name, found in memory["byCategory"].items()},
        "liveness.always_live_bytes": sum(always),
        "liveness.peak_program_bytes": sum(always) + max(live),
        "liveness.peak_tiles_bytes": sum(always) + sum(liveness["notAlwaysLive"]["maxBytesByTile"]),
        "liveness.nodes": len(live),
        "execution.mode": tree["profilerMode"],
        "execution.cycles": simulation["cycles"],
        "execution.seconds": simulation["cycles"] / target["clockFrequency"],
        "execution.steps": len(simulation["steps"]),
        "execution.trace_length": len(tree["programTrace"]),
        "execution.tile_cycles": simulation["tileCycles"],
        "execution.by_type": by_type,
    }


def test_figures_equal_brute_force(profile: Profile, tree: Any) -> None:
    found = {figure.name: figure.value for figure in figures(profile)}
    wanted = expected(tree)
    assert wanted["memory.tiles_over"] == 3
    assert {name: found.get(name) for name in wanted} == wanted
    assert found["memory.fits"] is False


def test_figures_that_do_not_apply_are_left_out(profile_of: Callable[[Any], Profile]) -> None:
    found = [figure.name for figure in figures(profile_of({"profilerMode": "NONE"}))]
    assert found == ["execution.mode"]


def column(table: Table, key: str) -> list[Any]:
    (found,) = [column for column in table.columns if column.key == key]
    return [found.value(row) for row in range(table.rows)]


def table(profile: Profile, name: str) -> Table:
    found = by_id(profile, name)
    assert found is not None
    return found


def test_compute_sets(profile: Profile, tree: Any) -> None:
    found, bytes_, sets = table(profile, "compute-sets"), tree["memory"]["byComputeSet"], tree["computeSets"]
    cycles = sets["cycleEstimates"]["cyclesByTile"]
    steps = [step for step in tree["simulation"]["steps"] if "computeSet" in step]
    runs = Counter(step["computeSet"] for step in steps)
    assert found.selects == "compute_set"
    assert column(found, "name") == sets["names"]
    assert column(found, "vertices") == [sum(row) for row in sets["vertexCounts"]]
    for key, kind in (("code_bytes", "codeBytes"), ("total_bytes", "totalBytes")):
        assert column(found, key) == [sum(row) for row in bytes_[kind]]
        assert column(found, f"max_{key}") == [max(row) for row in bytes_[kind]]
    assert column(found, "vertex_data_bytes") == [sum(row) for row in bytes_["vertexDataBytes"]]
    assert column(found, "max_cycles") == [max(row) for row in cycles]
    assert column(found, "balance") == pytest.approx([sum(row) / (max(row) * len(row)) for row in cycles])
    assert column(found, "runs") == [runs[c] for c in range(len(cycles))]
    assert column(found, "run_cycles") == [max(row) * runs[c] for c, row in enumerate(cycles)]


def test_vertex_types_and_the_sum_of_their_active_cycles(profile: Profile, tree: Any) -> None:
    """With loops: each compute set's active cycles by type x its runs add up to activeCompute."""
    found = table(profile, "vertex-types")
    counts: Counter[int] = Counter()
    for kinds, numbers in zip(tree["computeSets"]["vertexTypes"], tree["computeSets"]["vertexCounts"], strict=True):
        for kind, number in zip(kinds, numbers, strict=True):
            counts[kind] += number
    assert column(found, "vertices") == [counts[v] for v in range(found.rows)]
    assert column(found, "size") == tree["vertexTypes"]["sizes"]
    assert sum(column(found, "run_active")) == tree["simulation"]["tileCycles"]["activeCompute"]


def test_tiles(profile: Profile, tree: Any) -> None:
    found, by_tile = table(profile, "tiles"), tree["memory"]["byTile"]
    per_tile, per_ipu = tree["target"]["bytesPerTile"], tree["target"]["tilesPerIPU"]
    assert found.selects == "tile"
    assert column(found, "used") == by_tile["totalIncludingGaps"]
    assert column(found, "ipu") == [tile // per_ipu for tile in range(found.rows)]
    assert column(found, "over") == [max(0, size - per_tile) for size in by_tile["totalIncludingGaps"]]
    delays = tree["target"]["relativeSyncDelayByTile"]
    smallest = tree["target"]["minSyncDelay"]
    assert column(found, "sync_delay") == [smallest + delays[tile % per_ipu] for tile in range(found.rows)]


def test_categories(profile: Profile, tree: Any) -> None:
    found, by_category = table(profile, "memory-by-category"), tree["memory"]["byCategory"]
    assert column(found, "category") == list(by_category)
    assert column(found, "total") == [sum(entry["total"]) for entry in by_category.values()]
    assert column(found, "max_tile") == [max(entry["total"]) for entry in by_category.values()]
    regions = ("interleaved", "nonInterleaved", "overflowed")
    overlapped = [sum(sum(entry[region]["overlapped"]) for region in regions) for entry in by_category.values()]
    assert column(found, "overlapped") == overlapped


def test_exchanges(profile: Profile, tree: Any) -> None:
    found = table(profile, "exchanges")
    rows = [
        (kind, number, sum(sent), max(cycles))
        for kind, key, name in (
            ("internal", "exchanges", "cyclesByTile"),
            ("external", "externalExchanges", "estimatedCyclesByTile"),
            ("host", "hostExchanges", "estimatedCyclesByTile"),
        )
        for number, (sent, cycles) in enumerate(zip(tree[key]["bytesSentByTile"], tree[key][name], strict=True))
    ]
    got = [column(found, key) for key in ("kind", "number", "sent", "max_cycles")]
    assert list(zip(*got, strict=True)) == rows
    assert column(found, "code")[-1] is None


def test_programs_and_steps(profile: Profile, tree: Any) -> None:
    programs, steps = table(profile, "programs"), table(profile, "steps")
    runs = Counter(tree["programTrace"])
    inner = [bool(program.get("children")) or program["type"] == "Call" for program in tree["programs"]]
    assert column(programs, "runs") == [None if inner[row] else runs[row] for row in range(programs.rows)]
    assert column(programs, "type") == [program["type"] for program in tree["programs"]]
    assert column(programs, "compute_set") == [program.get("computeSet") for program in tree["programs"]]
    targets = [
        tree["functionPrograms"][program["target"]] if program["type"] == "Call" else None
        for program in tree["programs"]
    ]
    assert column(programs, "calls") == targets
    records = tree["simulation"]["steps"]
    assert column(steps, "data") == [record.get("totalData") for record in records]
    assert column(steps, "tile_balance") == [record.get("tileBalance") for record in records]
    assert column(steps, "sync") == [record.get("syncType") for record in records]
    clock = tree["target"]["clockFrequency"]
    times = [record["cycles"] / clock for record in records if "cycles" in record]
    assert [time for time in column(steps, "time") if time is not None] == pytest.approx(times)


def test_step_types_and_tile_cycles(profile: Profile, tree: Any) -> None:
    totals: dict[str, list[int]] = defaultdict(list)
    for step in tree["simulation"]["steps"]:
        totals[step["type"]].append(step.get("cycles", 0))
    found = table(profile, "step-types")
    assert dict(zip(column(found, "type"), column(found, "steps"), strict=True)) == {
        k: len(v) for k, v in totals.items()
    }
    sums = [sum(totals[kind]) if kind != "Sync" else None for kind in column(found, "type")]
    assert column(found, "cycles") == sums
    shares = table(profile, "tile-cycles")
    kinds = dict(zip(column(shares, "kind"), column(shares, "share"), strict=True))
    assert sum(share for kind, share in kinds.items() if kind != "activeCompute") == pytest.approx(100.0)
    tiles = tree["target"]["numTiles"]
    average = dict(zip(column(shares, "kind"), column(shares, "average"), strict=True))
    assert average["compute"] == pytest.approx(tree["simulation"]["tileCycles"]["compute"] / tiles)


def test_all_tables_have_equal_columns(profile: Profile) -> None:
    tables = available(profile)
    assert {table.id for table in tables} >= {"target", "tiles", "liveness", "optimisation", "steps", "programs"}
    for found in tables:
        assert {len(column.values) for column in found.columns} == {found.rows}
        assert len({column.key for column in found.columns}) == len(found.columns)
    assert statistics.mean(table.rows for table in tables) > 1
