"""The window of the help: the page of the panel in use, links, history, search."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.window.help.help_window import HelpWindow, show
from app.window.main_window import MainWindow
from fakes.shell import ascend, build_panels, loader_of


@pytest.fixture
def helped(window: MainWindow, qtbot: QtBot) -> HelpWindow:
    """The help of a window with a profile, all pages ready to be searched."""
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    opened = show(window)
    qtbot.waitUntil(lambda: not opened._ahead.isActive())
    return opened


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
    button = window.prepare().docks["source"].heading.findChild(QToolButton, "help")
    assert isinstance(button, QToolButton)
    assert button.toolTip() == "Shows source."
    button.click()
    assert opened.topic == "source"
    assert window.findChildren(HelpWindow) == [opened]
    opened.close()


def test_links_lead_to_pages_panels_commands_and_samples(helped: HelpWindow, window: MainWindow) -> None:
    helped.view.anchorClicked.emit(QUrl("roofline.md"))
    assert helped.topic == "roofline"
    assert not helped.panel.isEnabled()  # this profile has none
    helped.follow("timeline.md")
    assert helped.panel.isEnabled()
    helped.panel.click()
    docks = window.prepare()
    assert docks.at(window.keys.last_focus or window) is docks.docks["timeline"]
    helped.follow("command:view.theme_dark")
    assert window.display.theme.dark
    helped.follow("sample:popef")
    assert [path.name for path in loader_of(window).asked[-1]] == ["resnet_inference.popef"]
    helped.step(-1)
    assert (helped.topic, helped.back.isEnabled(), helped.forward.isEnabled()) == ("roofline", True, True)
    helped.step(1)
    assert (helped.topic, helped.forward.isEnabled()) == ("timeline", False)
    before = helped.view.toPlainText()
    helped.follow("https://example.org/")
    helped.follow("../secret.md")
    assert (helped.topic, helped.view.toPlainText()) == ("timeline", before)
    helped.close()


def test_search_lists_pages_highlights_hits_and_steps(helped: HelpWindow, qtbot: QtBot) -> None:
    helped.field.setText("fullest tile")
    assert helped.contents.isHidden()
    titles = [helped.results.item(row).text() for row in range(helped.results.count())]
    assert any(title.startswith("Tile memory – ") and "\n" in title for title in titles)
    helped.results.setCurrentRow(next(row for row, title in enumerate(titles) if title.startswith("Tile memory")))
    assert helped.topic == "tile_memory"
    assert len(helped.view.extraSelections()) >= 2
    assert helped.view.textCursor().selectedText().casefold() == "fullest tile"
    first = helped.view.textCursor().position()
    helped.field.stepped.emit(1)
    assert helped.view.textCursor().position() > first
    helped.field.stepped.emit(-1)
    assert helped.view.textCursor().position() == first
    helped.field.setText("no such words anywhere")
    assert helped.results.item(0).text() == "No matches"
    helped.field.clear()
    assert not helped.contents.isHidden()
    assert helped.view.extraSelections() == []
    helped.close()


def test_pages_load_nothing(helped: HelpWindow) -> None:
    assert helped.view.loadResource(2, QUrl("file:///etc/hosts")) is None
    assert not helped.view.openExternalLinks()
    helped.close()
