"""Who has the keyboard, in the real window with real keys: the panel in front, unless a person put it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.profile.selection import Ranges, Selection, TimeRange
from app.window.dock import Dock
from app.window.dock_area import DockArea
from app.window.main_window import MainWindow
from app.window.nearest import nearest
from app.window.samples import samples
from fakes.opened_window import opened_window
from fakes.shell import ascend

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


def sample(family: str) -> list[Path]:
    return next(list(one.paths()) for one in samples() if family in str(one.paths()))


@dataclass(slots=True)
class Desk:
    window: MainWindow
    settle: Callable[[], None]
    qtbot: QtBot

    @property
    def docks(self) -> DockArea:
        assert self.window.docks is not None
        return self.window.docks

    @property
    def focus(self) -> QWidget:
        """What has the keyboard."""
        widget = QApplication.focusWidget()
        assert widget is not None
        return widget

    @property
    def panel_with_keyboard(self) -> str:
        dock = nearest(QApplication.focusWidget(), Dock)
        return "" if dock is None else dock.spec.id

    def panel(self, name: str) -> Any:
        return self.docks.docks[name].widget()

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """As the keyboard does: to whatever has it, in a popup first."""
        popup = QApplication.activePopupWidget()
        target = self.focus if popup is None else popup.focusWidget() or popup
        QTest.keyClick(target, key, modifiers)
        self.settle()

    def open(self, *paths: Path) -> None:
        entries = len(self.window.document.entries)
        self.window.open(list(paths))
        self.qtbot.waitUntil(lambda: len(self.window.document.entries) > entries and not self.window.loader.busy)
        self.settle()

    def click_tab(self, name: str) -> None:
        """On the tab of a panel."""
        for bar in self.docks.findChildren(QTabBar):
            for place in range(bar.count()):
                if bar.isVisible() and self.docks.tabs.dock_of(bar, place) is self.docks.docks[name]:
                    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
                    self.settle()
                    return
        raise AssertionError(f"no tab of {name}")

    def zooms(self) -> bool:
        """Whether W acts at once on the timeline."""
        canvas = self.panel("timeline").canvas
        before = canvas.shown.view
        self.press(Key.Key_W)
        narrower = canvas.shown.view.span < before.span
        self.press(Key.Key_0)
        return bool(narrower)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    with opened_window(qtbot, sample("matmul")) as (window, settle):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        settle()
        yield Desk(window, settle, qtbot)


def ranged(desk: Desk) -> TimeRange:
    """A range and a selection, which Esc would take back."""
    stretch = TimeRange(desk.panel("timeline").canvas.shown.view.start, desk.panel("timeline").canvas.shown.view.end)
    desk.window.document.ranges.set(Ranges(time=stretch))
    desk.window.document.selection.set(Selection("slice", (0,), "test"))
    desk.settle()
    return stretch


def untouched(desk: Desk, stretch: TimeRange) -> bool:
    return desk.window.document.ranges.value.time == stretch and desk.window.document.selection.value is not None


def test_the_timeline_has_the_keyboard_after_opening(desk: Desk) -> None:
    assert desk.focus is desk.panel("timeline").canvas
    assert desk.zooms()


def test_a_click_on_a_tab_gives_its_panel_the_keyboard(desk: Desk) -> None:
    desk.click_tab("memory_paths")
    assert desk.panel_with_keyboard == "memory_paths"
    desk.click_tab("timeline")
    assert desk.focus is desk.panel("timeline").canvas
    assert desk.zooms()
    desk.docks.focus("summary")
    desk.click_tab("timeline")  # it stood in front already
    assert desk.focus is desk.panel("timeline").canvas


def test_another_profile_leaves_the_keyboard_in_the_panel_in_front(desk: Desk) -> None:
    desk.open(*sample("popef"))
    assert desk.panel_with_keyboard == "blobs"
    desk.press(Key.Key_Tab, CONTROL)
    assert desk.focus is desk.panel("timeline").canvas
    tabs = desk.window.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    desk.settle()
    assert desk.panel_with_keyboard == "blobs"
    desk.window.omnibox.setFocus()
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    desk.settle()
    assert desk.zooms()


def test_what_is_typed_goes_on_while_a_profile_arrives(desk: Desk) -> None:
    desk.press(Key.Key_Slash)
    QTest.keyClicks(desk.focus, "ma")
    desk.open(*sample("popef"))
    assert desk.focus is desk.window.omnibox
    desk.press(Key.Key_Escape)
    assert desk.panel_with_keyboard == "blobs"


@pytest.mark.parametrize("name", ["timeline", "tables", "source"])
def test_escape_in_a_search_field_gives_the_keyboard_back(desk: Desk, name: str) -> None:
    stretch = ranged(desk)
    desk.docks.focus(name)
    desk.settle()
    before = desk.focus
    desk.press(Key.Key_F, CONTROL)
    field = desk.focus
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "ma")
    desk.press(Key.Key_Escape)
    assert field.text() == ""
    assert desk.focus is before
    desk.press(Key.Key_F, CONTROL)
    desk.press(Key.Key_Escape)  # the field is empty
    assert desk.focus is before
    assert untouched(desk, stretch)


def test_escape_in_the_search_of_everything_gives_the_keyboard_back(desk: Desk) -> None:
    desk.press(Key.Key_Slash)
    assert desk.focus is desk.window.omnibox
    QTest.keyClicks(desk.focus, "ma")
    desk.press(Key.Key_Escape)
    assert desk.zooms()


def test_escape_clears_found_slices_then_the_range_then_the_selection(desk: Desk) -> None:
    stretch = ranged(desk)
    field = desk.panel("timeline").bar.search.field
    desk.press(Key.Key_F, CONTROL)
    QTest.keyClicks(field, "ma")
    desk.panel("timeline").canvas.setFocus()
    left = []
    for _ in range(3):
        desk.press(Key.Key_Escape)
        ranges, selection = desk.window.document.ranges.value, desk.window.document.selection.value
        left.append((field.text(), ranges.time, selection is not None))
    assert left == [("", stretch, True), ("", None, True), ("", None, False)]


def test_escape_closes_the_filter_of_a_column_and_nothing_else(desk: Desk) -> None:
    stretch = ranged(desk)
    desk.docks.focus("tables")
    desk.settle()
    table = desk.panel("tables").table
    table.view.setFocus()
    columns = table.view.items.table.columns
    for place in range(len(columns)):
        table.filters.ask(place)
        desk.settle()
        popup = QApplication.activePopupWidget()
        assert popup is not None
        for _ in range(12):  # wherever in it the keyboard is
            desk.press(Key.Key_Tab)
        desk.press(Key.Key_Escape)
        assert QApplication.activePopupWidget() is None
        assert untouched(desk, stretch)
    desk.qtbot.waitUntil(table.view.hasFocus)


def test_escape_closes_a_drop_down_and_nothing_else(desk: Desk) -> None:
    stretch = ranged(desk)
    desk.docks.focus("memory_paths")
    desk.settle()
    inside = desk.docks.docks["memory_paths"].findChildren(QComboBox)  # the heading, too
    box = next(box for box in inside if box.count() > 1 and box.isVisible())
    box.setFocus()
    desk.press(Key.Key_Return)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    desk.press(Key.Key_Escape)
    assert not popup.isVisible()
    assert untouched(desk, stretch)
    assert desk.focus is box


def test_escape_takes_back_filters_of_columns_before_the_range(desk: Desk) -> None:
    stretch = ranged(desk)
    desk.docks.focus("tables")
    desk.settle()
    table = desk.panel("tables").table
    table.view.setFocus()
    table.filters.set(table.view.items.table.columns[-1].key, _none_of())
    assert table.filters.filters
    desk.press(Key.Key_Escape)
    assert not table.filters.filters
    assert untouched(desk, stretch)


def _none_of() -> Any:
    from app.analysis.column_filter import ColumnFilter

    return ColumnFilter(low=1.0)


def test_escape_while_a_range_is_drawn_forgets_it(desk: Desk) -> None:
    stretch = ranged(desk)
    canvas = desk.panel("timeline").canvas
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(400, 100))
    QTest.mouseMove(canvas, QPoint(500, 100))
    QCoreApplication.processEvents()
    desk.press(Key.Key_Escape)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(500, 100))
    assert untouched(desk, stretch)


def test_what_is_hidden_gives_the_keyboard_to_the_panel_in_front(desk: Desk) -> None:
    desk.docks.focus("details")
    desk.settle()
    assert desk.panel_with_keyboard == "details"
    desk.docks.toggle("details")
    desk.settle()
    assert desk.focus is desk.panel("timeline").canvas
    desk.docks.focus("roofline")  # a tab in front of the timeline
    desk.docks.toggle("roofline")
    desk.settle()
    assert desk.panel_with_keyboard in {"timeline", "memory_paths", "cache"}
    assert desk.docks.docks[desk.panel_with_keyboard].on_screen


def test_enter_does_what_the_space_bar_does(desk: Desk) -> None:
    bar = desk.panel("timeline").bar
    bar.search.field.setFocus()
    desk.press(Key.Key_Tab)
    switch: QToolButton = bar.search.case
    assert switch.hasFocus()  # a switch of the search is there while the field is used
    desk.press(Key.Key_Return)
    assert switch.isChecked()
    desk.press(Key.Key_Space)
    assert not switch.isChecked()
    desk.docks.focus("memory_paths")
    desk.settle()
    box = next(box for box in desk.docks.docks["memory_paths"].findChildren(QCheckBox) if box.isVisible())
    box.setFocus()
    checked = box.isChecked()
    desk.press(Key.Key_Enter)
    assert box.isChecked() is not checked


def test_letters_reach_the_canvas_from_buttons_beside_it_but_not_from_fields(desk: Desk) -> None:
    panel = desk.panel("timeline")
    panel.bar.filter.setFocus()
    assert desk.zooms()
    panel.bar.search.field.setFocus()
    assert not desk.zooms()
    assert panel.bar.search.field.text() == "w0"


def test_tabs_of_panels_are_entered_by_enter(desk: Desk) -> None:
    bar = next(bar for bar in desk.docks.findChildren(QTabBar) if bar.isVisible() and bar.count() > 2)
    bar.setFocus()
    place = bar.currentIndex()
    desk.press(Key.Key_Right)
    assert bar.currentIndex() == place + 1
    assert desk.focus is bar  # the next tab is one more press away
    shown = desk.docks.tabs.dock_of(bar, bar.currentIndex())
    desk.press(Key.Key_Return)
    assert shown is not None
    assert desk.panel_with_keyboard == shown.spec.id


def test_up_and_down_select_lanes(desk: Desk) -> None:
    canvas, document = desk.panel("timeline").canvas, desk.window.document
    canvas.shown.lanes.fold_all(False)
    lanes = [band.index for band in canvas.shown.layout.bands if band.kind == "lane"]

    def lane() -> int | None:
        chosen = document.selection.value
        return chosen.first if chosen is not None and chosen.kind == "lane" else None

    walked = []
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Up):
        desk.press(key)
        walked.append(lane())
    assert walked == [lanes[0], lanes[1], lanes[2], lanes[1], lanes[0], lanes[0]]
    document.selection.set(Selection("lane", (lanes[-3],), "test"))
    for _ in range(3):  # the third finds no further lane
        desk.press(Key.Key_Down)
    assert lane() == lanes[-1]
    band = canvas.shown.layout.lane_bands[lanes[-1]]
    assert canvas.shown.view.top + canvas.shown.bounds.room >= band.bottom  # scrolled into sight
    document.selection.set(Selection("slice", (0,), "test"))
    desk.press(Key.Key_Down)
    assert lane() == lanes[lanes.index(canvas.shown.model.lane_of(0)) + 1]


def test_a_key_that_is_held_is_one_step_of_the_view_history(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = desk.panel("timeline").canvas
    seconds = iter(range(0, 10_000, 100))  # however slowly the repeats come
    monkeypatch.setattr("app.views.timeline.navigation.time.monotonic", lambda: float(next(seconds)))
    whole = canvas.shown.view
    for key in (Key.Key_W, Key.Key_D):
        for repeated in (False, True, True, True):
            event = QKeyEvent(QEvent.Type.KeyPress, key, NONE, chr(key).lower(), repeated)
            QCoreApplication.sendEvent(canvas, event)
    assert canvas.shown.view.span < whole.span / 2
    nearer = canvas.shown.view
    desk.press(Key.Key_Backspace)
    assert canvas.shown.view.span == pytest.approx(nearer.span)
    assert canvas.shown.view.start < nearer.start
    desk.press(Key.Key_Backspace)
    assert canvas.shown.view == whole
    QCoreApplication.sendEvent(canvas, QKeyEvent(QEvent.Type.KeyPress, Key.Key_W, NONE, "w"))
    QCoreApplication.sendEvent(canvas, QKeyEvent(QEvent.Type.KeyPress, Key.Key_W, NONE, "w"))  # pressed again
    desk.press(Key.Key_Backspace)
    assert canvas.shown.view.span < whole.span


def test_a_held_key_on_a_picture_is_one_step_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.docks.focus("memory_paths")
    desk.settle()
    canvas = desk.panel("memory_paths").canvas
    assert canvas.hasFocus()
    canvas.grab()  # painted once, so that it has its size and its picture
    desk.settle()
    seconds = iter(range(0, 10_000, 100))
    monkeypatch.setattr("app.views.axis.time.monotonic", lambda: float(next(seconds)))
    whole = canvas.history.view
    for repeated in (False, True, True):
        QCoreApplication.sendEvent(canvas, QKeyEvent(QEvent.Type.KeyPress, Key.Key_W, NONE, "w", repeated))
    assert canvas.history.view.x.width < whole.x.width / 1.5
    desk.press(Key.Key_Backspace)
    assert canvas.history.view == whole
    assert not canvas.held


def panel_with_keyboard(window: MainWindow) -> str:
    dock = nearest(QApplication.focusWidget(), Dock)
    return "" if dock is None or not window.isActiveWindow() else dock.spec.id


def test_the_keyboard_goes_to_the_main_panel_that_comes_late(window: MainWindow, qtbot: QtBot) -> None:
    full = ascend()
    entry = window.document.add(replace(full, timeline=None), 1)
    qtbot.waitUntil(lambda: panel_with_keyboard(window) not in ("", "timeline"))
    QTest.keyClick(window.focusWidget(), Key.Key_W)
    window.document.grow(entry, full, frozenset(("timeline",)))
    qtbot.waitUntil(lambda: panel_with_keyboard(window) == "timeline")
    window.document.finish(entry)
    other = window.document.add(replace(full, timeline=None), 2)  # where a person had the keyboard it stays
    qtbot.waitUntil(lambda: panel_with_keyboard(window) not in ("", "timeline"))
    docks = window.prepare()
    docks.focus("details")
    qtbot.waitUntil(lambda: panel_with_keyboard(window) == "details")
    window.document.grow(other, full, frozenset(("timeline",)))
    window.document.finish(other)
    QCoreApplication.sendPostedEvents()
    QCoreApplication.processEvents()
    assert panel_with_keyboard(window) == "details"


def test_the_keyboard_stays_where_a_person_works_meanwhile(window: MainWindow, qtbot: QtBot) -> None:
    full = ascend()
    entry = window.document.add(replace(full, timeline=None), 1)
    qtbot.waitUntil(lambda: panel_with_keyboard(window) not in ("", "timeline"))
    before = panel_with_keyboard(window)
    QTest.keyClick(window.focusWidget(), Key.Key_Down)
    window.document.grow(entry, full, frozenset(("timeline",)))
    window.document.finish(entry)
    QCoreApplication.processEvents()
    assert panel_with_keyboard(window) == before
