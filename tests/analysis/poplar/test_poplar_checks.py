"""Generated profiles keep every identity; each broken one is told once, with its first place and its number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from app.analysis.checks import check
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_json

SCALES = [
    *(poplar.Scale(mode=mode, ipus=2, tiles_per_ipu=6) for mode in poplar.MODES),
    poplar.Scale(seed=9, tiles_per_ipu=300, compute_sets=25, over=5, spread=0.4),
    poplar.Scale(seed=4, ipus=4, tiles_per_ipu=8, replicas=2, mode="COMPUTE_SETS"),
    poplar.Scale(compute_sets=1, tiles_per_ipu=1, exchanges=0, loops=1),
    poplar.SAMPLE,
]


@pytest.mark.parametrize("scale", SCALES)
def test_generated_profiles_keep_all_identities(tmp_path: Path, scale: poplar.Scale) -> None:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path, scale))
    assert profile.issues == ()
    assert check(profile) == []


def target(tree: Any) -> None:
    tree["target"]["totalMemory"] += 1


def delays(tree: Any) -> None:
    tree["target"]["relativeSyncDelayByTile"].append(1)


def total(tree: Any) -> None:
    tree["memory"]["byTile"]["total"][4] -= 4
    tree["memory"]["byTile"]["total"][7] -= 4


def gaps(tree: Any) -> None:
    tree["memory"]["byTile"]["interleavedIncludingGaps"][3] = 0


def negative(tree: Any) -> None:
    tree["memory"]["byTile"]["overflowedIncludingGaps"][0] = -4
    tree["memory"]["byTile"]["overflowed"][0] = -4
    tree["memory"]["byTile"]["total"][0] -= 4


def category(tree: Any) -> None:
    tree["memory"]["byCategory"]["variable"]["total"][2] += 4


def categories(tree: Any) -> None:
    tree["memory"]["byCategory"]["constant"]["interleaved"]["nonOverlapped"][2] += 4
    tree["memory"]["byCategory"]["constant"]["total"][2] += 4


def six(tree: Any) -> None:
    tree["memory"]["byComputeSet"]["codeBytes"][1][5] += 4


def instructions(tree: Any) -> None:
    next(p for p in tree["programs"] if p["type"] == "DoExchange")["memoryByInstruction"]["delay"] += 8


def vertices(tree: Any) -> None:
    tree["graph"]["numVertices"] += 1


def sets(tree: Any) -> None:
    tree["graph"]["numComputeSets"] = 11


def kinds(tree: Any) -> None:
    tree["computeSets"]["vertexTypes"][3][0] = 99


def active(tree: Any) -> None:
    tree["computeSets"]["cycleEstimates"]["activeCyclesByVertexType"][2][0] += 1


def program_set(tree: Any) -> None:
    next(p for p in tree["programs"] if p["type"] == "OnTileExecute")["computeSet"] = 77


def program_exchange(tree: Any) -> None:
    next(p for p in tree["programs"] if p["type"] == "StreamCopy")["exchange"] = 3


def call(tree: Any) -> None:
    tree["programs"].append({"type": "Call", "target": 6})


def tile_cycles(tree: Any) -> None:
    tree["simulation"]["tileCycles"]["sync"] -= 1


def active_compute(tree: Any) -> None:
    tree["simulation"]["tileCycles"]["activeCompute"] = tree["simulation"]["tileCycles"]["compute"] + 1


def timed(tree: Any) -> list[Any]:
    return [step for step in tree["simulation"]["steps"] if "cycles" in step]


def balance(tree: Any) -> None:
    timed(tree)[0]["tileBalance"] *= 1.01


def beyond(tree: Any) -> None:
    step = next(step for step in timed(tree) if "threadBalance" in step)
    step["threadBalance"] = 1.5


def order(tree: Any) -> None:
    timed(tree)[2]["cyclesFrom"] = timed(tree)[2]["cyclesTo"] = 0


def backwards(tree: Any) -> None:
    timed(tree)[1]["cyclesTo"] = timed(tree)[1]["cyclesFrom"] - 1


BROKEN: list[tuple[Callable[[Any], None], str, str, str]] = [
    (target, "warning", "target.totalMemory", "is not bytesPerTile x numTiles"),
    (delays, "warning", "target.relativeSyncDelayByTile", "17 entries for 16 tiles"),
    (total, "warning", "memory.byTile.total[4]", "(in 2 of 16)"),
    (gaps, "warning", "memory.byTile.interleavedIncludingGaps[3]", "less than interleaved"),
    (negative, "warning", "memory.byTile.overflowed[0]", "negative number of bytes"),
    (category, "warning", "memory.byCategory.variable.total[2]", "not the sum of the six parts"),
    (categories, "warning", "memory.byCategory, interleaved, tile 2", "exceed memory.byTile.interleaved"),
    (six, "warning", "memory.byComputeSet.totalBytes[1][5]", "not the sum of the six kinds"),
    (instructions, "warning", "].memoryByInstruction.total", "not the sum of the other kinds"),
    (vertices, "warning", "computeSets.vertexCounts", "graph.numVertices"),
    (sets, "error", "computeSets", "graph.numComputeSets is 11"),
    (kinds, "error", "computeSets.vertexTypes[3]", "does not exist"),
    (
        active,
        "warning",
        "computeSets.cycleEstimates.activeCyclesByVertexType[2]",
        "do not add up to those of all tiles",
    ),
    (program_set, "error", "].computeSet", "a compute set that does not exist"),
    (program_exchange, "error", "programs[2].exchange", "host exchange"),
    (call, "error", "].target", "a function that does not exist"),
    (tile_cycles, "warning", "simulation.tileCycles", "(-0.00 %)"),
    (active_compute, "warning", "simulation.tileCycles", "more than compute"),
    (balance, "warning", "simulation.steps[1]", "activeTileBalance"),
    (beyond, "warning", "threadBalance", "not between 0 and 1"),
    (order, "warning", "cyclesFrom", "starts before the preceding step"),
    (backwards, "warning", "cyclesTo", "ends before it starts"),
]


@pytest.mark.parametrize(("damage", "severity", "where", "text"), BROKEN, ids=[entry[0].__name__ for entry in BROKEN])
def test_each_broken_identity_is_told(
    profile_of: Callable[[Any], Profile],
    damage: Callable[[Any], None],
    severity: str,
    where: str,
    text: str,
) -> None:
    scale = poplar.Scale(seed=2, categories=10)
    tree = {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}
    damage(tree)
    found = check(profile_of(tree))
    matching = [issue for issue in found if where in issue.where and text in issue.text]
    assert [issue.severity for issue in matching] == [severity]
    assert len(found) <= 3


def test_tiles_of_neither_the_machine_nor_a_replica(profile_of: Callable[[Any], Profile]) -> None:
    tree = {"target": {"numTiles": 10}, "memory": {"byTile": {"total": [1, 2, 3]}}}
    assert [issue.text for issue in check(profile_of(tree)) if "replica" in issue.text]


def test_steps_without_profiling(profile_of: Callable[[Any], Profile]) -> None:
    tree = {"profilerMode": "NONE", "simulation": {"steps": [{"type": "Sync"}]}}
    assert ["the profiler mode is NONE" in issue.text for issue in check(profile_of(tree))] == [True]


def test_replicas_may_sum_over_one_or_all(tmp_path: Path) -> None:
    scale = replace(SCALES[-3], mode="IPU_MODEL")
    tree = {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}
    cycles, replicas = tree["simulation"]["tileCycles"], scale.replicas
    for kind in cycles:
        cycles[kind] *= replicas
    (profile,) = read(FORMAT, [write_json(tmp_path / "both.json", tree)])
    assert check(profile) == []
