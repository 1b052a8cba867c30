"""The field in the header: commands after ">", else everything with a name."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.analysis.lookup.hit import Answer, Hit, Source, Target
from app.analysis.lookup.sources import SOURCES
from app.profile.poplar import ComputeSets
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.window.main_window import MainWindow
from app.window.offers import GO_HINT, score
from fakes.shell import CanvasPanel, ascend, bare

Key = Qt.Key
PLAIN = Qt.KeyboardModifier.NoModifier


def lines(window: MainWindow) -> list[tuple[str, str]]:
    """Lines that can be chosen."""
    return [(item.text(0), item.text(1)) for item in items(window) if not item.isDisabled()]


def headings(window: MainWindow) -> dict[str, str]:
    return {item.text(0): item.text(1) for item in items(window) if item.isDisabled()}


def items(window: MainWindow) -> list[QTreeWidgetItem]:
    popup = window.omnibox.popup.list
    found = [popup.topLevelItem(row) for row in range(popup.topLevelItemCount())]
    return [item for item in found if item is not None]


def type_into(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.omnibox.start()
    qtbot.waitUntil(window.omnibox.hasFocus)
    QTest.keyClicks(window.omnibox, text)
    settled(window, qtbot)


def settled(window: MainWindow, qtbot: QtBot) -> None:
    """All that is typed has been looked up."""
    lookup = window.omnibox._lookup
    qtbot.waitUntil(lambda: not lookup.busy and not lookup._later.isActive())


def press(window: MainWindow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.keyClick(window.omnibox, key, modifiers)
    qtbot.waitUntil(lambda: not window.match_stepper._background.busy)


def test_the_palette_finds_by_a_few_letters_and_shows_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.commands["tools.commands"].run(window)
    qtbot.waitUntil(window.omnibox.hasFocus)
    assert window.omnibox.popup.isVisible()
    assert len(items(window)) == len(window.commands)
    QTest.keyClicks(window.omnibox, "apdk")
    assert window.omnibox.text() == ">apdk"
    assert lines(window)[0] == ("Appearance: Dark", "")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.display.theme.dark
    assert window.omnibox.text() == ""
    assert not window.omnibox.popup.isVisible()


def test_a_command_that_cannot_run_is_listed_last_and_does_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.omnibox.start(">reload")
    first = items(window)[0]
    assert (first.text(0), first.text(1)) == ("Reload", "F5")
    assert lines(window) == []
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.omnibox.text() == ">reload"


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
    assert lines(window)[0] == ("load", "2 × slice")
    steps = []
    for modifiers in (PLAIN, PLAIN, Qt.KeyboardModifier.ShiftModifier):
        press(window, qtbot, Key.Key_Return, modifiers)
        steps.append((window.document.selection.value, window.match_stepper.position.place))
    assert steps == [
        (Selection("slice", (0,), "search"), 1),
        (Selection("slice", (1,), "search"), 2),
        (Selection("slice", (0,), "search"), 1),
    ]
    assert window.match_stepper.position.total == 2
    window.actions_.commands["go.next_match"].run(window)
    assert window.document.selection.value == Selection("slice", (1,), "search")
    QTest.keyClick(window.omnibox, Key.Key_Escape)
    assert not window.match_stepper.active
    assert window.omnibox.text() == ""


def test_a_line_of_the_list_is_taken_by_arrow_or_click(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "c")
    texts = [text for text, _ in lines(window)]
    assert texts[:2] == ["copy", "cube"]
    press(window, qtbot, Key.Key_Down)
    press(window, qtbot, Key.Key_Down)
    press(window, qtbot, Key.Key_Return)
    assert window.document.selection.value == Selection("lane", (1,), "search")
    assert not window.omnibox.popup.isVisible()
    press(window, qtbot, Key.Key_Up)  # shows the list again
    popup = window.omnibox.popup.list
    item = popup.topLevelItem(1)  # below the heading
    assert item is not None
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=popup.visualItemRect(item).center())
    assert window.document.selection.value == Selection("lane", (0,), "search")


def test_enter_goes_on_with_the_name_that_was_taken(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "o")
    assert [text for text, _ in lines(window)][:4] == ["copy", "cube", "load", "store"]  # cube is a lane of core0
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Return):
        press(window, qtbot, key)
    places = [window.document.selection.value]
    for _ in range(2):
        press(window, qtbot, Key.Key_Return)
        places.append(window.document.selection.value)
    assert places == [Selection("slice", (index,), "search") for index in (0, 1, 0)]
    assert window.match_stepper.position.total == 2


def test_enter_before_anything_is_found_waits_for_it(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    window.omnibox.start()
    QTest.keyClicks(window.omnibox, "store")
    QTest.keyClick(window.omnibox, Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.selection.value == Selection("slice", (2,), "search"))


def test_nothing_found_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "zzzz")
    assert headings(window) == {"No matches": ""}
    press(window, qtbot, Key.Key_Return)
    assert window.match_stepper.position.total == 0
    assert window.document.selection.value is None
    assert window.omnibox.findChildren(type(window.notices.heading))[0].text() == "No matches"


def test_another_profile_ends_the_search(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "load")
    press(window, qtbot, Key.Key_Return)
    window.document.add(bare(), 2)
    assert not window.match_stepper.active


def test_what_was_found_in_another_profile_is_not_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    """The focus was elsewhere while the other profile was shown, and returns by Tab."""
    window.document.add(ascend(), 1)
    type_into(window, qtbot, "load")
    press(window, qtbot, Key.Key_Return)
    window.tabs.setFocus()
    window.document.add(bare(), 2)
    assert window.omnibox._lookup.asked is None  # which would keep the memory of the profile when it is closed
    window.omnibox.setFocus(Qt.FocusReason.TabFocusReason)
    press(window, qtbot, Key.Key_Return)
    assert window.document.selection.value is None
    assert lines(window) == []
    press(window, qtbot, Key.Key_Down)
    settled(window, qtbot)
    assert "No matches" in headings(window)


def test_kinds_have_headings_with_honest_counts(window: MainWindow, qtbot: QtBot) -> None:
    names = Strings.of([f"load_{number}" for number in range(500)])
    window.document.add(replace(ascend(), compute_sets=ComputeSets(count=500, names=names)), 1)
    type_into(window, qtbot, "load")
    assert headings(window)["Compute sets"] == "first 6 of 500"
    assert headings(window)["Slices"] == "1"
    (more,) = [place for place, (text, detail) in enumerate(lines(window)) if detail == "Compute sets"]
    assert lines(window)[more][0] == "Show the first 200"
    for _ in range(more + 1):
        press(window, qtbot, Key.Key_Down)
    press(window, qtbot, Key.Key_Return)
    assert headings(window) == {"Compute sets": "first 200 of 500"}
    assert len(lines(window)) == 200
    assert window.omnibox.popup.isVisible()


def test_typing_on_takes_the_question_back(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    release = threading.Event()

    def slowly(profile: Profile, text: str, pause: Callable[[], None]) -> Answer:
        asked.append(text)
        while text == "lo" and not release.is_set():
            pause()
        return Answer((Hit(f"found {text}", "", Target()),), 1)

    monkeypatch.setattr("app.analysis.lookup.sources.SOURCES", (Source("slow", "Slow", slowly),))
    window.document.add(ascend(), 1)
    window.omnibox.start()
    QTest.keyClicks(window.omnibox, "lo")
    qtbot.waitUntil(lambda: "lo" in asked)
    QTest.keyClicks(window.omnibox, "ad")  # the answer to "lo" would never come
    settled(window, qtbot)
    assert lines(window)[0][0] == "found load"
    release.set()


def test_go_to_gives_the_panel_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    window.actions_.commands["go.to"].run(window)
    qtbot.waitUntil(window.omnibox.hasFocus)
    assert window.omnibox.text() == "@"
    assert list(headings(window)) == [GO_HINT]
    QTest.keyClicks(window.omnibox, "cube")
    settled(window, qtbot)
    QTest.keyClick(window.omnibox, Key.Key_Return)
    assert window.document.selection.value == Selection("lane", (1,), "search")
    assert window.docks is not None
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, CanvasPanel)
    qtbot.waitUntil(panel.canvas.hasFocus)
    assert window.omnibox.text() == ""


def test_how_well_letters_fit() -> None:
    ranked = sorted(("Zoom out fast", "Zoom in", "Reset layout"), key=lambda t: -(score("zi", t) or -1))
    assert ranked[0] == "Zoom in"
    assert score("xq", "Zoom in") is None
    assert score("", "Zoom in") == 0
    assert (score("fast", "Zoom in fast") or 0) > (score("fast", "File as text") or 0)


def test_what_is_found_follows_the_profile_that_grows_or_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    whole = ascend()
    entry = window.document.add(replace(whole, timeline=None), 1)
    type_into(window, qtbot, "LOAD")
    assert ("load", "2 × slice") not in lines(window)
    window.document.grow(entry, whole, frozenset({"timeline"}))
    settled(window, qtbot)
    assert ("load", "2 × slice") in lines(window)
    window.document.add(bare(), 2)
    settled(window, qtbot)
    assert ("load", "2 × slice") not in lines(window)
    window.document.show(entry)
    settled(window, qtbot)
    assert ("load", "2 × slice") in lines(window)


def test_no_list_opens_over_a_match_that_was_gone_to(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.add(ascend(), 1)
    go_on = threading.Event()

    def late(profile: Profile, text: str, check: Callable[[], None]) -> Answer:
        del profile, text, check
        go_on.wait(20)
        return Answer((Hit("a cell", "late", Target()),), 1)

    slow = Source("late", "Late", late, frozenset({"search"}), slow=True)
    monkeypatch.setattr("app.analysis.lookup.sources.SOURCES", (*SOURCES, slow))
    window.omnibox.start()
    qtbot.waitUntil(window.omnibox.hasFocus)
    QTest.keyClicks(window.omnibox, "LOAD")
    qtbot.waitUntil(lambda: not window.omnibox._lookup.quick_busy and len(lines(window)) > 0)
    press(window, qtbot, Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.selection.value is not None)
    go_on.set()
    settled(window, qtbot)
    assert not window.omnibox.popup.isVisible()
    press(window, qtbot, Key.Key_Down)
    assert window.omnibox.popup.isVisible()
    assert any(text == "a cell" for text, _ in lines(window))
