"""The tree on screen: opened step by step, shared parts, broken files, search and marks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Table
from app.analysis.trees import Hierarchy
from app.profile.arrays import Ragged
from app.profile.strings import Strings
from app.views.colours import blend
from app.views.look import LIGHT
from app.views.tree.nodes import CROWD, TOP, Nodes
from app.views.units import NO_DATA
from app.widgets.display import Display
from app.widgets.tree.model import TreeModel
from app.widgets.tree.view import HIT
from app.widgets.tree.widget import TreeWidget


def hierarchy(children: list[list[int]], roots: list[int], names: list[str] | None = None) -> Hierarchy:
    count = len(children)
    texts = names or [f"p{number}" for number in range(count)]
    ids = np.array([number if texts[number] else -1 for number in range(count)], np.int32)
    table = Table(
        "programs",
        "Programs",
        (
            Column("name", "Name", Coded(ids, Strings.of(texts))),
            Column("type", "Type", Coded(np.zeros(count, np.int32), Strings.of(["Sequence"])), role="kind"),
            Column("cycles", "Cycles", np.arange(count) * 10, "cycles", missing=np.arange(count) == 1),
        ),
        "program",
    )
    lengths = np.array([len(row) for row in children], np.int64)
    below = Ragged.of(lengths, np.array([item for row in children for item in row], np.int64))
    return Hierarchy(table, np.array(roots), tuple(f"root {number}" for number in range(len(roots))), below)


SHARED = [[1, 2], [3], [3], [], [4]]


def labels(model: TreeModel, parent: QModelIndex) -> list[str]:
    return [model.index(row, 0, parent).data() for row in range(model.rowCount(parent))]


@pytest.fixture
def tree(qtbot: QtBot) -> TreeWidget:
    widget = TreeWidget(Display())
    qtbot.addWidget(widget)
    widget.resize(500, 300)
    widget.show()
    widget.set_hierarchy(hierarchy(SHARED, [0]), empty="No programs.")
    return widget


def test_the_model_keeps_its_promises(qtbot: QtBot) -> None:
    model = TreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for shape, roots in ((SHARED, [0, 4]), ([[0]], [0]), ([[1], [0]], [0]), ([list(range(1, 40))] + [[]] * 39, [0])):
        model.set_hierarchy(hierarchy(shape, roots))
        model.index(0, 0, model.index(0, 0))
    model.set_hierarchy(None)
    assert tester.model() is model
    assert model.rowCount() == 0


def test_shared_parts_stand_in_every_place(tree: TreeWidget) -> None:
    model = tree.view.items
    root = model.index(0, 0)
    assert root.data() == "root 0: p0"
    assert labels(model, root) == ["p1", "p2"]
    assert labels(model, model.index(0, 0, root)) == ["p3"]
    assert labels(model, model.index(1, 0, root)) == ["p3"]
    assert model.index(0, 2, root).data() == NO_DATA
    assert model.index(1, 2, root).data() == "20"


def test_an_item_without_a_name_is_called_by_its_type(tree: TreeWidget) -> None:
    tree.set_hierarchy(hierarchy([[]], [0], [""]), empty="")
    assert tree.view.items.index(0, 0).data() == "root 0: Sequence"


def test_a_circle_ends_by_itself(tree: TreeWidget) -> None:
    tree.set_hierarchy(hierarchy([[1], [0]], [0]), empty="")
    model = tree.view.items
    again = model.index(0, 0, model.index(0, 0, model.index(0, 0)))
    assert again.data() == "p0  (recursive: not expanded again)"
    assert not model.hasChildren(again)
    tree.view.open_below(model.index(0, 0))
    assert tree.view.isExpanded(model.index(0, 0))


def test_unfolding_without_end_is_cut(tree: TreeWidget) -> None:
    """Thirty levels of two calls each would be a thousand million rows."""
    tree.set_hierarchy(hierarchy([[number + 1, number + 1] for number in range(30)] + [[]], [0]), empty="")
    QTest.keyClick(tree.view, Qt.Key.Key_Home)
    QTest.keyClick(tree.view, Qt.Key.Key_Asterisk)
    assert tree.view.isExpanded(tree.view.items.index(0, 0))


def test_a_crowd_is_shown_in_groups() -> None:
    count = CROWD * 2 + 1
    nodes = Nodes(hierarchy([list(range(1, count + 1))] + [[]] * count, [0]))
    root = nodes.child(TOP, 0)
    assert nodes.count(root) == 21
    last = nodes.child(root, 20)
    assert nodes.title(last) == "20,000 – 20,000"
    assert nodes.count(last) == 1
    node = nodes.reveal(12_346)
    assert node is not None
    assert nodes.item[node] == 12_346
    assert nodes.title(nodes.parent(node)) == "12,000 – 12,999"


def test_a_click_tells_what_is_chosen(qtbot: QtBot, tree: TreeWidget) -> None:
    index = tree.view.items.index(1, 0, tree.view.items.index(0, 0))
    with qtbot.waitSignal(tree.view.chosen):
        place = tree.view.visualRect(index).center()
        QTest.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert tree.selected_rows().tolist() == [2]
    assert tree.copy_text() == "name\ttype\tcycles [cycles]\np2\tSequence\t20\n"


def test_marks_from_elsewhere_tell_nobody(qtbot: QtBot, tree: TreeWidget) -> None:
    with qtbot.assertNotEmitted(tree.view.chosen):
        assert tree.view.reveal(3)
        tree.view.mark(np.array([3, 99, -1]))
    assert tree.view.items.marked(tree.view.items.item(tree.view.currentIndex()))
    assert tree.copy_text().endswith("p3\tSequence\t30\n")
    assert not tree.view.reveal(4)


def test_search_counts_steps_and_opens_the_way(qtbot: QtBot, tree: TreeWidget) -> None:
    QTest.keyClicks(tree.field, "P")
    assert tree.count.text == "5 matches"
    seen: list[int] = []
    tree.match_selected.connect(seen.append)
    for _ in range(5):
        QTest.keyClick(tree.field, Qt.Key.Key_Return)
    assert seen == [0, 1, 3, 2, 0]
    assert tree.count.text == "1 of 4"
    QTest.keyClick(tree.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert seen[-1] == 2
    assert tree.view.items.item(tree.view.currentIndex()) == 2
    tree.regex.click()
    tree.field.setText("[")
    assert "invalid regular expression" in tree.count.text
    QTest.keyClick(tree.field, Qt.Key.Key_Escape)
    assert tree.count.text == "5 programs"


def test_all_hits_are_highlighted(tree: TreeWidget) -> None:
    index = tree.view.items.index(0, 0, tree.view.items.index(0, 0))  # p1
    tree.view.expandAll()
    colour = QColor(blend(LIGHT.surface, LIGHT.warning, HIT))

    def painted() -> set[str]:
        place = tree.view.visualRect(index)
        picture = tree.view.viewport().grab(place).toImage()
        return {picture.pixelColor(x, place.height() // 2).name() for x in range(picture.width())}

    assert colour.name() not in painted()
    tree.field.setText("p1")
    assert colour.name() in painted()
    tree.field.setText("p2")
    assert colour.name() not in painted()
    tree.field.clear()
    assert tree.view.cell_delegate.hits is None


def test_the_pointer_tells_its_item(qtbot: QtBot, tree: TreeWidget) -> None:
    index = tree.view.items.index(0, 0, tree.view.items.index(0, 0))
    with qtbot.waitSignal(tree.view.pointed, check_params_cb=lambda item: item == 1):
        QTest.mouseMove(tree.view.viewport(), tree.view.visualRect(index).center() + QPoint(1, 0))


def test_nothing_to_show_says_why(tree: TreeWidget) -> None:
    tree.set_hierarchy(None, empty="This file holds no programs.")
    assert tree.stack.is_empty
    assert tree.stack.empty.text == "This file holds no programs."
    assert tree.copy_text() == ""


def test_a_chain_of_single_rows_is_opened(tree: TreeWidget) -> None:
    """What has one part says no more than that part; a broken file that contains itself comes to an end."""
    tree.set_hierarchy(hierarchy([[1], [2], [3, 4], [5], [], []], [0]), empty="No programs.")
    model = tree.view.items
    first = model.index(0, 0)
    second = model.index(0, 0, first)
    third = model.index(0, 0, second)
    assert [tree.view.isExpanded(index) for index in (first, second, third)] == [True, True, True]
    assert not tree.view.isExpanded(model.index(0, 0, third))
    tree.set_hierarchy(hierarchy([[1], [0]], [0]), empty="No programs.")
    assert tree.view.isExpanded(model.index(0, 0))
