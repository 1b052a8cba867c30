"""Notes and pins by key, from the command list to the timeline."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.panels.registry import SPECS
from app.panels.spec import PanelSpec
from app.panels.statistics.panel import StatisticsPanel
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Ranges, Selection, TimeRange
from app.widgets.mnemonics import plain
from app.widgets.timeline.canvas import TimelineCanvas
from app.window.exports import first_exports
from app.window.main_window import MainWindow
from fakes.shell import PANELS, ascend, build_panels, make_window

Key = Qt.Key
WITH_TIMELINE: tuple[PanelSpec, ...] = (
    SPECS["timeline"],
    SPECS["statistics"],
    *(spec for spec in PANELS if spec.id in ("summary", "details")),
)


@pytest.fixture
def real(qtbot: QtBot, looks: None) -> MainWindow:
    """A window with the real timeline, which has the keyboard."""
    window = make_window(panels=WITH_TIMELINE)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    panel_of(window)._refresh.now()
    canvas = canvas_of(window)
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    return window


def panel_of(window: MainWindow) -> TimelinePanel:
    assert window.docks is not None
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    return panel


def canvas_of(window: MainWindow) -> TimelineCanvas:
    return panel_of(window).canvas


def pins(canvas: TimelineCanvas) -> tuple[int, ...]:
    assert canvas.shown is not None
    return canvas.shown.lanes.choice.pins


def texts(window: MainWindow) -> list[str]:
    return [note.text for note in window.document.notes.value]


def test_m_k_and_delete(real: MainWindow, qtbot: QtBot) -> None:
    canvas, notes = canvas_of(real), real.document.notes
    real.document.selection.set(Selection("slice", (3,), "test"))
    QTest.keyClick(canvas, Key.Key_M)
    assert texts(real) == ["matmul"]
    QTest.keyClick(canvas.notes.field, Key.Key_Return)
    qtbot.waitUntil(canvas.hasFocus)
    QTest.keyClick(canvas, Key.Key_K)
    QTest.keyClicks(canvas.notes.field, "mk")  # letters that are keys of the canvas
    QTest.keyClick(canvas.notes.field, Key.Key_Return)
    qtbot.waitUntil(canvas.hasFocus)
    assert texts(real) == ["matmul", "mk"]
    QTest.keyClick(canvas, Key.Key_Delete)
    assert texts(real) == ["matmul"]
    QTest.keyClick(canvas, Key.Key_Delete)
    assert texts(real) == ["matmul"]  # none is chosen
    notes.choose(0)
    QTest.keyClick(canvas, Key.Key_Delete)
    assert texts(real) == []


def test_notes_are_renamed_coloured_and_removed_from_the_list(real: MainWindow, qtbot: QtBot) -> None:
    real.document.notes.add(1.0, 4.0, "one")
    real.document.notes.add(5.0, 6.0, "two")
    assert real.docks is not None
    real.docks.focus("statistics")
    panel = real.docks.docks["statistics"].widget()
    assert isinstance(panel, StatisticsPanel)
    qtbot.waitUntil(lambda: not panel.filling)
    panel.show_table("notes")
    view = panel.table.view
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.selectRow(0)
    QApplication.processEvents()  # menus and shortcuts follow
    real.actions_.actions["notes.recolour"].trigger()
    assert [note.colour for note in real.document.notes.value] == [1, 1]
    real.actions_.actions["notes.rename"].trigger()
    assert panel.editor.isVisible()
    QTest.keyClicks(panel.editor, "first")
    QTest.keyClick(panel.editor, Key.Key_Return)
    assert texts(real) == ["first", "two"]
    view.setFocus()
    QTest.keyClick(view, Key.Key_Delete)
    assert texts(real) == ["two"]


def test_escape_takes_back_the_range_then_the_note(real: MainWindow) -> None:
    real.document.notes.add(1.0, 4.0, "one")
    real.document.ranges.set(Ranges(time=TimeRange(1.0, 2.0)))
    canvas = canvas_of(real)
    QTest.keyClick(canvas, Key.Key_Escape)
    assert real.document.ranges.value == Ranges()
    assert real.document.notes.chosen == 0
    QTest.keyClick(canvas, Key.Key_Escape)
    assert not real.actions_.commands["notes.remove"].enabled(real)
    assert texts(real) == ["one"]


def test_p_pins_the_lane_of_the_selection(real: MainWindow) -> None:
    canvas = canvas_of(real)
    QTest.keyClick(canvas, Key.Key_P)
    assert pins(canvas) == ()
    real.document.selection.set(Selection("slice", (3,), "test"))
    QTest.keyClick(canvas, Key.Key_P)
    assert pins(canvas) == (1,)
    assert real.actions_.commands["canvas.unpin_all"].enabled(real)
    real.actions_.refresh()
    real.actions_.actions["canvas.unpin_all"].trigger()
    assert pins(canvas) == ()
    assert not real.actions_.commands["canvas.unpin_all"].enabled(real)


def test_they_stand_in_the_context_menu(real: MainWindow) -> None:
    def listed(*places: str) -> set[str]:
        menu = real.actions_.place_menu(*places)
        inside = [one for action in menu.actions() if isinstance(sub := action.menu(), QMenu) for one in sub.actions()]
        texts = {plain(action.text()).split("\t")[0] for action in (*menu.actions(), *inside)}
        menu.deleteLater()
        return texts

    text = {name: command.text for name, command in real.actions_.commands.items()}
    note = {text[name] for name in ("notes.rename", "notes.recolour", "notes.remove")}
    real.document.selection.set(Selection("slice", (3,), "test"))
    assert {text["notes.mark"], text["notes.here"], text["canvas.pin"]} <= listed("slice", "time")
    assert not note & listed("note")  # there is none
    real.actions_.commands["notes.mark"].run(real)
    assert real.document.notes.chosen is not None
    assert note <= listed("note")


def test_notes_are_exported_as_a_table(real: MainWindow) -> None:
    profile = real.document.profile
    assert profile is not None
    assert not list(first_exports(None, profile, real.display.theme))
    real.document.notes.add(1.0, 4.0, "one")
    exports = first_exports(None, profile, real.display.theme, real.document.notes.value)
    assert [export.title for export in exports] == ["Notes"]


def test_slices_are_hidden_and_shown_by_command(real: MainWindow) -> None:
    canvas, commands = canvas_of(real), real.actions_.commands
    assert not commands["canvas.hide_names"].enabled(real)
    real.document.selection.set(Selection("slice", (0,), "test"))
    commands["canvas.hide_names"].run(real)
    assert canvas.shown is not None
    assert canvas.shown.contents.rows.origin is not None
    assert canvas.shown.contents.rows.origin.tolist() == [2, 3]
    assert commands["canvas.show_all"].enabled(real)
    commands["canvas.show_all"].run(real)
    assert not commands["canvas.show_all"].enabled(real)


def test_pipes_alone_are_shown_by_command_where_there_are_any(real: MainWindow) -> None:
    canvas, command = canvas_of(real), real.actions_.commands["canvas.pipes_only"]
    assert command.checked is not None
    assert command.enabled(real) == canvas.can_show_pipes_only
    assert command.keys == ("Shift+P",)
    command.run(real)
    assert command.checked(real) == canvas.pipes_only == canvas.can_show_pipes_only
    command.run(real)
    assert not command.checked(real)
