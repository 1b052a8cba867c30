"""Work that grows with the number of open profiles, counted: hundreds come with one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.document import state_saver
from app.document.document import Document
from app.document.loader import JobState
from app.document.state_saver import StateSaver
from app.profile.profile import Origin, Profile
from app.window.footer import MOST_ROWS
from app.window.main_window import MainWindow
from app.window.profile_tabs import BUTTON, NARROWEST, ProfileTabs
from fakes.opened_window import opened_window
from fakes.shell import ascend, loader_of
from generators import many_profiles


class Counted(ProfileTabs):
    """Counts what Qt lays all tabs out for."""

    calls = 0

    def setTabText(self, index: int, text: str) -> None:
        type(self).calls += 1
        super().setTabText(index, text)

    def tabSizeHint(self, index: int) -> Any:
        type(self).calls += 1
        return super().tabSizeHint(index)


def profile(number: int) -> Profile:
    return Profile(name="trace", origin=Origin("ascend-trace", (Path(f"/run/core{number}/trace.json"),)))


def open_and_finish(document: Document, first: int, count: int) -> None:
    """As the loader does it: what came within a moment is announced together."""
    with document.together():
        for number in range(first, first + count):
            document.finish(document.add(profile(number), number, show=False))


def tabs_after(qtbot: QtBot, window: MainWindow, count: int) -> int:
    """Calls that it takes to show so many profiles, ten at a time."""
    document = Document()
    document.add(profile(0), 1)
    tabs = Counted(document, window.display, window.central)
    tabs.resize(900, 40)
    tabs.show()
    Counted.calls = 0
    for first in range(1, count, 10):
        open_and_finish(document, first, min(10, count - first))
    qtbot.waitUntil(lambda: tabs.count() == count)
    assert tabs.count() == count
    assert tabs.tabText(1).startswith("core1 · trace")
    tabs.deleteLater()
    return Counted.calls


def test_tabs_are_described_once_however_many_there_are(window: MainWindow, qtbot: QtBot) -> None:
    few, many = tabs_after(qtbot, window, 100), tabs_after(qtbot, window, 400)
    assert many < 5 * few


def test_a_profile_that_changes_is_described_alone(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    open_and_finish(window.document, 0, 30)
    told: list[int] = []
    monkeypatch.setattr(window.tabs, "setTabIcon", lambda index, _icon: told.append(index))
    monkeypatch.setattr(window.tabs, "setTabToolTip", lambda index, _text: told.append(index))
    entry = window.document.add(ascend("new"), 99, show=False)
    window.document.finish(entry)
    assert set(told) == {30}


def test_what_happens_together_is_announced_once(window: MainWindow) -> None:
    seen: list[str] = []
    document = window.document
    document.entries_changed.connect(lambda: seen.append("changed"))
    document.entry_closed.connect(lambda: seen.append("closed"))
    open_and_finish(document, 0, 50)
    assert seen == ["changed", "changed"]  # the first is shown at once, then all of them are there
    seen.clear()
    with document.together():
        for entry in document.entries[1:]:
            document.close(entry.id)
        assert seen == []
    assert seen == ["changed", "closed"]


def test_narrow_tabs_show_their_names_and_the_active_one_whole(window: MainWindow, qtbot: QtBot) -> None:
    open_and_finish(window.document, 0, 40)
    tabs = window.tabs
    qtbot.waitUntil(lambda: tabs.count() == 40)
    for index in (0, 20):
        window.document.show(window.document.entries[index].id)
        widths = [tabs.tabRect(place).width() for place in range(40)]
        assert widths[index] >= tabs.fontMetrics().horizontalAdvance(tabs.tabText(index)) + 30
        assert tabs.tabText(index) == f"trace · core{index}"
        assert max(widths[place] for place in range(40) if place != index) <= NARROWEST
        buttons = [place for place in range(40) if tabs.tabButton(place, tabs.ButtonPosition.RightSide)]
        assert buttons == [index]
    assert tabs.tabText(5) == "core5 · trace"


def test_few_tabs_all_have_their_name_and_a_button(window: MainWindow) -> None:
    open_and_finish(window.document, 0, 3)
    tabs = window.tabs
    assert [tabs.tabText(place) for place in range(3)] == [f"trace · core{place}" for place in range(3)]
    assert all(tabs.tabButton(place, tabs.ButtonPosition.RightSide) for place in range(3))
    room = [
        tabs.tabRect(place).width() - tabs.fontMetrics().horizontalAdvance(tabs.tabText(place)) for place in range(3)
    ]
    assert min(room) >= BUTTON


def test_a_tab_that_is_closed_by_now_is_passed_over(window: MainWindow) -> None:
    open_and_finish(window.document, 0, 2)
    shown = window.document.current
    window.document.show(4711)
    assert window.document.current is shown


def test_a_long_list_of_jobs_is_cut(window: MainWindow) -> None:
    jobs = [JobState(number, f"{number}.json", (Path(f"/{number}.json"),)) for number in range(400)]
    loader_of(window).tell(*jobs)
    view = window.footer.jobs
    assert len(view.rows) == MOST_ROWS
    assert view.summary.text() == "400 files are being read"
    assert view.more.text() == "and 394 more"
    assert window.rect().contains(view.panel.geometry())
    loader_of(window).tell(*jobs[:3])
    assert view.more.isHidden()


def test_what_was_left_on_files_is_looked_for_once_each(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path, ...]] = []
    look_for = state_saver.look_for

    def counted(folder: Path, job: int, paths: tuple[Path, ...], token: Any) -> Any:
        asked.append(paths)
        return look_for(folder, job, paths, token)

    monkeypatch.setattr(state_saver, "look_for", counted)
    document = Document()
    looked = StateSaver(document, tmp_path)
    for number in range(60):
        open_and_finish(document, number, 1)
        QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: not looked.busy)
    assert sorted(asked) == sorted(entry.profile.origin.paths for entry in document.entries)
    looked.deleteLater()


def test_a_folder_of_all_families_opens_in_the_real_window(qtbot: QtBot, tmp_path: Path) -> None:
    many_profiles.write(tmp_path, 48)
    with opened_window(qtbot, [tmp_path]) as (window, settle):
        assert len(window.document.entries) == 48
        qtbot.waitUntil(lambda: window.tabs.count() == 48)
        assert not window.notices.isVisible()
        settle()
        names = [window.tabs.tabText(place) for place in range(48)]
        assert len(set(names)) == 48
        window.actions_.commands["file.close_others"].run(window)
        qtbot.waitUntil(lambda: window.tabs.count() == 1)
