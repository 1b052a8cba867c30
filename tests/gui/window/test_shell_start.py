"""The start page, the error dialog, the about box, the picture without a display."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.preferred_language import VARIABLE
from app.views.look import DARK, LIGHT
from app.widgets.display import Display
from app.widgets.texts import Label
from app.window import samples, start_page
from app.window.about import About, about_text
from app.window.application import close_on_signals
from app.window.key_help import KeyHelp
from app.window.main_window import MainWindow
from app.window.samples import Sample
from app.window.screenshot import Screenshot
from app.window.settings import SettingsFile
from app.window.start_page import card_columns, content_width
from fakes.shell import PANELS, ascend, loader_of, make_window

TIMEOUT = 60


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A resources folder of the test's own."""
    folder = tmp_path / "resources" / "samples"
    folder.mkdir(parents=True)
    monkeypatch.setattr(samples, "resource", lambda *parts: tmp_path.joinpath("resources", *parts))
    return folder


def test_samples_are_one_click_away(bundled: Path, window: MainWindow) -> None:
    (bundled / "a.bin").write_text("")
    (bundled / "index.json").write_text('[{"id": "popef", "files": ["a.bin"]}, {"id": "poplar", "files": ["b.bin"]}]')
    window.start.refresh()
    (card,) = window.start.findChildren(start_page.Card)
    assert card.accessibleName() == "Open sample ResNet for inference"
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    assert loader_of(window).asked == [(bundled / "a.bin",)]
    assert window.settings.value.recent == (str(bundled / "a.bin"),) or samples.is_bundled(bundled / "a.bin")


def test_a_wide_page_leaves_room_for_the_texts_of_samples(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1920, 1080)
    window.show()
    all_cards = window.start.findChildren(start_page.Card)
    count = len(samples.samples())
    assert len(all_cards) == count
    qtbot.waitUntil(lambda: all_cards[0].width() == card_columns(content_width(1920), count)[1])
    qtbot.waitUntil(lambda: all(card.height() >= card.heightForWidth(card.width()) for card in all_cards))


def test_the_page_uses_the_width_of_the_window() -> None:
    widths = [content_width(width) for width in (300, 900, 1280, 1920, 2560, 3840)]
    assert widths == [204, 804, 1184, 1382, 1760, 2640]
    assert [card_columns(width, 4) for width in widths] == [(1, 204), (4, 189), (4, 284), (4, 333), (4, 420), (4, 630)]
    assert card_columns(1184, 6) == (
        6,
        184,
    )  # all samples in one row of a window 1280 wide: recent files are seen below
    assert card_columns(1382, 7) == (7, 183)
    assert card_columns(1174, 7, brief=True) == (7, 154)
    for width in widths:
        columns, each = card_columns(width, 7)
        assert columns * each + (columns - 1) * 16 <= width


