"""Every block of the captures has its panel and its table, and the figures in them are the file's.

The files are taken apart here by themselves (12 bytes of header, JSON): nothing of the reader that is tested.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from app.analysis.ascend import workload
from app.analysis.ascend.cores import cards
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.formats.ascend_bin import FORMAT
from app.panels.core_load.panel import CoreLoadPanel
from app.panels.operator.panel import OperatorPanel
from app.panels.registry import PANELS
from app.panels.workload.panel import WorkloadPanel
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from fakes.panels import Opened
from generators.reading import profile_of

CAPTURES = ("ascend-mix-910B4.bin", "ascend-vector-2024-05.bin")
RECONSTRUCTED = (
    "ascend-cacheline.reconstructed.bin",
    "ascend-coreload-simt.reconstructed.bin",
    "ascend-source-dtype.reconstructed.bin",
    "ascend-source-old.reconstructed.bin",
)
SHOWN: dict[int, tuple[str, str]] = {
    0x01: ("source", "sources"),
    0x03: ("source", "source-lines"),
    0x04: ("source", "instructions"),
    0x05: ("operator", "block-details"),
    0x06: ("workload", "workload"),
    0x07: ("workload", "workload"),
    0x08: ("memory_paths", "memory-paths"),
    0x09: ("tables", "memory-table"),
    0x0C: ("core_load", "core-load"),
    0x0E: ("cache", "cache-lines"),
}
"""By type of block: the panel that shows it, and its table."""


def blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    raw, at = path.read_bytes(), 0
    while at + 12 <= len(raw):
        size, kind, padding, _, _ = struct.unpack_from("<QBBBB", raw, at)
        begin = at + 12 + (4096 if kind == 1 else 0)
        yield kind, raw[begin : begin + size - padding]
        at = begin + size


def content(path: Path, kind: int) -> Any:
    return json.loads(next(payload for found, payload in blocks(path) if found == kind))


def number(value: Any) -> float | None:
    """A figure as the files spell it; None for what stands for no data."""
    if value in ("NA", "N/A", "", None, -1, "-1"):
        return None
    return float(value)


def cell(table: Table, row: int, key: str) -> Any:
    return next(column for column in table.columns if column.key == key).value(row)


def table_of(profile: Profile, name: str) -> Table:
    found = by_id(profile, name)
    assert found is not None, name
    return found


@pytest.fixture(params=CAPTURES)
def path(request: pytest.FixtureRequest, shared_samples: Path) -> Path:
    return shared_samples / str(request.param)


@pytest.fixture
def profile(path: Path) -> Profile:
    return profile_of(FORMAT, path.read_bytes(), path.name)


# -- panels and tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CAPTURES + RECONSTRUCTED)
def test_every_block_has_its_panel_and_its_table(
    opened: Opened, context: Context, shared_samples: Path, name: str
) -> None:
    path = shared_samples / name
    profile = profile_of(FORMAT, path.read_bytes(), name)
    specs = {spec.id: spec for spec in PANELS}
    tables = {table.id.split("/")[0] for table in available(profile)}
    kinds = {kind for kind, _ in blocks(path)}
    assert kinds <= set(SHOWN)
    for panel_id in sorted({SHOWN[kind][0] for kind in kinds}):
        spec = specs[panel_id]
        assert spec.offered(profile)
        panel: QWidget = opened(spec.make, profile)
        stacks = panel.findChildren(OrEmpty)
        assert not stacks or not all(stack.is_empty for stack in stacks), panel_id
    assert {SHOWN[kind][1] for kind in kinds} <= tables
    raw = table_of(profile, "raw-blocks")
    assert raw.rows == len(list(blocks(path)))


# -- 0x05 -----------------------------------------------------------------------------------------------------


def test_base_information(opened: Opened, path: Path, profile: Profile) -> None:
    stored = content(path, 0x05)
    panel = opened(OperatorPanel, profile)
    assert profile.operator is not None
    assert profile.operator.name == stored["name"]
    assert profile.operator.soc == stored["soc"]
    assert profile.operator.duration_us == stored["duration"]
    assert profile.operator.block_dim == int(stored["block_dim"])
    assert "Blocks launched" not in panel.sheet.content.text  # the summary has it
    table = panel.table.shown_table()
    detail = stored.get("mix_block_detail") or stored["block_detail"]
    if isinstance(detail, dict):
        rows = [[float(word) for word in row["value"]] for row in detail["row"]]
    else:
        rows = [[item["block_id"], *item["duration"]] for item in detail]
    shown = [[column.value(row) for column in table.columns] for row in range(table.rows)]
    assert shown == rows
    bars = [layer.tolist() for layer in panel.canvas.scene.picture.layers]
    assert [list(block) for block in zip(*bars, strict=True)] == [row[1:] for row in rows]


# -- 0x06, 0x07 -----------------------------------------------------------------------------------------------


def test_shares_of_the_units(opened: Opened, path: Path, profile: Profile) -> None:
    stored = content(path, 0x06)["subblock_detail"]
    panel = opened(WorkloadPanel, profile)
    seen = 0
    for place in range(panel.blocks.count()):
        panel.blocks.setCurrentIndex(place)
        own = [item for item in stored if str(item["block_id"]) == panel.block]
        by_name = {(item["name"], item["block_type"]): item for item in own}
        bars = panel.bars.canvas.picture.bars
        assert len(bars) == len(own)
        amounts = [bar.amount for bar in bars]
        assert amounts == sorted(amounts, reverse=True)
        for bar, share in zip(bars, workload.block_shares(profile, panel.block), strict=True):
            item = by_name[bar.name, bar.part]
            assert bar.amount == pytest.approx(float(item["value"]), abs=0.0051)
            assert share.cycles == item["origin_value"]
            assert f"Cycles: {item['origin_value']:,.0f} cycles" in bar.tip
            seen += 1
    assert seen == len(stored)


def test_workload_tables(opened: Opened, path: Path, profile: Profile) -> None:
    keys = {0: "duration", 1: "instructions", 2: "data_volume"}
    stored = content(path, 0x07)["subblock_detail"]
    panel = opened(WorkloadPanel, profile)
    seen = 0
    for block in workload.blocks(profile):
        for part in workload.tables(profile, block):
            names = [part.table.columns[0].value(row) for row in range(part.table.rows)]
            for item in stored:
                if str(item["block_id"]) == block and item["block_type"] == part.sub_block:
                    row = names.index(item["name"])
                    assert cell(part.table, row, keys[item["unit"]]) == number(item["value"])
                    assert not part.absent[keys[item["unit"]]][row]
                    seen += 1
    assert seen == len(stored)
    assert panel.parts.count() == len(workload.tables(profile, panel.block))


# -- 0x08, 0x09 -----------------------------------------------------------------------------------------------


def test_memory_paths(path: Path, profile: Profile) -> None:
    table, blocks_table = table_of(profile, "memory-paths"), table_of(profile, "memory-blocks")
    row = 0
    for entry, stored in enumerate(content(path, 0x08)["core_memory_map"]):
        cache = stored["L2cache"]
        hit, miss = float(cache["hit"]), float(cache["miss"])
        assert cell(blocks_table, entry, "hit") == hit
        assert cell(blocks_table, entry, "miss") == miss
        assert cell(blocks_table, entry, "hit_rate") == pytest.approx(100 * hit / (hit + miss))
        ratio = float(cache["hit_ratio"])
        assert cell(blocks_table, entry, "hit_rate") == pytest.approx(ratio if ratio > 1 else 100 * ratio, abs=1e-3)
        for unit in stored["memory_unit"]:
            assert cell(table, row, "path") == unit["memory_path"]
            assert cell(table, row, "request") == number(unit["request"])
            assert cell(table, row, "bandwidth") == number(unit["bandwidth"])
            assert cell(table, row, "peak") == number(unit["peak_ratio"])
            row += 1
    assert row == table.rows


def test_memory_tables(path: Path, profile: Profile) -> None:
    shown = {table.title: table for table in available(profile) if table.id.startswith("memory-table/")}
    stored = content(path, 0x09)["table_per_block"]
    assert list(shown) == list(
        dict.fromkeys(table["table_name"] for entry in stored for table in entry["table_detail"])
    )
    rows, cells = dict.fromkeys(shown, 0), 0
    for entry in stored:
        for table in entry["table_detail"]:
            found = shown[table["table_name"]]
            for line in table["row"]:
                row = rows[table["table_name"]]
                rows[table["table_name"]] += 1
                assert found.columns[0].value(row) == str(entry["block_id"])
                assert found.columns[1].value(row) == line["name"]
                for place, value in enumerate(line["value"], start=1):
                    expected = number(value)
                    if table["header_name"][place : place + 1] == [
                        "hit rate"
                    ]:  # stored as a fraction, shown in percent
                        hit, miss, *_ = line["value"]
                        expected = 100 * hit / (hit + miss) if hit + miss else None
                    assert found.columns[place + 1].value(row) == expected
                    cells += 1
    assert rows == {title: table.rows for title, table in shown.items()}
    assert cells > 100


# -- 0x0C -----------------------------------------------------------------------------------------------------


def test_core_load(opened: Opened, shared_samples: Path) -> None:
    path = shared_samples / CAPTURES[0]
    profile = profile_of(FORMAT, path.read_bytes(), path.name)
    stored = content(path, 0x0C)
    assert profile.core_load is not None
    panel = opened(CoreLoadPanel, profile)
    keys = {"cycles": "cycles", "throughput": "throughput", "L2cache_hit_rate": "hit_rate"}
    for place, (key, metric) in enumerate(keys.items()):
        panel.shown_as.setCurrentIndex(place)
        assert panel.figure == metric
        shown = {
            (tile.core, tile.name.lower()): tile.value for card in panel.cards.picture.cards for tile in card.tiles
        }
        expected = {
            (core["core_id"], f"{sub['subcore_type']}{sub['subcore_id']}"): float(sub[key])
            for core in stored["op_detail"]
            for sub in core["core_detail"]
        }
        assert shown == expected
        assert shown == {
            (tile.core, tile.name.lower()): tile.value
            for card in cards(profile.core_load, panel.figure)
            for tile in card.tiles
        }
    said = " ".join(panel.advice.text().replace("▲ ", "").split())
    assert said == " ".join(stored["advice"].split())
