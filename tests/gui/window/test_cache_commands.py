"""The size of the cache is a choice, and clearing it says what it frees."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from app.store import folders
from app.store.cache.limit import CacheLimit, note, noted
from app.store.locks import held
from app.widgets.mnemonics import plain
from app.window.cache import ask_to_clear, publish_limit, sweep_leftovers
from app.window.commands import COMMANDS
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from fakes.columns import Reader
from generators import poplar


def run(window: MainWindow, name: str) -> None:
    next(command for command in COMMANDS if command.id == name).run(window)


def checked(window: MainWindow) -> list[str]:
    limits = [command for command in COMMANDS if command.id.startswith("tools.cache_") and command.checked]
    return [command.id for command in limits if command.checked is not None and command.checked(window)]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> int:
    """Bytes of one kept profile."""
    graph = poplar.write(tmp_path / "graph.json", poplar.graph(poplar.Scale(tiles_per_ipu=300, compute_sets=4)))
    Reader(monkeypatch).cached((graph,))
    return sum(folders.size_of(folder) for folder in folders.every(folders.place()))


def test_another_size_holds_at_once_and_is_remembered(window: MainWindow, qtbot: QtBot, kept: int) -> None:
    assert checked(window) == ["tools.cache_automatic"]
    run(window, "tools.cache_4")
    assert checked(window) == ["tools.cache_4"]
    assert window.loader.choice == CacheLimit(4 << 30)
    qtbot.waitUntil(lambda: noted() == CacheLimit(4 << 30))
    assert list(folders.every(folders.place()))
    run(window, "tools.cache_nothing")
    assert window.settings.value.cache_bytes == 0
    qtbot.waitUntil(lambda: not list(folders.every(folders.place())))


def test_columns_of_a_killed_window_are_deleted(window: MainWindow, qtbot: QtBot, kept: int) -> None:
    (cached,) = folders.every(folders.place())
    left, used = folders.new(), folders.new()
    assert left.hold is not None
    left.hold.release()  # as the system does when a process ends
    sweep_leftovers(window)
    qtbot.waitUntil(lambda: set(folders.every(folders.place())) == {cached, used.folder})
    used.release()


def test_the_choice_is_a_setting(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "settings.json")
    settings.update(cache_bytes=1 << 30)
    assert SettingsFile(tmp_path / "settings.json").value.cache_bytes == 1 << 30
    (tmp_path / "settings.json").write_text('{"cache_bytes": -5}')
    assert SettingsFile(tmp_path / "settings.json").value.cache_bytes is None


def test_how_many_processes_decode_is_a_setting(window: MainWindow, tmp_path: Path) -> None:
    decoders = [command for command in COMMANDS if command.id.startswith("tools.decoders_") and command.checked]
    assert [command.id for command in decoders if command.checked and command.checked(window)] == [
        "tools.decoders_automatic"
    ]
    run(window, "tools.decoders_4")
    assert window.loader.workers == window.settings.value.decoders == 4
    assert [command.id for command in decoders if command.checked and command.checked(window)] == ["tools.decoders_4"]
    (tmp_path / "settings.json").write_text('{"decoders": 1000}')
    assert SettingsFile(tmp_path / "settings.json").value.decoders == 0


def test_clearing_says_what_it_frees(window: MainWindow, qtbot: QtBot, kept: int) -> None:
    box = ask_to_clear(window)
    assert "KiB" in box.text()
    assert "does not change your files" in box.informativeText()
    assert str(folders.place()) in box.informativeText()
    next(button for button in box.findChildren(QPushButton) if plain(button.text()) == "Clear").click()
    qtbot.waitUntil(lambda: " freed." in window.notices.text)
    assert list(folders.every(folders.place())) == []
    assert kept > 1000


def test_what_open_profiles_use_goes_with_them(window: MainWindow, qtbot: QtBot, kept: int) -> None:
    (folder,) = folders.every(folders.place())
    hold = held(folder)
    assert hold is not None
    box = ask_to_clear(window)
    next(button for button in box.findChildren(QPushButton) if plain(button.text()) == "Clear").click()
    qtbot.waitUntil(lambda: "used by open profiles" in window.notices.text)
    assert window.notices.text.startswith("The file cache was cleared. ")
    assert not folders.is_cached(folder)
    hold.release()


def test_an_empty_cache_is_only_told_of(window: MainWindow) -> None:
    run(window, "tools.cache_clear")
    (box,) = window.findChildren(QMessageBox)
    assert box.text() == "The file cache is empty."
    assert [plain(button.text()) for button in box.findChildren(QPushButton)] == ["Close"]
    box.reject()


def test_the_command_line_is_told_when_it_knows_otherwise() -> None:
    note(CacheLimit(5))
    publish_limit(CacheLimit(None))
    assert noted() == CacheLimit(None)
    publish_limit(CacheLimit(0))
    assert noted() == CacheLimit(0)
