"""Tables, figures and checks of Ascend operator files, on the captures and on made files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from app.analysis.checks.ascend import check
from app.analysis.figures import figures
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.profile import Profile
from generators.ascend_bin import block, device_instructions, small
from generators.reading import profile_of


@pytest.fixture(scope="module")
def made() -> Profile:
    return profile_of(FORMAT, small())


def table(profile: Profile, name: str) -> Table:
    found = by_id(profile, name)
    assert found is not None
    return found


def row(found: Table, number: int) -> dict[str, Any]:
    return {column.key: column.value(number) for column in found.columns}


def named(profile: Profile) -> dict[str, Any]:
    return {figure.name: figure.value for figure in figures(profile)}


def test_figures_of_the_mixed_capture(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-mix-910B4.bin"])
    found = named(profile)
    assert found["operator.name"] == "MatmulLeakyreluCustom_0a4ecf73240c8db04ac5059db7c787a7_2_mix_aic"
    assert (found["operator.type"], found["operator.soc"]) == ("mix", "Ascend910B4")
    assert found["operator.duration_s"] == pytest.approx(300.0660095214844e-6)
    assert found["blocks"] == {"0x05": 1, "0x06": 1, "0x07": 1, "0x08": 1, "0x09": 1, "0x0C": 1}
    assert found["workload.rows"] == 80
    assert (found["memory_paths.blocks"], found["memory_paths.count"]) == (2, 40)
    assert (found["memory_tables.count"], found["core_load.cores"]) == (32, 2)
    assert not {"cores", "sources.count", "roofline.lines", "cache.lines"} & set(found)
    assert check(profile) == []


def test_figures_of_the_vector_capture(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-vector-2024-05.bin"])
    found = named(profile)
    assert (found["operator.name"], found["operator.type"]) == ("sin_custom", "vector")
    assert found["operator.duration_s"] == pytest.approx(13.7e-6)
    assert (found["workload.rows"], found["memory_paths.count"], found["memory_tables.count"]) == (512, 128, 192)
    (issue,) = check(profile)
    assert issue.severity == "warning"
    assert "doubtful unit of block durations: block 0 has 608.14" in issue.text
    assert "8 of 32 blocks" in issue.text


def test_tables_of_the_vector_capture(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-vector-2024-05.bin"])
    details = table(profile, "block-details")
    assert details.columns[1].unit == ""  # doubtful
    assert row(details, 8) == {"block_id": 8, "duration": pytest.approx(3.878788)}
    memory = row(table(profile, "memory-blocks"), 0)
    assert memory["hit_rate"] == pytest.approx(100 * 13 / 77)
    assert (memory["hit"], memory["miss"], memory["requests"]) == (13, 64, 77)
    cache = row(table(profile, "memory-table/Cache"), 0)
    assert cache["block"] == "0"
    assert cache["hit_rate"] == pytest.approx(1300 / 77)
    assert "hit_rate_percent" not in cache
    pipe = table(profile, "memory-table/Pipe")
    assert list(row(pipe, 1).values()) == ["0", "MTE2", 4, 977, 0, 6138, pytest.approx(977 / 6138)]
    assert "wrong title" in pipe.note
    joined = [one for one in available(profile) if one.id.startswith("memory-table/")]
    assert len(joined) == 6
    assert [one.columns[0].title for one in joined] == ["Block"] * 6


def test_tables_of_the_mixed_capture(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-mix-910B4.bin"])
    details = table(profile, "block-details")
    assert [column.unit for column in details.columns] == ["", "µs", "µs", "µs"]
    assert row(table(profile, "memory-paths"), 2) == {
        "block": "0",
        "type": "mix",
        "path": 2,
        "name": "L2 → L1",
        "from": "L2",
        "to": "L1",
        "request": 12984,
        "bandwidth": 10.316486,
        "peak": 4.647074,
        "display": True,
    }
    assert row(table(profile, "memory-paths"), 0)["peak"] is None
    assert row(table(profile, "memory-table/L1"), 8) == {
        "block": "1",
        "name": "L1 Write L0A/L0B",
        "requests": None,
        "throughput_gb_s": None,
        "peak": None,
    }
    load = table(profile, "core-load")
    assert row(load, 1)["cycles"] == 408574
    assert [row(load, n)["cycles_level"] for n in range(6)] == [2, 7, 3, 2, 7, 6]
    first = row(table(profile, "workload"), 0)
    assert (first["value"], first["unit"], first["cycles"]) == (first["share"], "%", 46050)
    assert first["share"] == pytest.approx(100 * 46050 / 413123)
    later = row(table(profile, "workload"), 12)
    assert (later["name"], later["value"], later["unit"], later["share"]) == (
        "Cube All Active",
        80,
        "instructions",
        None,
    )


def test_every_table_is_found_by_its_own_name_and_has_even_columns(made: Profile) -> None:
    tables = available(made)
    names = [one.id for one in tables]
    assert len(set(names)) == len(names)
    for one in tables:
        assert len({len(column.values) for column in one.columns}) == 1
        keys = [column.key for column in one.columns]
        assert len(set(keys)) == len(keys), one.id
        again = by_id(made, one.id)
        assert again is not None
        assert again.rows == one.rows
    assert {"operator", "sources", "roofline", "cache-sets", "memory-accesses", "stall-reasons", "raw-blocks"} <= set(
        names
    )
    assert by_id(made, "memory-table/none/such") is None


def test_a_made_file_has_every_figure_and_nothing_to_complain_of(made: Profile) -> None:
    found = named(made)
    assert {"timeline.slices", "roofline.best_ratio", "cache.lines", "memory_accesses.count"} <= set(found) | {
        "timeline.slices"
    }
    assert found["cores"] == [f"core{n}.{sub}" for n in (0, 1) for sub in ("cubecore0", "veccore0", "veccore1")]
    assert (found["sources.count"], found["instructions.count"]) == (2, 543)
    assert found["blocks"]["0x01"] == 3
    assert made.issues == ()
    assert check(made) == []


def test_lines_carry_their_text_and_how_many_instructions_they_have(made: Profile) -> None:
    lines = table(made, "source-lines")
    first = row(lines, 1)
    assert (first["line"], first["text"], first["instructions"]) == (39, "tiling_ = t;", 16)
    assert {f"cycles.core1.veccore{n}" for n in (0, 1)} <= set(first)
    assert lines.selects == "line"


def test_addresses_are_hexadecimal_and_details_spread_into_columns() -> None:
    profile = profile_of(FORMAT, block(4, device_instructions(), version=0))
    found = table(profile, "instructions")
    assert found.columns[0].hexadecimal
    first = row(found, 0)
    total = sum(value for key, value in first.items() if key.startswith("stall_sampling_all_samples.") and value)
    assert first["stall_sampling_all_samples"] == pytest.approx(100 * total / 5000)
    assert next(issue.text for issue in check(profile)).startswith("no line table")


def test_a_ratio_that_differs_from_the_recomputed_one_is_told() -> None:
    roof = {
        "bw": 1.0,
        "bw_name": "GM",
        "computility": 10.0,
        "computility_name": "FP16",
        "point": [4, 2],
        "ratio": "0.9",
    }
    chart = {
        "title": "GM/L2",
        "rooflines": [roof, {**roof, "ratio": "0.500000"}, {**roof, "point": [4, 8], "ratio": "NA"}],
    }
    profile = profile_of(FORMAT, block(0x0D, orjson.dumps({"multiple_rooflines": [chart]})))
    texts = [issue.text for issue in check(profile)]
    assert texts == [
        "stored ratio is 0.9, but performance / roof is 0.500000",
        "a point is above its roof (ratio 2.000)",
    ]
    assert named(profile)["roofline.best_ratio"] == 2
    assert row(table(profile, "roofline"), 0)["ratio"] == 50


def test_a_hit_ratio_that_does_not_follow_from_its_counts_is_told() -> None:
    entries = [
        {"core_no": str(n), "L2cache": {"hit": 13, "miss": 64, "hit_ratio": ratio}, "memory_unit": []}
        for n, ratio in enumerate((0.16883117, "16.883117", "50.0"))
    ]
    profile = profile_of(FORMAT, block(8, orjson.dumps({"core_memory_map": entries})))
    (issue,) = check(profile)
    assert issue.where == "memory.bin: memory paths, block 2"
    assert "16.8831 %" in issue.text


def test_an_unknown_table_of_the_file_keeps_its_texts() -> None:
    rows = [{"name": "a", "value": ["fast", 3]}, {"name": "b", "value": ["NA", "4"]}]
    entry = {"block_id": 0, "table_detail": [{"table_name": "T", "header_name": ["", "x", "y"], "row": rows}] * 2}
    profile = profile_of(FORMAT, block(9, orjson.dumps({"table_per_block": [entry]})))
    assert row(table(profile, "memory-table/T"), 0) == {"block": "0", "name": "a", "x": "fast", "y": 3}
    assert row(table(profile, "memory-table/T/2"), 1) == {"block": "0", "name": "b", "x": "", "y": 4}
