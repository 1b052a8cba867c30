"""Numbers that Poplar and its documentation print of real programs (Semantics, sections 1 to 3), and the places where
the documentation contradicts itself (section 4): each is told in a warning, and nothing fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.memory import series, verdict
from app.analysis.part import Amount
from app.analysis.poplar.runs import tile_cycles, tiles_of_run
from app.analysis.tables import available, by_id
from app.analysis.verdicts import verdicts
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import TILE_CYCLE_KINDS, Execution
from app.profile.profile import Profile, Target
from app.views.look import Look
from app.views.units import format_value
from generators.trees import write_json

Make = Callable[[Any], Profile]
MK1 = {"type": "IPU", "numIPUs": 1, "tilesPerIPU": 1216, "numTiles": 1216, "bytesPerTile": 262_144}
MK2 = {"type": "IPU", "numIPUs": 1, "tilesPerIPU": 1472, "numTiles": 1472, "bytesPerTile": 638_976}


def told(profile: Profile) -> dict[str, str]:
    """Warnings and errors by their place: of reading, and of checking."""
    found: dict[str, str] = {}
    for issue in (*profile.issues, *check(profile)):
        if issue.severity != "info":
            found[issue.where] = "; ".join(part for part in (found.get(issue.where), issue.text) if part)
    return found


def figure(profile: Profile, name: str) -> Any:
    return next(found.value for found in figures(profile) if found.name == name)


def column(profile: Profile, table: str, key: str) -> list[Any]:
    found = by_id(profile, table)
    assert found is not None
    own = next(column for column in found.columns if column.key == key)
    return [own.value(row) for row in range(found.rows)]


# -- cycles: section 2 ----------------------------------------------------------------------------------------

RUNS = {
    "first tutorial, SDK 1.2": (8_190_756, 1216, (5_513_152, 963_855, 781_286, 9_952_701_003)),
    "halo exchange": (178_569_036, 1, (207_965.0, 19_309.1, 0, 178_341_761.9)),
    "Gaussian blur": (126_351_372, 1, (32_146_868.4, 179_984.5, 6_552_435.7, 87_472_083.4)),
    "the documentation's sample": (18_209, 2, (8_094, 2_070, 16, 26_238)),
}
"""(cycles, tiles, cycles of compute, internal exchange, host exchange, sync): averages where there is one tile."""


@pytest.mark.parametrize(("cycles", "tiles", "kinds"), RUNS.values(), ids=RUNS)
def test_all_kinds_add_up_to_the_run(cycles: int, tiles: int, kinds: tuple[float, ...]) -> None:
    """In tenths of a cycle, in which the averages are printed."""
    names = ("compute", "doExchange", "streamCopy", "sync")
    spent = dict.fromkeys(TILE_CYCLE_KINDS, 0) | {n: round(10 * v) for n, v in zip(names, kinds, strict=True)}
    found = tile_cycles(Execution(mode="IPU_MODEL", cycles=10 * cycles, tile_cycles=spent), tiles)
    assert found.holds is True
    assert found.total == 10 * cycles * tiles


def test_a_newer_report_is_short_by_so_little_that_it_is_shown_all_the_same() -> None:
    spent = {"compute": 38_018, "doExchange": 86_974, "globalExchange": 0, "streamCopy": 66_635_508, "sync": 11_348}
    found = tile_cycles(
        Execution(mode="IPU_MODEL", cycles=66_817_660, tile_cycles=spent | {"copySharedStructure": 0}), 1
    )
    assert (found.total, found.holds) == (66_771_848, False)
    assert round(100 * (1 - found.total / 66_817_660), 2) == 0.07


def test_five_of_five_reports_of_the_halo_exchange(shared_samples: Path) -> None:
    """The fifth stands in another file than the four that are tested with all others."""
    text = (shared_samples / "poplar-fragments/lbm_halo_execution_summary.md").read_text("utf-8")
    numbers = [float(found.replace(",", "")) for found in re.findall(r"cycles[^:\n]*:\s+([\d,.]+)", text)]
    total, compute, _, *kinds = numbers[:7]
    assert round(compute + sum(kinds), 1) == total == 178_569_036


def sample(**more: Any) -> Any:
    """The run of the documentation's sample."""
    spent = {"activeCompute": 1349, "compute": 8094, "copySharedStructure": 0, "doExchange": 2070}
    spent |= {"globalExchange": 0, "streamCopy": 16, "sync": 26_238}
    simulation = {"cycles": 18_209, "tileCycles": spent, "steps": []}
    return {"target": {"numTiles": 2, "type": "IPU"}, "profilerMode": "IPU_MODEL", "simulation": simulation} | more


