"""Both real captures, compared with a second decoding that knows nothing of the reader."""

from __future__ import annotations

import json
import math
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.ascend import UNIT_NAMES
from app.profile.profile import Profile

CAPTURES = ("ascend-mix-910B4.bin", "ascend-vector-2024-05.bin")


def decoded(path: Path) -> dict[int, Any]:
    """Block contents by type; captures hold each type once and no source texts."""
    content = path.read_bytes()
    found: dict[int, Any] = {}
    at = 0
    while at < len(content):
        size, kind, padding = struct.unpack_from("<QBB", content, at)
        assert kind not in found
        found[kind] = json.loads(content[at + 12 : at + 12 + size - padding])
        at += 12 + size
    return found


def number(value: Any) -> float:
    return math.nan if value in ("NA", "N/A", "", None) else float(value)


def same(found: Any, expected: list[float]) -> None:
    np.testing.assert_array_equal(np.asarray(found, np.float64), np.array(expected, np.float64))


@pytest.fixture(params=CAPTURES)
def capture(request: pytest.FixtureRequest, shared_samples: Path) -> tuple[Profile, dict[int, Any]]:
    path = shared_samples / request.param
    (profile,) = read(FORMAT, [path])
    return profile, decoded(path)


def test_base_information(capture: tuple[Profile, dict[int, Any]]) -> None:
    profile, raw = capture
    base, stored = profile.operator, raw[5]
    assert base is not None
    assert (base.name, base.soc, base.stored_type) == (stored["name"], stored["soc"], stored["op_type"])
    assert base.duration_us == stored["duration"]
    assert base.block_dim == int(stored["block_dim"])
    assert base.mix_block_dim == (int(stored["mix_block_dim"]) if int(stored["mix_block_dim"]) >= 0 else None)
    assert (base.device_id, base.pid) == (stored.get("device_id", ""), stored.get("pid", ""))
    if "mix_block_detail" in stored:
        detail = stored["mix_block_detail"]
        assert [column.name for column in base.blocks] == detail["head_name"]
        for place, column in enumerate(base.blocks):
            same(column.of_core(0), [float(row["value"][place]) for row in detail["row"]])
    else:
        same(base.blocks[0].of_core(0), [item["block_id"] for item in stored["block_detail"]])
        same(base.blocks[1].of_core(0), [item["duration"][0] for item in stored["block_detail"]])


def test_workload(capture: tuple[Profile, dict[int, Any]]) -> None:
    profile, raw = capture
    found = profile.workload
    assert found is not None
    items = [*raw[6]["subblock_detail"], *raw[7]["subblock_detail"]]
    assert len(found.block) == len(items)
    for column, key in ((found.block, "block_id"), (found.sub_block, "block_type"), (found.name, "name")):
        assert [found.strings[code] for code in column.tolist()] == [str(item[key]) for item in items]
    assert found.unit.tolist() == [item["unit"] for item in items]
    same(found.value, [number(item["value"]) for item in items])
    same(found.cycles, [number(item.get("origin_value")) for item in items])
    assert found.in_graph.tolist() == [n < len(raw[6]["subblock_detail"]) for n in range(len(items))]


def test_memory_paths(capture: tuple[Profile, dict[int, Any]]) -> None:
    profile, raw = capture
    found = profile.memory_paths
    assert found is not None
    entries = raw[8]["core_memory_map"]
    units = [(n, unit) for n, entry in enumerate(entries) for unit in entry["memory_unit"]]
    assert found.entry.tolist() == [n for n, _ in units]
    assert found.path.tolist() == [unit["memory_path"] for _, unit in units]
    for column, key in ((found.request, "request"), (found.bandwidth, "bandwidth"), (found.peak, "peak_ratio")):
        same(column, [number(unit[key]) for _, unit in units])
    assert found.display.all()
    assert [found.strings[code] for code in found.blocks.block.tolist()] == [str(e["core_no"]) for e in entries]
    assert [found.strings[code] for code in found.blocks.soc.tolist()] == [e["soc"] for e in entries]
    for column, key in ((found.blocks.hit, "hit"), (found.blocks.miss, "miss")):
        same(column, [number(entry["L2cache"][key]) for entry in entries])
    ratios = [number(entry["L2cache"]["hit_ratio"]) for entry in entries]
    same(found.blocks.hit_rate, [float(Decimal(str(ratio)) * 100) if ratio <= 1 else ratio for ratio in ratios])
    for place, unit in enumerate(UNIT_NAMES):
        cycles = [number(entry.get(unit, {}).get("total_cycles")) for entry in entries]
        same(found.blocks.unit_total_cycles[:, place], cycles)


