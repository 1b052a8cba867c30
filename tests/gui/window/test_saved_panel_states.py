"""Docks stay as they were left: switching profiles, opening others, sections that arrive late, floating panels."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from app.profile.profile import Profile
from app.window.dock_area import DockArea
from app.window.main_window import MainWindow
from fakes.shell import PANELS, TablePanel, ascend, bare, make_window, spec


def shown(qtbot: QtBot, window: MainWindow) -> MainWindow:
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


def docks_of(window: MainWindow) -> DockArea:
    assert window.docks is not None
    return window.docks


def open_profile(window: MainWindow, profile: Profile, *, show: bool = True) -> int:
    entry = window.document.add(profile, 1, show=show)
    window.document.finish(entry)
    QApplication.processEvents()
    return entry


def show(window: MainWindow, entry: int) -> None:
    window.document.show(entry)
    QApplication.processEvents()


def click_tab(window: MainWindow, title: str) -> None:
    for bar in docks_of(window).findChildren(QTabBar):
        for index in range(bar.count()):
            if bar.isVisible() and bar.tabText(index) == title:
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
                QApplication.processEvents()
                return
    raise AssertionError(f"no tab says {title}")


def in_front(window: MainWindow) -> set[str]:
    return {name for name, dock in docks_of(window).docks.items() if docks_of(window).in_sight(name) and dock.offered}


def places(window: MainWindow) -> dict[str, QRect]:
    docks = docks_of(window).docks
    return {name: QRect(docks[name].mapTo(window, QPoint()), docks[name].size()) for name in in_front(window)}


@pytest.mark.parametrize(
    "other", [bare(), bare("kernel", "ascend-bin"), ascend("other")], ids=["family", "less", "same"]
)
def test_what_was_in_front_comes_back_with_its_profile(window: MainWindow, other: Profile) -> None:
    first = open_profile(window, ascend())
    click_tab(window, "Instructions")
    assert "instructions" in in_front(window)
    open_profile(window, other)
    if other.sources is not None:
        click_tab(window, "Source")
    show(window, first)
    assert "instructions" in in_front(window)
    assert "source" not in in_front(window)


@pytest.mark.parametrize("other", [bare(), bare("kernel", "ascend-bin")], ids=["family", "less"])
def test_sizes_come_back_with_their_profile(window: MainWindow, other: Profile) -> None:
    first = open_profile(window, ascend())
    area = docks_of(window)
    area.resizeDocks([area.docks["timeline"], area.docks["source"]], [150, 500], Qt.Orientation.Vertical)
    area.resizeDocks([area.docks["timeline"], area.docks["summary"]], [500, 700], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    before = places(window)
    open_profile(window, other)
    show(window, first)
    assert places(window) == before


def test_a_new_profile_of_the_family_has_the_same_panels_in_front(window: MainWindow) -> None:
    open_profile(window, ascend())
    click_tab(window, "Instructions")
    open_profile(window, ascend("second"))
    assert "instructions" in in_front(window)


def test_what_opens_behind_moves_nothing(window: MainWindow) -> None:
    open_profile(window, ascend())
    open_profile(window, ascend("second"), show=False)
    click_tab(window, "Instructions")
    before = places(window)
    for profile in (bare(), ascend("b"), ascend("c")):
        entry = open_profile(window, profile, show=False)
        assert places(window) == before
        window.document.close(entry)
        QApplication.processEvents()
        assert places(window) == before


def test_sections_that_arrive_leave_the_chosen_tab_in_front(window: MainWindow) -> None:
    full = ascend()
    entry = window.document.add(replace(full, timeline=None), 1)
    QApplication.processEvents()
    click_tab(window, "Instructions")
    window.document.grow(entry, full, frozenset(("timeline",)))
    QApplication.processEvents()
    assert {"timeline", "instructions"} <= in_front(window)


def test_a_panel_moved_in_one_profile_is_moved_in_all_of_the_family(window: MainWindow) -> None:
    first = open_profile(window, ascend())
    click_tab(window, "Instructions")
    second = open_profile(window, ascend("second"))
    area = docks_of(window)
    area.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, area.docks["summary"])
    QApplication.processEvents()
    moved = places(window)
    show(window, first)
    assert places(window)["summary"] == moved["summary"]
    assert "instructions" in in_front(window)
    show(window, second)
    assert places(window) == moved


def test_a_floating_panel_comes_back(window: MainWindow) -> None:
    first = open_profile(window, ascend())
    details = docks_of(window).docks["details"]
    details.setFloating(True)
    details.setGeometry(300, 200, 333, 222)
    QApplication.processEvents()
    other = open_profile(window, bare())
    assert not docks_of(window).docks["timeline"].isVisible()
    show(window, first)
    assert details.isFloating()
    assert details.isVisible()
    assert details.size().width() == 333
    show(window, other)
    show(window, first)
    assert details.isFloating()
    assert details.isVisible()


def test_the_first_panel_of_each_place_is_in_front_of_a_fresh_file(qtbot: QtBot) -> None:
    """Though all sections come at one moment, while the start page is seen."""
    window = shown(qtbot, make_window(panels=(*PANELS, spec("tables", "Tables", TablePanel))))
    window.prepare()
    full, document = ascend(), window.document
    with document.together():
        entry = document.add(replace(full, timeline=None, sources=None), 1)
        for profile, section in ((replace(full, timeline=None), "sources"), (full, "timeline")):
            document.grow(entry, profile, frozenset((section,)))
        document.finish(entry)
    qtbot.waitUntil(lambda: "summary" in in_front(window))
    assert "source" in in_front(window)
    assert "tables" not in in_front(window)
