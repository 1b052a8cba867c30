"""The Comparison panel comes to the front when a comparison begins, and gives its place back when it ends."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.window.commands import COMMANDS
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from fakes.shell import PANELS, ascend, build_panels, label_panel, make_window, spec
from gui.window.conftest import shown


@pytest.fixture
def settings() -> SettingsFile:
    return SettingsFile()


@pytest.fixture
def two(qtbot: QtBot, looks: None, settings: SettingsFile) -> MainWindow:
    """Two profiles, the source in front of the panels below."""
    window = shown(qtbot, make_window(settings, (*PANELS, spec("comparison", "Comparison", label_panel("comparison")))))
    for name in ("before", "after"):
        window.document.finish(window.document.add(ascend(name), job=1))
    build_panels(window)
    return window


def in_sight(window: MainWindow, name: str) -> bool:
    QApplication.processEvents()
    return window.prepare().in_sight(name)


def run(window: MainWindow, name: str) -> None:
    next(command for command in COMMANDS if command.id == name).run(window)


def test_it_comes_to_the_front_and_goes_back(qtbot: QtBot, two: MainWindow, settings: SettingsFile) -> None:
    before, after = (entry.id for entry in two.document.entries)
    assert in_sight(two, "source")
    two.document.baselines.set(after, before)
    qtbot.waitUntil(lambda: in_sight(two, "comparison"))
    run(two, "compare.swap")
    assert two.document.current_id == before
    qtbot.waitUntil(lambda: in_sight(two, "comparison"))
    run(two, "compare.swap")
    run(two, "compare.end")
    qtbot.waitUntil(lambda: in_sight(two, "source"))
    two.prepare().save_layout()
    assert not settings.value.arrangements  # nobody arranged anything


def test_what_the_user_has_in_front_stays(qtbot: QtBot, two: MainWindow) -> None:
    before, after = (entry.id for entry in two.document.entries)
    two.document.baselines.set(after, before)
    qtbot.waitUntil(lambda: in_sight(two, "comparison"))
    two.prepare().focus("instructions")
    run(two, "compare.end")
    assert in_sight(two, "instructions")
    two.document.baselines.set(after, before)
    qtbot.waitUntil(lambda: in_sight(two, "comparison"))
    two.document.close(before)
    qtbot.waitUntil(lambda: in_sight(two, "instructions"))


def test_a_comparison_of_another_profile_changes_nothing_here(qtbot: QtBot, two: MainWindow) -> None:
    before, after = (entry.id for entry in two.document.entries)
    two.document.baselines.set(before, after)
    assert not in_sight(two, "comparison")
