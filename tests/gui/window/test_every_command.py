"""Every command once, in the real window on a profile: nothing fails, and what it opens goes by Esc."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from app.window.commands import COMMANDS
from fakes.opened_window import opened_window

ENDING = ("file.quit", "file.close", "file.close_others", "file.clear_recent", "view.full_screen")
"""What they do takes the window or the profile away; journeys run them."""
OUTSIDE = ("file.show_in_folder",)
"""What they do needs another program of the desktop."""


def extra(window: QWidget) -> list[QWidget]:
    """Dialogs and menus that stand beside the window."""
    popup = QApplication.activePopupWidget()
    dialogs: list[QWidget] = [one for one in window.findChildren(QDialog) if one.isVisible()]
    return dialogs if popup is None else [popup, *dialogs]


@pytest.fixture
def _escaping(qapp: QApplication) -> Iterator[None]:
    """Presses Esc in dialogs for files, which wait for their answer."""

    def escape() -> None:
        modal = qapp.activeModalWidget()
        if modal is not None:
            QTest.keyClick(modal, Qt.Key.Key_Escape)

    timer = QTimer()
    timer.timeout.connect(escape)
    timer.start(20)
    yield
    timer.stop()


@pytest.mark.usefixtures("_escaping")
def test_every_command_acts_and_what_it_opens_goes(qtbot: QtBot, root: Path) -> None:
    with opened_window(qtbot, [root / "resources" / "samples" / "matmul_leakyrelu.bin"]) as (window, settle):
        for command in COMMANDS:
            if command.id in (*ENDING, *OUTSIDE) or not command.text:
                continue
            window.actions_.refresh()
            window.actions_.actions[command.id].trigger()
            settle()
            for _ in range(6):
                if not extra(window):
                    break
                QTest.keyClick(extra(window)[0], Qt.Key.Key_Escape)
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                settle()
            assert not extra(window), command.id
            assert window.isVisible(), command.id
        assert window.document.profile is not None
