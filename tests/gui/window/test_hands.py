"""What hands do on the timeline: keys act on what is selected, what was done is undone, and letters that are typed as a
name are no commands."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.panels.details import PINNED, DetailsPanel
from app.panels.registry import SPECS
from app.panels.spec import PanelSpec
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.look import CONTRAST, DARK, LIGHT
from app.widgets.canvas import FIRST, LAST
from app.widgets.display import Display
from app.widgets.mnemonics import kept_mark, plain
from app.widgets.sheet import Link, Sheet
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.marks import beside_flag
from app.window.commands.canvas import SELECT_SLICE
from app.window.main_window import MainWindow
from fakes.shell import PANELS, ascend, build_panels, make_window

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
REAL: tuple[PanelSpec, ...] = (
    SPECS["timeline"],
    SPECS["details"],
    *(spec for spec in PANELS if spec.id == "summary"),
)
SLICE, LANE = Selection("slice", (3,), "test"), Selection("lane", (1,), "test")


@pytest.fixture
def real(qtbot: QtBot, looks: None) -> MainWindow:
    """A window with the real timeline, which has the keyboard, and the real details."""
    window = make_window(panels=REAL)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    assert window.docks is not None
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    panel._refresh.now()
    panel.canvas.setFocus()
    qtbot.waitUntil(panel.canvas.hasFocus)
    return window


def canvas_of(window: MainWindow) -> TimelineCanvas:
    assert window.docks is not None
    panel = window.docks.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    return panel.canvas


def details_of(window: MainWindow) -> DetailsPanel:
    assert window.docks is not None
    panel = window.docks.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    return panel


def state(window: MainWindow) -> tuple[object, ...]:
    """Everything that can be undone."""
    shown = canvas_of(window).shown
    assert shown is not None
    notes = tuple(note.text for note in window.document.notes.value)
    return shown.lanes.arrangement, shown.contents.names, notes, window.document.ranges.value


def point_at_lane(canvas: TimelineCanvas, lane: int) -> None:
    assert canvas.shown is not None
    band = canvas.shown.layout.lane_bands[lane]
    y = round(canvas.shown.scene().body.y) + band.y + band.height // 2
    QTest.mouseMove(canvas, QPoint(canvas.shown.place.gutter // 2, y))
    QApplication.processEvents()


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifiers)
    QApplication.processEvents()  # actions are enabled again


@pytest.mark.parametrize("selection", [SLICE, LANE])
def test_p_pins_the_selected_lane_wherever_the_pointer_rests(real: MainWindow, selection: Selection) -> None:
    canvas = canvas_of(real)
    assert canvas.shown is not None
    real.document.selection.set(selection)
    point_at_lane(canvas, 0)
    press(canvas, Key.Key_P)
    pinned = [canvas.shown.lanes.choice.pins]
    real.document.selection.set(None)
    point_at_lane(canvas, 0)
    press(canvas, Key.Key_P)
    pinned.append(canvas.shown.lanes.choice.pins)
    assert pinned == [(1,), (1, 0)]


def test_each_thing_done_is_undone_and_redone_in_order(real: MainWindow) -> None:
    canvas, states = canvas_of(real), [state(real)]
    real.document.selection.set(SLICE)
    for key in (Key.Key_P, Key.Key_H, Key.Key_R):
        press(canvas, key)
        states.append(state(real))
    press(canvas, Key.Key_E, SHIFT)
    states.append(state(real))
    press(canvas, Key.Key_M)
    QTest.keyClicks(canvas.notes.field, "pool")
    press(canvas.notes.field, Key.Key_Return)
    states.append(state(real))
    press(canvas, Key.Key_Delete)
    states.append(state(real))
    real.actions_.commands["canvas.show_all"].run(real)
    QApplication.processEvents()
    states.append(state(real))
    assert all(one != other for one, other in pairwise(states))
    for wanted in reversed(states[:-1]):
        press(canvas, Key.Key_Z, CONTROL)
        assert state(real) == wanted
    press(canvas, Key.Key_Z, CONTROL)
    assert state(real) == states[0]
    for place, wanted in enumerate(states[1:]):
        press(canvas, *((Key.Key_Y, CONTROL) if place % 2 else (Key.Key_Z, CONTROL | SHIFT)))
        assert state(real) == wanted


def test_the_menu_says_what_is_undone(real: MainWindow) -> None:
    canvas = canvas_of(real)
    undo, redo = (real.actions_.actions[name] for name in ("edit.undo", "edit.redo"))
    assert (plain(undo.text()), undo.isEnabled()) == ("Undo", False)
    real.document.selection.set(LANE)
    press(canvas, Key.Key_P)
    assert (plain(undo.text()), undo.isEnabled()) == ("Undo pin lane", True)
    assert "&" in undo.text()
    press(canvas, Key.Key_Z, CONTROL)
    assert (plain(redo.text()), redo.isEnabled()) == ("Redo pin lane", True)
    assert not undo.isEnabled()


def test_a_field_that_is_written_in_has_its_own_undo(real: MainWindow) -> None:
    canvas = canvas_of(real)
    real.document.selection.set(SLICE)
    press(canvas, Key.Key_P)
    press(canvas, Key.Key_M)
    field = canvas.notes.field
    QTest.keyClicks(field, "x")
    press(field, Key.Key_Z, CONTROL)
    assert field.text() == "matmul"
    press(field, Key.Key_Z, CONTROL)  # nothing to undo in the field
    assert canvas.shown is not None
    assert canvas.shown.lanes.choice.pins == (1,)
    assert len(real.document.notes.value) == 1


@pytest.mark.parametrize("selection", [SLICE, None])
def test_letters_typed_after_m_are_a_name(real: MainWindow, selection: Selection | None) -> None:
    canvas = canvas_of(real)
    real.document.selection.set(selection)
    before = state(real)
    for letter in "mpool":  # each goes to whatever has the keyboard by then, without a turn of the event loop
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, Key(ord(letter.upper())))
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    press(canvas.notes.field, Key.Key_Return)
    assert [note.text.casefold() for note in real.document.notes.value] == ["pool"]
    assert state(real)[:2] == before[:2]
    assert real.document.selection.value == selection
    press(canvas, Key.Key_Z, CONTROL)
    assert real.document.notes.value == ()  # at once: name and note are one


def test_renaming_is_one_step_and_keeps_the_note(real: MainWindow) -> None:
    canvas, notes = canvas_of(real), real.document.notes
    notes.add(1.0, 4.0, "one")
    real.document.edits.seal()
    QApplication.processEvents()
    canvas.setFocus()
    press(canvas, Key.Key_F2)
    for letter in "two":
        QTest.keyClicks(canvas.notes.field, letter)
        canvas.notes.field.report()  # as it does by itself after a pause
    press(canvas.notes.field, Key.Key_Return)
    press(canvas, Key.Key_Z, CONTROL)
    assert [note.text for note in notes.value] == ["one"]
    press(canvas, Key.Key_Z, CONTROL)
    assert notes.value == ()


def test_another_profile_has_its_own_history(real: MainWindow) -> None:
    real.document.ranges.set(Ranges(time=TimeRange(1.0, 2.0)))
    first = real.document.current_id
    assert first is not None
    real.document.finish(real.document.add(ascend("other"), 2))
    real.document.show(real.document.entries[1].id)
    undoable = [real.document.edits.to_undo]
    real.document.show(first)
    undoable.append(real.document.edits.to_undo)
    real.document.close(first)
    undoable.append(real.document.edits.to_undo)
    assert [edit is not None for edit in undoable] == [False, True, False]


def test_keys_that_lead_nowhere_say_why(real: MainWindow) -> None:
    canvas = canvas_of(real)
    real.document.selection.set(Selection("slice", (2,), "test"))
    press(canvas, Key.Key_Period)
    assert real.footer.currentMessage() == LAST
    real.document.selection.set(Selection("slice", (0,), "test"))
    press(canvas, Key.Key_Comma)
    assert real.footer.currentMessage() == FIRST
    real.document.selection.set(None)
    press(canvas, Key.Key_BracketRight)
    assert real.footer.currentMessage() == SELECT_SLICE


def test_the_flag_of_the_pointer_stands_beside_that_of_the_range() -> None:
    other = QRectF(100, 1, 60, 18)
    for x in range(0, 400, 7):
        left = beside_flag(x, 50, 0, 400, other)
        assert 0 <= left <= 350
        assert left + 50 < other.left() or left > other.right(), x
    assert beside_flag(300, 50, 0, 400, other) == 275
    assert beside_flag(10, 50, 0, 400, QRectF(0, 1, 60, 18)) > 60  # at the edge: on the other side


@pytest.mark.parametrize("theme", [LIGHT, DARK, CONTRAST])
def test_a_link_with_the_keyboard_has_a_ring_and_follows_enter(qtbot: QtBot, theme: object) -> None:
    display = Display()
    display.set(theme=theme)
    sheet, followed = Sheet(display), list[str]()
    qtbot.addWidget(sheet)
    sheet.link("tile 4", lambda: followed.append("link"))
    sheet.wrapping_link("the longest wait of all", lambda: followed.append("sentence"))
    sheet.resize(300, 120)
    with qtbot.waitExposed(sheet):
        sheet.show()
    sheet.activateWindow()
    for link in sheet.findChildren(Link):
        link.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(link.hasFocus)
        picture = link.grab().toImage()
        ring = display.theme.focus.lower()
        colours = {picture.pixelColor(x, 0).name() for x in range(picture.width())}
        assert ring in colours
        QTest.keyClick(link, Key.Key_Space)
    assert followed == ["link", "sentence"]


def test_pinned_details_stay_until_released(real: MainWindow, qtbot: QtBot) -> None:
    selection = real.document.selection
    selection.set(SLICE)
    assert real.docks is not None
    real.docks.bring("details")
    build_panels(real)
    panel = details_of(real)
    qtbot.waitUntil(lambda: "matmul" in panel.copy_text())
    pin = next(button for button in real.findChildren(QToolButton, "pin") if button.isVisible())
    assert pin.isEnabled()
    pin.click()
    qtbot.waitUntil(lambda: PINNED in panel.copy_text())
    selection.set(Selection("slice", (2,), "test"))
    QApplication.processEvents()
    assert "matmul" in panel.copy_text()
    selection.set(None)
    QApplication.processEvents()
    assert "matmul" in panel.copy_text()
    assert real.docks.in_sight("details")
    selection.set(Selection("slice", (2,), "test"))
    assert pin.isChecked()
    pin.click()
    qtbot.waitUntil(lambda: "store" in panel.copy_text())
    assert PINNED not in panel.copy_text()
    real.actions_.commands["go.keep_details"].run(real)
    assert pin.isChecked()
    real.document.finish(real.document.add(ascend("other"), 2))
    real.document.show(real.document.entries[1].id)
    assert not pin.isChecked()


def test_a_mnemonic_stays_where_the_text_changes() -> None:
    assert kept_mark("&Undo", "Undo pin lane") == "&Undo pin lane"
    assert kept_mark("撤销(&U)", "撤销固定泳道") == "撤销固定泳道(&U)"
    assert kept_mark("Undo", "Undo range") == "Undo range"
