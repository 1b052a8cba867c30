"""Settings: one document, whole or put aside; recent files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.resources import resource
from app.widgets.mnemonics import plain
from app.window.main_window import MainWindow
from app.window.recent import LIMIT, added, listed, without
from app.window.settings import VERSION, Arrangement, Settings, SettingsFile
from fakes.shell import loader_of, make_window


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "config" / "settings.json"
    first = SettingsFile(path)
    assert (first.value, first.note) == (Settings(), "")
    first.update(theme="dark", recent=("/a",), arrangements={"ascend": Arrangement("AAAA", ("issues",))})
    second = SettingsFile(path)
    assert second.value == first.value
    assert second.value.arrangements["ascend"].closed == ("issues",)
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]


def test_a_document_of_an_older_version_keeps_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"version": 0, "theme": "dark", "colour_of_old": 3}')
    settings = SettingsFile(path)
    assert settings.value == Settings(theme="dark")
    assert settings.note == ""


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"theme": "dark"', "\x00\xff", "[" * 90000])
def test_a_broken_document_is_put_aside_and_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, "latin-1")
    settings = SettingsFile(path)
    assert settings.value == Settings()
    assert "were reset" in settings.note
    assert (tmp_path / "settings.json.broken").read_text("latin-1") == text
    settings.update(theme="light")
    assert SettingsFile(path).value.theme == "light"


def test_entries_that_are_not_understood_are_left_in_the_file(tmp_path: Path) -> None:
    """As after going back to an older version of the program."""
    path = tmp_path / "settings.json"
    later = {"version": "2b", "theme": "mauve", "recent": ["/a"], "decoders": 400, "later": {"a": [1, None]}}
    path.write_text(json.dumps(later))
    settings = SettingsFile(path)
    assert settings.value == Settings(recent=("/a",))
    assert settings.note.endswith("unknown value of theme, decoders; the default is used")
    settings.update(recent=("/b",))
    stored = json.loads(path.read_bytes())
    assert [stored[name] for name in later] == [VERSION, "mauve", ["/b"], 400, later["later"]]
    SettingsFile(path).update(theme="system")
    stored = json.loads(path.read_bytes())
    assert [stored[name] for name in later] == [VERSION, "system", ["/b"], 400, later["later"]]
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


def test_settings_that_cannot_be_written_hold_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = SettingsFile(tmp_path / "file" / "settings.json")
    settings.update(theme="dark")
    assert settings.value.theme == "dark"
    assert "could not be" in settings.note


def test_an_override_is_for_this_run(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "settings.json")
    settings.override(theme="dark")
    settings.update(bytes_as="B")
    assert (settings.value.theme, SettingsFile(tmp_path / "settings.json").value.theme) == ("dark", "system")
    settings.update(theme="light")
    assert settings.value.theme == "light"


def test_the_window_says_that_settings_were_broken(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{")
    window = make_window(SettingsFile(path))
    qtbot.addWidget(window)
    assert "settings.json.broken" in window.notices.text
    assert window.notices.heading.text() == "Notice"
    window.document.thresholds.set({"host": 5.0})
    assert SettingsFile(path).value.thresholds == {"host": 5.0}


def test_thresholds_are_those_of_the_settings(qtbot: QtBot) -> None:
    settings = SettingsFile()
    settings.update(thresholds={"host": 7.0})
    window = make_window(settings)
    qtbot.addWidget(window)
    assert window.document.thresholds.values == {"host": 7.0}


def test_recent_files_are_newest_first_once_and_few() -> None:
    root = Path(Path.cwd().anchor)
    recent = added((), [root / "a", root / "b"])
    assert added(recent, [root / "b"]) == (str(root / "b"), str(root / "a"))
    assert without(recent, [root / "a"]) == (str(root / "b"),)
    assert len(added(recent, [root / str(number) for number in range(100)])) == LIMIT


def test_a_recent_file_that_is_gone_is_greyed(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_text("")
    here, gone = listed((str(tmp_path / "a.bin"), str(tmp_path / "b.bin")))
    assert (here.exists, gone.exists, gone.name) == (True, False, "b.bin")


def test_opened_files_are_remembered_failed_ones_and_samples_are_not(window: MainWindow, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.bin", tmp_path / "bad.bin"
    window.open([good, bad])
    window.open([resource("samples", "matmul.bin")])
    assert list(window.settings.value.recent) == [str(good), str(bad)]
    loader_of(window).fail(str(bad), "the file is empty")
    assert list(window.settings.value.recent) == [str(good)]


def test_the_recent_menu_opens_and_clears(window: MainWindow, tmp_path: Path) -> None:
    good = tmp_path / "a&b.bin"
    good.write_text("")
    window.settings.update(recent=(str(good), str(tmp_path / "gone.bin")))
    file = next(a.menu() for a in window.menuBar().actions() if plain(a.text()) == "File")
    assert isinstance(file, QMenu)
    recent = next(a.menu() for a in file.actions() if plain(a.text()) == "Open recent")
    assert isinstance(recent, QMenu)
    recent.aboutToShow.emit()
    first, second = recent.actions()[:2]
    assert first.text().startswith("a&&b.bin")
    assert not second.isEnabled()
    first.trigger()
    assert loader_of(window).asked == [(good,)]
    window.actions_.commands["file.clear_recent"].run(window)
    recent.aboutToShow.emit()
    assert [plain(a.text()) for a in recent.actions() if not a.isSeparator()] == ["Clear recent files"]


def test_the_start_page_opens_recent_files(window: MainWindow, tmp_path: Path) -> None:
    good = tmp_path / "a.bin"
    good.write_text("")
    window.settings.update(recent=(str(good), str(tmp_path / "gone.bin")))
    window.start.refresh()
    buttons = {b.text().split("   ")[0]: b for b in window.start.findChildren(QPushButton)}
    assert not buttons["gone.bin"].isEnabled()
    QTest.mouseClick(buttons["a.bin"], Qt.MouseButton.LeftButton)
    assert loader_of(window).asked == [(good,)]


def test_theme_and_units_are_kept(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    window = make_window(SettingsFile(path))
    qtbot.addWidget(window)
    for name in ("view.theme_dark", "view.bytes_B", "view.cycles_time"):
        window.actions_.commands[name].run(window)
    look = make_window(SettingsFile(path))
    qtbot.addWidget(look)
    assert (look.display.theme.dark, look.display.look.bytes_as, look.display.look.cycles_as) == (True, "B", "time")
