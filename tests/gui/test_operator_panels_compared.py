"""Panels of operators with a baseline: each shows what was planted and nothing else, and is as before at the end."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from app.analysis.compare.operators import BIT_AFTER, BIT_BEFORE, BIT_BOTH
from app.panels.cache import panel as cache_panel
from app.panels.cache.panel import CachePanel
from app.panels.core_load.cards import Picture
from app.panels.core_load.panel import CoreLoadPanel
from app.panels.memory_accesses.panel import MemoryAccessesPanel
from app.panels.memory_paths.layout import change_bars, texts
from app.panels.memory_paths.panel import MemoryPathsPanel
from app.panels.operator import panel as operator_panel
from app.panels.operator.panel import OperatorPanel
from app.panels.roofline.panel import RooflinePanel
from app.panels.source.panel import SourcePanel
from app.panels.stall_reasons import StallReasonsPanel
from app.panels.workload.panel import WorkloadPanel
from app.profile.profile import Profile
from app.views.cache import about
from app.views.chart.bars import BarsPicture
from app.views.look import Look
from app.views.memory_paths import about_changes
from app.views.roofline import BASELINE, described
from app.views.units import exact, plain
from app.widgets.chart.seen import Seen
from app.widgets.context import Context
from fakes.compared import ComparedPanel
from fakes.operators import changed, read, rewritten, whole
from fakes.pictures import plot_shown
from generators.ascend_details import STALLS, Shape

BLOCKS = 3
Change = Callable[[Any], None]


@pytest.fixture(scope="module")
def content() -> bytes:
    return whole(Shape(blocks=BLOCKS))


@pytest.fixture(scope="module")
def before(content: bytes) -> Profile:
    return read(content)


@pytest.fixture
def compared(qtbot: QtBot, context: Context, before: Profile) -> Callable[..., ComparedPanel]:
    def make(panel: Any, after: Profile) -> ComparedPanel:
        own = ComparedPanel(qtbot, context, panel, before, after)
        own.compare()
        return own

    return make


def bars(picture: BarsPicture | None) -> dict[str, tuple[float, float | None]]:
    assert picture is not None
    return {f"{bar.name} {bar.part}": (bar.amount, bar.before) for bar in picture.bars}


def table_keys(panel: Any) -> list[str]:
    return [column.key for column in panel.table.view.items.table.columns]


def test_a_stall_reason_that_grew(compared: Callable[..., ComparedPanel], content: bytes, before: Profile) -> None:
    grown, more = STALLS[2], 1500

    def change(tree: Any) -> None:
        tree["top_stall_reason_table"][grown] += more
        tree["top_stall_reason_table"]["Planted"] = 7

    own = compared(StallReasonsPanel, read(changed(content, 0x0F, change)))
    panel = own.panel
    picture = panel.bars.canvas.picture
    differences = {bar.name: bar.amount - bar.before for bar in picture.bars if bar.before == bar.before}
    assert {name: amount for name, amount in differences.items() if amount} == {grown: more}
    (planted,) = [bar for bar in picture.bars if bar.name == "Planted"]
    assert (planted.amount, math.isnan(planted.before)) == (7, True)
    texts = dict(zip([bar.name for bar in picture.bars], picture.texts(Look()), strict=True))
    assert texts[grown].endswith(f"(+{more:,})")
    assert texts["Planted"] == "7 (–)"
    table = panel.table.view.items.table
    assert [table.columns[1].value(row) for row in range(table.rows)] == [grown, "Planted"]
    place = [bar.name for bar in picture.bars].index(grown)
    panel.bars.canvas.chosen.emit([place], False)
    assert panel.table.selected_rows().tolist() == [0]
    own.end()
    assert all(bar.before is None for bar in panel.bars.canvas.picture.bars)
    assert table_keys(panel) == ["reason", "count", "share"]
    assert panel.limits.isHidden()


def test_a_baseline_without_stall_reasons_is_said(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    own = compared(StallReasonsPanel, read(content))
    document = own.context.document
    empty = document.add(read(b""), job=3, show=False)
    document.finish(empty)
    document.baselines.set(own.ids[0], empty)
    own.settle()
    assert "The baseline has no stall reasons." in own.panel.limits.text()
    assert all(math.isnan(bar.before) for bar in own.panel.bars.canvas.picture.bars)


def test_a_pipe_that_works_more(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    def change(tree: Any) -> None:
        for item in tree["subblock_detail"]:
            if item["block_id"] == "1" and item["name"] == "Cube Wait":
                item["origin_value"] = float(item["origin_value"]) + 5000

    own = compared(WorkloadPanel, read(changed(content, 0x06, change)))
    panel = own.panel
    assert all(now == was for now, was in bars(panel.bars.canvas.picture).values())
    panel.blocks.setCurrentIndex([panel.blocks.itemData(n) for n in range(panel.blocks.count())].index("1"))
    own.settle()
    shown = bars(panel.bars.canvas.picture).items()
    moved = {name: now - was for name, (now, was) in shown if was is not None and now != was}
    assert list(moved) == ["Cube Wait cube0"]
    assert moved["Cube Wait cube0"] > 0
    tip = next(bar.tip for bar in panel.bars.canvas.picture.bars if bar.name == "Cube Wait")
    assert "Difference: +5,000 cycles" in tip
    assert "Difference: +1.7 pp" in tip
    assert table_keys(panel)[0] == "status"
    own.end()
    assert all(was is None for _, was in bars(panel.bars.canvas.picture).values())
    assert table_keys(panel)[0] == "name"


def test_other_numbers_of_blocks(compared: Callable[..., ComparedPanel]) -> None:
    own = compared(WorkloadPanel, read(whole(Shape(blocks=BLOCKS + 1))))
    panel = own.panel
    assert panel.blocks.itemText(BLOCKS) == f"Block {BLOCKS} (only in the comparison)"
    panel.blocks.setCurrentIndex(BLOCKS)
    own.settle()
    assert "This block is only in the comparison" in panel.limits.text()
    assert all(math.isnan(was) for _, was in bars(panel.bars.canvas.picture).values() if was is not None)
    own.swap()
    panel.blocks.setCurrentIndex(BLOCKS)
    own.settle()
    assert panel.blocks.currentText() == f"Block {BLOCKS} (only in the baseline)"
    assert all(math.isnan(now) for now, _ in bars(panel.bars.canvas.picture).values())
    assert "3 blocks before" not in panel.limits.text()
    assert "blocks" in panel.limits.text()


def test_a_core_that_is_slower(compared: Callable[..., ComparedPanel], content: bytes, before: Profile) -> None:
    more = 1234

    def change(tree: Any) -> None:
        detail = tree["op_detail"][1]["core_detail"][0]
        detail["cycles"] = str(int(detail["cycles"]) + more)
        del tree["op_detail"][2]["core_detail"][1]

    own = compared(CoreLoadPanel, read(changed(content, 0x0C, change)))
    panel = own.panel
    picture: Picture = panel.cards.picture
    baseline = picture.baseline
    assert baseline is not None
    tiles = {(card.number, tile.name): tile for card in picture.cards for tile in card.tiles}
    differences = {name: baseline.difference(tile) for name, tile in tiles.items()}
    assert {name: amount for name, amount in differences.items() if amount} == {(1, "Cube0"): more}
    slow = tiles[1, "Cube0"]
    assert picture.figures[slow.row] == f"{int(slow.value):,} (+{more:,})"
    assert "Only in the baseline: core 2 Vector0." in panel.limits.text()
    grid = panel.cards.grid()
    card = next(place for place, one in enumerate(picture.cards) if one.number == 1)
    tip = panel.cards.describe(grid.tile_at(card, len(picture.names) - 1 - picture.names.index("Cube0")).center())
    assert f"Baseline: {int(slow.value) - more:,} cycles" in tip
    assert f"Difference: +{more:,}, +" in tip
    panel.as_table.setChecked(True)
    own.settle()
    table = panel.table.view.items.table
    assert table.columns[0].key == "status"
    assert table.rows >= 2
    own.end()
    assert panel.cards.picture.baseline is None
    assert panel.cards.picture.figures[slow.row] == f"{int(slow.value):,}"


def test_the_facts_and_blocks_of_an_operator(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    def change(tree: Any) -> None:
        tree["duration"] = str(float(tree["duration"]) + 10)

    own = compared(OperatorPanel, read(changed(content, 0x05, change)))
    panel = own.panel
    text = panel.facts.copy_text()
    assert "(baseline 212 µs, +10.0 µs, +4.7 %)" in text
    assert "(same)" in text
    picture = plot_shown(panel.canvas)
    assert picture.names[:2] == ("Cube0, baseline", "Cube0")
    assert all((picture.layers[n] == picture.layers[n + 1]).all() for n in range(0, len(picture.layers), 2))
    own.end()
    assert plot_shown(panel.canvas).names[0] == "Cube0"
    assert "baseline" not in panel.facts.copy_text()


def test_clocks_that_differ_show_cycles_beside_times(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    def change(tree: Any) -> None:
        for key, value in tree.items():
            if "freq" in key.lower() and "rated" not in key.lower():
                tree[key] = (
                    type(value)(float(value) * 1.1) if not isinstance(value, str) else f"{float(value) * 1.1:.0f}"
                )

    own = compared(OperatorPanel, read(changed(content, 0x05, change)))
    assert "Duration in cycles" in own.panel.facts.copy_text()
    assert "The clocks differ" in own.panel.limits.text()


def test_blocks_that_only_one_side_has(compared: Callable[..., ComparedPanel]) -> None:
    own = compared(OperatorPanel, read(whole(Shape(blocks=BLOCKS + 2))))
    panel = own.panel
    assert f"Blocks only in the comparison: {BLOCKS}, {BLOCKS + 1}." in panel.limits.text()
    picture = plot_shown(panel.canvas)
    assert [math.isnan(amount) for amount in picture.layers[0]] == [False] * BLOCKS + [True] * 2
    panel.choose(np.array([BLOCKS]), False)
    selection = own.context.document.selection.value
    assert selection is not None
    assert (selection.kind, selection.indices) == ("block", (BLOCKS,))


def test_a_point_that_moved_and_a_roof_that_is_higher(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    def change(tree: Any) -> None:
        first, second = (tree["multiple_rooflines"][chart]["rooflines"][0] for chart in (0, 1))
        first["point"] = [2 * first["point"][0], 1.5 * first["point"][1]]
        second["bw"] *= 2

    own = compared(RooflinePanel, read(changed(content, 0x0D, change)))
    panel = own.panel
    panel.resize(1400, 700)
    one, other = (described(chart) for chart in panel._charts[:2])
    assert len(one.arrows) == 1
    (x, y), end = one.arrows[0].start, one.arrows[0].end
    assert end == pytest.approx((2 * x, 1.5 * y))
    (point,) = [series for series in one.series if series.item >= BASELINE and series.points == ((x, y),)]
    assert point.line == ()
    assert not other.arrows
    lines = [series for series in other.series if series.item >= BASELINE and series.line]
    assert len(lines) == 1
    assert lines[0].labels[1].text.endswith("baseline")
    assert [label.text for series in one.series for label in series.labels if "+50.0 %" in label.text] == ["GM +50.0 %"]
    assert "Baseline, performance" in one.about(0)
    canvas = panel.charts.canvases[0]
    scene = panel.charts.scenes[0]
    place = QRectF(0, 0, 700, 500)
    layout = scene.lay_out(place, scene.whole(), Look(), QFontMetricsF(canvas.font()))
    ((start, stop),) = Seen(one, layout).arrows
    assert stop.x() > start.x()
    assert stop.y() < start.y()
    panel._chosen(BASELINE + 0, False)
    selection = own.context.document.selection.value
    assert selection is not None
    assert (selection.kind, selection.indices) == ("roof", (0,))
    own.end()
    alone = described(panel._charts[0])
    assert not alone.arrows
    assert all(series.item < BASELINE for series in alone.series)


def test_itself_is_zero_everywhere(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    own = compared(RooflinePanel, read(content))
    for chart in own.panel._charts:
        shown = described(chart)
        assert not shown.arrows
        assert not [series for series in shown.series if series.item >= BASELINE and series.line]
    assert own.panel.limits.isHidden()


def test_a_path_that_moves_more(compared: Callable[..., ComparedPanel], content: bytes, before: Profile) -> None:
    path, block = 12, "1"

    def change(tree: Any) -> None:
        for entry in tree["core_memory_map"]:
            for unit in entry["memory_unit"]:
                if entry["core_no"] == block and unit["memory_path"] == path:
                    unit["bandwidth"] = f"{float(unit['bandwidth']) + 5:.6f}"

    own = compared(MemoryPathsPanel, read(changed(content, 0x08, change)))
    panel, font = own.panel, own.panel.font()
    assert not list(change_bars(panel.figures, "bandwidth", font))
    written = [text.text for text in texts(panel.figures, "bandwidth", font)]
    assert all("(" in text for text in written if text[:1].isdigit() and "%" not in text)
    panel.block.setCurrentIndex(1)
    own.settle()
    figures = panel.figures
    (bar,) = change_bars(figures, "bandwidth", font)
    assert (bar.path, bar.share) == (path, 1.0)
    assert bar.bar.x == bar.track.x + bar.track.width / 2
    now, was = figures.shown[path].bandwidth, figures.baseline.paths[path].bandwidth
    assert now - was == pytest.approx(5)
    assert f"{plain(now)} ({plain(was)})" in [text.text for text in texts(figures, "bandwidth", font)]
    assert not list(change_bars(figures, "request", font))
    assert f"Baseline, bandwidth: {exact(was, 'GB/s')} (+5 GB/s, +" in "\n".join(about_changes(path, figures))
    table = panel.shown_table()
    differs = next(column for column in table.columns if column.key == "bandwidth_difference")
    keys = next(column for column in table.columns if column.key == "path")
    moved = {keys.value(row): differs.value(row) for row in range(table.rows) if differs.value(row)}
    assert moved == {path: pytest.approx(5)}
    own.end()
    assert panel.figures.baseline is None
    assert not any("(" in text.text for text in texts(panel.figures, "bandwidth", font) if text.text[:1].isdigit())


def test_a_block_that_the_baseline_lacks_has_no_paths_there(compared: Callable[..., ComparedPanel]) -> None:
    own = compared(MemoryPathsPanel, read(whole(Shape(blocks=BLOCKS + 1))))
    panel = own.panel
    panel.block.setCurrentIndex(BLOCKS)
    own.settle()
    assert f"The baseline has no block {BLOCKS} of type mix." in panel.limits.text()
    assert panel.figures.baseline.block == ""
    assert [text.text for text in texts(panel.figures, "peak", panel.font()) if "(–)" in text.text]
    panel.as_table.setChecked(True)
    own.settle()
    assert panel.table.view.items.table.columns[0].key == "status"
    own.swap()
    assert f"Blocks only in the baseline: {BLOCKS} mix." in panel.limits.text()


def test_a_cache_line_that_is_hotter(compared: Callable[..., ComparedPanel], content: bytes, before: Profile) -> None:
    hot, more, gone = 200, 40, 17

    def change(tree: Any) -> None:
        records = tree["Cacheline Records"]
        records[hot]["Miss"]["Value"][0] += more
        del records[gone]

    own = compared(CachePanel, read(changed(content, 0x0E, change)))
    panel = own.panel
    panel.maps.setCurrentIndex(panel.maps.findText("Lines: hits and misses"))
    panel.figure.setCurrentIndex(1)
    hits, misses = panel.grid.scenes
    cell = hot - 1
    differences = misses.picture.pyramid.values.reshape(-1)[: misses.shown.cells]
    assert np.flatnonzero(np.nan_to_num(differences)).tolist() == [cell]
    assert differences[cell] == more
    assert not np.nan_to_num(hits.picture.pyramid.values).any()
    assert np.isnan(differences[-1])
    assert (misses.shown.line[-1], misses.shown.own_cells) == (gone, misses.shown.cells - 1)
    assert "1 cell is only in the baseline" in panel.limits.text()
    tip = about(misses.shown, cell, lambda _map, _cell: None)
    assert f"difference +{more}" in tip
    assert "Only in the baseline" in about(misses.shown, misses.shown.cells - 1, lambda _map, _cell: None)
    panel._choose("cache_miss", misses.shown.cells - 1, False)
    assert own.context.document.selection.value is None
    panel.as_table.setChecked(True)
    own.settle()
    table = panel.table.view.items.table
    assert {table.columns[1].value(row) for row in range(table.rows)} == {hot, gone}
    panel.as_table.setChecked(False)
    panel.maps.setCurrentIndex(3)
    assert all(not np.nan_to_num(scene.picture.pyramid.values).any() for scene in panel.grid.scenes)
    own.end()
    assert all(not scene.picture.scale.signed for scene in panel.grid.scenes)


def accesses(content: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """The file with the records of its memory accesses, 32 bytes each, changed."""

    def make(payload: bytes) -> bytes:
        size = int.from_bytes(payload[:8], "little")
        records = change([payload[at : at + 32] for at in range(8, 8 + size, 32)])
        return (32 * len(records)).to_bytes(8, "little") + b"".join(records) + payload[8 + size :]

    return rewritten(content, 0x0A, make)


def test_accesses_that_only_one_side_has(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    added, gone = 120, 40

    def change(records: list[bytes]) -> list[bytes]:
        planted = struct.pack("<BbbBIQQQ", 4, 0, 1, 1, added, 0x12C000000000, 96, 0)
        return [*records[:gone], *records[gone + 1 : added], planted, *records[added + 1 :]]

    own = compared(MemoryAccessesPanel, read(accesses(content, change)))
    panel = own.panel
    scene = panel.canvas.scene
    kinds = scene.bars.records.kind
    both, after, before = (int(np.count_nonzero(kinds == bit)) for bit in (BIT_BOTH, BIT_AFTER, BIT_BEFORE))
    assert (both, after, before) == (198, 1, 2)
    assert panel.count.text == "198 in both, 2 only in the baseline, 1 only in the comparison"
    place = int(np.flatnonzero(kinds == BIT_AFTER)[0])
    assert scene.rows[place] == added - 1
    assert scene.about(place, Look(), 0).startswith("Only in the comparison")
    missing = np.flatnonzero(kinds == BIT_BEFORE)
    assert [scene.merged.rows_before[scene.bars.records.row[row]] for row in missing] == [gone, added]
    assert (scene.rows[missing] == -1).all()
    assert scene.about(int(missing[0]), Look(), 0).startswith("Only in the baseline")
    assert "Baseline: record 0, the same address" in scene.about(0, Look(), 0)
    panel.canvas.chosen.emit(missing[:1], False)
    assert not panel.canvas.selected
    panel.canvas.chosen.emit(np.array([place]), False)
    selection = own.context.document.selection.value
    assert selection is not None
    assert (selection.kind, selection.indices) == ("access", (added - 1,))
    assert panel.canvas.selected == {place}
    copied = panel.twin.shown_table()
    (row,) = panel.twin.selected_rows().tolist()
    assert copied.columns[0].value(row) == "only in the comparison"
    panel.canvas.legend_clicked.emit(BIT_BOTH)
    own.settle()
    assert len(panel.canvas.scene.bars.records.row) == 3
    own.end()
    assert panel.canvas.scene.style.letters[1] == "L"
    assert len(panel.canvas.scene.bars.records.row) == 199


def test_accesses_of_itself_are_all_in_both(compared: Callable[..., ComparedPanel], content: bytes) -> None:
    own = compared(MemoryAccessesPanel, read(content))
    assert set(own.panel.canvas.scene.bars.records.kind.tolist()) == {BIT_BOTH}
    assert own.panel.limits.isHidden()


PANELS = (
    SourcePanel,
    OperatorPanel,
    WorkloadPanel,
    CoreLoadPanel,
    RooflinePanel,
    MemoryPathsPanel,
    CachePanel,
    MemoryAccessesPanel,
    StallReasonsPanel,
)


@pytest.mark.parametrize("panel", PANELS)
def test_a_baseline_without_any_of_it_and_real_captures(
    qtbot: QtBot, context: Context, panel: Any, content: bytes, capture_mix: Profile, capture_vector: Profile
) -> None:
    own = ComparedPanel(qtbot, context, panel, read(b""), read(content))
    own.compare()
    assert own.panel.limits.text()
    own.swap()
    own.swap()
    document = context.document
    ids = [document.add(profile, job=3, show=False) for profile in (capture_mix, capture_vector)]
    for after, before in (ids, ids[::-1], (own.ids[0], ids[0])):
        document.show(after)
        document.baselines.set(after, before)
        own.settle()
        assert own.panel.grab().width() == own.panel.width()
        document.baselines.end(after)
        own.settle()
        assert not own.panel.limits.isVisible()


def shows_both(panel: Any) -> bool:
    if isinstance(panel, CachePanel):
        return all(scene.picture.scale.signed for scene in panel.grid.scenes)
    return plot_shown(panel.canvas).names[0] == "Cube0, baseline"


@pytest.mark.parametrize(("panel", "module"), [(CachePanel, cache_panel), (OperatorPanel, operator_panel)])
def test_what_is_large_is_compared_in_the_background(
    compared: Callable[..., ComparedPanel],
    content: bytes,
    panel: Any,
    module: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MANY", 0)
    own = compared(panel, read(content))
    assert shows_both(own.panel)
    own.end()
    assert not shows_both(own.panel)