def test_shares_are_of_all_tiles_cycles_and_add_up(profile_of: Make) -> None:
    profile = profile_of(sample())
    assert told(profile) == {}
    cycles = dict(zip(column(profile, "tile-cycles", "kind"), column(profile, "tile-cycles", "cycles"), strict=True))
    shares = dict(zip(column(profile, "tile-cycles", "kind"), column(profile, "tile-cycles", "share"), strict=True))
    assert cycles["compute"] / cycles["activeCompute"] == 6.0
    assert sum(share for kind, share in shares.items() if kind != "activeCompute") == pytest.approx(100)
    assert shares["compute"] == pytest.approx(100 * 8094 / 36_418)


def test_kinds_that_were_not_measured_are_told_and_are_no_zeros(profile_of: Make) -> None:
    tree = sample()
    for kind in ("compute", "globalExchange", "streamCopy"):
        del tree["simulation"]["tileCycles"][kind]
    profile = profile_of(tree)
    assert "compute" not in figure(profile, "execution.tile_cycles")
    table = by_id(profile, "tile-cycles")
    assert table is not None
    assert "Not measured" in table.note
    shown = dict(zip(column(profile, "tile-cycles", "kind"), column(profile, "tile-cycles", "cycles"), strict=True))
    assert shown.get("compute") is None
    (run,) = [verdict for verdict in verdicts(profile) if str(verdict.text[0]).startswith("Runs ")]
    said = [str(words[0]) for words in run.detail]
    for kind, option in (
        ("compute", "Compute"),
        ("globalExchange", "ExternalExchange"),
        ("streamCopy", "HostExchange"),
    ):
        assert f"{kind}: not measured (needs debug.instrument{option})" in said
    assert profile.execution is not None
    assert profile.execution.cycles is not None
    cycles = next(words for words in run.detail if str(words[0]).startswith("Cycles "))
    share = next(after for word, after in pairwise(cycles) if "sync" in str(word))
    assert isinstance(share, Amount)
    tiles = tiles_of_run(profile)
    assert tiles
    whole = profile.execution.cycles * tiles
    assert share.value == pytest.approx(100 * profile.execution.tile_cycles["sync"] / whole)
    help_ = next(found.help for found in figures(profile) if found.name == "execution.tile_cycles")
    assert "compute (needs debug.instrumentCompute)" in help_


def test_active_cycles_of_the_types_are_those_of_the_run_where_every_set_ran_once(profile_of: Make) -> None:
    """5,250,000 + 80,000 + 4,536 = 5,334,536 (first tutorial); what ran twice counts twice."""
    names = ["Multiply", "Reduce", "Copy"]
    tree = {
        "target": {"numTiles": 1, "type": "IPU"},
        "vertexTypes": {"names": names, "sizes": [4, 4, 4]},
        "computeSets": {
            "names": ["a", "b"],
            "vertexCounts": [[1, 1], [1]],
            "vertexTypes": [[0, 1], [2]],
            "cycleEstimates": {
                "activeCyclesByTile": [[5_330_000], [4_536]],
                "cyclesByTile": [[5_330_000], [4_536]],
                "activeCyclesByVertexType": [[5_250_000, 80_000, 0], [0, 0, 4_536]],
            },
        },
        "profilerMode": "IPU_MODEL",
        "simulation": {"steps": [{"type": "OnTileExecute", "computeSet": c, "cycles": 9} for c in (0, 1)]},
    }
    profile = profile_of(tree)
    assert sum(column(profile, "vertex-types", "active")) == 5_334_536
    assert sum(column(profile, "steps-by-vertex-type", "active")) == 5_334_536
    tree["simulation"]["steps"].append({"type": "OnTileExecute", "computeSet": 1, "cycles": 9})  # type: ignore[index]
    again = profile_of(tree)
    assert sum(column(again, "vertex-types", "active")) == 5_334_536
    assert sum(column(again, "steps-by-vertex-type", "active")) == 5_334_536 + 4_536


# -- balances: section 1 --------------------------------------------------------------------------------------


def step(**own: Any) -> dict[str, Any]:
    return {"type": "OnTileExecute", "program": 0, "computeSet": 0, "cyclesFrom": 0, "cyclesTo": 10, "cycles": 10} | own


