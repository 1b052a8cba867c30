"""The whole program without a mouse: Tab reaches everything that can be seen, and one sees where one is; menus open by
their letters; keys of commands leave fields alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QSpinBox, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.fields import SearchField
from app.widgets.mnemonics import marked, plain
from app.window import commands
from app.window.central_widget import stops
from app.window.command import Command
from app.window.commands import COMMANDS
from app.window.dock import Dock
from app.window.key_names import combination, is_bare
from app.window.keyboard import is_text_field
from app.window.main_window import MainWindow
from app.window.nearest import nearest
from app.window.samples import samples
from fakes.opened_window import opened_window
from generators import poplar
from generators.poplar_network import Scale

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
MOST_STOPS = 150


def paths_of(family: str, folder: Path) -> list[Path]:
    if family == "poplar":
        poplar.write_pair(folder, Scale(seed=4, tiles_per_ipu=16, compute_sets=6, loops=2))
        return [folder]
    return next(list(one.paths()) for one in samples() if family in str(one.paths()))


Opening = Callable[[str], tuple[MainWindow, Callable[[], None]]]


@pytest.fixture
def opening(qtbot: QtBot, tmp_path: Path) -> Iterator[Opening]:
    """``opening(family)``: the window on a profile of it, and what waits until all is done."""
    held = []

    def show(family: str) -> tuple[MainWindow, Callable[[], None]]:
        manager = opened_window(qtbot, paths_of(family, tmp_path))
        window, settle = manager.__enter__()
        held.append(manager)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        settle()
        return window, settle

    yield show
    for manager in held:
        manager.__exit__(None, None, None)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def walk(key: Qt.Key) -> list[QWidget]:
    """What has the keyboard, one press after the other, until it comes round."""
    seen: list[QWidget] = []
    while focused() not in seen:
        assert len(seen) < MOST_STOPS
        seen.append(focused())
        QTest.keyClick(focused(), key)
    assert focused() is seen[0], f"{focused()} is a trap, or leads back into the middle"
    return seen


@pytest.mark.parametrize("family", ["matmul", "popef", "poplar"])
def test_everything_is_reached_seen_and_named(opening: Opening, family: str) -> None:
    window, settle = opening(family)
    tab_goes_round_through_all_that_can_be_seen(window, settle)
    one_sees_what_has_the_keyboard(window, settle)
    each_stop_of_each_panel_has_a_name(window, settle)


def tab_goes_round_through_all_that_can_be_seen(window: MainWindow, settle: Callable[[], None]) -> None:
    walked = walk(Key.Key_Tab)
    there = [widget for widget in walked if not isinstance(widget.parentWidget(), SearchField)]
    assert len(there) < len(walked)  # the switches of a search come after its field, which shows them while it is used
    settle()
    back = walk(Key.Key_Backtab)
    assert back == [there[0], *reversed(there[1:])]
    assert set(there) == set(stops(window))
    assert window.docks is not None
    docks = {nearest(widget, Dock) for widget in there} - {None}
    assert all(dock.on_screen for dock in docks if dock is not None)
    takers = {dock for dock in window.docks.shown() if dock.on_screen and dock.focus_target().focusPolicy()}
    assert docks == takers
    assert {window.tabs, window.omnibox} <= set(there)
    assert all(widget.isVisible() and widget.isEnabled() for widget in there)


def one_sees_what_has_the_keyboard(window: MainWindow, settle: Callable[[], None]) -> None:
    for widget in stops(window):
        if widget is window.omnibox or isinstance(widget, (QLineEdit, QSpinBox)):
            continue  # a cursor blinks in them
        around = nearest(widget, Dock) or window
        window.omnibox.setFocus()
        settle()
        before = around.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        assert around.grab().toImage() != before, widget


def each_stop_of_each_panel_has_a_name(window: MainWindow, settle: Callable[[], None]) -> None:
    assert window.docks is not None
    for name in window.docks.offered:
        window.docks.focus(name)
        settle()
        holder = nearest(QApplication.focusWidget(), Dock)
        assert holder is window.docks.docks[name]
        assert [one for one in stops(window) if not one.accessibleName() and not hasattr(one, "text")] == [], name


def test_the_start_page_is_used_by_keyboard(window: MainWindow) -> None:
    assert focused() is window.start
    asked: list[object] = []
    window.start.open_wanted.connect(asked.append)
    for _ in range(MOST_STOPS):
        QTest.keyClick(focused(), Key.Key_Tab)
        if focused().objectName() == "card":
            break
    QTest.keyClick(focused(), Key.Key_Return)
    assert asked


# -- menus --------------------------------------------------------------------------------------------------------


def menus(window: MainWindow) -> list[QMenu]:
    found = []
    for action in window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        found += [menu, *menu.findChildren(QMenu)]
    return found


def letters(actions: list[QAction]) -> list[str]:
    texts = [action.text().replace("&&", "") for action in actions if not action.isSeparator()]
    return [text[text.index("&") + 1].casefold() for text in texts if "&" in text]


def test_every_menu_and_entry_has_a_letter_of_its_own(window: MainWindow) -> None:
    assert letters(window.menuBar().actions()) == list("fevgcth")
    for menu in menus(window):
        entries = [action for action in menu.actions() if not action.isSeparator()]
        assert len(set(letters(entries))) == len(entries), menu.title()


def test_letters_are_the_first_that_are_free() -> None:
    assert marked(["Open\tCtrl+O", "Open folder…", "Fold && go"]) == ["&Open\tCtrl+O", "Open &folder…", "Fold && &go"]
    assert marked(["&Open", "O"]) == ["O&pen", "&O"]  # an entry with a choice gives way
    assert marked(["ab", "b", "a", "–"]) == ["&ab", "&b", "a", "–"]
    assert marked(["Cancel", "&Compare", "Read & write"]) == ["C&ancel", "&Compare", "&Read  write"]
    assert plain("A && &B") == "A && B"


def test_f10_opens_the_menu_bar_and_escape_closes_nothing_else(opening: Opening, qtbot: QtBot) -> None:
    window, settle = opening("matmul")
    from app.profile.selection import Ranges, TimeRange

    window.document.ranges.set(Ranges(time=TimeRange(0.0, 1.0)))
    before = focused()
    window.actions_.refresh()
    QTest.keyClick(focused(), Key.Key_F10)
    popup = QApplication.activePopupWidget()
    assert popup is window.menuBar().actions()[0].menu()
    assert popup is not None
    QTest.keyClick(popup, Key.Key_Escape)
    QTest.keyClick(window.menuBar(), Key.Key_Escape)
    window.activateWindow()
    settle()
    assert QApplication.activePopupWidget() is None
    qtbot.waitUntil(before.hasFocus)
    assert window.document.ranges.value.time is not None


# -- panels -------------------------------------------------------------------------------------------------------


def test_f6_goes_through_all_panels(opening: Opening) -> None:
    window, settle = opening("matmul")
    assert window.docks is not None
    names = [dock.spec.id for dock in window.docks.shown()]
    window.docks.focus(names[0])
    seen = []
    for _ in names:
        dock = nearest(window.keys.last_focus, Dock)
        assert dock is not None
        assert dock.on_screen
        seen.append(dock.spec.id)
        window.actions_.actions["go.next_panel"].trigger()
        settle()
    assert seen == names
    window.actions_.actions["go.previous_panel"].trigger()
    settle()
    dock = nearest(window.keys.last_focus, Dock)
    assert dock is not None
    assert dock.spec.id == names[-1]


def test_panels_are_closed_and_torn_off_by_commands(opening: Opening, qtbot: QtBot) -> None:
    window, settle = opening("matmul")
    assert window.docks is not None
    dock = window.docks.docks["timeline"]
    for floating in (True, False):
        window.actions_.commands["view.float_panel"].run(window)
        settle()
        assert dock.isFloating() is floating
        qtbot.waitUntil(lambda: nearest(QApplication.focusWidget(), Dock) is dock)
    window.actions_.commands["view.close_panel"].run(window)
    settle()
    assert dock.isHidden()
    assert nearest(QApplication.focusWidget(), Dock) not in (None, dock)


# -- the list of commands -----------------------------------------------------------------------------------------


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Commands do nothing but write down that they were run."""
    ran: list[str] = []

    def recording(command: Command) -> Command:
        return replace(command, run=lambda _: ran.append(command.id), enabled=lambda _: True)

    monkeypatch.setattr(commands, "COMMANDS", tuple(map(recording, COMMANDS)))
    return ran


