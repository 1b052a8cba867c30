"""The details share the place of the summary; issues are a badge that opens them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.profile.issue import Issue
from app.profile.selection import Selection
from app.window.main_window import MainWindow
from fakes.shell import ascend, bare, build_panels


@pytest.fixture
def shown(window: MainWindow, qtbot: QtBot) -> MainWindow:
    with qtbot.waitExposed(window):
        window.show()
    window.document.finish(window.document.add(ascend(), 1))
    build_panels(window)
    return window


def in_front(window: MainWindow) -> list[str]:
    QApplication.processEvents()
    docks = window.prepare()
    return [name for name in ("summary", "details", "issues") if docks.in_sight(name)]


def test_details_come_forward_while_something_is_selected(shown: MainWindow) -> None:
    assert in_front(shown) == ["summary"]
    shown.document.selection.set(Selection("slice", (0,), "timeline"))
    assert in_front(shown) == ["details"]
    shown.document.selection.clear()
    assert in_front(shown) == ["summary"]


def test_another_panel_of_the_group_stays_in_front(shown: MainWindow) -> None:
    shown.show_panel("issues")
    shown.document.selection.set(Selection("slice", (0,), "timeline"))
    assert in_front(shown) == ["issues"]
    shown.document.selection.clear()
    assert in_front(shown) == ["issues"]


def test_the_badge_counts_issues_and_opens_them(shown: MainWindow) -> None:
    badge, document = shown.footer.issues, shown.document
    assert badge.text() == "▲ 1 issue"
    document.show(document.add(bare(), 2))
    assert badge.isHidden()
    profile = bare().with_issue(Issue("info", "a.bin", "skipped")).with_issue(Issue("warning", "a.bin", "odd sum"))
    entry = document.current_id
    assert entry is not None
    document.grow(entry, profile, frozenset({"issues"}))
    assert badge.isVisible()
    assert badge.text() == "▲ 2 issues"
    assert "▲ odd sum\n● skipped" in badge.toolTip()
    QTest.mouseClick(badge, Qt.MouseButton.LeftButton)
    assert in_front(shown) == ["issues"]
