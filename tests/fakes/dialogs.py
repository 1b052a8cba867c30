"""Drives the real dialogs with keys, like a user."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

Shown = TypeVar("Shown", bound=QDialog)


def dialog(qtbot: QtBot, kind: type[Shown]) -> Shown:
    """The dialog in front, once it is of this type."""
    front: list[Shown] = []

    def is_shown() -> bool:
        front[:] = [widget for widget in [QApplication.activeModalWidget()] if isinstance(widget, kind)]
        return bool(front) and front[0].isVisible()

    qtbot.waitUntil(is_shown)
    return front[0]


def name_field(shown: QFileDialog) -> QLineEdit:
    field = shown.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    return field


def save_as(qtbot: QtBot, path: Path | str) -> str:
    """Enters ``path`` into the file dialog and presses Enter; returns the name that the dialog suggested."""
    shown = dialog(qtbot, QFileDialog)
    field = name_field(shown)
    offered = field.text()
    field.setText(str(path))  # typed keys would open the list of completions, which needs a screen
    QTest.keyClick(field, Qt.Key.Key_Return)
    return offered


def answer(qtbot: QtBot, button: str) -> str:
    """Presses the button with this text (without its mnemonic) in a question; returns the question."""
    box = dialog(qtbot, QMessageBox)
    wanted = next(made for made in box.buttons() if made.text().replace("&", "") == button)
    QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    return box.text()


def cancel(qtbot: QtBot, kind: type[QDialog] = QFileDialog) -> None:
    """Presses Esc."""
    QTest.keyClick(dialog(qtbot, kind), Qt.Key.Key_Escape)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
