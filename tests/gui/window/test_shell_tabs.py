"""One tab for each open profile."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QToolButton

from app.profile.profile import Origin, Profile
from app.window.main_window import MainWindow
from fakes.shell import ascend, bare, loader_of


def three(window: MainWindow) -> list[int]:
    ids = [window.document.add(profile, job) for job, profile in enumerate((ascend("a"), bare("b"), ascend("c")), 1)]
    for entry in ids:
        window.document.finish(entry)
    return ids


def test_tabs_follow_the_document_and_choose_in_it(window: MainWindow) -> None:
    assert not window.tabs.isVisible()
    ids = three(window)
    tabs = window.tabs
    assert [tabs.tabText(i) for i in range(3)] == ["a · Ascend", "b · Poplar", "c · Ascend"]
    assert tabs.currentIndex() == 2
    assert window.windowTitle() == "c – Tilesight"
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    assert window.document.current is not None
    assert window.document.current.id == ids[0]
    assert tabs.tabToolTip(0) == str(Path("/data/a.bin"))


def test_a_file_that_is_read_later_gets_its_tab_between_its_neighbours(window: MainWindow) -> None:
    for name, job in (("a", 1), ("c", 3), ("b", 2)):
        window.document.finish(window.document.add(bare(name), job, show=name == "c"))
    tabs = window.tabs
    names = [tabs.tabText(index).split(" ")[0] for index in range(3)]
    assert (names, tabs.currentIndex()) == (["a", "b", "c"], 2)
    assert [tabs.tabData(index) for index in range(3)] == [entry.id for entry in window.document.entries]
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert window.windowTitle() == "b – Tilesight"


def test_a_tab_tells_what_comes_from_the_file_cache(window: MainWindow) -> None:
    window.document.finish(window.document.add(ascend("a"), 1, cached=True))
    assert window.tabs.tabToolTip(0).count("opened from the file cache") == 1


def test_a_middle_click_closes(window: MainWindow) -> None:
    ids = three(window)
    QTest.mouseClick(window.tabs, Qt.MouseButton.MiddleButton, pos=window.tabs.tabRect(1).center())
    assert [entry.id for entry in window.document.entries] == [ids[0], ids[2]]
    assert [window.tabs.tabText(i) for i in range(2)] == ["a · Ascend", "c · Ascend"]


def test_the_close_button_closes_its_own_tab_also_after_others_have_gone(window: MainWindow) -> None:
    ids = three(window)
    window.close_profile(ids[0])
    button = window.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert isinstance(button, QToolButton)
    button.click()
    assert [entry.id for entry in window.document.entries] == [ids[2]]
    window.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide).click()  # type: ignore[attr-defined]
    assert window.document.entries == ()
    assert window.start_shown
    assert window.windowTitle() == "Tilesight"


def test_closing_what_is_still_read_cancels_it(window: MainWindow) -> None:
    entry = window.document.add(ascend(), 7)
    assert "still being read" in window.tabs.tabToolTip(0)
    window.close_profile(entry)
    assert loader_of(window).cancelled == [7]
    assert window.document.entries == ()


def test_names_from_files_are_shown_as_they_are(window: MainWindow) -> None:
    odd = Profile(name="a&b <i>", origin=Origin("poplar", (Path("/data/a&b"),)))
    window.document.add(odd, 1)
    assert window.tabs.tabText(0) == "a&&b <i> · Poplar"


def test_ctrl_tab_goes_round(window: MainWindow) -> None:
    ids = three(window)
    forward = window.actions_.commands["go.next_profile"]
    seen = []
    for _ in range(3):
        forward.run(window)
        assert window.document.current is not None
        seen.append(window.document.current.id)
    assert seen == ids
    window.actions_.commands["go.previous_profile"].run(window)
    assert window.document.current == window.document.entries[1]