def run_of(*steps: dict[str, Any]) -> Any:
    return sample(simulation={"cycles": 10, "steps": list(steps)})


def test_balances_as_the_description_works_them_out_are_no_issue(profile_of: Make) -> None:
    """Tiles of 10 and 5 cycles."""
    assert told(profile_of(run_of(step(tileBalance=0.75, activeTiles=2, activeTileBalance=0.75)))) == {}


@pytest.mark.parametrize("stored", [0, 1, None])
def test_an_idle_step_may_have_any_balance(profile_of: Make, stored: int | None) -> None:
    idle = step(cycles=0, activeTiles=0, tileBalance=stored, activeTileBalance=stored, threadBalance=stored)
    profile = profile_of(run_of(idle))
    assert told(profile) == {}
    assert column(profile, "steps", "tile_balance") == [stored]


def test_more_may_be_received_than_was_sent(profile_of: Make) -> None:
    """One tile sends to many at once."""
    exchanges = {"bytesSentByTile": [[8, 0, 0]], "bytesReceivedByTile": [[0, 8, 8]], "cyclesByTile": [[4, 4, 4]]}
    moved = {"type": "DoExchange", "exchange": 0, "cycles": 4, "cyclesFrom": 0, "cyclesTo": 4, "totalData": 8}
    tree = sample(
        target={"numTiles": 3, "type": "IPU"},
        exchanges=exchanges,
        simulation={"cycles": 4, "steps": [moved | {"dataBalance": 1.0, "tileBalance": 1.0}]},
    )
    profile = profile_of(tree)
    assert told(profile) == {}
    assert (column(profile, "exchanges", "sent"), column(profile, "exchanges", "received")) == ([8], [16])


# -- memory: section 3 ----------------------------------------------------------------------------------------


def by_tile(interleaved: int, other: int, overflowed: int, total: int) -> Any:
    regions = {"interleaved": [interleaved], "nonInterleaved": [other], "overflowed": [overflowed], "total": [total]}
    return {"target": MK1, "memory": {"byTile": regions}}


@pytest.mark.parametrize(
    ("interleaved", "other", "overflowed", "total"),
    [(122_880, 131_072, 580_387, 834_339), (8_960_000, 50_934_241, 0, 59_894_241)],
)
def test_regions_add_up_as_in_printed_reports(
    profile_of: Make, interleaved: int, other: int, overflowed: int, total: int
) -> None:
    tree = by_tile(interleaved, other, overflowed, total)
    tree["target"] = {**MK1, "numTiles": 1, "tilesPerIPU": 1}
    profile = profile_of(tree)
    assert told(profile) == {}
    found = series(profile, "region", gaps=False)
    assert found is not None
    assert found.total.tolist() == [total]
    tree["memory"]["byTile"]["total"] = [total + 1]
    assert list(told(profile_of(tree))) == ["graph.json: memory.byTile.total[0]"]


def test_a_tile_out_of_memory_is_told_as_the_report_does(profile_of: Make) -> None:
    """834,416 bytes including gaps on tile 0; two tiles out of memory."""
    wide = [834_416, 500_000, *[9_000] * 1214]
    tree = {"target": MK1, "memory": {"byTile": {"totalIncludingGaps": wide}}}
    found = verdict(profile_of(tree))
    assert found is not None
    assert (found.fits, found.tiles_over, found.worst[0].tile, found.headroom) == (False, 2, 0, 262_144 - 834_416)


def test_bytes_of_vertices_are_their_kinds(profile_of: Make) -> None:
    """9,736 + 4,904 = 14,640 (TensorFlow's adder)."""
    kinds = {"codeBytes": 0, "copyPtrBytes": 0, "descriptorBytes": 0, "edgePtrBytes": 4_904, "paddingBytes": 0}
    kinds |= {"vertexDataBytes": 9_736, "totalBytes": 14_640}
    tree = {
        "target": {"numTiles": 1, "type": "IPU"},
        "vertexTypes": {"names": ["SetSeed"], "sizes": [8]},
        "memory": {"byVertexType": {kind: [[size]] for kind, size in kinds.items()}},
    }
    assert told(profile_of(tree)) == {}
    tree["memory"]["byVertexType"]["totalBytes"] = [[34_124]]  # type: ignore[index]
    (text,) = told(profile_of(tree)).values()
    assert "not the sum of the six kinds" in text


