"""The figures of the bundled operator are plausible and agree with each other: those that a user sees in its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from app.analysis.findings import outcomes, ranked
from app.analysis.tables import by_id
from app.analysis.time.verdict import explanation, time_verdict
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from app.resources import resource
from app.views.sentences import sentence
from generators.ascend_run import union
from generators.ascend_steps import shared
from generators.reading import profile_of

CORES_OF_CHIP = 20
BLOCKS = (0, 1)
SUB_CORES = {"cubecore0": ("cube", "0"), "veccore0": ("vector", "0"), "veccore1": ("vector", "1")}
UNITS = {"cubecore0": "CUBE", "veccore0": "VECTOR", "veccore1": "VECTOR"}
PIPES = {"cubecore0": "Pipe Cube", "veccore0": "Pipe Vector Core0", "veccore1": "Pipe Vector Core1"}
PATHS = {
    2: ("cubecore0", "MTE2"),
    10: ("cubecore0", "FIXP"),
    12: ("veccore0", "MTE2"),
    13: ("veccore0", "MTE3"),
    16: ("veccore1", "MTE2"),
    17: ("veccore1", "MTE3"),
}
"""The memory paths through the L2 cache, and the pipe that moves on each."""
READS, WRITES = (2, 12, 16), (10, 13, 17)
REQUEST = 128
MHZ = 1650

Rows = list[dict[str, Any]]
Lanes = dict[tuple[str, str], list[tuple[int, int]]]


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profile_of(FORMAT, resource("samples", "matmul_leakyrelu.bin").read_bytes())


@pytest.fixture(scope="module")
def table(profile: Profile) -> Callable[[str], Rows]:
    """The rows of a table by its id."""
    known: dict[str, Rows] = {}

    def rows(name: str) -> Rows:
        if name not in known:
            made = by_id(profile, name)
            assert made is not None
            known[name] = [{one.key: one.value(row) for one in made.columns} for row in range(made.rows)]
        return known[name]

    return rows


Tables = Callable[[str], Rows]


@pytest.fixture(scope="module")
def lanes(table: Tables) -> Lanes:
    """The cycles in which instructions begin and end, by sub-core and pipe."""
    made: Lanes = {}
    for row in table("slices"):
        if row["address"] is not None:
            begin, cycles = round(row["start"] * MHZ), round(row["duration"] * MHZ)
            made.setdefault((row["process"], row["thread"]), []).append((begin, begin + cycles))
    return made


@pytest.fixture(scope="module")
def requests(table: Tables) -> dict[tuple[int, int], int]:
    """By block and memory path."""
    return {(int(row["block"]), row["path"]): int(row["request"]) for row in table("memory-paths")}


def total(table: Tables, core: str) -> int:
    """The cycles of a sub-core, as the core load says."""
    number, _, sub = core.partition(".")
    own = [
        row
        for row in table("core-load")
        if (row["core"], row["type"], row["sub_core"]) == (int(number.removeprefix("core")), *SUB_CORES[sub])
    ]
    return int(own[0]["cycles"])


def cores() -> list[str]:
    return [f"core{block}.{sub}" for block in BLOCKS for sub in SUB_CORES]


def test_slices_are_whole_cycles_of_the_clock(profile: Profile, table: Tables) -> None:
    assert profile.operator is not None
    assert profile.operator.frequency_mhz == MHZ
    for row in table("slices"):
        for cycles in (row["start"] * MHZ, row["duration"] * MHZ):
            assert cycles == pytest.approx(round(cycles), abs=0.02)


def test_cores_are_as_long_as_their_slices(profile: Profile, table: Tables, lanes: Lanes) -> None:
    details = {row["block_id"]: row for row in table("block-details")}
    for core in cores():
        own = [slice_ for (name, _), of_pipe in lanes.items() if name == core for slice_ in of_pipe]
        cycles = max(end for _, end in own) - min(begin for begin, _ in own)
        assert total(table, core) == cycles
        block, _, sub = core.partition(".")
        column = "".join(SUB_CORES[sub]) + "_duration"
        assert details[int(block.removeprefix("core"))][column] == pytest.approx(cycles / MHZ, abs=1e-6)
    operator = profile.operator
    assert operator is not None
    assert operator.duration_us is not None
    last = max(row["end"] for row in table("slices"))
    assert operator.duration_us - 0.1 < last <= operator.duration_us
    assert not profile.issues


def test_pipes_are_as_busy_as_their_slices(table: Tables, lanes: Lanes) -> None:
    waits: Counter[tuple[str, str]] = Counter()
    for row in table("slices"):
        if row["name"] == "WAIT_FLAG":
            waits[row["process"], row["thread"]] += round(row["duration"] * MHZ)
    shares = {(row["block"], row["sub_block"], row["name"]): row for row in table("workload") if row["graph"]}
    counts = {(row["block"], row["sub_block"], row["name"]): row for row in table("workload") if not row["graph"]}
    for core in cores():
        block, _, sub = core.removeprefix("core").partition(".")
        cycles = total(table, core)
        for row in table(f"memory-table/{PIPES[sub]}"):
            if row["block"] == block:
                own = lanes.get((core, row["name"].upper()), [])
                assert (row["instructions"], row["cycle"]) == (len(own), union(own))
                assert row["active_rate"] == pytest.approx(100 * union(own) / cycles, abs=1e-6)
                assert row["cycle"] + row["wait_cycles"] <= cycles
        own = lanes[core, UNITS[sub]]
        kind, number = SUB_CORES[sub]
        name = "Cube All Active" if kind == "cube" else f"Vector All Active{number}"
        share = shares[block, f"{kind}{number}", name]
        assert share["cycles"] == union(own) == sum(end - begin for begin, end in own)
        assert share["share"] == pytest.approx(100 * share["cycles"] / cycles)
        assert counts[block, f"{kind}{number}", f"{kind.capitalize()} All Active"]["value"] == len(own)
        if kind == "cube":
            assert shares[block, "cube0", "Cube Wait"]["cycles"] == waits[core, "CUBE"]
        assert union(own) + waits[core, UNITS[sub]] <= cycles


def test_lines_and_instructions_are_those_of_the_slices(table: Tables, lanes: Lanes) -> None:
    spent: Counter[tuple[str, str]] = Counter()
    runs: Counter[tuple[str, str]] = Counter()
    for row in table("instructions"):
        for core in cores():
            spent[core, row["pipe"]] += row[f"cycles.{core}"]
            runs[core, row["pipe"]] += row[f"instructions_executed.{core}"]
            assert row[f"realstallcycles.{core}"] <= row[f"cycles.{core}"]
    assert +runs == Counter({lane: len(own) for lane, own in lanes.items()})
    assert +spent == Counter({lane: sum(end - begin for begin, end in own) for lane, own in lanes.items()})
    for core in cores():
        lines = [row[f"cycles.{core}"] for row in table("source-lines")]
        assert sum(lines) == sum(cycles for (name, _), cycles in spent.items() if name == core)
        assert max(lines) <= total(table, core)


def test_each_core_runs_what_it_has_units_for(table: Tables) -> None:
    for row in table("slices"):
        if row["address"] is not None:
            cube = "cubecore" in row["process"]
            assert not cube or ("_UB_" not in row["name"] and row["thread"] not in ("VECTOR", "MTE3"))
            assert cube or ("_L1_" not in row["name"] and row["thread"] not in ("MTE1", "CUBE", "FIXP"))
    text = {(row["file"], row["line"]): row["text"] for row in table("source-lines")}
    for row in table("instructions"):
        if row["pipe"] == "VECTOR":
            assert row["text"].split()[0] == ("VMULS" if "Muls(" in text[row["file"], row["line"]] else "VMAX")


def test_transfers_are_the_same_everywhere(table: Tables, requests: dict[tuple[int, int], int]) -> None:
    stored: Counter[tuple[int, int]] = Counter()
    for row in table("memory-accesses"):
        path = next(
            path
            for path in PATHS
            if (row["operation"] == "LOAD") == (path in READS)
            and (row["block_type"] == "AIC") == (path in (2, 10))
            and row["pc"] in addresses_of(table, row["core"], *PATHS[path])
        )
        stored[row["core"], path in READS] += row["size"]
        assert row["space"] == "GM"
        assert path
    for block in BLOCKS:
        for path, (sub, pipe) in PATHS.items():
            column = f"process_bytes.core{block}.{sub}"
            moved = sum(row[column] for row in table("instructions") if row["pipe"] == pipe)
            assert moved == requests[block, path] * REQUEST
        for reads, paths in ((True, READS), (False, WRITES)):
            assert stored[block, reads] == REQUEST * sum(requests[block, path] for path in paths)
        split = sum(r[f"process_bytes.core{block}.cubecore0"] for r in table("instructions") if r["pipe"] == "MTE1")
        assert split == REQUEST * (requests[block, 4] + requests[block, 5])
        # the vector cores fetch and store what the cube core made, and the tiling
        assert requests[block, 10] == requests[block, 13] + requests[block, 17]
        assert requests[block, 12] == requests[block, 13] + 4
        assert requests[block, 16] == requests[block, 17] + 4
    counted: dict[str, tuple[int, ...]] = {
        "GM_TO_UB": (12, 16),
        "GM_TO_L1": (2,),
        "UB_TO_GM": (13, 17),
        "L0C_TO_GM": (10,),
    }
    for name, carried in counted.items():
        values = [row["value"] for row in table("counter-values") if row["counter"] == name]
        assert sum(values) == REQUEST * sum(requests[block, path] for block in BLOCKS for path in carried)


def addresses_of(table: Tables, core: int, sub: str, pipe: str) -> set[Any]:
    column = f"instructions_executed.core{core}.{sub}"
    return {row["address"] for row in table("instructions") if row["pipe"] == pipe and row[column]}


def test_accesses_name_the_line_of_their_instruction(table: Tables) -> None:
    place = {row["address"]: (row["file"], row["line"]) for row in table("instructions")}
    for row in table("memory-accesses"):
        assert (row["file"], row["line"]) == place[row["pc"]]


def test_rates_follow_from_requests_and_cycles(table: Tables, requests: dict[tuple[int, int], int]) -> None:
    longest = {block: max(total(table, f"core{block}.{sub}") for sub in SUB_CORES) for block in BLOCKS}
    for row in table("memory-paths"):
        rate = row["request"] * REQUEST * MHZ / longest[int(row["block"])] / 1e3
        assert row["bandwidth"] == pytest.approx(rate, abs=1e-5)
        if row["peak"] is not None:
            assert row["peak"] == pytest.approx(100 * rate * 1e3 / (REQUEST * MHZ), abs=1e-4)
            assert row["peak"] <= 100
    for name, level in (("L0C", {"L0C Read Cube": 11, "L0C Write Cube": 8, "L0C Write GM": 10}),):
        for row in table(f"memory-table/{name}"):
            assert row["requests"] == requests[int(row["block"]), level.get(row["name"], 9)]
    for row in table("memory-table/UB"):
        path = {"UB Read MTE": 13, "UB Write MTE": 12, "UB Read Vector": 14, "UB Write Vector": 15}[row["name"]]
        assert row["requests"] == requests[int(row["block"]), path]


def test_the_l2_cache_has_the_same_hits_everywhere(table: Tables, requests: dict[tuple[int, int], int]) -> None:
    cache = {(int(row["block"]), row["name"]): row for row in table("memory-table/Cache")}
    memory = {(int(row["block"]), row["name"]): row["requests"] for row in table("memory-table/GM Cube")}
    hits = misses = 0
    for block in BLOCKS:
        for name, paths in (("L2 Cache Read", READS), ("L2 Cache Write", WRITES)):
            row = cache[block, name]
            assert row["total"] == row["hit"] + row["miss"] == sum(requests[block, path] for path in paths)
        both = cache[block, "L2 Cache Total"]
        own = table("memory-blocks")[block]
        assert (own["hit"], own["miss"]) == (both["hit"], both["miss"])
        assert memory[block, "Read Main Memory"] == requests[block, 0] == cache[block, "L2 Cache Read"]["miss"]
        assert memory[block, "Write Main Memory"] == requests[block, 1] == cache[block, "L2 Cache Write"]["miss"]
        fetched = sum(row["slices"] for row in table("lanes") if row["process"].startswith(f"core{block}."))
        flags = sum(
            row["process"].startswith(f"core{block}.") and row["name"].endswith("_FLAG") for row in table("slices")
        )
        assert cache[block, "iCache Total"]["total"] == fetched - flags
        first = {
            (row["process"], row["address"] // 16)
            for row in table("slices")
            if row["address"] is not None and row["process"].startswith(f"core{block}.")
        }
        assert cache[block, "iCache Total"]["miss"] == len(first)
        loads = [row for row in table("core-load") if row["core"] == block]
        assert sum(row["throughput"] for row in loads) == REQUEST * both["miss"]
        hits, misses = hits + both["hit"], misses + both["miss"]
    for name in ("cache-sets", "cache-lines"):
        assert (sum(row["hit"] for row in table(name)), sum(row["miss"] for row in table(name))) == (hits, misses)
    assert sum(row["load"] for row in table("cache-sets")) == sum(requests[b, path] for b in BLOCKS for path in READS)


def test_rooflines_follow_from_time_and_bytes(
    profile: Profile, table: Tables, requests: dict[tuple[int, int], int]
) -> None:
    operator = profile.operator
    assert operator is not None
    assert operator.duration_us is not None
    assert operator.block_dim == len(BLOCKS)
    active = sum(row["cycles"] for row in table("workload") if row["graph"] and row["name"] == "Cube All Active")
    elements = REQUEST * sum(requests[block, path] for block in BLOCKS for path in (13, 17)) / 4
    through = {"GM": (0, 1), "L2": (*READS, *WRITES), "L1": (2, 4, 5), "L0A": (4, 6), "L0B": (5, 7)}
    through |= {"MTE2": (12, 16), "MTE3": (13, 17)}
    for row in table("roofline"):
        moved = REQUEST * sum(requests[block, path] for block in BLOCKS for path in through[row["bandwidth_name"]])
        operations = row["intensity"] * moved
        assert row["performance"] == pytest.approx(operations / operator.duration_us / 1e6)
        if row["compute_name"] == "Cube FP16":
            assert operations == pytest.approx(active * 6960)
            assert operations <= active * 8192
        else:
            assert operations == pytest.approx(2 * elements)
        # two cores of twenty reach a tenth of the chip's operations, and less than the bandwidth of all
        assert row["performance"] <= row["compute"] * len(BLOCKS) / CORES_OF_CHIP
        assert row["performance"] <= row["intensity"] * row["bandwidth"]


def test_texts_of_the_file_are_true_of_it(profile: Profile, table: Tables) -> None:
    slowest = max(table("core-load"), key=lambda row: float(row["cycles"]))
    load = profile.core_load
    assert load is not None
    assert f"core{slowest['core']} {slowest['type']}{slowest['sub_core']} took more time" in load.advice
    roof = profile.roofline
    assert roof is not None
    assert roof.advice == "latency bound:memory caused"
    assert {row["bound"] for row in table("roofline")} == {"latency bound"}
    assert max(table("roofline"), key=lambda row: float(row["ratio"]))["bandwidth_name"] == "GM"
    stalls = {row["reason"]: row["count"] for row in table("stall-reasons")}
    assert max(stalls, key=lambda reason: int(stalls[reason])) == "Scoreboard_Not_Ready"
    for row in table("memory-blocks"):
        assert min(row["vector_ratio"], row["vector1_ratio"]) > 20
        assert not row["advice"]


def test_verdict_and_findings_are_about_the_same_core(profile: Profile, table: Tables) -> None:
    verdict = time_verdict(profile)
    assert verdict is not None
    slowest = max(cores(), key=lambda core: total(table, core))
    assert sentence(verdict.behind[0].words).startswith(f"Ends last: {slowest}; work: {verdict.by} ")
    assert verdict.bound == "none"
    assert verdict.span == pytest.approx(total(table, slowest) / MHZ / 1e6)
    assert explanation(profile, verdict) is None, "the file's verdict follows from its figures"
    saved = {rule.id: finding.saving for rule, finding in ranked(outcomes(profile)) if finding.saving is not None}
    assert list(saved) == [
        "ascend.unused-cores",
        "ascend.uneven-work",
        "ascend.frequency",
        "ascend.roofline",
        "ascend.overlap",
    ]
    operator = profile.operator
    assert operator is not None
    assert operator.duration_us is not None
    assert all(saving.at_most <= operator.duration_us / 1e6 for saving in saved.values())
    overlap = saved["ascend.overlap"]
    assert overlap is not None
    assert overlap.at_most == pytest.approx(verdict.span - verdict.least)


def test_unions_and_shares() -> None:
    assert union([(30, 40), (0, 20), (10, 25)]) == 35
    assert shared(10, [1, 1, 1]) == [3, 3, 4]
