"""Save report… writes the page, says where, and can be cancelled."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.analysis.compare.comparison import Comparison
from app.report.pictures import Picture
from app.window.main_window import MainWindow
from app.window.saving import ReportSaver
from fakes.shell import ascend


def saver(window: MainWindow, path: Path) -> ReportSaver:
    window.document.finish(window.document.add(ascend(), 1))
    profile = window.document.profile
    assert profile is not None
    return ReportSaver(window, profile, None, path)


def test_the_page_is_written_and_said_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    saver(window, target).start()
    qtbot.waitUntil(lambda: str(target) in window.footer.currentMessage())
    assert target.read_text("utf-8").rstrip().endswith("</html>")


def test_pictures_without_graphics_items_are_drawn_in_a_thread(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[bool, bool]] = []
    original = Picture.drawn

    def watched(picture: Picture, theme: str) -> bytes:
        drawn.append((picture.plain, threading.current_thread() is threading.main_thread()))
        return original(picture, theme)

    monkeypatch.setattr(Picture, "drawn", watched)
    target = tmp_path / "report.html"
    window.document.finish(window.document.add(ascend(), 1))
    profile = window.document.profile
    assert profile is not None
    ReportSaver(window, profile, Comparison(ascend("before"), profile), target).start()
    qtbot.waitUntil(target.exists)
    assert (True, False) in drawn
    assert (True, True) not in drawn
    assert (False, False) not in drawn
    assert "with the baseline" in target.read_text("utf-8")


def test_cancelled_it_writes_nothing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    made = saver(window, tmp_path / "report.html")
    ended: list[bool] = []
    made.destroyed.connect(lambda: ended.append(True))
    made.start()
    made._progress.reject()
    qtbot.waitUntil(lambda: bool(ended))
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written_is_a_notice(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    saver(window, tmp_path / "no" / "report.html").start()
    qtbot.waitUntil(lambda: "cannot be written" in window.notices.text)


def test_a_chart_that_cannot_be_drawn_ends_it_without_a_page(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bytes:
        raise ValueError("defect")

    monkeypatch.setattr(Picture, "drawn", broken)
    monkeypatch.setattr(Picture, "plain", False)
    made = saver(window, tmp_path / "report.html")
    with qtbot.waitSignal(made.destroyed), qtbot.captureExceptions() as raised:
        made.start()
        qtbot.waitUntil(lambda: bool(raised))
    assert [kind for kind, _, _ in raised] == [ValueError]
    assert not list(tmp_path.iterdir())