def test_categories_that_fill_a_region_exactly_are_no_issue(profile_of: Make) -> None:
    """The categories of the adder add up to its 5,355,604 non-interleaved bytes."""
    sizes = {
        "variable": 39_108,
        "hostExchangePacketHeader": 10_512,
        "stack": 3_852_288,
        "vertexInstanceState": 14_640,
        "controlCode": 851_272,
        "vertexCode": 170_788,
        "internalExchangeCode": 60_792,
        "hostExchangeCode": 351_328,
        "instrumentationResults": 4_876,
    }
    empty = {"nonOverlapped": [0], "overlapped": [0]}
    categories = {
        name: {
            "interleaved": empty,
            "nonInterleaved": {"nonOverlapped": [size], "overlapped": [0]},
            "overflowed": empty,
            "total": [size],
        }
        for name, size in sizes.items()
    }
    tree = by_tile(0, 5_355_604, 0, 5_355_604)
    tree["target"] = {"type": "IPU", "numTiles": 1}
    tree["memory"]["byCategory"] = categories
    profile = profile_of(tree)
    assert told(profile) == {}
    found = series(profile, "category")
    assert found is not None
    assert found.total.tolist() == [5_355_604]


def test_the_second_machine_has_so_many_bytes(profile_of: Make) -> None:
    tree = {"target": {**MK2, "bytesPerIPU": 940_572_672, "totalMemory": 940_572_672}, "programs": []}
    profile = profile_of(tree)
    assert told(profile) == {}
    assert figure(profile, "target.total_bytes") == 940_572_672 == 638_976 * 1472
    tree["target"]["totalMemory"] += 1  # type: ignore[index]
    assert list(told(profile_of(tree))) == ["graph.json: target.totalMemory"]


@pytest.mark.parametrize(
    ("size", "shown"), [(1_600_000, "1.53 MiB"), (320_000, "312 KiB"), (940_572_672, "897 MiB"), (638_976, "624 KiB")]
)
def test_bytes_bear_the_unit_that_they_are_in(size: int, shown: str) -> None:
    """PopVision prints 1.5 MB, 313 kB, 897 MB and 624 kB of them, and counts 1,024 to a kB."""
    assert format_value(size, "B", Look()) == shown


def test_a_sync_delay_is_that_of_the_tiles_place_on_its_ipu(profile_of: Make) -> None:
    machine = {"type": "IPU", "numIPUs": 2, "tilesPerIPU": 3, "numTiles": 6, "bytesPerTile": 1000}
    machine |= {"minSyncDelay": 100, "relativeSyncDelayByTile": [0, 5, 250]}
    profile = profile_of({"target": machine, "memory": {"byTile": {"total": [1] * 6}}})
    assert column(profile, "tiles", "sync_delay") == [100, 105, 350, 100, 105, 350]
    assert column(profile, "tiles", "ipu") == [0, 0, 0, 1, 1, 1]


def test_times_need_a_clock() -> None:
    assert Target(kind="IPU", clock_hz=1.33e9).seconds(6_681_766) == pytest.approx(5_023.9e-6, rel=1e-5)
    assert Target(kind="IPU").seconds(6_681_766) is None


# -- where the documentation contradicts itself: section 4 ----------------------------------------------------

REGIONS = {
    "interleaved": [536, 408],
    "interleavedIncludingGaps": [536, 408],
    "nonInterleaved": [19_758, 3_896],
    "nonInterleavedIncludingGaps": [65_568, 19_596],
    "overflowed": [0, 0],
    "overflowedIncludingGaps": [0, 0],
}


def test_the_second_tile_of_the_sample_is_wrong_twice(profile_of: Make) -> None:
    """Its total misses a region, its total including gaps is that of one region alone; tile 0 is right with 131,608,
    which is more than its regions including gaps together (66,104)."""
    printed = REGIONS | {"total": [20_294, 3_896], "totalIncludingGaps": [131_608, 19_596]}
    target = {"type": "IPU", "numTiles": 2}
    found = told(profile_of({"target": target, "memory": {"byTile": printed}}))
    assert set(found) == {
        "graph.json: memory.byTile.total[1]",
        "graph.json: memory.byTile.totalIncludingGaps[1]",
    }
    expected = REGIONS | {"total": [20_294, 4_304], "totalIncludingGaps": [131_608, 131_480]}
    assert told(profile_of({"target": target, "memory": {"byTile": expected}})) == {}


