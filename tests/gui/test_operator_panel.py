"""The operator panel on the captures and on what they do not show."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.formats.ascend_bin import FORMAT
from app.panels.operator.panel import OperatorPanel
from app.panels.operator.picture import PLOTS
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from fakes.panels import Opened
from generators.ascend_bin import block, small
from generators.reading import profile_of

BARE = (
    b'{"name":"no_blocks","op_type":"cube","soc":"Ascend910B1","duration":"12.5","cur_freq":"900","rated_freq":"1800"}'
)


def test_three_bars_a_block_below_the_operator(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(OperatorPanel, capture_mix)
    picture = panel.canvas.scene.picture
    assert picture is not None
    assert picture.names == ("Cube0", "Vector0", "Vector1")
    assert [layer.tolist() for layer in picture.layers] == [
        [250.377579, 250.884842],
        [133.206055, 133.335754],
        [247.620605, 248.197571],
    ]
    assert picture.limit is not None
    assert (picture.unit, picture.limit.value) == ("µs", 300.0660095214844)
    assert panel.readout.text.startswith("2 blocks in 1 wave on 20 AI cores · Cube0: longest 251 µs")
    assert not panel.sheet.is_empty
    page = panel.sheet.content.text
    assert "Duration" not in page  # the summary says it
    assert "Subordinate blocks\t4" in page
    assert panel.blocks.currentWidget() is panel.chart
    panel.as_table.setChecked(True)
    assert panel.blocks.currentWidget() is panel.table
    assert panel.table.view.items.table.rows == 2


def test_a_doubtful_unit_is_not_shown(opened: Opened, capture_vector: Profile) -> None:
    panel = opened(OperatorPanel, capture_vector)
    picture = panel.canvas.scene.picture
    assert picture is not None
    assert (picture.unit, picture.limit) == ("", None)
    assert picture.title.endswith("the unit is uncertain")
    assert picture.layers[0][0] == 608.1387939453125
    assert "608 in block 0, 3.98 × the mean" in panel.readout.text
    assert panel.table.note.text().startswith("A block takes longer than its operator")
    assert PLOTS[0].offered(capture_vector)


def test_bars_and_rows_select_one_another(opened: Opened, context: Context, capture_vector: Profile) -> None:
    panel = opened(OperatorPanel, capture_vector)
    layout = panel.canvas.layout_now()
    assert layout is not None
    place = QPoint(round(layout.x_of(3.5)), round(layout.y_of(300)))
    QTest.mouseMove(panel.canvas, place)
    assert panel.readout.text.startswith("block 3: 601 (600.5097045898438)")
    assert context.document.hover.value == Selection("block", (3,), "operator/chart")
    QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert context.document.selection.value == Selection("block", (3,), "operator/chart")
    assert panel.selected_rows().tolist() == [3]
    context.document.selection.set(Selection("block", (30, 31), "memory_paths"))
    assert panel.canvas.marks.selected.tolist() == [30, 31]


def test_what_the_file_does_not_say_is_said(opened: Opened, context: Context) -> None:
    panel = opened(OperatorPanel, profile_of(FORMAT, block(0x05, BARE)))
    assert panel.right.is_empty
    assert "▲ The chip ran clearly below its rated frequency" in panel.sheet.content.text
    context.document.add(replace(profile_of(FORMAT, small(2)), operator=None), job=2)
    QApplication.processEvents()
    assert panel.stack.is_empty
    assert not SPECS["operator"].offered(replace(profile_of(FORMAT, small(2)), operator=None))
