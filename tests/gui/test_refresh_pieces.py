"""Work of a panel that comes in pieces, with frames between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.widgets import refresh
from app.widgets.refresh import Refresh

PIECES = 5


class Panel(QWidget):
    """Does PIECES pieces, and writes down which."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[int] = []
        self.ended = 0
        self.refresh = Refresh(self, self.work)

    def work(self) -> Iterator[None]:
        for piece in range(PIECES):
            self.done.append(piece)
            yield
        self.ended += 1


@pytest.fixture
def panel(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Panel:
    monkeypatch.setattr(refresh, "BUDGET", 0.0)
    made = Panel()
    qtbot.addWidget(made)
    return made


def test_a_piece_at_a_time(qtbot: QtBot, panel: Panel) -> None:
    panel.show()
    panel.refresh.request()
    panel.refresh._if_seen()
    assert panel.done == [0]
    qtbot.waitUntil(lambda: panel.ended == 1)
    assert panel.done == [0, 1, 2, 3, 4]


def test_asked_again_it_begins_anew(qtbot: QtBot, panel: Panel) -> None:
    panel.show()
    panel.refresh.request()
    panel.refresh._if_seen()
    panel.refresh._if_seen()
    panel.refresh.request()
    qtbot.waitUntil(lambda: panel.ended == 1)
    assert panel.done == [0, 1, 0, 1, 2, 3, 4]


def test_all_at_once_when_it_is_needed(panel: Panel) -> None:
    panel.show()
    panel.refresh.request()
    panel.refresh._if_seen()
    panel.refresh.now()
    assert (panel.done, panel.ended) == ([0, 1, 2, 3, 4], 1)
    panel.refresh.now()
    assert panel.ended == 1


def test_what_is_hidden_waits_and_goes_on_when_it_is_seen(qtbot: QtBot, panel: Panel) -> None:
    panel.refresh.request()
    QApplication.processEvents()
    assert panel.done == []
    panel.show()
    panel.refresh._if_seen()
    panel.hide()
    for _ in range(3):
        QApplication.processEvents()
    begun = len(panel.done)
    assert begun < PIECES
    panel.show()
    qtbot.waitUntil(lambda: panel.ended == 1)
    assert panel.done == [0, 1, 2, 3, 4]


def test_what_is_behind_another_tab_waits(qtbot: QtBot) -> None:
    window, panel = QMainWindow(), Panel()
    qtbot.addWidget(window)
    docks = [QDockWidget(name, window) for name in "ab"]
    for dock, inside in zip(docks, (panel, QWidget()), strict=True):
        dock.setWidget(inside)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.tabifyDockWidget(*docks)
    window.show()
    qtbot.waitUntil(lambda: not docks[1].visibleRegion().isEmpty())
    panel.refresh.request()
    for _ in range(5):
        QApplication.processEvents()
    assert panel.isVisible()
    assert panel.done == []
    docks[0].raise_()
    qtbot.waitUntil(lambda: panel.ended == 1)


def test_postponed_work_waits_for_the_next_turn(qtbot: QtBot, panel: Panel) -> None:
    panel.refresh.postpone()
    panel.refresh.request()
    panel.show()
    assert panel.done == []
    qtbot.waitUntil(lambda: panel.ended == 1)


def test_work_that_raises_is_over(qtbot: QtBot, panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screenshot and the docks that are built next wait until nothing is busy."""

    def raises() -> Iterator[None]:
        yield
        raise ZeroDivisionError

    monkeypatch.setattr(panel.refresh, "_work", lambda: raises)
    panel.show()
    panel.refresh.request()
    panel.refresh._if_seen()
    with pytest.raises(ZeroDivisionError):
        panel.refresh._if_seen()
    panel.refresh._timer.stop()
    assert not panel.refresh.busy