def test_a_balance_by_the_printed_formula_is_beyond_one(profile_of: Make) -> None:
    """total / cycles x tiles, read from left to right: 15 / 10 x 2."""
    profile = profile_of(run_of(step(tileBalance=3.0, activeTiles=2, activeTileBalance=0.75)))
    assert "not between 0 and 1" in told(profile)["graph.json: simulation.steps[0].tileBalance"]
    assert column(profile, "steps", "tile_balance") == [3.0]


@pytest.mark.parametrize(
    ("printed", "name"),
    [("sync", "Sync"), ("SharedStructureCopy", "CopySharedStructure"), ("onTileExecute", "OnTileExecute")],
)
def test_another_spelling_of_a_type_is_told_and_understood(profile_of: Make, printed: str, name: str) -> None:
    profile = profile_of(sample(simulation={"cycles": 1, "steps": [{"type": printed}, {"type": name}]}))
    assert told(profile) == {
        "graph.json: simulation.steps[].type": f"steps of type {printed} are read as {name}",
    }
    assert column(profile, "steps", "type") == [name, name]


@pytest.mark.parametrize(("kind", "key"), [("GlobalExchange", "externalExchange"), ("StreamCopy", "hostExchange")])
def test_an_exchange_may_stand_under_either_key(profile_of: Make, kind: str, key: str) -> None:
    moved = {"bytesSentByTile": [[4, 4], [8, 8]], "bytesReceivedByTile": [[4, 4], [8, 8]]}
    lists = {"externalExchanges": moved, "hostExchanges": moved}

    def tree(of_program: str, of_step: str) -> Any:
        own = {"type": kind, "program": 0, "cycles": 4, "cyclesFrom": 0, "cyclesTo": 4, of_step: 1}
        programs = {"programs": [{"type": kind, of_program: 1}], "controlPrograms": [0]}
        return sample(**lists, **programs, simulation={"cycles": 4, "steps": [own]})

    for of_program, of_step, places in (
        ("exchange", key, []),
        (key, key, ["graph.json: programs[].exchange"]),
        ("exchange", "exchange", ["graph.json: simulation.steps[].exchange"]),
    ):
        profile = profile_of(tree(of_program, of_step))
        assert list(told(profile)) == places
        assert column(profile, "steps", "exchange") == column(profile, "programs", "exchange") == [1]


def test_the_printed_text_report_of_the_adder_opens(shared_samples: Path, tmp_path: Path) -> None:
    """Its list by vertex type adds up to 34,124, the line above it says 14,640: a text is shown as it is."""
    text = (shared_samples / "poplar-fragments/tf_text_summary_fragments.rst").read_text("utf-8")
    path = tmp_path / "graph.txt"
    path.write_text("\n".join(line[4:] for line in text.splitlines() if line.startswith("    ")), "utf-8")
    (profile,) = read(FORMAT, [path])
    table = by_id(profile, "text/graph.txt")
    assert table is not None
    lines = [str(table.columns[1].value(row)) for row in range(table.rows)]
    assert any("34,048 B" in line for line in lines)
    assert any("14,640B" in line for line in lines)


def test_everything_at_once_still_shows(tmp_path: Path) -> None:
    """All contradictions in one file: a warning each, and every table and figure."""
    printed = REGIONS | {"total": [20_294, 3_896], "totalIncludingGaps": [131_608, 19_596]}
    steps = [step(tileBalance=3.0), {"type": "sync"}, {"type": "SharedStructureCopy", "cycles": 2}]
    steps.append({"type": "StreamCopy", "exchange": 0, "cycles": 5})
    tree = sample(
        memory={"byTile": printed},
        programs=[{"type": "OnTileExecute", "computeSet": 0}, {"type": "StreamCopy", "hostExchange": 0}],
        controlPrograms=[0],
        hostExchanges={"bytesSentByTile": [[1, 1]], "bytesReceivedByTile": [[0, 0]]},
        computeSets={"names": ["a"]},
        simulation={"cycles": 18_209, "steps": steps},
    )
    (profile,) = read(FORMAT, [write_json(tmp_path / "both.json", tree)])
    assert len(told(profile)) == 6
    assert {issue.severity for issue in (*profile.issues, *check(profile))} == {"warning"}
    assert all(len(column.values) == table.rows for table in available(profile) for column in table.columns)
    assert figure(profile, "memory.total_with_gaps_bytes") == 131_608 + 19_596
    assert np.isnan(profile.steps.tile_balance[1]) if profile.steps is not None else False
