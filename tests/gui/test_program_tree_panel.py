"""The panel of programs: figures that come at once or a little later, and what stays as it was meanwhile."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.poplar import program_figures
from app.analysis.table import Coded, Column, Table
from app.analysis.trees import Hierarchy
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.program_tree import ProgramTree
from app.profile.arrays import Ragged
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.views.colours import colour, contrast, text_on
from app.views.look import DARK, LIGHT, Theme
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tree.view import TreeView, letters
from app.widgets.tree.widget import TreeWidget
from generators import poplar
from generators.poplar_network import Scale


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = Scale(compute_sets=20, tiles_per_ipu=12)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("run"), scale))
    return profile


def settle() -> None:
    for _ in range(10):
        QApplication.processEvents()


def panel_on(qtbot: QtBot, context: Context, profile: Profile) -> ProgramTree:
    panel = ProgramTree(context)
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show()
    context.document.finish(context.document.add(profile, 1))
    settle()
    return panel


def keys(view: TreeView) -> list[str]:
    return [column.key for column in view.items.table.columns]


def cell(view: TreeView, key: str, item: int) -> object:
    return next(column for column in view.items.table.columns if column.key == key).value(item)


def test_what_a_sub_tree_costs_stands_by_its_name(qtbot: QtBot, context: Context, profile: Profile) -> None:
    panel = panel_on(qtbot, context, profile)
    view = panel.tree.view
    assert keys(view)[:4] == ["name", "total_cycles", "type", "runs"]
    assert keys(view).index("total_memory") == keys(view).index("memory") + 1
    assert {"runs", "cycles", "memory", "estimate", "total_estimate"} <= set(keys(view))
    found = program_figures.program_figures(profile)
    assert found is not None
    assert found.total_memory is not None
    assert cell(view, "total_memory", 0) == found.total_memory[0] > 0
    for place, column in enumerate(view.items.table.columns):
        if column.key in ("total_cycles", "total_memory", "memory", "estimate", "total_estimate", "cycles", "runs"):
            tip = view.items.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
            assert len(str(tip)) > 60


def test_figures_of_many_programs_come_later_and_change_nothing_else(
    qtbot: QtBot, context: Context, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_figures, "FEW_PROGRAMS", 3)
    panel = ProgramTree(context)
    qtbot.addWidget(panel)
    panel.resize(600, 300)
    panel.show()
    bare = replace(profile, steps=None, execution=None)
    entry = context.document.add(bare, 1)
    settle()
    view = panel.tree.view
    qtbot.waitUntil(lambda: "total_memory" in keys(view))
    assert "cycles" not in keys(view)
    leaf = int(np.flatnonzero(profile.programs.compute_set == 11)[0])  # type: ignore[union-attr]
    context.document.selection.set(Selection("program", (leaf,), "test"))
    panel.tree.field.setText("conv")
    hits, label = len(panel.tree.hits), view.currentIndex().data()
    opened = [node for node in view.items.nodes.opened() if view.isExpanded(view.items.node_index(node))]
    top = view.verticalScrollBar().value()
    assert view.items.item(view.currentIndex()) == leaf
    context.document.grow(entry, profile, frozenset({"steps", "execution"}))
    qtbot.waitUntil(lambda: "total_cycles" in keys(view))
    assert view.items.item(view.currentIndex()) == leaf
    assert view.currentIndex().data() == label
    assert view.items.chosen is not None
    assert np.flatnonzero(view.items.chosen).tolist() == [leaf]
    assert len(opened) > 3
    assert all(view.isExpanded(view.items.node_index(node)) for node in opened)
    assert view.verticalScrollBar().value() == top
    assert len(panel.tree.hits) == hits > 0
    assert context.document.selection.value == Selection("program", (leaf,), "test")
    context.document.grow(entry, profile, frozenset({"steps"}))
    settle()
    qtbot.waitUntil(lambda: not panel._background.busy)
    assert view.items.item(view.currentIndex()) == leaf


def test_figures_of_a_profile_that_was_closed_are_dropped(
    qtbot: QtBot, context: Context, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_figures, "FEW_PROGRAMS", 3)
    panel = panel_on(qtbot, context, profile)
    entry = context.document.current
    assert entry is not None
    context.document.close(entry.id)
    settle()
    qtbot.waitUntil(lambda: not panel._background.busy)
    assert panel.shown_table() is None
    assert panel.tree.stack.is_empty


def test_letters_tell_kinds_apart() -> None:
    kinds = (
        *("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy", "Sync", "Sequence", "Repeat", "Call"),
        *("Switch", "If", "IfElse", "WriteUndef", "SetLocalConsensusFromVar", "RepeatWhileTrue"),
    )
    assert [letters(kind) for kind in kinds] == [
        *("OT", "DE", "GE", "SC", "Sy", "Se", "Re", "Ca"),
        *("Sw", "If", "IE", "WU", "SL", "RW"),
    ]
    assert letters("") == ""
    assert letters("x") == "x"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_badges_have_the_colours_of_the_timeline_and_readable_letters(
    qtbot: QtBot, context: Context, profile: Profile, theme: Theme
) -> None:
    context.display.set(theme=theme)
    panel = panel_on(qtbot, context, profile)
    view = panel.tree.view
    index = view.items.index(0, 0)
    place = view.visualRect(index)
    image: QImage = view.viewport().grab().toImage()
    fill = QColor(colour("Sequence", theme)).name()
    row = range(place.left(), place.left() + 40)
    seen = {image.pixelColor(x, y).name() for x in row for y in range(place.top(), place.bottom())}
    assert fill in seen
    assert contrast(text_on(colour("Sequence", theme)), colour("Sequence", theme)) >= 4.5
    assert "Sequence" in str(index.data(Qt.ItemDataRole.ToolTipRole))


def test_a_broken_file_is_shown_and_its_circle_said(qtbot: QtBot, context: Context, profile: Profile) -> None:
    assert profile.programs is not None
    lengths = np.zeros(len(profile.programs), np.int64)
    lengths[:2] = 1
    below = Ragged.of(lengths, np.array([1, 0], np.int64))
    panel = panel_on(qtbot, context, replace(profile, programs=replace(profile.programs, children=below)))
    view = panel.tree.view
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_Asterisk)
    node = view.items.nodes.child(view.items.nodes.child(view.items.nodes.child(0, 0), 0), 0)
    assert view.items.label(node).endswith("(recursive: not expanded again)")
    assert cell(view, "total_memory", 0) is None


def test_other_figures_of_the_same_items(qtbot: QtBot) -> None:
    names = Column("name", "Name", Coded(np.arange(3), Strings.of(["a", "b", "c"])))
    kind = Column("type", "Type", Coded(np.zeros(3, np.int64), Strings.of(["Sync"])), role="kind")
    tree = Hierarchy(
        Table("t", "T", (names, kind)), np.array([0]), ("top",), Ragged.of(np.array([2, 0, 0]), np.array([1, 2]))
    )
    assert tree.walk.place.tolist() == [0, 1, 2]
    widget = TreeWidget(Display())
    qtbot.addWidget(widget)
    widget.set_table(tree.table)  # nothing is shown yet
    assert widget.shown_table() is None
    widget.set_hierarchy(tree, empty="")
    for values in ([1, 2, 3], [4, 5, 6]):
        widget.set_table(Table("t", "T", (names, Column("n", "N", np.array(values)), kind)))
        assert widget.view.items.index(0, 1).data() == str(values[0])
        assert widget.view.isExpanded(widget.view.items.index(0, 0))
        assert widget.view.items.kind(1) == "Sync"
    again = tree.with_table(tree.table)
    assert again.walk is tree.walk
