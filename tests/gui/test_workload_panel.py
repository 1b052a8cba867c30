"""The compute workload panel."""

from __future__ import annotations

import orjson
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.formats.ascend_bin import FORMAT
from app.panels.workload.panel import NO_ROWS, NO_SHARES, TOGETHER, WorkloadPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.chart.seen import Seen
from app.widgets.context import Context
from fakes.panels import Opened
from generators.ascend_bin import block
from generators.reading import profile_of


def cell(panel: WorkloadPanel, row: int, column: int) -> str:
    items = panel.table.view.items
    index = items.index(row, column)
    text = items.own_text(column, items.source(index))
    return str(items.data(index)) if text is None else text


def test_bars_tooltips_and_advice_of_the_first_block(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(WorkloadPanel, capture_mix)
    picture = panel.bars.canvas.picture
    assert picture is not None
    assert picture.title == "Pipe utilisation, block 0"
    assert (picture.bars[0].name, picture.bars[0].part) == ("Cube Wait", "cube0")
    assert "Cycles: 105,108 cycles of 413,123" in picture.bars[0].tip
    assert panel.advice.text().splitlines() == [
        "▲ aicore compute usage lower than 20%",
        "▲ aivector compute usage lower than 20%",
    ]
    assert [panel.parts.tabText(place) for place in range(panel.parts.count())] == ["cube0", "vector0", "vector1"]
    assert (cell(panel, 0, 1), cell(panel, 0, 2)) == ("80", "")
    assert (cell(panel, 3, 1), cell(panel, 3, 2)) == ("", "360")


def test_the_block_is_shared_with_the_other_panels(opened: Opened, context: Context, capture_mix: Profile) -> None:
    panel = opened(WorkloadPanel, capture_mix)
    panel.parts.setCurrentIndex(2)
    context.document.selection.set(Selection("block", (1,), "operator"))
    assert panel.block == "1"
    assert panel.parts.tabText(panel.parts.currentIndex()) == "vector1"
    panel.blocks.setFocus()
    QTest.keyClick(panel.blocks, Qt.Key.Key_Up)
    assert panel.block == "0"
    assert context.document.selection.value == Selection("block", (0,), "workload")


def test_a_bar_turns_to_the_table_of_its_sub_block(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(WorkloadPanel, capture_mix)
    chart = panel.bars.canvas
    picture, layout, drawn = chart.picture, chart.layout_now(), chart.chart
    assert picture is not None
    assert layout is not None
    assert drawn is not None
    place = next(place for place, bar in enumerate(picture.bars) if bar.part == "vector1")
    spot = Seen(drawn, layout).column_box(drawn.columns[place]).center().toPoint()
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    table = panel.table.shown_table()
    assert table is not None
    assert table.id == "workload/0/vector1"


def test_a_part_that_is_missing_is_named(opened: Opened, context: Context) -> None:
    item = {"block_id": "NA", "block_type": "AiCore", "name": "Vector", "unit": 1, "value": "7"}
    table_only = profile_of(FORMAT, block(0x07, orjson.dumps({"subblock_detail": [item]})))
    panel = opened(WorkloadPanel, table_only)
    assert panel.blocks.currentText() == "Mean of the cores"
    assert panel.chart.empty.text == NO_SHARES
    assert panel.chart.is_empty
    share = {**item, "block_id": "3", "unit": 3, "value": 12.5}
    both = [
        block(0x06, orjson.dumps({"subblock_detail": [share]})),
        block(0x07, orjson.dumps({"subblock_detail": [item]})),
    ]
    context.document.finish(context.document.add(profile_of(FORMAT, b"".join(both)), job=2))
    QApplication.processEvents()
    assert panel.block == "NA"
    panel.blocks.setCurrentIndex(0)
    assert panel.blocks.currentText() == "Block 3"
    assert panel.rows.empty.text == NO_ROWS
    context.document.add(profile_of(FORMAT, block(0x05, b'{"name":"x"}')), job=3)
    QApplication.processEvents()
    assert panel.stack.is_empty


def test_very_many_blocks_are_named_in_pieces(opened: Opened, capture_mix: Profile) -> None:
    count = 2 * TOGETHER + 1
    item = {"block_type": "vector0", "name": "Vector All Active", "unit": 3, "value": 5}
    items = [{"block_id": str(number), **item} for number in reversed(range(count))]
    profile = profile_of(FORMAT, block(0x06, orjson.dumps({"subblock_detail": items})))
    panel = opened(WorkloadPanel, capture_mix)
    pieces = panel.fill(profile)
    next(pieces)
    assert len(list(pieces)) >= count // TOGETHER + 1
    assert panel.blocks.count() == count
    assert (panel.blocks.itemText(0), panel.blocks.itemText(count - 1)) == ("Block 0", f"Block {count - 1}")
