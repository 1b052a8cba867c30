"""Numbers worked out by hand from the description and printed by Poplar itself (Semantics, sections 1 to 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.analysis.checks import check
from app.analysis.memory import series, verdict
from app.analysis.poplar.exchanges import row_balances
from app.analysis.poplar.liveness import peaks
from app.analysis.poplar.numbers import sync_delays
from app.analysis.poplar.runs import bandwidth, tile_cycles, union
from app.profile.poplar import TILE_CYCLE_KINDS, Execution
from app.profile.profile import Profile, Target

Make = Callable[[Any], Profile]


def test_tile_balance_of_ten_and_five_is_three_quarters() -> None:
    assert [values.tolist() for values in row_balances(np.array([[10, 5]]))] == [[0.75], [0.75]]


def test_active_balance_leaves_out_idle_tiles() -> None:
    assert [values.tolist() for values in row_balances(np.array([[10, 5, 0]], np.uint8))] == [[0.5], [0.75]]


def test_balance_of_idle_tiles_is_no_data() -> None:
    assert all(np.isnan(values).all() for values in row_balances(np.zeros((1, 4), np.int64)))


@pytest.mark.parametrize(
    ("cycles", "clock", "microseconds"),
    [(8_190_756, 1.6e9, 5119.2), (6_681_766, 1.33e9, 5023.9), (178_569_036, 1.6e9, 111_605.6)],
)
def test_cycles_become_the_times_that_poplar_prints(cycles: int, clock: float, microseconds: float) -> None:
    seconds = Target(kind="IPU", clock_hz=clock).seconds(cycles)
    assert seconds is not None
    assert round(seconds * 1e6, 1) == microseconds
    assert Target(kind="IPU").seconds(cycles) is None
    assert Target(kind="IPU", clock_hz=0.0).seconds(cycles) is None


def test_sync_delay_is_the_smallest_and_the_tiles_own() -> None:
    target = Target(
        kind="IPU", tiles_per_ipu=3, min_sync_delay=100, relative_sync_delay=np.array([0, 5, 250], np.uint8)
    )
    found = sync_delays(target)
    assert found is not None
    assert found.tolist() == [100, 105, 350]


def test_union_of_spans_counts_overlaps_once() -> None:
    start, end = np.array([0.0, 5.0, 20.0, 21.0]), np.array([10.0, 8.0, 25.0, 30.0])
    assert union(start, end) == 20.0


def run(cycles: int, **kinds: int) -> Execution:
    return Execution(mode="IPU_MODEL", cycles=cycles, tile_cycles=kinds)


def test_tile_cycles_add_up_in_the_documents_sample() -> None:
    kinds = {
        "activeCompute": 1349,
        "compute": 8094,
        "copySharedStructure": 0,
        "doExchange": 2070,
        "globalExchange": 0,
        "streamCopy": 16,
        "sync": 26238,
    }
    found = tile_cycles(run(18_209, **kinds), 2)
    assert (found.total, found.expected, found.holds, found.missing) == (36_418, 36_418, True, ())
    assert kinds["compute"] / kinds["activeCompute"] == 6.0


def test_tile_cycles_that_were_not_measured_are_no_zeros() -> None:
    found = tile_cycles(run(10, compute=5, sync=5), 1)
    assert found.holds is None
    assert found.missing == ("doExchange", "globalExchange", "streamCopy", "copySharedStructure")
    assert tile_cycles(run(10, compute=5), None).expected is None


TITLES = {
    "compute": r"compute cycles \(including idle threads\)",
    "doExchange": "IPU exchange cycles",
    "globalExchange": "global exchange cycles",
    "streamCopy": "host exchange cycles",
    "sync": "sync cycles",
}


def summaries(text: str) -> list[Execution]:
    """The runs of a text report of tile averages, in tenths of a cycle so that the numbers stay whole."""
    found = []
    for part in re.split(r"Total cycles:", text)[1:]:
        values = {kind: re.search(rf"{title}:\s+([\d,.]+)", part) for kind, title in TITLES.items()}
        if all(values.values()):
            kinds = {kind: _tenths(value[1]) for kind, value in values.items() if value}
            cycles = re.match(r"\s+([\d,]+)", part)
            assert cycles is not None
            found.append(run(_tenths(cycles[1]), copySharedStructure=0, **kinds))
    return found


def _tenths(text: str) -> int:
    return round(float(text.replace(",", "")) * 10)


@pytest.mark.parametrize(("name", "count"), [("lbm_halo_results.txt", 4), ("gaussian_blur_execution_summaries.txt", 3)])
def test_tile_cycles_add_up_in_real_reports(shared_samples: Path, name: str, count: int) -> None:
    found = summaries((shared_samples / "poplar-fragments" / name).read_text())
    assert len(found) >= count
    for execution in found:
        checked = tile_cycles(execution, 1)
        assert checked.expected is not None
        assert abs(checked.total - checked.expected) <= 3  # each average is rounded to a tenth


def test_tile_cycles_of_the_first_tutorial_report_are_exact(shared_samples: Path) -> None:
    text = (shared_samples / "poplar-fragments/tut7_execution_summary_sdk1.2_mk1.txt").read_text()

    def number(title: str) -> int:
        found = re.search(rf"{title}:\s+([\d,]+)", text)
        assert found is not None
        return int(found[1].replace(",", ""))

    kinds = dict.fromkeys(TILE_CYCLE_KINDS, 0) | {
        "compute": number(r"compute cycles \(including idle threads\)"),
        "doExchange": number("IPU exchange cycles"),
        "streamCopy": number("host exchange cycles"),
        "sync": number("sync cycles"),
    }
    found = tile_cycles(run(number("Total cycles"), **kinds), 1216)
    assert found.holds is True
    assert found.total == 9_959_959_296


def test_newer_reports_fall_short_and_are_only_warned_of(shared_samples: Path, profile_of: Make) -> None:
    text = (shared_samples / "poplar-fragments/tut7_execution_summary_sdk3.2_mk2.txt").read_text()
    (execution,) = summaries(text)
    tree = {
        "target": {"numTiles": 1, "type": "IPU"},
        "profilerMode": "IPU_MODEL",
        "simulation": {"cycles": execution.cycles, "tileCycles": execution.tile_cycles},
    }
    issues = check(profile_of(tree))
    assert [issue.severity for issue in issues] == ["warning"]
    assert "-0.07 %" in issues[0].text


BY_TILE = {
    "interleaved": [536, 408],
    "interleavedIncludingGaps": [536, 408],
    "nonInterleaved": [19758, 3896],
    "nonInterleavedIncludingGaps": [65568, 19596],
    "overflowed": [0, 0],
    "overflowedIncludingGaps": [0, 0],
    "total": [20294, 3896],
    "totalIncludingGaps": [131608, 19596],
}


def test_what_must_fit_is_the_end_of_the_last_region(profile_of: Make) -> None:
    target = {"bytesPerTile": 262_144, "tilesPerIPU": 2, "numIPUs": 1, "numTiles": 2, "type": "IPU"}
    profile = profile_of({"target": target, "memory": {"byTile": {key: value[:1] for key, value in BY_TILE.items()}}})
    found = verdict(profile)
    assert found is not None
    assert found.worst[0].with_gaps == 131_608
    assert found.headroom == 262_144 - 131_608
    parts = series(profile, "region")
    assert parts is not None
    assert {part.key: part.values[0] for part in parts.parts} == {
        "interleaved": 536,
        "nonInterleaved": 65_568,
        "overflowed": 0,
        "between": 65_504,
    }
    assert parts.total.tolist() == [131_608]


def test_the_printed_fragments_open(shared_samples: Path, profile_of: Make) -> None:
    printed = json.loads((shared_samples / "poplar-fragments/seed_json_fragments.json").read_text())
    steps = [value for key, value in printed["simulation"].items() if key.startswith("step")]
    tree = {
        "graph": printed["graph"],
        "controlPrograms": printed["controlPrograms"],
        "functionPrograms": printed["functionPrograms"],
        "programs": printed["programs_examples"],
        "memory": printed["memory"],
        "profilerMode": "IPU_MODEL",
        "simulation": {"tileCycles": printed["simulation"]["tileCycles"], "steps": steps},
    }
    profile = profile_of(tree)
    assert profile.programs is not None
    assert profile.programs.instructions is not None
    assert profile.programs.instructions.bytes[0, profile.programs.instructions.kinds.index("total")] == 80
    severities = {issue.where: issue.severity for issue in (*profile.issues, *check(profile))}
    assert severities["graph.json: memory.byTile.total[1]"] == "warning"
    assert severities["graph.json: functionPrograms[0]"] == "error"  # the fragment has only a few programs


def test_both_peaks(profile_of: Make) -> None:
    liveness = {
        "alwaysLive": {"bytesByTile": [100, 200]},
        "notAlwaysLive": {
            "maxBytesByTile": [50, 10],
            "byProgram": [{"bytes": 20, "children": [{"bytes": 55, "children": []}, {"bytes": 5, "children": []}]}],
        },
    }
    found = peaks(profile_of({"memory": {"liveness": liveness}}))
    assert found is not None
    assert (found.always_live, found.tiles, found.program) == (300, 360, 355)
    assert (found.worst_tile, found.worst_tile_bytes, found.node) == (1, 210, 1)


def test_bandwidth_is_data_by_time(profile_of: Make) -> None:
    steps = [{"type": "StreamCopy", "cycles": 1000, "totalData": 4000}, {"type": "Sync"}]
    profile = profile_of({"profilerMode": "IPU_MODEL", "simulation": {"steps": steps}})
    assert profile.steps is not None
    found = bandwidth(profile.steps, Target(kind="IPU", clock_hz=1e9))
    assert found[0] == 4e9
    assert np.isnan(found[1])
