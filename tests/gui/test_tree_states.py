"""Trees come back with their profile as they were left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.liveness.panel import LivenessPanel
from app.panels.program_tree import ProgramTree
from app.panels.steps.panel import StepsPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.widgets.context import Context
from app.widgets.tree.view import TreeView
from app.widgets.tree.widget import TreeWidget
from generators import poplar
from generators.poplar_network import Scale


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> list[Profile]:
    made = []
    for sets in (20, 30, 20):
        folder: Path = tmp_path_factory.mktemp("run")
        made += read(FORMAT, poplar.write_pair(folder, Scale(compute_sets=sets, tiles_per_ipu=12)))
    return made


def seen(view: TreeView) -> list[str]:
    """What stands in the rows, from the first to the last, with what is open."""
    rows, index = [], view.items.index(0, 0)
    while index.isValid():
        rows.append(str(index.data()))
        index = view.indexBelow(index)
    return rows


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def show(qtbot: QtBot, panel: QWidget) -> TreeWidget:
    """The panel's tree, in front."""
    qtbot.addWidget(panel)
    panel.resize(700, 500)
    panel.show()
    settle()
    if isinstance(panel, StepsPanel):
        panel.tabs.setCurrentIndex(panel._pages.index("names"))
    (tree,) = panel.findChildren(TreeWidget)
    qtbot.waitUntil(lambda: tree.view.items.rowCount() > 0)
    return tree


@pytest.mark.parametrize("make", [ProgramTree, LivenessPanel, StepsPanel])
def test_what_is_open_and_searched_comes_back(
    qtbot: QtBot, context: Context, profiles: list[Profile], make: Callable[[Context], QWidget]
) -> None:
    document = context.document
    ids = [document.add(profile, 1) for profile in profiles[:2]]
    document.show(ids[0])
    panel = make(context)
    tree = show(qtbot, panel)
    view = tree.view
    view.collapseAll()
    view.expand(view.items.index(0, 0))
    view.expand(view.items.index(0, 0, view.items.index(0, 0)))
    tree.field.setText("conv")
    opened = seen(view)
    document.show(ids[1])
    settle()
    view.expandAll()
    tree.field.setText("relu")
    others = seen(view)
    assert others != opened
    for entry, rows, text in ((ids[0], opened, "conv"), (ids[1], others, "relu"), (ids[0], opened, "conv")):
        document.show(entry)
        settle()
        assert seen(view) == rows
        assert tree.field.text() == text


def test_a_tree_that_was_read_again_stays_open(qtbot: QtBot, context: Context, profiles: list[Profile]) -> None:
    document = context.document
    entry = document.add(profiles[0], 1)
    panel = ProgramTree(context)
    view = show(qtbot, panel).view
    view.expandAll()
    document.selection.set(Selection("program", (3,), "tree"))
    opened = seen(view)
    document.replace(entry, profiles[2], 2)
    settle()
    assert seen(view) == opened
    assert document.selection.value == Selection("program", (3,), "tree")
    assert view.items.chosen is not None
    assert view.items.chosen[3]


def test_a_range_leaves_the_steps_open(qtbot: QtBot, context: Context, profiles: list[Profile]) -> None:
    document = context.document
    document.add(profiles[0], 1)
    panel = StepsPanel(context)
    view = show(qtbot, panel).view
    view.collapseAll()
    view.expand(view.items.index(0, 0))
    opened = seen(view)
    document.ranges.set(Ranges(TimeRange(0.0, 1e12)))
    settle()
    assert seen(view) == opened
