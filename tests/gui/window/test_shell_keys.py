"""Bare keys go by what has the focus."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from app.window.keys import key_by_place
from app.window.main_window import MainWindow
from fakes.shell import CanvasPanel, FakeCanvas, TablePanel, ascend, build_panels

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


def timeline_panel(window: MainWindow, qtbot: QtBot) -> CanvasPanel:
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    assert window.docks is not None
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, CanvasPanel)
    return panel


def focused_canvas(window: MainWindow, qtbot: QtBot) -> FakeCanvas:
    canvas = timeline_panel(window, qtbot).canvas
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    return canvas


def test_letters_reach_the_canvas_that_has_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    canvas = focused_canvas(window, qtbot)
    for key in (Key.Key_W, Key.Key_S, Key.Key_A, Key.Key_D, Key.Key_Up, Key.Key_Down, Key.Key_F, Key.Key_0, Key.Key_R):
        QTest.keyClick(canvas, key)
    QTest.keyClick(canvas, Key.Key_D, SHIFT)
    QTest.keyClick(canvas, Key.Key_Backspace)
    QTest.keyClick(canvas, Key.Key_Backspace, SHIFT)
    QTest.keyClicks(canvas, ".,")
    told = canvas.told
    assert [name for name, _ in told] == (
        [
            "zoom",
            "zoom",
            "pan",
            "pan",
            "rows",
            "rows",
            "focus",
            "fit",
            "range",
            "pan",
            "back",
            "forward",
            "step",
            "step",
        ]
    )
    assert told[0][1] > 1 > told[1][1]
    assert told[2][1] < 0 < told[3][1] < told[9][1]  # Shift moves further
    assert [told[12][1], told[13][1]] == [1, -1]


def test_a_key_that_is_held_repeats(window: MainWindow, qtbot: QtBot) -> None:
    canvas = focused_canvas(window, qtbot)
    for _ in range(3):
        QCoreApplication.sendEvent(canvas, QKeyEvent(QEvent.Type.KeyPress, Key.Key_W, NONE, "w", True))
    assert [name for name, _ in canvas.told] == ["zoom"] * 3


def test_no_letter_is_taken_from_a_text_field(window: MainWindow, qtbot: QtBot) -> None:
    panel = timeline_panel(window, qtbot)
    panel.field.setFocus()
    qtbot.waitUntil(panel.field.hasFocus)
    QTest.keyClicks(panel.field, "was 0/?q.")
    assert panel.field.text() == "was 0/?q."
    assert panel.canvas.told == []
    assert window.findChildren(QLineEdit, "omnibox")[0].text() == ""


def test_letters_search_in_a_table_but_signs_are_commands(window: MainWindow, qtbot: QtBot) -> None:
    canvas = focused_canvas(window, qtbot)
    assert window.docks is not None
    window.docks.focus("instructions")
    table = window.docks.docks["instructions"].widget()
    assert isinstance(table, TablePanel)
    qtbot.waitUntil(table.hasFocus)
    QTest.keyClick(table, Key.Key_W)
    assert canvas.told == []
    QTest.keyClick(table, Key.Key_Slash)
    qtbot.waitUntil(window.omnibox.hasFocus)


def test_q_shows_and_hides_details(window: MainWindow, qtbot: QtBot) -> None:
    canvas = focused_canvas(window, qtbot)
    assert window.docks is not None
    details = window.docks.docks["details"]
    assert not details.isHidden()
    QTest.keyClick(canvas, Key.Key_Q)
    assert details.isHidden()
    QTest.keyClick(canvas, Key.Key_Q)
    assert not details.isHidden()


def test_escape_takes_back_the_search_then_the_ranges_then_the_selection(window: MainWindow, qtbot: QtBot) -> None:
    canvas = focused_canvas(window, qtbot)
    document = window.document
    window.omnibox.setText("load")
    window.match_stepper.step_text("load", 1)
    document.ranges.set(Ranges(TimeRange(1, 2), TileRange((3,))))
    qtbot.waitUntil(lambda: document.selection.value == Selection("slice", (0,), "search"))
    QTest.keyClick(canvas, Key.Key_Escape)
    assert (window.omnibox.text(), window.match_stepper.active) == ("", False)
    assert document.ranges.value.time is not None
    QTest.keyClick(canvas, Key.Key_Escape)
    assert document.ranges.value == Ranges()
    assert document.selection.value is not None
    QTest.keyClick(canvas, Key.Key_Escape)
    assert document.selection.value is None


def test_ctrl_and_a_number_goes_to_a_panel(window: MainWindow, qtbot: QtBot) -> None:
    canvas = timeline_panel(window, qtbot).canvas
    assert window.docks is not None
    assert window.docks.offered == ("timeline", "source", "instructions", "summary", "details", "issues")
    qtbot.waitUntil(window.actions_.actions["go.panel_1"].isEnabled)
    QTest.keyClick(window, Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(canvas.hasFocus)
    QTest.keyClick(window, Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.docks is not None and window.docks.docks["instructions"].widget().hasFocus())


@pytest.mark.parametrize(
    ("typed", "scan", "acts_as"),
    [
        ("W", 25, "W"),  # QWERTY
        ("Z", 25, "W"),  # AZERTY: the key at W's place
        ("Q", 38, "A"),
        ("A", 24, "Q"),  # AZERTY: A has moved to Q's place and stands in for it
        ("W", 52, "Z"),
        ("O", 39, "S"),  # Dvorak
        ("F", 41, "F"),
        ("P", 27, "P"),  # Dvorak: only the four keys go by place
        ("W", 0, "W"),  # no scan code: by letter
    ],
)
def test_wasd_go_by_place(typed: str, scan: int, acts_as: str) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, ord(typed), NONE, scan, 0, 0, typed.lower())
    assert chr(key_by_place(event, "xcb")) == acts_as


def test_windows_scan_codes_are_eight_less() -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, ord("Z"), NONE, 0x11, 0, 0, "z")
    assert chr(key_by_place(event, "windows")) == "W"
