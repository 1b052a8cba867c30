"""The operator panel on the captures and on what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats.ascend_bin import FORMAT
from app.panels.operator import PLOT, SPEC
from app.panels.operator.panel import OperatorPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.display import Display
from generators.ascend_bin import block, small
from generators.reading import profile_of

Open = Callable[[Profile], OperatorPanel]
BARE = (
    b'{"name":"no_blocks","op_type":"cube","soc":"Ascend910B1","duration":"12.5","cur_freq":"900","rated_freq":"1800"}'
)


@pytest.fixture
def context() -> Iterator[Context]:
    document, display = Document(), Display()
    yield Context(document, display)
    document.deleteLater()
    display.deleteLater()


@pytest.fixture
def opened(qtbot: QtBot, context: Context) -> Open:
    def show(profile: Profile) -> OperatorPanel:
        context.document.finish(context.document.add(profile, job=1))
        panel = OperatorPanel(context)
        qtbot.addWidget(panel)
        panel.resize(900, 400)
        panel.show()
        QApplication.processEvents()
        return panel

    return show


@pytest.fixture
def mix(shared_samples: Path) -> Profile:
    return profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes())


@pytest.fixture
def vector(shared_samples: Path) -> Profile:
    return profile_of(FORMAT, (shared_samples / "ascend-vector-2024-05.bin").read_bytes())


def test_three_bars_a_block_below_the_operator(opened: Open, mix: Profile) -> None:
    panel = opened(mix)
    picture = panel.canvas.picture
    assert picture is not None
    assert picture.names == ("Cube0", "Vector0", "Vector1")
    assert [layer.tolist() for layer in picture.layers] == [
        [250.377579, 250.884842],
        [133.206055, 133.335754],
        [247.620605, 248.197571],
    ]
    assert picture.limit is not None
    assert (picture.unit, picture.limit.value) == ("us", 300.0660095214844)
    assert panel.readout.text.startswith("2 blocks, the longest Cube0: 251 µs in block 1 · Vector0: 133 µs")
    page = panel.sheet.content.text  # type: ignore[attr-defined]
    assert "Duration\t300 µs" in page
    assert "Subordinate blocks\t4" in page


def test_a_doubtful_unit_is_not_shown(opened: Open, vector: Profile) -> None:
    panel = opened(vector)
    picture = panel.canvas.picture
    assert picture is not None
    assert (picture.unit, picture.limit) == ("", None)
    assert picture.title.endswith("the unit is doubtful")
    assert picture.layers[0][0] == 608.1387939453125
    assert "608 in block 0, 3.98 × the mean" in panel.readout.text
    assert panel.table.note.text().startswith("A block lasts longer than its operator")
    assert PLOT.offered(vector)


def test_bars_and_rows_select_one_another(opened: Open, context: Context, vector: Profile) -> None:
    panel = opened(vector)
    layout = panel.canvas._layout
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


def test_what_the_file_does_not_say_is_said(opened: Open, context: Context) -> None:
    panel = opened(profile_of(FORMAT, block(0x05, BARE)))
    assert panel.right.is_empty
    assert "▲ The chip ran clearly below its rated frequency" in panel.sheet.content.text  # type: ignore[attr-defined]
    context.document.add(replace(profile_of(FORMAT, small(2)), operator=None), job=2)
    QApplication.processEvents()
    assert panel.sheet.is_empty
    assert not SPEC.offered(replace(profile_of(FORMAT, small(2)), operator=None))
