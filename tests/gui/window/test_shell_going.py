"""Getting to the place of a hit, with the real panels."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.lookup.hit import Target
from app.panels.source.panel import SourcePanel
from app.panels.tables import TablesPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.window.going import go
from app.window.main_window import MainWindow


def in_front(window: MainWindow) -> set[str]:
    docks = window.prepare()
    return {name for name in docks.offered if docks.in_sight(name)}


def test_a_line_of_a_source_is_turned_to(busy: MainWindow, qtbot: QtBot, kernel: Profile) -> None:
    assert kernel.sources is not None
    path = kernel.sources.paths.tolist()[-1]
    go(busy, Target(panel="source", text=path, line=7), keyboard=True)
    assert "source" in in_front(busy)
    panel = busy.prepare().docks["source"].widget()
    assert isinstance(panel, SourcePanel)
    qtbot.waitUntil(lambda: panel.files.currentData() == path)
    qtbot.waitUntil(lambda: panel.left.view.currentIndex().row() == 6)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert panel.isAncestorOf(focus)
    go(busy, Target(panel="source", text=path, line=9), keyboard=False)  # once more, the panel being there
    assert panel.left.view.currentIndex().row() == 8


def test_a_row_of_a_table_is_chosen_though_a_filter_leaves_it_out(busy: MainWindow, qtbot: QtBot) -> None:
    go(busy, Target(table="slices", row=3), keyboard=True)
    panel = busy.prepare().docks["tables"].widget()
    assert isinstance(panel, TablesPanel)
    qtbot.waitUntil(lambda: panel.selected_rows().tolist() == [3])
    assert busy.document.selection.value == Selection("slice", (3,), "tables")
    panel.table.field.setText("nothing has this name")
    go(busy, Target(table="slices", row=5), keyboard=True)
    assert panel.selected_rows().tolist() == [5]
    assert panel.table.field.text() == ""
    go(busy, Target(table="instructions", row=2), keyboard=True)
    assert panel.shown_table() is not None
    assert panel.shown_table().id == "instructions"  # type: ignore[union-attr]
    assert panel.selected_rows().tolist() == [2]


def test_a_slice_is_shown_where_slices_have_their_place(busy: MainWindow, qtbot: QtBot) -> None:
    docks = busy.prepare()
    docks.toggle("timeline")
    assert docks.closed("timeline")
    go(busy, Target(Selection("lane", (2,), "search")), keyboard=True)
    assert not docks.closed("timeline")
    assert "timeline" in in_front(busy)
    assert busy.document.selection.value == Selection("lane", (2,), "search")