def test_recent_files_come_before_samples_once_there_are_any(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.resize(1280, 800)
    window.show()

    def order() -> tuple[bool, bool]:
        cards = window.start.findChildren(start_page.Card)
        heading = next(label for label in window.start.findChildren(Label) if label.text() == "Recent files")
        above = heading.mapTo(window, QPoint()).y() < cards[0].mapTo(window, QPoint()).y()
        return above, len({card.y() for card in cards}) <= 2

    qtbot.waitUntil(lambda: order()[0] is False)
    window.settings.update(recent=(str(tmp_path / "a.bin"),))
    window.start.refresh()
    qtbot.waitUntil(lambda: order() == (True, True))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_end_closes_the_window(window: MainWindow, qtbot: QtBot, number: signal.Signals) -> None:
    """The end of a session is no crash."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    with qtbot.waitExposed(window):
        window.show()
    try:
        close_on_signals(window)
        signal.raise_signal(number)
        qtbot.waitUntil(lambda: not window.isVisible())
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@pytest.mark.parametrize("text", [None, "", "{}", '[{"id": 1}]'])
def test_without_a_list_of_samples_there_are_none(bundled: Path, text: str | None) -> None:
    if text is not None:
        (bundled / "index.json").write_text(text)
    assert samples.samples() == []


def test_a_picture_of_the_sample_or_a_drawing(bundled: Path) -> None:
    sample = Sample("a", ("a.bin",))
    drawing = start_page.sample_picture(sample, LIGHT).toImage()
    assert drawing != start_page.sample_picture(sample, DARK).toImage()
    red = QImage(320, 200, QImage.Format.Format_RGB32)
    red.fill(Qt.GlobalColor.red)
    red.save(str(sample.picture(dark=False)))
    shown = start_page.sample_picture(sample, LIGHT).toImage()
    assert shown.pixelColor(shown.width() // 2, shown.height() // 2) == Qt.GlobalColor.red
    assert shown.size() == drawing.size()


def test_a_picture_in_the_language_of_the_user_comes_first(bundled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sample("a", ("a.bin",))
    monkeypatch.setenv(VARIABLE, "zh_CN")
    assert sample.picture(dark=True).name == "a-dark.png"  # there is no other
    (bundled / "a-dark-zh_CN.png").write_bytes(b"")
    assert sample.picture(dark=True).name == "a-dark-zh_CN.png"


def test_the_start_page_comes_back_on_wish_and_goes_with_a_tab(window: MainWindow) -> None:
    window.document.finish(window.document.add(ascend(), 1))
    shown = [window.start_shown]
    window.actions_.commands["help.start"].run(window)
    shown.append(window.start_shown)
    QTest.mouseClick(window.tabs, Qt.MouseButton.LeftButton, pos=window.tabs.tabRect(0).center())
    shown.append(window.start_shown)
    assert shown == [False, True, False]


def test_the_buttons_of_the_start_page_ask(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.window.dialogs.ask_files", lambda *_: [Path("/data/a.bin")])
    monkeypatch.setattr("app.window.dialogs.ask_folder", lambda *_: [Path("/data")])
    for text in ("Open files…", "Open folder…"):
        button = next(b for b in window.start.findChildren(QPushButton) if b.text() == text)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert loader_of(window).asked == [(Path("/data/a.bin"),), (Path("/data"),)]


def test_the_start_page_says_how_to_begin(window: MainWindow) -> None:
    for name, title, what in start_page.FIRST_STEPS:
        command = window.actions_.commands[name]
        assert (title, what) == (command.text, command.help)
    keys = next(button for button in window.start.findChildren(QPushButton) if button.text() == "Keyboard shortcuts")
    QTest.mouseClick(keys, Qt.MouseButton.LeftButton)
    assert window.findChild(KeyHelp) is not None
    assert any(".popef" in what for _, what in start_page.OPENS)


def test_about_names_version_and_licence(window: MainWindow) -> None:
    assert "Tilesight 0." in about_text().html
    assert "Apache License 2.0" in about_text().html
    dialog = About(window)
    dialog.show()
    dialog.close()


def test_a_picture_shows_the_panel_that_was_named(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = make_window()
    qtbot.addWidget(window)
    window.document.finish(window.document.add(ascend(), 1))
    status = Screenshot(window).take([], tmp_path / "out.png", "instructions")
    assert status == 0
    assert QImage(str(tmp_path / "out.png")).size() == QSize(1280, 800)
    assert window.docks is not None
    assert window.docks.docks["instructions"].filled
    assert capsys.readouterr().err == ""


def test_a_picture_of_a_panel_that_the_file_does_not_have(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = make_window()
    qtbot.addWidget(window)
    assert Screenshot(window).take([], tmp_path / "out.png", "instructions") == 2
    assert capsys.readouterr().err.startswith("--panel instructions: no such panel for this file; choose from ")
    assert not (tmp_path / "out.png").exists()


def test_a_picture_of_a_file_that_fails_says_why(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = Document()
    window = MainWindow(SettingsFile(), lambda: PANELS)
    window.fill(Loader(document), document, Display())
    qtbot.addWidget(window)
    (tmp_path / "empty.bin").write_bytes(b"")
    shot = Screenshot(window)
    assert shot.take([tmp_path / "empty.bin"], tmp_path / "out.png", "timeline") == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{tmp_path / 'empty.bin'}: the file is empty"
    assert lines[1] == "--panel timeline: no such panel for this file; choose from none: nothing is open"
    assert (tmp_path / "out.png").exists()


def test_a_picture_that_cannot_be_written(qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    window = make_window()
    qtbot.addWidget(window)
    assert Screenshot(window).take([], tmp_path / "no" / "out.png", None) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_the_command_line_draws_without_a_display(root: Path, tmp_path: Path) -> None:
    quiet = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if sys.platform.startswith("linux"):
        quiet.pop("QT_QPA_PLATFORM", None)
    target = tmp_path / "out.png"
    words = [sys.executable, str(root / "main.py"), "--screenshot", str(target), "--size", "900x600", "--theme", "dark"]
    done = subprocess.run(words, env=quiet, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    picture = QImage(str(target))
    assert picture.size() == QSize(900, 600)
    assert picture.pixelColor(450, 590).lightness() < 60