def bare_keys() -> list[tuple[str, Qt.Key, Qt.KeyboardModifier]]:
    found = [(command.id, combination(key)) for command in COMMANDS for key in command.keys if is_bare(key)]
    return [(name, made.key(), made.keyboardModifiers()) for name, made in found]


def test_every_key_acts_on_the_timeline(recorded: list[str], opening: Opening) -> None:
    opening("matmul")
    canvas = focused()
    assert canvas.objectName() == "timeline-canvas"
    for name, key, modifiers in bare_keys():
        recorded.clear()
        QTest.keyClick(canvas, key, modifiers)
        assert recorded == [name], key
        assert focused() is canvas
    assert len(bare_keys()) > 30


def test_no_bare_key_acts_in_a_field(recorded: list[str], opening: Opening) -> None:
    window, settle = opening("matmul")
    assert window.docks is not None
    for name in window.docks.offered:
        window.docks.focus(name)
        settle()
    fields = [field for field in stops(window) if is_text_field(field)]
    window.docks.focus("source")
    settle()
    fields += [field for field in stops(window) if is_text_field(field)]
    assert len(fields) > 4
    assert window.omnibox in fields
    for field in fields:
        for _, key, modifiers in bare_keys():
            field.setFocus()
            recorded.clear()
            QTest.keyClick(field, key, modifiers)
            assert recorded == [], (field, key)


def test_tabs_keep_the_keyboard_while_arrows_go_through_the_profiles(opening: Opening, qtbot: QtBot) -> None:
    window, settle = opening("matmul")
    window.open(paths_of("popef", Path()))
    qtbot.waitUntil(lambda: len(window.document.entries) == 2 and not window.loader.busy)
    settle()
    tabs: QTabBar = window.tabs
    tabs.setFocus()
    place = tabs.currentIndex()
    QTest.keyClick(tabs, Key.Key_Left)
    settle()
    assert tabs.currentIndex() == place - 1
    assert focused() is tabs
    QTest.keyClick(tabs, Key.Key_Return)
    settle()
    assert focused().objectName() == "timeline-canvas"
