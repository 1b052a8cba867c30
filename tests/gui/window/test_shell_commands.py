"""The one command list: keys that do not clash, commands that run, help that is complete."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from app.help.tours import TOURS
from app.profile.file_state import ChosenUnit
from app.widgets.mnemonics import plain
from app.window import key_help
from app.window.commands import COMMANDS
from app.window.input_dialogs import ClockDialog
from app.window.key_names import combination, is_bare, shown_keys
from app.window.main_window import MainWindow
from app.window.samples import samples
from fakes.shell import ascend, bare, build_panels, loader_of

KNOWN_KEYS = (
    *("W", "A", "S", "D", "Up", "Down", "Shift+W", "Shift+A", "Shift+S", "Shift+D", "F", "0", "Ctrl+0", "R", ".", ","),
    *("Backspace", "Shift+Backspace", "/", "?", "Q", "Esc", "F1", "F3", "F5", "Ctrl+F", "Ctrl+P", "Ctrl+Shift+P"),
    *("Ctrl+O", "Ctrl+W", "Ctrl+C", "Ctrl+E", "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5", "Ctrl+6"),
)


def test_names_and_keys_are_unique() -> None:
    assert max(Counter(command.id for command in COMMANDS).values()) == 1
    # A bare key may mean one thing on a canvas; whatever is not bare, or not of a canvas, holds everywhere.
    keys = Counter(combination(key).toCombined() for command in COMMANDS for key in command.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_keys_are_those_that_users_of_profile_viewers_know() -> None:
    keys = {key: command.id for command in COMMANDS for key in command.keys}
    assert set(KNOWN_KEYS) <= keys.keys()


def test_quit_ends_the_file_menu() -> None:
    assert [command.id for command in COMMANDS if command.menu == "File"][-1] == "file.quit"


def test_letters_belong_to_canvases() -> None:
    letters = [
        c.id for c in COMMANDS for key in c.keys if is_bare(key) and key.split("+")[-1].isalpha() and not c.canvas
    ]
    assert set(letters) <= {"edit.clear", "notes.remove"}  # Esc, Del


def opened_by_tours() -> list[tuple[Path, ...]]:
    """What the commands that start a tour open."""
    return [tuple(sample.paths()) for tour in TOURS for sample in samples() if sample.id == tour.sample]


def test_every_command_runs_or_is_disabled_with_nothing_open(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    monkeypatch.setattr(MainWindow, "showFullScreen", lambda _: None)
    ran = []
    for command in COMMANDS:
        if command.enabled(window) and command.id != "file.quit":
            command.run(window)
            ran.append(command.id)
    assert {"file.open", "help.keys", "help.about", "view.theme_dark", "tools.commands"} <= set(ran)
    assert loader_of(window).asked == opened_by_tours()


def test_every_command_runs_with_a_profile(window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (["/data/a.bin", "/data/b.bin"], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "/data")
    monkeypatch.setattr(MainWindow, "showFullScreen", lambda _: None)
    window.document.finish(window.document.add(ascend(), 1))
    window.document.finish(window.document.add(bare(), 2))
    window.document.show(1)
    build_panels(window)
    ran = set()
    for command in COMMANDS:
        if command.id not in ("file.quit", "file.close", "file.close_others") and command.enabled(window):
            command.run(window)
            ran.add(command.id)
    assert {"file.reload", "file.export", "canvas.fit", "canvas.zoom_in", "go.panel_1", "view.details"} <= ran
    by_hand = [(Path("/data/a.bin"), Path("/data/b.bin")), (Path("/data"),)]
    assert loader_of(window).asked == [*by_hand, *opened_by_tours()]
    assert loader_of(window).reloaded == [1]


def test_help_lists_every_command_with_its_keys_and_filters(window: MainWindow, qtbot: QtBot) -> None:
    key_help.show(window)
    dialog = window.findChildren(key_help.KeyHelp)[0]
    items = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    listed = {(item.text(1), item.text(0)) for item in items if item is not None}
    assert len(listed) == len(COMMANDS)
    for command in COMMANDS:
        assert any(title.endswith(command.text) and keys == shown_keys(command) for title, keys in listed)
    dialog.field.setText("zoom fast")
    left = [item.text(1) for item in items if item is not None and not item.isHidden()]
    assert left == ["Zoom in fast", "Zoom out fast"]
    dialog.close()


def test_menus_are_made_from_the_list_and_none_is_empty(window: MainWindow) -> None:
    menus = [action.menu() for action in window.menuBar().actions()]
    titles = [menu.title() for menu in menus if isinstance(menu, QMenu)]
    assert titles == ["&File", "&Edit", "&View", "&Go", "&Compare", "&Tools", "&Help"]
    in_menus = sum(
        len([a for a in sub.actions() if not a.isSeparator()])
        for menu in menus
        if isinstance(menu, QMenu)
        for sub in (menu, *(a.menu() for a in menu.actions() if isinstance(a.menu(), QMenu)))
        if isinstance(sub, QMenu)
    )
    assert in_menus >= sum(bool(command.menu) for command in COMMANDS)


def test_a_command_that_cannot_run_is_disabled_in_menus_and_says_so_again_later(
    window: MainWindow, qtbot: QtBot
) -> None:
    action = window.actions_.actions["file.close"]
    qtbot.waitUntil(lambda: not action.isEnabled())
    window.document.add(ascend(), 1)
    qtbot.waitUntil(action.isEnabled)


def test_the_view_menu_says_what_other_panels_need(window: MainWindow) -> None:
    window.document.add(bare(), 1)
    view = next(a.menu() for a in window.menuBar().actions() if plain(a.text()) == "View")
    assert isinstance(view, QMenu)
    panels, missing = (a.menu() for a in view.actions()[:2])
    assert isinstance(panels, QMenu)
    assert isinstance(missing, QMenu)
    panels.aboutToShow.emit()
    missing.aboutToShow.emit()
    assert [plain(a.text()).split("\t")[0] for a in panels.actions()] == ["Summary", "Details", "Issues"]
    assert "Timeline: a file with timeline" in [a.text() for a in missing.actions()]
    assert not any(a.isEnabled() for a in missing.actions())


def test_panel_menu_holds_the_commands_of_its_place(window: MainWindow) -> None:
    window.document.add(ascend(), 1)
    build_panels(window)
    menu = window.actions_.place_menu("timeline", "canvas", "panel")
    texts = [plain(action.text()).split("\t")[0] for action in menu.actions() if not action.isSeparator()]
    assert texts[0] == "Fit all"
    assert "Export…" in texts
    assert not [text for text in texts if "opy" in text or "ilter" in text]  # nothing can be copied or filtered now
    tab = window.actions_.place_menu("tab")
    assert [plain(action.text()) for action in tab.actions() if not action.isSeparator()] == [
        "Copy file path",
        "Show in folder",
        "Close",
        "Compare with…",
        "Compare parts…",
    ]
    for made in (menu, tab):
        made.deleteLater()


def test_the_clock_is_set_for_the_profile_that_it_was_asked_for(window: MainWindow) -> None:
    document = window.document
    first, second = document.add(ascend(), 1), document.add(ascend("other"), 1)
    document.show(first)
    window.actions_.commands["timeline.unit_cycles"].run(window)
    dialog = window.findChild(ClockDialog)
    assert dialog is not None
    document.show(second)
    dialog.accept()
    assert document.time_units.of(first) == ChosenUnit("cycles", dialog.box.value() * 1e6)
    assert document.time_units.of(second) is None
