"""Trees of any depth: names, headings, search and clicks two hundred levels down."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Table
from app.analysis.trees import Hierarchy
from app.profile.arrays import Ragged
from app.profile.strings import Strings
from app.views.tree.nodes import ARROW
from app.widgets.display import Display
from app.widgets.texts import advance, shortened
from app.widgets.tree.widget import TreeWidget

LEVELS = 200
NAME = "model/encoder/layer_{0}/attention/query/MatMul/Convolve/Reduce_{0}"


def deep(levels: int) -> Hierarchy:
    """A chain; each program also holds a leaf. The last leaf is called needle."""
    count = 2 * levels
    texts = [NAME.format(row // 2) if row % 2 == 0 else f"model/leaf_{row // 2}" for row in range(count)]
    texts[-1] = "model/encoder/needle"
    children = [[row + 1, *([row + 2] if row + 2 < count else [])] if row % 2 == 0 else [] for row in range(count)]
    cycles = np.arange(count) * 1000.0
    table = Table(
        "programs",
        "Programs",
        (
            Column("name", "Name", Coded(np.arange(count, dtype=np.int32), Strings.of(texts))),
            Column("total_cycles", "Total cycles", cycles, "cycles"),
            Column("total_memory", "Total memory", cycles * 1024, "B"),
            Column("type", "Type", Coded(np.zeros(count, np.int32), Strings.of(["Sequence"])), role="kind"),
        ),
        "program",
    )
    lengths = np.array([len(row) for row in children], np.int64)
    items = np.array([item for row in children for item in row], np.int64)
    return Hierarchy(table, np.zeros(1, np.int64), ("control program 0",), Ragged.of(lengths, items))


@pytest.fixture
def display() -> Display:
    return Display()


@pytest.fixture
def tree(qtbot: QtBot, display: Display) -> TreeWidget:
    widget = TreeWidget(display)
    qtbot.addWidget(widget)
    widget.resize(280, 420)
    widget.show()
    widget.set_hierarchy(deep(LEVELS), empty="No programs.", clock_hz=1e9)
    return widget


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def test_search_opens_the_way_and_scrolls_at_any_depth(tree: TreeWidget) -> None:
    view = tree.view
    QTest.keyClicks(tree.field, "needle")
    QTest.keyClick(tree.field, Qt.Key.Key_Return)
    settle()
    place = view.visualRect(view.currentIndex())
    assert view.items.item(view.currentIndex()) == 2 * LEVELS - 1
    assert view.items.nodes.level(view.currentIndex().internalId()) == LEVELS
    assert view.viewport().rect().contains(place.center())
    assert view.horizontalScrollBar().value() == 0
    # what is in sight is readable: less than half of the column is indentation, and the ends of the paths are seen
    levels = [row.level for row in view._rows_in_sight()]
    lefts = [view.cell_delegate.indents.left(level) for level in levels]
    width = view.columnWidth(0)
    assert max(levels) == LEVELS
    assert max(lefts) + ARROW <= width / 2
    assert len(set(lefts[-6:])) >= 3  # a program, its leaf and the next one: two rows a level
    shown = shortened(NAME.format(199), view.fontMetrics(), width - max(lefts) - ARROW - 40)
    assert shown.endswith("e_199")


def test_the_tool_tip_tells_the_whole_path(tree: TreeWidget) -> None:
    assert tree.view.reveal(2 * LEVELS - 1)
    text = tree.view.items.data(tree.view.currentIndex(), Qt.ItemDataRole.ToolTipRole)
    for part in ("model/encoder/needle", "Sequence", f"in {NAME.format(199)}", "in "):
        assert part in text
    assert "more levels above" in text


def test_headings_are_whole_in_every_unit(tree: TreeWidget, display: Display) -> None:
    view, head = tree.view, tree.view.header()
    for unit in ("cycles", "time", "cycles"):
        display.set(cycles_as=unit)
        settle()
        for place in range(1, 4):
            title = view.items.headerData(place, Qt.Orientation.Horizontal)
            assert head.sectionSizeHint(place) <= head.sectionSize(place)
            assert advance(title, head.fontMetrics()) < head.sectionSize(place)
    assert view.items.headerData(1, Qt.Orientation.Horizontal) == "Total cycles"
    assert view.columnWidth(0) + view.columnWidth(1) <= view.viewport().width()


@pytest.mark.parametrize("key", ["total_cycles", "total_memory"])
def test_the_first_figure_is_never_cut(tree: TreeWidget, key: str) -> None:
    """A graph alone begins with memory, whose heading is the widest; in a small window the panel is this narrow."""
    view = tree.view
    view.show_columns(["name", key])
    settle()
    (place,) = (place for place in range(1, 4) if view.items.table.columns[place].key == key)
    assert view.columnViewportPosition(place) + view.columnWidth(place) <= view.viewport().width()
    assert view.columnWidth(0) >= view.viewport().width() // 3


def test_names_take_the_room_that_is_left(tree: TreeWidget) -> None:
    view = tree.view
    narrow = view.columnWidth(0)
    tree.resize(900, 420)
    settle()
    assert sum(view.columnWidth(place) for place in range(4)) == view.viewport().width()
    view.setColumnWidth(0, 333)
    tree.resize(700, 420)
    settle()
    assert view.columnWidth(0) == 333 > narrow


def click(tree: TreeWidget, index: QModelIndex, right: int) -> None:
    """So many pixels beside the indentation of a row."""
    view = tree.view
    left = view.cell_delegate.indents.left(view.items.nodes.level(index.internalId()))
    place = view.visualRect(index)
    point = QPoint(place.left() + left + right, place.center().y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    settle()


def test_the_triangle_opens_and_closes(qtbot: QtBot, tree: TreeWidget) -> None:
    view = tree.view
    assert view.reveal(2 * LEVELS - 1)
    settle()
    index = view.currentIndex().parent()
    view.scrollTo(index)
    settle()
    with qtbot.assertNotEmitted(view.chosen):
        click(tree, index, ARROW // 2)
        assert not view.isExpanded(index)
        click(tree, index, ARROW // 2)
        assert view.isExpanded(index)
    with qtbot.waitSignal(view.chosen):
        click(tree, index, 60)
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert not view.isExpanded(index)


def test_columns_that_the_user_widens_can_be_scrolled_to(tree: TreeWidget) -> None:
    head, bar = tree.view.header(), tree.view.horizontalScrollBar()
    assert not bar.isVisible()
    head.resizeSection(1, 400)
    assert bar.isVisible()
    tree.resize(300, 420)
    QApplication.processEvents()
    assert bar.isVisible()
