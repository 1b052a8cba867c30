"""What arranges docks waits until no mouse button is down, and never for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.window import drop
from app.window.dock_area import DockArea
from app.window.drop import AfterRelease
from app.window.main_window import MainWindow
from fakes.pointer import release_buttons
from fakes.shell import ascend, bare

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def label(qtbot: QtBot) -> Iterator[QLabel]:
    label = QLabel("pressed")
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()
    release_buttons(label)
    yield label
    release_buttons(label)


def test_work_waits_for_the_release_and_keeps_its_order(label: QLabel, qtbot: QtBot, qapp: QObject) -> None:
    done: list[str] = []
    gate = AfterRelease(list, label)
    gate.run("first", lambda: done.append("at once"))
    assert done == ["at once"]
    QTest.mousePress(label, LEFT)
    gate.run("first", lambda: done.append("replaced"))
    gate.run("second", lambda: done.append("second"))
    gate.run("first", lambda: done.append("first"))
    assert done == ["at once"]
    assert not gate.ready
    QTest.mouseRelease(label, LEFT)
    qtbot.waitUntil(lambda: gate.ready)
    assert done == ["at once", "second", "first"]


def test_a_release_that_qt_has_missed_ends_the_wait(
    label: QLabel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drop, "LONGEST_S", 0.0)
    done: list[str] = []
    gate = AfterRelease(lambda: [label], label)
    QTest.mousePress(label, LEFT)
    gate.run("work", lambda: done.append("work"))
    qtbot.waitUntil(lambda: done == ["work"])
    assert gate.held  # nothing was released


def test_docks_wait_for_the_release(window: MainWindow, label: QLabel, qtbot: QtBot) -> None:
    window.document.finish(window.document.add(ascend(), 1))
    docks = window.docks
    assert isinstance(docks, DockArea)
    offered = docks.offered
    QTest.mousePress(label, LEFT)
    window.document.add(bare(), 2)
    window.show_start(True)
    window.close()
    assert docks.offered == offered
    assert not window.isHidden()
    window.document.close(window.document.entries[-1].id)
    window.document.add(bare(), 3)
    QTest.mouseRelease(label, LEFT)
    qtbot.waitUntil(lambda: set(docks.offered) == {"summary", "details", "issues"})
    qtbot.waitUntil(window.isHidden)


def test_nothing_else_arranges_docks(root: Path) -> None:
    """All of it goes through DockArea, which waits."""
    calls = re.compile(
        r"\.(restoreState|saveState|addDockWidget|tabifyDockWidget|removeDockWidget|splitDockWidget|resizeDocks|setFloating)\("
    )
    found = {path.name for path in (root / "app").rglob("*.py") if calls.search(path.read_text(encoding="utf-8"))}
    assert found == {"dock.py", "dock_area.py", "layouts.py"}
