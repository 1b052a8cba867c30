"""Panels of one group share a tab: a strip has few tabs, and nothing is further away than a menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTabBar
from pytestqt.qtbot import QtBot

from app.panels.registry import PANELS, SPECS
from app.panels.spec import GROUPS
from app.profile.profile import Profile
from app.window.dock_tabs import GroupButton
from app.window.main_window import MainWindow
from fakes.shell import build_panels, make_window


def shown_tabs(bar: QTabBar) -> list[str]:
    return [bar.tabText(index) for index in range(bar.count()) if bar.isTabVisible(index)]


def bar_of(window: MainWindow, name: str) -> QTabBar:
    title = window.prepare().docks[name].windowTitle()
    (bar,) = (
        bar
        for bar in window.prepare().tabs.bars()
        if bar.isVisible() and title in [bar.tabText(index) for index in range(bar.count())]
    )
    return bar


@pytest.fixture
def operator(qtbot: QtBot, kernel: Profile) -> MainWindow:
    window = make_window(panels=PANELS)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    window.document.finish(window.document.add(kernel, 1))
    build_panels(window)
    return window


def test_groups_are_known() -> None:
    assert {spec.group for spec in PANELS} - {""} == set(GROUPS)


def test_no_strip_has_more_than_four_tabs(operator: MainWindow) -> None:
    for bar in operator.prepare().tabs.bars():
        if bar.isVisible():
            assert len(shown_tabs(bar)) <= 4


def test_every_open_panel_has_a_tab_or_is_in_the_menu_of_one(operator: MainWindow) -> None:
    docks = operator.prepare()
    for dock in docks.shown():
        if docks.tabifiedDockWidgets(dock):
            bar = bar_of(operator, dock.spec.id)
            titles = shown_tabs(bar)
            alike = {SPECS[spec.id].title for spec in PANELS if spec.group == dock.spec.group and spec.group}
            assert dock.windowTitle() in titles or alike & set(titles)


def choose(bar: QTabBar, title: str) -> None:
    menu = next(one for one in bar.findChildren(QMenu) if one.isVisible())
    next(action for action in menu.actions() if action.text() == title).trigger()
    menu.close()
    QApplication.processEvents()


def test_the_button_on_a_tab_brings_another_panel_of_its_group(operator: MainWindow, qtbot: QtBot) -> None:
    bar = bar_of(operator, "roofline")
    assert "Roofline" not in shown_tabs(bar)
    buttons = [one for one in bar.findChildren(GroupButton) if one.isVisible()]
    limits = next(one for one in buttons if one.accessibleName().startswith("Limits"))
    QTest.mouseClick(limits, Qt.MouseButton.LeftButton)
    choose(bar, "Roofline")
    assert operator.prepare().in_sight("roofline")
    assert "Roofline" in shown_tabs(bar)
    assert "Memory paths" not in shown_tabs(bar)


def test_a_key_opens_the_menu_of_the_group(operator: MainWindow, qtbot: QtBot) -> None:
    docks = operator.prepare()
    docks.focus("memory_paths")
    bar = bar_of(operator, "memory_paths")
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Down)
    choose(bar, "Cache")
    assert docks.in_sight("cache")


def test_a_panel_that_is_asked_for_stands_for_its_group(operator: MainWindow) -> None:
    operator.show_panel("core_load")
    bar = bar_of(operator, "core_load")
    assert operator.prepare().in_sight("core_load")
    assert "Core load" in shown_tabs(bar)
    assert "Operator" not in shown_tabs(bar)


def test_the_last_panel_of_a_group_that_is_left_open_has_no_button(operator: MainWindow) -> None:
    docks = operator.prepare()
    docks.toggle("operator")
    QApplication.processEvents()
    bar = bar_of(operator, "core_load")
    assert "Core load" in shown_tabs(bar)
    names = [one.accessibleName() for one in bar.findChildren(GroupButton) if one.isVisible()]
    assert not [name for name in names if name.startswith("Cores")]


def test_where_the_only_panel_that_shows_is_closed_another_of_its_group_shows(operator: MainWindow) -> None:
    docks = operator.prepare()
    docks.bring("summary")
    QApplication.processEvents()
    docks.docks["summary"].close()
    QApplication.processEvents()
    assert docks.in_sight("details")
    docks.docks["timeline"].close()
    QApplication.processEvents()
    assert docks.main() is not None