def test_memory_tables(capture: tuple[Profile, dict[int, Any]]) -> None:
    profile, raw = capture
    found = profile.memory_tables
    assert found is not None
    tables = [(entry, table) for entry in raw[9]["table_per_block"] for table in entry["table_detail"]]
    assert len(found) == len(tables)
    for place, (entry, table) in enumerate(tables):
        assert found.strings[found.block_name[found.block[place]]] == str(entry["block_id"])
        assert found.strings[found.name[place]] == table["table_name"]
        width = max(len(table["header_name"]) - 1, *(len(row["value"]) for row in table["row"]))
        titles = found.column_name[found.first_column[place] : found.first_column[place + 1]].tolist()
        named = [found.strings[code] for code in titles]
        assert named[: len(table["header_name"]) - 1] == table["header_name"][1:]
        assert len(named) == width
        rows = found.row_name[found.first_row[place] : found.first_row[place + 1]].tolist()
        assert [found.strings[code] for code in rows] == [row["name"] for row in table["row"]]
        cells = found.value[found.first_cell[place] : found.first_cell[place + 1]]
        same(cells, [number(value) for row in table["row"] for value in row["value"]])


def test_core_load_of_the_mixed_capture(shared_samples: Path) -> None:
    path = shared_samples / CAPTURES[0]
    (profile,) = read(FORMAT, [path])
    load = profile.core_load
    assert load is not None
    rows = [(core["core_id"], detail) for core in decoded(path)[0x0C]["op_detail"] for detail in core["core_detail"]]
    assert load.core.tolist() == [core for core, _ in rows]
    assert [load.strings[code] for code in load.type.tolist()] == [detail["subcore_type"] for _, detail in rows]
    same(load.cycles, [float(detail["cycles"]) for _, detail in rows])
    same(load.throughput, [float(detail["throughput"]) for _, detail in rows])
    same(load.hit_rate, [float(detail["L2cache_hit_rate"]) for _, detail in rows])
    assert np.isnan(load.simt_instructions).all()


@pytest.mark.parametrize("typed", [True, False])
def test_reconstructed_source_files(shared_samples: Path, typed: bool) -> None:
    path = shared_samples / f"ascend-source-{'dtype' if typed else 'old'}.reconstructed.bin"
    (profile,) = read(FORMAT, [path])
    content = path.read_bytes()
    lines, instructions, sources = profile.lines, profile.instructions, profile.sources
    assert lines is not None
    assert instructions is not None
    assert sources is not None
    assert profile.issues == ()
    raw = {3: content.index(b'{"Cores"'), 4: content.rindex(b'{"Cores"')}
    decoder = json.JSONDecoder()
    stored = {kind: decoder.raw_decode(content[at:].decode("utf-8", "replace"))[0] for kind, at in raw.items()}
    rows = stored[4]["Instructions"]
    if typed:
        rows = sorted(rows, key=lambda row: int(row["Address"], 16))
    assert instructions.address.tolist() == [int(row["Address"], 16) for row in rows]
    assert instructions.by_inner_code is typed
    assert [instructions.strings[code] for code in instructions.text.tolist()] == [row["Source"] for row in rows]
    places = zip(instructions.file.tolist(), instructions.line.tolist(), strict=True)
    assert [f"{instructions.strings[f]}:{n}" for f, n in places] == [row["AscendC Inner Code"] for row in rows]
    for column in instructions.columns:
        same(column.values, [row[column.name] for row in rows])
    assert {column.name for column in instructions.columns} >= {"Cycles", "Instructions Executed"}
    flat = [(file["Source"], line) for file in stored[3]["Files"] for line in file["Lines"]]
    assert [lines.paths[code] for code in lines.file.tolist()] == [source for source, _ in flat]
    assert lines.line.tolist() == [line["Line"] for _, line in flat]
    assert lines.range_start.tolist() == [int(low, 16) for _, line in flat for low, _ in line["Address Range"]]
    assert lines.range_end.tolist() == [int(high, 16) for _, line in flat for _, high in line["Address Range"]]
    for column in lines.columns:
        same(column.values, [line[column.name] for _, line in flat])
    assert len(sources.paths) == (1 if typed else 3)
    assert all(content.count(text.encode()) == 1 for text in sources.texts)


def test_reconstructed_simt_load_and_cache_lines(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / "ascend-coreload-simt.reconstructed.bin"])
    load = profile.core_load
    assert load is not None
    assert load.simt_instructions.tolist() == [25600, 19200, 22000]
    assert load.simt_ipc.tolist() == [2.5, 1.25, 2.0]
    (profile,) = read(FORMAT, [shared_samples / "ascend-cacheline.reconstructed.bin"])
    lines = profile.cache.lines if profile.cache else None
    assert lines is not None
    assert lines.line.tolist() == [138, 138]
    assert lines.hits.count.tolist() == [0, 0]
    assert lines.misses.first_range.tolist() == [0, 0, 0]
