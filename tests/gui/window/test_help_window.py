"""The window of the help: the page of the panel in use, links, history, search."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.window.help_window import HelpWindow, show
from app.window.main_window import MainWindow
from fakes.shell import ascend, build_panels, loader_of


def test_f1_opens_the_page_of_the_panel_with_the_keyboard_in_one_window(window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(window, Qt.Key.Key_F1)
    (opened,) = window.findChildren(HelpWindow)
    assert opened.topic == "index"
    assert not opened.isModal()
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    window.show_panel("timeline")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.prepare().docks["timeline"].focus_target(), Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: opened.topic == "timeline")
    assert "Timeline" in opened.windowTitle()
    button = window.prepare().docks["source"].heading.findChild(QToolButton, "circle-question-mark")
    assert isinstance(button, QToolButton)
    assert button.toolTip() == "Shows source."
    button.click()
    assert opened.topic == "source"
    assert window.findChildren(HelpWindow) == [opened]
    opened.close()


def test_pages_are_linked_remembered_and_searched(window: MainWindow, qtbot: QtBot) -> None:
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    opened = show(window)
    check_links(opened, window)
    qtbot.waitUntil(lambda: not opened._ahead.isActive())
    check_search(opened)
    assert opened.view.loadResource(2, QUrl("file:///etc/hosts")) is None
    assert not opened.view.openExternalLinks()
    opened.close()


def check_links(opened: HelpWindow, window: MainWindow) -> None:
    """Links lead to pages, panels, commands and samples, and nowhere else; the way back is remembered."""
    opened.view.anchorClicked.emit(QUrl("roofline.md"))
    assert opened.topic == "roofline"
    assert not opened.panel.isEnabled()  # this profile has none
    opened.follow("timeline.md")
    assert opened.panel.isEnabled()
    opened.panel.click()
    docks = window.prepare()
    assert docks.at(window.keys.last_focus or window) is docks.docks["timeline"]
    opened.follow("command:view.bytes_B")
    assert window.display.look.bytes_as == "B"
    opened.follow("sample:popef")
    assert [path.name for path in loader_of(window).asked[-1]] == ["resnet_inference.popef"]
    opened.step(-1)
    assert (opened.topic, opened.back.isEnabled(), opened.forward.isEnabled()) == ("roofline", True, True)
    opened.step(1)
    assert (opened.topic, opened.forward.isEnabled()) == ("timeline", False)
    before = opened.view.toPlainText()
    opened.follow("https://example.org/")
    opened.follow("../secret.md")
    assert (opened.topic, opened.view.toPlainText()) == ("timeline", before)


def check_search(opened: HelpWindow) -> None:
    """Pages with matches are listed in place of all; hits are highlighted, and Enter goes from one to the next."""
    opened.field.setText("fullest tile")
    assert opened.contents.isHidden()
    titles = [opened.results.item(row).text() for row in range(opened.results.count())]
    assert any(title.startswith("Tile memory – ") and "\n" in title for title in titles)
    opened.results.setCurrentRow(next(row for row, title in enumerate(titles) if title.startswith("Tile memory")))
    assert opened.topic == "tile_memory"
    assert len(opened.view.extraSelections()) >= 2
    assert opened.view.textCursor().selectedText().casefold() == "fullest tile"
    first = opened.view.textCursor().position()
    opened.field.stepped.emit(1)
    assert opened.view.textCursor().position() > first
    opened.field.stepped.emit(-1)
    assert opened.view.textCursor().position() == first
    opened.field.setText("no such words anywhere")
    assert opened.results.item(0).text() == "No matches"
    opened.field.clear()
    assert not opened.contents.isHidden()
    assert opened.view.extraSelections() == []
