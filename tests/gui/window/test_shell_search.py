"""The field in the header: commands after ">", else everything with a name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.profile.selection import Selection
from app.window.fuzzy import score
from app.window.main_window import MainWindow
from fakes.shell import CanvasPanel, ascend, bare

Key = Qt.Key


def lines(window: MainWindow) -> list[tuple[str, str]]:
    popup = window.omnibox.popup.list
    items = [popup.topLevelItem(row) for row in range(popup.topLevelItemCount())]
    return [(item.text(0), item.text(1)) for item in items if item is not None]


def type_into(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.omnibox.start()
    qtbot.waitUntil(window.omnibox.hasFocus)
    QTest.keyClicks(window.omnibox, text)


def test_the_palette_finds_by_a_few_letters_and_shows_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.commands["tools.commands"].run(window)
    qtbot.waitUntil(window.omnibox.hasFocus)
    assert window.omnibox.popup.isVisible()
    assert len(lines(window)) == len(window.commands)
    QTest.keyClicks(window.omnibox, "thdk")
    assert window.omnibox.text() == ">thdk"
    assert lines(window)[0] == ("Theme: Dark", "")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.display.theme.dark
    assert window.omnibox.text() == ""
    assert not window.omnibox.popup.isVisible()


def test_a_command_that_cannot_run_is_listed_last_and_does_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.omnibox.start(">close")
    assert [text for text, _ in lines(window)][:1] == ["Close"]
    assert lines(window)[0][1] == "Ctrl+W"
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.omnibox.text() == ">close"


def test_a_command_runs_with_the_focus_where_it_was(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    assert window.docks is not None
    window.docks.focus("timeline")
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, CanvasPanel)
    qtbot.waitUntil(panel.canvas.hasFocus)
    window.omnibox.start(">zoom to sel")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert panel.canvas.told == [("focus", 0)]
    qtbot.waitUntil(panel.canvas.hasFocus)


def test_names_are_found_and_stepped_through(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "LOAD")
    assert ("load", "2 × slice") in lines(window)
    steps = []
    for modifiers in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.ShiftModifier,
    ):
        QTest.keyClick(window.omnibox, Key.Key_Return, modifiers)
        steps.append((window.document.selection.value, window.finding.position.place))
    assert steps == [
        (Selection("slice", (0,), "search"), 1),
        (Selection("slice", (1,), "search"), 2),
        (Selection("slice", (0,), "search"), 1),
    ]
    assert window.finding.position.total == 2
    window.actions_.commands["go.next_match"].run(window)
    assert window.document.selection.value == Selection("slice", (1,), "search")
    QTest.keyClick(window.omnibox, Key.Key_Escape)
    assert not window.finding.active
    assert window.omnibox.text() == ""


def test_a_line_of_the_list_is_taken_by_arrow_or_click(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "c")
    texts = [text for text, _ in lines(window)]
    assert texts[:2] == ["copy", "cube"]
    QTest.keyClick(window.omnibox, Key.Key_Down)
    QTest.keyClick(window.omnibox, Key.Key_Down)
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.document.selection.value == Selection("lane", (1,), "search")
    assert not window.omnibox.popup.isVisible()
    QTest.keyClick(window.omnibox, Key.Key_Up)  # shows the list again
    popup = window.omnibox.popup.list
    item = popup.topLevelItem(0)
    assert item is not None
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=popup.visualItemRect(item).center())
    assert window.document.selection.value == Selection("lane", (0,), "search")


def test_enter_goes_on_with_the_name_that_was_taken(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "o")
    assert [text for text, _ in lines(window)][:3] == ["copy", "load", "store"]
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(window.omnibox, key)
    places = [window.document.selection.value]
    for modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(window.omnibox, Key.Key_Return, modifiers)
        places.append(window.document.selection.value)
    assert places == [Selection("slice", (index,), "search") for index in (0, 1, 0)]
    assert window.finding.position.total == 2


def test_nothing_found_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "zzzz")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.finding.position.total == 0
    assert window.document.selection.value is None
    assert window.omnibox.findChildren(type(window.notices.heading))[0].text() == "nothing found"


def test_another_profile_ends_the_search(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "load")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    window.document.add(bare(), 2)
    assert not window.finding.active


def test_how_well_letters_fit() -> None:
    ranked = sorted(("Zoom out fast", "Zoom in", "Reset layout"), key=lambda t: -(score("zi", t) or -1))
    assert ranked[0] == "Zoom in"
    assert score("xq", "Zoom in") is None
    assert score("", "Zoom in") == 0
    assert (score("fast", "Zoom in fast") or 0) > (score("fast", "File as text") or 0)
